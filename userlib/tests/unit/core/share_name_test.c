// SPDX-License-Identifier: MIT
/*
 * Events of one name with different fields, such as those of two versions of a
 * program.
 */
#include <errno.h>
#include <string.h>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/userevents.h>

#include "lib/fake_sys.h"
#include "lib/runner.h"

#define A_SECOND 1000

static struct uev_event old, new, same;

static int register_table(struct uev_event *event)
{
	return uev_events_register(&event, &event + 1);
}

static void set_up(void)
{
	fake_reset(FAKE_BOTH);
	uev_event_init(&old, "n u32 a");
	uev_event_init(&new, "n u8 a");
	uev_event_init(&same, "n u8 a");
}

static void tear_down(void)
{
	uev_event_unregister(&old);
	uev_event_unregister(&new);
	uev_event_unregister(&same);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_FIXTURE(set_up, tear_down);

static void ck_records(struct uev_event *event, size_t size, const char *name)
{
	uint32_t number = 5;
	struct iovec vector[] = { { NULL, 0 }, { &number, size } };
	unsigned int before = fake_records();

	ck_assert(uev_enabled(event));
	ck_assert_int_eq(uev_event_writev(event, vector, 2), 0);
	ck_assert_uint_eq(fake_records(), before + 1);
	ck_assert_str_eq(fake_record()->name, name);
	ck_assert_uint_eq(fake_record()->size, size);
}

/* Two events of the table have the same fields, and a third has another name. */
TEST(tables_share_names)
{
	struct uev_event again;
	struct uev_event *table[] = { &new, &again, &same };

	uev_event_init(&again, "other u32 a");
	ck_assert_int_eq(register_table(&old), 0);
	ck_assert_int_eq(uev_events_register(table, table + 3), 0);
	fake_enable("n.0", true);
	ck_records(&new, 1, "n.0");
	ck_records(&same, 1, "n.0");
	fake_enable("n.0", false);
	fake_enable("other", true);
	ck_records(&again, 4, "other");
	ck_assert_int_eq(uev_event_unregister(&again), 0);
}

TEST(both_are_recorded)
{
	ck_assert_int_eq(register_table(&old), 0);
	ck_assert_int_eq(register_table(&new), 0);
	ck_assert_int_eq(uev_event_status(&new), 0);
	ck_assert_int_eq(uev_name_status("n"), 0);
	ck_assert_str_eq(fake_command("n"), "n u32 a");
	ck_assert_str_eq(fake_command("n.0"), "n u8 a");
	fake_enable("n", true);
	ck_assert(!uev_enabled(&new));
	fake_enable("n.0", true);
	ck_records(&old, 4, "n");
	ck_records(&new, 1, "n.0");
}

/* The events of a program share the kernel's event, also later ones. */
TEST(same_fields_share_an_event)
{
	ck_assert_int_eq(register_table(&old), 0);
	ck_assert_int_eq(register_table(&new), 0);
	/* The old version exits. */
	ck_assert_int_eq(uev_event_unregister(&old), 0);
	fake_delete("n");
	ck_assert_int_eq(register_table(&same), 0);
	ck_assert_ptr_null(fake_command("n"));
	ck_assert_ptr_null(fake_command("n.1"));
	fake_enable("n.0", true);
	ck_records(&new, 1, "n.0");
	ck_records(&same, 1, "n.0");
}

/* Once all events are registered again, the name can be available. */
TEST(takes_the_name_after_reopening)
{
	ck_assert_int_eq(register_table(&old), 0);
	ck_assert_int_eq(register_table(&new), 0);
	ck_assert_int_eq(register_table(&same), 0);
	ck_assert_int_eq(uev_event_unregister(&old), 0);
	fake_delete("n");
	fake_close_all();
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_str_eq(fake_command("n"), "n u8 a");
	fake_enable("n", true);
	ck_records(&new, 1, "n");
	ck_records(&same, 1, "n");
}

/* Events are registered again in the order in which they were made. */
TEST_LOOP(keeps_the_name_of_the_first, 2)
{
	if (_i)
		fake_load(false);
	ck_assert_int_eq(uev_event_register(&old, 0), 0);
	ck_assert_int_eq(register_table(&new), 0);
	if (!_i) {
		fake_ask(true);
		ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
		/* The new module */
		fake_delete("n");
		fake_delete("n.0");
		fake_ask(false);
	}
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&old), 0);
	ck_assert_int_eq(uev_event_status(&new), 0);
	ck_assert_str_eq(fake_command("n"), "n u32 a");
}

