// SPDX-License-Identifier: MIT
// refused: a semicolon begins an attribute
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT "f;a"
#else
#define WHAT "f;a=b"
#endif

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_U8(WHAT, 1));
}
