// SPDX-License-Identifier: MIT
/* What the module counts, as Prometheus and OpenTelemetry get it. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/module.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "tool.h"

#define TRACEFS "/sys/kernel/tracing"
#define PROFILE TRACEFS "/user_events_profile"

static struct export_module module;
static struct uev_output text;

static void set_up(void)
{
	fake_perf_begin();
	fake_perf_file(TRACEFS "/user_events_data", "");
	fake_perf_file(TRACEFS "/events/user_events/alpha/format", "");
	fake_perf_file(TRACEFS "/events/user_events/beta/format", "");
	fake_perf_file(TRACEFS "/events/user_events_multi/alpha.0/format", "");
	module.tracefs = tool_print("%s" TRACEFS, fake_perf.root);
}

static void tear_down(void)
{
	export_module_release(&module);
	uev_output_release(&text);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* The lines of samples of Prometheus, besides the start */
static void check_samples(const char *wanted)
{
	struct uev_output found = UEV_OUTPUT_INIT;
	char *rest, *line, *copy;

	text.size = 0;
	export_module_append(&module, &text);
	copy = rest = tool_copy(text.text);
	while ((line = strsep(&rest, "\n")))
		if (*line && *line != '#' && !strstr(line, "_start_time_")) {
			tool_put(&found, line);
			tool_put(&found, "\n");
		}
	ck_assert_str_eq(found.text ? found.text : "", wanted);
	uev_output_release(&found);
	free(copy);
}

TEST(counts_by_event_and_reason)
{
	fake_perf_file(PROFILE, "  alpha 7 2 fault=1 perf_too_large=2 "
				"fault@0=1 perf_too_large@1=2\n"
				"  alpha.0 3 0\n"
				"  beta 0 0\n");
	ck_assert(export_module_read(&module));
	check_samples(
		"user_events_module_hits_total{event=\"user_events:alpha\"} 7\n"
		"user_events_module_hits_total{event="
		"\"user_events_multi:alpha.0\"} 3\n"
		"user_events_module_losses_total{event=\"user_events:alpha\","
		"reason=\"fault\"} 1\n"
		"user_events_module_losses_total{event=\"user_events:alpha\","
		"reason=\"perf_too_large\"} 2\n");
	ck_assert_uint_eq(export_module_sum(&module), 13);
}

TEST(counts_the_selected_events)
{
	static const char *const patterns[] = { "b*" };

	module.patterns = patterns;
	module.pattern_count = 1;
	fake_perf_file(PROFILE, "  alpha 7 0\n  beta 0 0 invalid=4\n");
	ck_assert(export_module_read(&module));
	check_samples(
		"user_events_module_hits_total{event=\"user_events:beta\"} 0\n"
		"user_events_module_losses_total{event=\"user_events:beta\","
		"reason=\"invalid\"} 4\n");
}

/* Creates events "many_NUMBER" with these counters. Return: their profile */
static struct uev_output make_many(int count, const char *counters)
{
	struct uev_output profile = UEV_OUTPUT_INIT;
	char line[128];
	int i;

	for (i = 0; i < count; i++) {
		snprintf(line, sizeof(line),
			 TRACEFS "/events/user_events/many_%03d/format", i);
		fake_perf_file(line, "");
		snprintf(line, sizeof(line), "  many_%03d %s\n", i, counters);
		tool_put(&profile, line);
	}
	fake_perf_file(PROFILE, profile.text);

	return profile;
}

/* The number of series is bounded, and sums are exact. */
TEST(counts_others_together)
{
	struct uev_output profile =
		make_many(EXPORT_MODULE_EVENTS_MAX + 2, "2 0 fault=3");

	uev_output_release(&profile);
	ck_assert(export_module_read(&module));
	export_module_append(&module, &text);
	ck_assert_ptr_nonnull(
		strstr(text.text,
		       "user_events_module_hits_total{event=\"(other)\"} 4\n"));
	ck_assert_ptr_nonnull(
		strstr(text.text, "{event=\"(other)\",reason=\"fault\"} 6\n"));
}