TEST(only_if_asked)
{
	ck_assert_int_eq(uev_event_register(&old, 0), 0);
	ck_assert_int_eq(uev_event_register(&new, 0), -EADDRINUSE);
	ck_assert_ptr_null(fake_command("n.0"));
	ck_assert_int_eq(uev_event_register(&new, UEV_SHARE_NAME), 0);
	ck_assert_str_eq(fake_command("n.0"), "n u8 a");
	ck_assert_uint_eq(fake_flags("n.0"), UEV_MULTI_FORMAT);
	/* The first keeps the name, and its flags are the kernel's. */
	ck_assert_uint_eq(fake_flags("n"), 0);
}

TEST(keeps_other_flags)
{
	ck_assert_int_eq(uev_event_register(&old, 0), 0);
	ck_assert_int_eq(uev_event_register(&new, UEV_SHARE_NAME | UEV_PERSIST),
			 0);
	ck_assert_uint_eq(fake_flags("n.0"), UEV_MULTI_FORMAT | UEV_PERSIST);
}

TEST(dynamic_tracepoints)
{
	struct uev_field field = { .name = "a", .type = UEV_TYPE_U8 };
	struct uev_tracepoint *tracepoint;
	struct uev_record *record;

	ck_assert_int_eq(uev_event_register(&old, 0), 0);
	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, "n", &field, 1, 0), 0);
	ck_assert_int_eq(uev_record_new(&record, tracepoint), 0);
	fake_enable("n.0", true);
	ck_assert_int_eq(uev_record_set_unsigned(record, 0, 7), 0);
	ck_assert_int_eq(uev_record_write(record), 0);
	ck_assert_str_eq(fake_record()->name, "n.0");
	ck_assert_uint_eq(fake_record()->payload[0], 7);
	uev_record_free(record);
	ck_assert_int_eq(uev_tracepoint_free(tracepoint), 0);
}

/* Linux 6.1 and 6.4. */
TEST_LOOP(kernels_without_formats, 2)
{
	fake_reset(_i ? FAKE_STATUS : FAKE_ENABLER);
	ck_assert_int_eq(register_table(&old), 0);
	ck_assert_int_eq(register_table(&new), 0);
	ck_assert_int_eq(uev_event_status(&old), 0);
	ck_assert_int_eq(uev_event_status(&new), -EADDRINUSE);
	ck_assert_int_eq(uev_event_register(&same, UEV_SHARE_NAME),
			 -EADDRINUSE);
	/* Explicitly, it is another error. */
	ck_assert_int_eq(uev_event_register(&same, UEV_MULTI_FORMAT),
			 -EPROTONOSUPPORT);
	/* The old version exits. */
	ck_assert_int_eq(uev_event_unregister(&old), 0);
	fake_delete("n");
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&new), 0);
}

/* The event stays pending for the error of the second attempt, too. */
TEST(second_attempt_fails)
{
	ck_assert_int_eq(register_table(&old), 0);
	fake_fail(FAKE_IOCTL, 1, 1, -EMFILE);
	ck_assert_int_eq(register_table(&new), 0);
	ck_assert_int_eq(uev_event_status(&new), -EMFILE);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&new), 0);
}

TEST(is_described)
{
	static const char expected[] =
		"\nrecorded in user_events_multi, because an event of that "
		"name has other fields: n u8 a";
	char text[1000];

	ck_assert_int_eq(register_table(&old), 0);
	(void)uev_diagnose(text, sizeof(text));
	ck_assert_ptr_null(strstr(text, "other fields"));
	ck_assert_int_eq(register_table(&new), 0);
	(void)uev_diagnose(text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "2 registered, 0 pending"));
	ck_assert_ptr_nonnull(strstr(text, expected));
	ck_assert_int_eq(uev_event_unregister(&new), 0);
	(void)uev_diagnose(text, sizeof(text));
	ck_assert_ptr_null(strstr(text, "other fields"));
}
