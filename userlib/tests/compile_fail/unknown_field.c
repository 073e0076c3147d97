// SPDX-License-Identifier: MIT
/* refused: not a field or an option: UEV_EH_S32( */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(
		provider, 5, 1, "E", UEV_EH_U8("a", 1),
		UEV_EH_STRUCT("s", UEV_EH_TAGGED(1, UEV_EH_S32("f", 2))));
}
