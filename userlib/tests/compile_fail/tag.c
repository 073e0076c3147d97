// SPDX-License-Identifier: MIT
/* refused: tag must be 1 to 65535 */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E",
			       UEV_EH_TAGGED(65536, UEV_EH_U8("f", 1)));
}
