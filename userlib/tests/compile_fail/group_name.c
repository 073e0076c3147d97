// SPDX-License-Identifier: MIT
/* refused: group must have only lower-case letters and digits */
#include <userevents/eventheader.h>

UEV_PROVIDER_GROUP(provider, "Prov", "a_b");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
