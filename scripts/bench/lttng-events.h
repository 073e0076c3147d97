/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of LTTng-UST for scripts/bench/lttng.c: the fields of the event of
 * scripts/bench/write.c, and bytes of any size. LTTng includes this file several
 * times.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng-events.h"

#if !defined(SCRIPTS_BENCH_LTTNG_EVENTS_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define SCRIPTS_BENCH_LTTNG_EVENTS_H

#include <lttng/tracepoint.h>

/* clang-format does not know macros that are separated by spaces. */
/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(
	bench, fields,
	LTTNG_UST_TP_ARGS(uint64_t, a, uint64_t, b, uint64_t, c),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, a, a)
		lttng_ust_field_integer(uint64_t, b, b)
		lttng_ust_field_integer(uint64_t, c, c)))
/* clang-format on */

LTTNG_UST_TRACEPOINT_EVENT(
	bench, bytes, LTTNG_UST_TP_ARGS(const uint8_t *, data, size_t, size),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_sequence(uint8_t, data, data,
						     uint32_t, size)))

#endif

#include <lttng/tracepoint-event.h>
