// SPDX-License-Identifier: MIT
// refused: encoding and format do not fit
#include <userevents/eventheader.h>

#ifdef REFUSED
#define FIELD UEV_EH_VALUE("f", VALUE64, ERRNO, int64_t, 1)
#else
#define FIELD UEV_EH_VALUE("f", VALUE32, ERRNO, int32_t, 1)
#endif

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", FIELD);
}
