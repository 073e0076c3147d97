// SPDX-License-Identifier: MIT
/*
 * A program without the library, in C and C++: scripts/check/userlib/userlib
 * compiles it with UEV_DISABLE. It fails if an argument is evaluated.
 */
#include <stdio.h>
#include <stdlib.h>

#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>
#include <userevents/sdt.h>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/tracepoint.h>

UEV_PROVIDER(provider, "MyCompany_Disabled");

static int evaluated(void)
{
	puts("an argument was evaluated");
	exit(1);

	return 0;
}

static void write_macros(const char *text)
{
	int local = 1;

	UEV_TRACE(disabled_plain, number, evaluated(), text, text, local,
		  local);
	UEV_TRACE(disabled_empty);
	DTRACE_PROBE2(disabled, probe, evaluated(), text);
	if (UEV_EVENTHEADER(provider, UEV_LEVEL_ERROR, 1, "Event",
			    UEV_EH_I32("number", evaluated()),
			    UEV_EH_ZUTF8("text", text)))
		exit(1);
	if (UEV_EVENTHEADER_ENABLED(provider, UEV_LEVEL_ERROR, 1))
		exit(1);
}

static void write_builder(void)
{
	struct uev_builder *builder;
	struct uev_dynamic_provider *dynamic;
	struct uev_event_set *set;

	if (uev_dynamic_provider_new(&dynamic, "Dynamic", NULL) ||
	    uev_dynamic_provider_event_set(dynamic, 1, 1, &set) ||
	    uev_builder_new(&builder))
		exit(1);
	if (uev_enabled(&set->event) ||
	    uev_builder_begin(builder, "event", 0) ||
	    uev_add_u8(builder, "number", 1) ||
	    uev_builder_write(builder, set, NULL, NULL))
		exit(1);
	uev_builder_free(builder);
	uev_dynamic_provider_free(dynamic);
}

static void write_tracepoint(void)
{
	struct uev_tracepoint *tracepoint;
	struct uev_record *record;

	if (uev_tracepoint_new(&tracepoint, "disabled", NULL, 0, 0) ||
	    uev_record_new(&record, tracepoint) ||
	    uev_enabled(uev_tracepoint_event(tracepoint)) ||
	    uev_record_write(record))
		exit(1);
	uev_record_free(record);
	if (uev_tracepoint_free(tracepoint))
		exit(1);
}

int main(void)
{
	static struct uev_event event = UEV_EVENT_INIT("disabled_by_hand");
	struct uev_stats stats;
	char text[8];

	if (uev_event_register(&event, 0) || uev_enabled(&event) ||
	    uev_event_unregister(&event))
		return 1;
	write_macros("text");
	write_builder();
	write_tracepoint();

	uev_process_stats(&stats, sizeof(stats));
	if (stats.written || stats.skipped || stats.pending ||
	    UEV_TRACE_STATUS(another) == 0 ||
	    UEV_PROVIDER_STATUS(provider) == 0 || uev_register_pending() == 0 ||
	    uev_diagnose(text, sizeof(text)) < sizeof(text) ||
	    strcmp(text, "user_ev") != 0)
		return 1;

	return 0;
}