/* The first names keep their labels. */
TEST(labels_stay)
{
	struct uev_output profile = make_many(EXPORT_MODULE_EVENTS_MAX, "2 0");

	ck_assert(export_module_read(&module));
	export_module_append(&module, &text);
	ck_assert_ptr_null(strstr(text.text, "(other)"));
	tool_put(&profile, "  alpha 3 0\n");
	fake_perf_file(PROFILE, profile.text);
	uev_output_release(&profile);
	ck_assert(export_module_read(&module));
	text.size = 0;
	export_module_append(&module, &text);
	ck_assert_ptr_nonnull(strstr(text.text, "many_255\"} 2\n"));
	ck_assert_ptr_nonnull(strstr(text.text, "(other)\"} 3\n"));
}

#define HITS(event) "user_events_module_hits_total{event=\"" event "\"} "
#define FAULTS(event) \
	"user_events_module_losses_total{event=\"" event "\",reason=\"fault\"} "

/* Numbers do not fall when an event is removed and created again. */
TEST(removed_events_count)
{
	static const char *const patterns[] = { "a*", "beta" };

	module.patterns = patterns;
	module.pattern_count = 2;
	fake_perf_file(PROFILE, "  / 11 0 removed=5 fault=3\n"
				"  /ant 5 0 removed=2\n"
				"  /alpha 2 0 removed=1 fault=1\n"
				"  /beta 0 0 removed=1\n"
				"  /gone 1 0 removed=1\n"
				"  alpha 7 0\n");
	ck_assert(export_module_read(&module));
	check_samples(HITS("user_events:alpha") "9\n" HITS("user_events:ant") "5\n" HITS(
		"(other)") "3\n" FAULTS("user_events:alpha") "1\n" FAULTS("(other)") "2\n");
	fake_perf_remove(TRACEFS "/events/user_events/alpha");
	fake_perf_file(PROFILE, "  / 18 0 removed=6 fault=3\n"
				"  /ant 5 0 removed=2\n"
				"  /alpha 9 0 removed=2 fault=1\n"
				"  /gone 1 0 removed=1\n");
	ck_assert(export_module_read(&module));
	check_samples(HITS("user_events:alpha") "9\n" HITS("user_events:ant") "5\n" HITS(
		"(other)") "3\n" FAULTS("user_events:alpha") "1\n" FAULTS("(other)") "2\n");
}

/* The kernel's own user_events have no such file. */
TEST(nothing_without_a_profile)
{
	ck_assert(!export_module_read(&module));
}

static struct json_object *at(struct json_object *object, const char *key)
{
	struct json_object *value;

	ck_assert(json_object_object_get_ex(object, key, &value));

	return value;
}

static const char *text_at(struct json_object *object, const char *key)
{
	return json_object_get_string(at(object, key));
}

/* Sums are cumulative since the module was loaded, whoever reads them. */
TEST(sums_continue)
{
	struct json_object *all, *losses, *sum, *point;
	char *whole;

	fake_perf_file(PROFILE, "  alpha 7 0 disabled=5\n");
	ck_assert(export_module_read(&module));
	export_module_append_otlp(&module, &text);
	whole = tool_print("[%s]", text.text);
	all = json_tokener_parse(whole);
	ck_assert_uint_eq(json_object_array_length(all), 2);
	losses = json_object_array_get_idx(all, 1);
	ck_assert_str_eq(text_at(losses, "name"), "user_events.losses");
	sum = at(losses, "sum");
	ck_assert_str_eq(text_at(sum, "aggregationTemporality"), "2");
	ck_assert_str_eq(text_at(sum, "isMonotonic"), "true");
	point = json_object_array_get_idx(at(sum, "dataPoints"), 0);
	ck_assert_str_eq(text_at(point, "asInt"), "5");
	ck_assert_uint_eq(strtoull(text_at(point, "startTimeUnixNano"), NULL,
				   10),
			  module.start);
	ck_assert_uint_le(module.start, module.now);
	json_object_put(all);
	free(whole);

	/* A new program, and the same start */
	module.now = 0;
	text.size = 0;
	ck_assert(export_module_read(&module));
	export_module_append_otlp(&module, &text);
	whole = tool_print("\"startTimeUnixNano\":\"%llu\"",
			   (unsigned long long)module.start);
	ck_assert_ptr_nonnull(strstr(text.text, whole));
	free(whole);
}
