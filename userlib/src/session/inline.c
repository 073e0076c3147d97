// SPDX-License-Identifier: MIT
/*
 * The inline functions of the headers as functions of the library, for bindings
 * of other languages, which cannot use headers.
 */
#include <userevents/common.h>

#undef UEV_INLINE
#define UEV_INLINE UEV_TRACE_API

#include <userevents/session.h>

uint32_t uev_trace_version(void)
{
	return UEV_VERSION;
}
