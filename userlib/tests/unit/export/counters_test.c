// SPDX-License-Identifier: MIT
/* Counters of the kernel for Prometheus. */
#include <stdlib.h>
#include <string.h>

#include "export/counters.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "sink/prometheus.h"
#include "tool.h"

#define EVENT "/events/user_events/request"
#define FORMAT                                                        \
	"name: request\nID: 1500\nformat:\n"                          \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"  \
	"\tfield:char counter[20];\toffset:8;\tsize:20;\tsigned:1;\n" \
	"\tfield:u32 __a;\toffset:28;\tsize:4;\tsigned:0;\n"          \
	"\tfield:u32 key_counter;\toffset:32;\tsize:4;\tsigned:0;\n"  \
	"\tfield:s32 bytes;\toffset:36;\tsize:4;\tsigned:1;\n"        \
	"\nprint fmt: \"\"\n"
#define TRIGGER                                                              \
	"hist:name=user_events_count.one:keys=counter,__a,key_counter:vals=" \
	"hitcount,bytes:sort=hitcount:size=2048 [active]\n"
#define BLANK "                                                  "
#define NUMBERS                                               \
	BLANK ", __a:          1, key_counter:          2 } " \
	      "hitcount:          3  bytes: 18446744073709551615\n"
#define HIST(entries, count, lost)                                           \
	"# event histogram\n#\n# trigger info: " TRIGGER "#\n\n" entries     \
	"\nTotals:\n    Hits: 3\n    Entries: " count "\n    Dropped: " lost \
	"\n"

static struct export_counters counters;
static struct uev_output text;

static void set_up(void)
{
	counters = (struct export_counters){ .status = TOOL_OK };
	file_tree_begin();
	file_tree_file("/user_events_data", "");
	file_tree_file(EVENT "/format", FORMAT);
	file_tree_file(EVENT "/trigger", TRIGGER);
	counters.tracefs = tool_copy(file_tree_root());
	counters.found = tool_alloc(sizeof(*counters.found));
	counters.errors = tool_alloc(sizeof(*counters.errors));
	query_list_add(&counters.names, "one");
}

static void tear_down(void)
{
	export_counters_release(&counters);
	uev_output_release(&text);
	file_tree_end();
}

TEST_FIXTURE(set_up, tear_down);

#define TITLES_TOTAL                                                         \
	"# HELP user_events_count_total Records by counter of the kernel.\n" \
	"# TYPE user_events_count_total counter\n"
#define TITLES_SUM                                                         \
	"# HELP user_events_count_value Sums of fields by counter of the " \
	"kernel.\n# TYPE user_events_count_value gauge\n"
#define TITLES_LOST                                                          \
	"# HELP user_events_count_lost_total Records that the kernel could " \
	"not count.\n# TYPE user_events_count_lost_total counter\n"
#define LABELS(value) \
	"key_counter=\"" value "\",key___a=\"1\",key_key_counter=\"2\""

static void appends(const char *wanted, int status)
{
	text.size = 0;
	export_counters_append(&counters, &text);
	ck_assert_str_eq(text.text, wanted);
	ck_assert_int_eq(counters.status, status);
}

/* Labels of the counter, reserved names and equal names are told apart. */
TEST(names_and_escapes_labels)
{
	file_tree_file(EVENT "/hist",
		       HIST("{ counter: a\"b\\c\nd" NUMBERS, "1", "0"));
	appends(TITLES_TOTAL "user_events_count_total{counter=\"one\"," LABELS(
			"a\\\"b\\\\c\\\\nd") "} 3\n" TITLES_SUM
					     "user_events_count_value{counter=\"one\",field=\"bytes\"," LABELS(
						     "a\\\"b\\\\c\\\\nd") "} -1\n" TITLES_LOST
									  "user_events_count_lost_total{counter=\"one\"} 0\n",
		TOOL_OK);
}

/* Prometheus rejects two series with the same labels. */
TEST(adds_up_equal_labels)
{
	file_tree_file(EVENT "/hist",
		       HIST("{ counter: \\n" NUMBERS "{ counter: \n" NUMBERS,
			    "2", "7"));
	appends(TITLES_TOTAL "user_events_count_total{counter=\"one\"," LABELS(
			"\\\\n") "} 6\n" TITLES_SUM
				 "user_events_count_value{counter=\"one\",field=\"bytes\"," LABELS(
					 "\\\\n") "} -2\n" TITLES_LOST
						  "user_events_count_lost_total{counter=\"one\"} 7\n",
		TOOL_INCOMPLETE);
}

/* ftrace drops them before its triggers count. */
TEST(adds_records_that_were_too_large)
{
	file_tree_file("/user_events_profile",
		       "  request 9 3 ftrace_too_large=3 disabled=2\n");
	file_tree_file(EVENT "/hist", HIST("", "0", "2"));
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST
		"user_events_count_lost_total{counter=\"one\"} 5\n",
		TOOL_INCOMPLETE);
}

TEST(leaves_out_what_is_gone)
{
	file_tree_file(EVENT "/hist", HIST("", "0", "0"));
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST
		"user_events_count_lost_total{counter=\"one\"} 0\n",
		TOOL_OK);
	file_tree_file(EVENT "/trigger", "");
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST, TOOL_FAILED);
	file_tree_remove(EVENT);
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST, TOOL_FAILED);
	file_tree_file(EVENT "/format", FORMAT);
	file_tree_file(EVENT "/trigger", TRIGGER);
	file_tree_file(EVENT "/hist", HIST("", "0", "0"));
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST
		"user_events_count_lost_total{counter=\"one\"} 0\n",
		TOOL_OK);
}

/* A counter of the name can be started with other fields meanwhile. */
TEST(finds_counter_again)
{
	static const char line[] = "hist:name=user_events_count.one:keys=__a:"
				   "vals=hitcount:sort=hitcount:size=2048 "
				   "[active]\n";
	char *hist = tool_print("# event histogram\n#\n# trigger info: %s#\n\n"
				"{ __a:          5 } hitcount:          3\n"
				"\nTotals:\n    Hits: 3\n    Entries: 1\n"
				"    Dropped: 0\n",
				line);

	file_tree_file(EVENT "/hist", HIST("", "0", "0"));
	appends(TITLES_TOTAL TITLES_SUM TITLES_LOST
		"user_events_count_lost_total{counter=\"one\"} 0\n",
		TOOL_OK);
	file_tree_file(EVENT "/trigger", line);
	file_tree_file(EVENT "/hist", hist);
	free(hist);
	appends(TITLES_TOTAL
		"user_events_count_total{counter=\"one\",key___a=\"5\"} 3\n" TITLES_SUM
			TITLES_LOST
		"user_events_count_lost_total{counter=\"one\"} 0\n",
		TOOL_OK);
}

TEST(takes_each_name_once)
{
	const struct tool_command command = {
		.name = "export",
		.options = OPTION_TABLES({ sink_prometheus_rows }),
	};
	char *argv[] = { "test", "--counters", "one", "--counters",
			 "two",	 "--counters", "one", NULL };
	struct sink_prometheus prometheus = { .is_only = true };

	optind = 0;
	ck_assert_int_eq(tool_parse_common(&command, &prometheus, 7, argv),
			 TOOL_OK);
	ck_assert_uint_eq(prometheus.counters.names.count, 2);
	sink_prometheus_release(&prometheus);
}

TEST(appends_nothing_without_names)
{
	counters.names.count = 0;
	export_counters_append(&counters, &text);
	ck_assert_uint_eq(text.size, 0);
}
