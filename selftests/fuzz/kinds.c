// SPDX-License-Identifier: GPL-2.0-only
/* The table of operations. */
#include "../lib/harness.h"
#include "kinds.h"
#include "operations.h"

#define OF(count)               \
	{                       \
		CHOICE, (count) \
	}
#define FILE_                \
	{                    \
		FILE_SLOT, 0 \
	}
#define PERF_                \
	{                    \
		PERF_SLOT, 0 \
	}
#define EVENT_           \
	{                \
		EVENT, 0 \
	}
#define INSTANCE_           \
	{                   \
		INSTANCE, 0 \
	}
#define ADDRESS_           \
	{                  \
		ADDRESS, 0 \
	}
#define AREA_           \
	{               \
		AREA, 0 \
	}
#define PLACE_           \
	{                \
		PLACE, 0 \
	}
#define LENGTH_           \
	{                 \
		LENGTH, 0 \
	}
#define PAGES_           \
	{                \
		PAGES, 0 \
	}
#define SIZE_           \
	{               \
		SIZE, 0 \
	}
#define BIT_           \
	{              \
		BIT, 0 \
	}
#define INDEX_           \
	{                \
		INDEX, 0 \
	}
#define NUMBER_           \
	{                 \
		NUMBER, 0 \
	}

/* clang-format off */
const struct kind kinds[] = {
	{ "open", do_open, { FILE_, OF(4), OF(10) }, NO_TEXT, 40, false },
	{ "close", do_close, { FILE_ }, NO_TEXT, 20, false },
	{ "dup", do_dup, { FILE_, FILE_ }, NO_TEXT, 10, false },
	{ "pass", do_pass, { FILE_, OF(3) }, NO_TEXT, 6, false },
	{ "register_status", do_register_status,
	  { FILE_, PLACE_, PLACE_, { SIZE, 20 }, OF(4), OF(8) },
	  COMMAND, 60, false },
	{ "register_enabler", do_register_enabler,
	  { FILE_, PLACE_, PLACE_, { SIZE, 28 }, BIT_, { SIZE, 4 }, OF(5),
	    ADDRESS_, OF(8) },
	  COMMAND, 100, false },
	{ "unregister", do_unregister,
	  { FILE_, PLACE_, { SIZE, 16 }, BIT_, ADDRESS_, OF(40), OF(8) },
	  NO_TEXT, 40, false },
	{ "delete", do_delete, { FILE_, PLACE_, OF(8) }, NAME, 25, false },
	{ "ioctl", do_ioctl, { FILE_, NUMBER_, ADDRESS_ }, NO_TEXT, 4, false },
	{ "write", do_write,
	  { FILE_, INDEX_, LENGTH_, OF(15), NUMBER_, ADDRESS_ },
	  NO_TEXT, 100, false },
	{ "read", do_read, { FILE_, LENGTH_, OF(6) }, NO_TEXT, 20, false },
	{ "seek", do_seek, { FILE_, NUMBER_, OF(6) }, NO_TEXT, 5, false },
	{ "poll", do_poll, { FILE_, OF(2) }, NO_TEXT, 4, false },
	{ "unusual", do_unusual, { FILE_, OF(9) }, NO_TEXT, 5, false },
	{ "map", do_map, { FILE_, AREA_, PAGES_, OF(5), OF(5) },
	  NO_TEXT, 20, false },

	{ "memory", do_memory, { AREA_, PAGES_, OF(5), OF(7) },
	  NO_TEXT, 20, false },
	{ "unmap", do_unmap, { AREA_, PAGES_ }, NO_TEXT, 20, false },
	{ "remap", do_remap, { AREA_, PAGES_, PAGES_, AREA_, OF(3) },
	  NO_TEXT, 20, false },
	{ "protect", do_protect, { AREA_, PAGES_, OF(5) }, NO_TEXT, 20, false },
	{ "advise", do_advise, { AREA_, PAGES_, OF(15) }, NO_TEXT, 20, false },
	{ "touch", do_touch, { AREA_, NUMBER_ }, NO_TEXT, 10, false },
	{ "truncate", do_truncate, { PAGES_ }, NO_TEXT, 6, false },
	{ "userfault", do_userfault, { AREA_, PAGES_ }, NO_TEXT, 2, true },
	{ "userfault_close", do_userfault_close, { { 0 } }, NO_TEXT, 4, true },

	{ "fork", do_fork, { OF(8) }, NO_TEXT, 25, true },
	{ "exec", do_exec, { { 0 } }, NO_TEXT, 3, true },
	{ "exit", do_exit, { OF(2) }, NO_TEXT, 2, false },
	{ "kill", do_kill, { OF(6), OF(6) }, NO_TEXT, 8, true },
	{ "pause", do_pause, { OF(20) }, NO_TEXT, 6, true },
	{ "pin", do_pin, { OF(3) }, NO_TEXT, 4, false },
	{ "timer", do_timer, { OF(20) }, NO_TEXT, 3, true },
	{ "user", do_user, { OF(2) }, NO_TEXT, 3, false },

	{ "line", do_line, { OF(12) }, LINE, 40, false },
	{ "enable", do_enable, { EVENT_, INSTANCE_, OF(7) },
	  NO_TEXT, 60, false },
	{ "enable_all", do_enable_all, { OF(3), INSTANCE_, OF(7) },
	  NO_TEXT, 15, false },
	{ "filter", do_filter, { EVENT_, INSTANCE_ }, FILTER, 15, false },
	{ "trigger", do_trigger, { EVENT_, INSTANCE_ }, TRIGGER, 20, false },
	{ "set_event", do_set_event, { INSTANCE_ }, SET_EVENT, 10, false },
	{ "instance", do_instance, { OF(2), OF(2) }, NO_TEXT, 12, false },
	{ "show", do_show, { EVENT_, INSTANCE_, OF(8) }, NO_TEXT, 15, false },
	{ "trace", do_trace, { INSTANCE_, OF(11) }, NO_TEXT, 20, false },
	{ "set_trace", do_set_trace, { INSTANCE_, OF(20) },
	  NO_TEXT, 10, false },

	{ "perf_open", do_perf_open, { PERF_, EVENT_, OF(5), OF(256) },
	  NO_TEXT, 35, false },
	{ "perf_close", do_perf_close, { PERF_ }, NO_TEXT, 12, false },
	{ "perf_map", do_perf_map, { PERF_, OF(4) }, NO_TEXT, 15, false },
	{ "perf_control", do_perf_control, { PERF_, OF(7), NUMBER_ },
	  NO_TEXT, 12, false },
	{ "perf_filter", do_perf_filter, { PERF_ }, FILTER, 8, false },
	{ "perf_read", do_perf_read, { PERF_ }, NO_TEXT, 4, false },
	{ "perf_bpf", do_perf_bpf, { PERF_, OF(64), OF(2), OF(2) },
	  NO_TEXT, 10, false },

	{ "unload", do_unload, { { 0 } }, NO_TEXT, 8, false },
	{ "load", do_load, { { 0 } }, PARAMETERS, 5, false },
	{ "limit", do_limit, { OF(8) }, NO_TEXT, 4, false },
};
/* clang-format on */

const unsigned int kinds_count = ARRAY_SIZE(kinds);

_Static_assert(ARRAY_SIZE(kinds) <= KINDS_MAX, "KINDS_MAX is too small");
