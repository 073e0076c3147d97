// SPDX-License-Identifier: MIT
/* refused: a provider has a name */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
