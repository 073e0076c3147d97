// SPDX-License-Identifier: MIT
/* refused: these are units of another size */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_ZUTF16("f", U"a"));
}
