// SPDX-License-Identifier: MIT
/* refused: version requires an id */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_ID(0, 1));
}
