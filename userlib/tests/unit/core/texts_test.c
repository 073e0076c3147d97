// SPDX-License-Identifier: MIT
/*
 * Locations of texts: __data_loc, which counts from the start of the recorded
 * entry; __rel_loc where its header is unknown.
 */
#include <errno.h>
#include <string.h>
#include <linux/user_events.h>
#include <userevents/tracepoint-dynamic.h>

#include "lib/fake_sys.h"
#include "lib/runner.h"

#define A_SECOND 1000

#define ABSOLUTE "n __data_loc char[] text; u8 number; __data_loc u8[] bytes"
#define RELATIVE "n __rel_loc char[] text; u8 number; __rel_loc u8[] bytes"

/* Fixed part of the payload. */
struct fixed {
	uint32_t text;
	uint8_t number;
	uint32_t bytes;
} __attribute__((__packed__));

#define FIXED sizeof(struct fixed)

static struct uev_tracepoint *tracepoint;

static void set_up(void)
{
	fake_reset(FAKE_BOTH);
}

static void tear_down(void)
{
	ck_assert_int_eq(uev_tracepoint_free(tracepoint), 0);
	tracepoint = NULL;
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_FIXTURE(set_up, tear_down);

static void make(void)
{
	static const struct uev_field fields[] = {
		{ .name = "text", .type = UEV_TYPE_STRING },
		{ .name = "number", .type = UEV_TYPE_U8 },
		{ .name = "bytes", .type = UEV_TYPE_BYTES },
	};

	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, "n", fields, 3, 0), 0);
}

static const struct uev_value values[] = {
	{ .type = UEV_TYPE_STRING, .data = "ab", .number = 3, .has_end = 1 },
	{ .type = UEV_TYPE_U8, .number = 7 },
	{ .type = UEV_TYPE_BYTES, .data = "\1\2", .number = 2 },
};

/* Writes the values; the words must be these, and the data follow them. */
static void ck_words(struct uev_event *event, const char *name, uint32_t text,
		     uint32_t bytes)
{
	const struct fixed expected = { text, 7, bytes };
	unsigned int before = fake_records();

	fake_enable(name, true);
	ck_assert_int_eq(uev_tracepoint_write(event, values, 3), 0);
	ck_assert_uint_eq(fake_records(), before + 1);
	ck_assert_str_eq(fake_record()->name, name);
	ck_assert_uint_eq(fake_record()->size, FIXED + 5);
	ck_assert_mem_eq(fake_record()->payload, &expected, FIXED);
	ck_assert_mem_eq(fake_record()->payload + FIXED, "ab\0\1\2", 5);
}

static void ck_absolute(const char *name, unsigned int header)
{
	ck_assert_str_eq(fake_command(name), ABSOLUTE);
	ck_words(uev_tracepoint_event(tracepoint), name,
		 DYN_LOC(header + FIXED, 3), DYN_LOC(header + FIXED + 3, 2));
}

static void ck_relative(const char *name)
{
	ck_assert_str_eq(fake_command(name), RELATIVE);
	ck_words(uev_tracepoint_event(tracepoint), name, DYN_LOC(FIXED - 4, 3),
		 DYN_LOC(3, 2));
}

TEST_LOOP(in_kernel, 2)
{
	fake_reset(_i ? FAKE_STATUS : FAKE_ENABLER);
	make();
	ck_absolute("n", 8);
}

/* The module tells the size, also with PREEMPT_RT. */
TEST_LOOP(of_the_module, 4)
{
	fake_header(_i & 1 ? 12 : 8);
	fake_rt(_i & 2);
	make();
	ck_absolute("n", _i & 1 ? 12 : 8);
}

static void ck_says(const char *reason)
{
	char text[1000];

	ck_assert_uint_lt(uev_diagnose(text, sizeof(text)), sizeof(text));
	if (!reason) {
		ck_assert_ptr_null(strstr(text, "__rel_loc"));
		return;
	}
	ck_assert_msg(strstr(text, "\ntexts are recorded as __rel_loc") &&
			      strstr(text, reason),
		      "'%s' is not in: %s", reason, text);
}

