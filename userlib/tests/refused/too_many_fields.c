// SPDX-License-Identifier: MIT
/* refused: uev_eventheader_has_too_many_fields */
#include <userevents/eventheader.h>

#define THREE UEV_EH_U8("", 1), UEV_EH_U8("", 2), UEV_EH_U8("", 3)
#define NINE THREE, THREE, THREE

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", NINE, NINE, NINE, NINE,
			       NINE, NINE, NINE, NINE, NINE, NINE, THREE, THREE,
			       THREE, UEV_EH_U8("", 4));
}
