// SPDX-License-Identifier: MIT
/* refused: a group has small letters and digits only */
#include <userevents/eventheader.h>

UEV_PROVIDER_GROUP(provider, "Prov", "a_b");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
