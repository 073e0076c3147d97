// SPDX-License-Identifier: MIT
/*
 * Measures what an event costs a program: with handwritten code, one record at a
 * time and in batches, with macros for plain fields and for EventHeader, and
 * with fields defined at run time; with 0 to 16 fields of 32 bits; disabled, and
 * enabled by ftrace.
 *
 *	cost [FORM FIELDS]
 *
 * Prints lines "form fields disabled enabled" with nanoseconds, which are
 * instructions if the clock counts instructions. In lines "register COUNT - time"
 * and "unregister COUNT - time" they are those of each event of an array of new
 * ones. With arguments, only runs that
 * form while it is enabled, for scripts/bench/profile: one record, or one batch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <userevents/batch.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/tracepoint.h>

#include "library.h"
#include "profile.h"

/* Whole batches */
#define ROUNDS (16 * UEV_BATCH_MAX)
#define FIELDS_MAX 16

/* Runs of a profile, of which the shortest counts */
#define PROFILED 20

/* Values of the fields; volatile, so that they are read each time */
static volatile uint32_t v[FIELDS_MAX];

static void fail(const char *what, int err)
{
	fprintf(stderr, "cost: %s: %s\n", what, uev_strerror(err));
	exit(1);
}

static void check(const char *what, int err)
{
	if (err)
		fail(what, err);
}

/* --- Handwritten code ----------------------------------------------------- */

#define U32_4(a) "u32 " a "0; u32 " a "1; u32 " a "2; u32 " a "3"

static struct uev_event by_hand[] = {
	UEV_EVENT_INIT("cost_hand_0"),
	UEV_EVENT_INIT("cost_hand_1 u32 a"),
	UEV_EVENT_INIT("cost_hand_4 " U32_4("a")),
	UEV_EVENT_INIT("cost_hand_16 " U32_4("a") "; " U32_4("b") "; " U32_4(
		"c") "; " U32_4("d")),
};

/* Where records of batched code are kept */
static struct uev_batch *batch;

/* Is inlined with a constant @batched. */
static inline void write_by_hand(struct uev_event *event, unsigned int fields,
				 bool batched)
{
	uint32_t payload[FIELDS_MAX];
	const struct iovec vector = { payload, fields * sizeof(*payload) };
	unsigned int i;

	if (!uev_enabled(event))
		return;
	for (i = 0; i < fields; i++)
		payload[i] = v[i];
	if (batched)
		uev_batch_add(batch, event, &vector, 1);
	else
		uev_event_writev(event, &vector, 1);
}

static inline void hand(struct uev_event *event, unsigned int fields)
{
	write_by_hand(event, fields, false);
}

static void hand_0(void)
{
	hand(&by_hand[0], 0);
}

static void hand_1(void)
{
	hand(&by_hand[1], 1);
}

static void hand_4(void)
{
	hand(&by_hand[2], 4);
}

static void hand_16(void)
{
	hand(&by_hand[3], 16);
}

static void batch_0(void)
{
	write_by_hand(&by_hand[0], 0, true);
}

static void batch_1(void)
{
	write_by_hand(&by_hand[1], 1, true);
}

static void batch_4(void)
{
	write_by_hand(&by_hand[2], 4, true);
}

static void batch_16(void)
{
	write_by_hand(&by_hand[3], 16, true);
}

/* --- Plain fields, defined at compile time -------------------------------- */

static void plain_0(void)
{
	UEV_TRACE(cost_plain_0);
}

static void plain_1(void)
{
	UEV_TRACE(cost_plain_1, a, v[0]);
}

static void plain_4(void)
{
	UEV_TRACE(cost_plain_4, a, v[0], b, v[1], c, v[2], d, v[3]);
}

static void plain_16(void)
{
	UEV_TRACE(cost_plain_16, a, v[0], b, v[1], c, v[2], d, v[3], e, v[4], f,
		  v[5], g, v[6], h, v[7], i, v[8], j, v[9], k, v[10], l, v[11],
		  m, v[12], n, v[13], o, v[14], p, v[15]);
}

/* --- Plain fields, defined at run time ------------------------------------ */

static struct uev_record *records[4];

static inline void record(struct uev_record *record, struct uev_event *event,
			  size_t fields)
{
	size_t i;

	if (!uev_enabled(event))
		return;
	for (i = 0; i < fields; i++)
		uev_record_set_unsigned(record, i, v[i]);
	uev_record_write(record);
}

static struct uev_event *record_events[4];

static void record_0(void)
{
	record(records[0], record_events[0], 0);
}