/* Events can be pending when the kernel becomes known. */
TEST_LOOP(relative_with_preempt_rt, 4)
{
	fake_reset(_i & 1 ? FAKE_STATUS : FAKE_ENABLER);
	fake_rt(true);
	fake_load(!(_i & 2));
	make();
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_relative("n");
	ck_says("because entries of PREEMPT_RT kernels differ");
}

TEST(relative_with_an_older_module)
{
	fake_header(0);
	make();
	ck_relative("n");
	ck_says("because the module is older than the library");
}

TEST(diagnosis_of_absolute_texts)
{
	make();
	ck_says(NULL);
}

/* The form is that of the first registration: events of one name share it. */
TEST_LOOP(form_is_kept, 2)
{
	fake_header(0);
	make();
	fake_header(12);
	if (_i) {
		fake_ask(true);
		ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
		fake_delete("n");
		fake_ask(false);
	} else {
		fake_close_all();
	}
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_relative("n");
	ck_assert_int_eq(uev_tracepoint_free(tracepoint), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	fake_delete("n");
	make();
	ck_absolute("n", 12);
}

/* A record opens the file again without a system call that is new to it. */
TEST(size_is_kept_after_closing)
{
	fake_header(12);
	make();
	fake_close_all();
	fake_header(0);
	fake_enable("n", true);
	ck_absolute("n", 12);
}

/* What the program describes itself is as it says. */
TEST_LOOP(texts_of_the_program, 2)
{
	struct uev_event event = UEV_EVENT_INIT(_i ? RELATIVE : ABSOLUTE);

	if (_i)
		fake_header(12);
	else
		fake_header(0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_str_eq(fake_command("n"), event.command);
	/* The library's values are relative there. */
	ck_words(&event, "n", DYN_LOC(FIXED - 4, 3), DYN_LOC(3, 2));
	ck_assert_int_eq(uev_event_unregister(&event), 0);
}

TEST(program_with_the_same_text_keeps_its_form)
{
	struct uev_event event = UEV_EVENT_INIT(ABSOLUTE);

	make();
	ck_assert_int_eq(uev_event_register(&event, UEV_SHARE_NAME), 0);
	ck_absolute("n", 8);
	ck_words(&event, "n", DYN_LOC(FIXED - 4, 3), DYN_LOC(3, 2));
	ck_assert_int_eq(uev_event_unregister(&event), 0);
}

/* A program with a library from before __data_loc is another version of it. */
TEST(older_programs_keep_their_event)
{
	struct uev_event old = UEV_EVENT_INIT(RELATIVE);

	ck_assert_int_eq(uev_event_register(&old, UEV_SHARE_NAME), 0);
	make();
	ck_assert_int_eq(uev_event_status(uev_tracepoint_event(tracepoint)), 0);
	ck_words(&old, "n", DYN_LOC(FIXED - 4, 3), DYN_LOC(3, 2));
	ck_absolute("n.0", 8);
	ck_assert_int_eq(uev_event_unregister(&old), 0);
}

/* Where names are unique, the event stays pending, with the usual reason. */
TEST(conflicts_with_older_programs_in_the_kernel)
{
	static const struct uev_field text = { .name = "text",
					       .type = UEV_TYPE_STRING };
	struct uev_event old = UEV_EVENT_INIT("n __rel_loc char[] text");

	fake_reset(FAKE_STATUS);
	ck_assert_int_eq(uev_event_register(&old, 0), 0);
	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, "n", &text, 1, 0),
			 -EADDRINUSE);
	ck_assert_int_eq(uev_event_unregister(&old), 0);
}

/* Definitions of programs are those that the library registers. */
TEST_LOOP(parsed_as_registered, 2)
{
	static const char description[] = {
		UEV_DESCRIBED, 'a', 0, UEV_TYPE_STRING, 'b', 0, 0
	};
	char written[UEV_COMMAND_MAX + 1];

	fake_header(_i ? 8 : 0);
	make();
	ck_assert_int_eq(uev_command_parse(written, description, NULL, NULL),
			 0);
	ck_assert_str_eq(written,
			 _i ? "a __data_loc char[] b" : "a __rel_loc char[] b");
	ck_assert_int_eq(uev_command_parse(written, ABSOLUTE, NULL, NULL), 0);
	ck_assert_str_eq(written, ABSOLUTE);
}
