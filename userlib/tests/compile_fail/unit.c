// SPDX-License-Identifier: MIT
/* refused: units of another size */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_ZUTF16("f", U"a"));
}