static void record_1(void)
{
	record(records[1], record_events[1], 1);
}

static void record_4(void)
{
	record(records[2], record_events[2], 4);
}

static void record_16(void)
{
	record(records[3], record_events[3], 16);
}

static void new_record(unsigned int which, unsigned int fields)
{
	static char names[FIELDS_MAX][4];
	struct uev_field field[FIELDS_MAX];
	struct uev_tracepoint *tracepoint;
	char name[32];
	unsigned int i;

	for (i = 0; i < fields; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		memset(&field[i], 0, sizeof(field[i]));
		field[i].name = names[i];
		field[i].type = UEV_TYPE_U32;
	}
	snprintf(name, sizeof(name), "cost_record_%u", fields);
	check(name, uev_tracepoint_new(&tracepoint, name, field, fields, 0));
	check(name, uev_record_new(&records[which], tracepoint));
	record_events[which] = uev_tracepoint_event(tracepoint);
}

/* --- EventHeader, defined at compile time --------------------------------- */

UEV_PROVIDER(provider, "cost_eh");

#define LEVEL UEV_LEVEL_INFORMATION

static void eh_0(void)
{
	UEV_EVENTHEADER(provider, LEVEL, 0x1, "Cost");
}

static void eh_1(void)
{
	UEV_EVENTHEADER(provider, LEVEL, 0x2, "Cost", UEV_EH_U32("a", v[0]));
}

#define EH_4(a, i)                                                    \
	UEV_EH_U32(a "0", v[(i) + 0]), UEV_EH_U32(a "1", v[(i) + 1]), \
		UEV_EH_U32(a "2", v[(i) + 2]), UEV_EH_U32(a "3", v[(i) + 3])

static void eh_4(void)
{
	UEV_EVENTHEADER(provider, LEVEL, 0x4, "Cost", EH_4("a", 0));
}

static void eh_16(void)
{
	UEV_EVENTHEADER(provider, LEVEL, 0x8, "Cost", EH_4("a", 0),
			EH_4("b", 4), EH_4("c", 8), EH_4("d", 12));
}

/* --- EventHeader, defined at run time ------------------------------------- */

static struct uev_builder *builder;
static struct uev_event_set *sets[4];

static inline void build(struct uev_event_set *set, unsigned int fields)
{
	static const char *const names[FIELDS_MAX] = {
		"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3",
		"c0", "c1", "c2", "c3", "d0", "d1", "d2", "d3",
	};
	unsigned int i;

	if (!uev_enabled(&set->event))
		return;
	uev_builder_begin(builder, "Cost", 0);
	for (i = 0; i < fields; i++)
		uev_add_u32(builder, names[i], v[i]);
	uev_builder_write(builder, set, NULL, NULL);
}

static void builder_0(void)
{
	build(sets[0], 0);
}

static void builder_1(void)
{
	build(sets[1], 1);
}

static void builder_4(void)
{
	build(sets[2], 4);
}

static void builder_16(void)
{
	build(sets[3], 16);
}

/* --- Measuring ------------------------------------------------------------ */

/*
 * struct form - a kind of event
 * @name: printed name
 * @fields: number of fields
 * @run: writes the event if it is enabled
 * @event: name in the kernel
 */
struct form {
	const char *name;
	unsigned int fields;
	void (*run)(void);
	const char *event;
};

