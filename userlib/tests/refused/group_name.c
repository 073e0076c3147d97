// SPDX-License-Identifier: MIT
// refused: a group has small letters and digits only
// only at run time: clang, C
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT "G1"
#else
#define WHAT "g1"
#endif

UEV_PROVIDER_GROUP(provider, "Prov", WHAT);

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
