// SPDX-License-Identifier: MIT
/* refused: attributes must be name;attribute=value */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E;a");
}