static const struct form forms[] = {
	{ "hand", 0, hand_0, "cost_hand_0" },
	{ "hand", 1, hand_1, "cost_hand_1" },
	{ "hand", 4, hand_4, "cost_hand_4" },
	{ "hand", 16, hand_16, "cost_hand_16" },
	{ "batch", 0, batch_0, "cost_hand_0" },
	{ "batch", 1, batch_1, "cost_hand_1" },
	{ "batch", 4, batch_4, "cost_hand_4" },
	{ "batch", 16, batch_16, "cost_hand_16" },
	{ "macro", 0, plain_0, "cost_plain_0" },
	{ "macro", 1, plain_1, "cost_plain_1" },
	{ "macro", 4, plain_4, "cost_plain_4" },
	{ "macro", 16, plain_16, "cost_plain_16" },
	{ "record", 0, record_0, "cost_record_0" },
	{ "record", 1, record_1, "cost_record_1" },
	{ "record", 4, record_4, "cost_record_4" },
	{ "record", 16, record_16, "cost_record_16" },
	{ "eventheader", 0, eh_0, "cost_eh_L4K1" },
	{ "eventheader", 1, eh_1, "cost_eh_L4K2" },
	{ "eventheader", 4, eh_4, "cost_eh_L4K4" },
	{ "eventheader", 16, eh_16, "cost_eh_L4K8" },
	{ "builder", 0, builder_0, "cost_builder_L4K1" },
	{ "builder", 1, builder_1, "cost_builder_L4K2" },
	{ "builder", 4, builder_4, "cost_builder_L4K4" },
	{ "builder", 16, builder_16, "cost_builder_L4K8" },
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static __attribute__((noinline)) void nothing(void)
{
	__asm__ volatile("");
}

static uint64_t rounds(void (*run)(void))
{
	uint64_t start;
	unsigned int i;

	/* The first call is slow. */
	run();
	start = now();
	for (i = 0; i < ROUNDS; i++)
		run();

	return now() - start;
}

/* Returns the cost of one round without that of the loop. */
static double cost(void (*run)(void))
{
	return (double)((int64_t)rounds(run) - (int64_t)rounds(nothing)) /
	       ROUNDS;
}

static void profile(const struct form *form)
{
	const bool is_batch = !strcmp(form->name, "batch");
	const unsigned int records = is_batch ? UEV_BATCH_MAX : 1;
	unsigned int i, j;

	set_enabled(form->event, true);
	for (i = 0; i < PROFILED; i++) {
		profile_start();
		for (j = 0; j < records; j++)
			form->run();
		if (is_batch)
			uev_batch_write(batch);
		profile_stop();
	}
}

static void measure(const struct form *form)
{
	double disabled, enabled;
	uint64_t before = written();

	disabled = cost(form->run);
	if (written() != before) {
		fprintf(stderr, "cost: %s: enabled by another tracer\n",
			form->event);
		exit(1);
	}
	set_enabled(form->event, true);
	enabled = cost(form->run);
	check("uev_batch_write", uev_batch_write(batch));
	set_enabled(form->event, false);
	if (written() != before + ROUNDS + 1) {
		fprintf(stderr, "cost: %s: not written each time\n",
			form->event);
		exit(1);
	}
	printf("%s %u %.1f %.1f\n", form->name, form->fields, disabled,
	       enabled);
}

static void measure_registration(unsigned int count)
{
	char(*commands)[32] = calloc(count, sizeof(*commands));
	struct uev_event **table = calloc(count, sizeof(void *));
	struct uev_event *events = calloc(count, sizeof(*events));
	uint64_t start, registered, unregistered;
	unsigned int i;

	for (i = 0; i < count; i++) {
		snprintf(commands[i], sizeof(commands[i]), "cost_%u_%u u32 a",
			 count, i);
		uev_event_init(&events[i], commands[i]);
		table[i] = &events[i];
	}
	start = now();
	check("uev_events_register", uev_events_register(table, table + count));
	registered = now() - start;
	for (i = 0; i < count; i++)
		check("uev_event_status", uev_event_status(&events[i]));
	start = now();
	uev_events_unregister(table, table + count);
	unregistered = now() - start;
	printf("register %u - %.1f\n", count, (double)registered / count);
	printf("unregister %u - %.1f\n", count, (double)unregistered / count);
	free(events);
	free(table);
	free(commands);
}

/* With arguments: tests whether they name the form. */
static bool is_named(const struct form *form, char **argv)
{
	return !strcmp(form->name, argv[1]) &&
	       form->fields == strtoul(argv[2], NULL, 10);
}

int main(int argc, char **argv)
{
	static const unsigned int fields[4] = { 0, 1, 4, 16 };
	struct uev_dynamic_provider *dynamic;
	unsigned int i;

	check("uev_batch_new", uev_batch_new(&batch, 0));
	check("uev_builder_new", uev_builder_new(&builder));
	check("uev_dynamic_provider_new",
	      uev_dynamic_provider_new(&dynamic, "cost_builder", NULL));
	for (i = 0; i < 4; i++) {
		check("uev_event_register", uev_event_register(&by_hand[i], 0));
		check("uev_event_status", uev_event_status(&by_hand[i]));
		new_record(i, fields[i]);
		check("uev_dynamic_provider_event_set",
		      uev_dynamic_provider_event_set(dynamic, LEVEL, 1ULL << i,
						     &sets[i]));
	}
	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (argc < 3)
			measure(&forms[i]);
		else if (is_named(&forms[i], argv))
			profile(&forms[i]);
	}
	if (argc < 3) {
		measure_registration(1);
		measure_registration(64);
		measure_registration(2000);
	}

	return 0;
}
