// SPDX-License-Identifier: MIT
/* refused: a semicolon begins an attribute */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_U8("f;a", 1));
}
