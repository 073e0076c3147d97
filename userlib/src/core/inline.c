// SPDX-License-Identifier: MIT
/*
 * The inline functions of the headers as functions of the library, for bindings
 * of other languages, which cannot use headers.
 */
#include <userevents/common.h>

#undef UEV_INLINE
#define UEV_INLINE UEV_API

#include <userevents/eventheader-dynamic.h>
#include <userevents/tracepoint.h>
#include <userevents/userevents.h>

uint32_t uev_version(void)
{
	return UEV_VERSION;
}
