// SPDX-License-Identifier: GPL-2.0-only
/* Registration with a status page and with enablers, and deletion. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

static int call_reg(void)
{
	return reg(file, command, &registered);
}

static void check_reg(void)
{
	unsigned int line = strtoul(status_line(event) ?: "0", NULL, 10);

	EXPECT_EQ(registered.status_bit, line);
	EXPECT_ERRNO(emit(file, registered.write_index, buffer, LARGE), EBADF);
	check_complete(event);
}

static void undo_reg(void)
{
	close_file();
	EXPECT_OK(del_event(event));
}

TEST(register_new_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

static void name_without_fields(void)
{
	event = uniq("e");
	command = event;
}

static void check_known(void)
{
	EXPECT_TRUE(status_line(event));
	check_directory("", event);
}

TEST(register_without_fields_survives_faults)
{
	SWEEP(.setup = name_without_fields, .arrange = open_file,
	      .call = call_reg, .check = check_known, .undo = undo_reg);
}

/* About 70 fields, whose description is larger than a page. */
static void name_many_fields(void)
{
	char *at;
	int i;

	event = uniq("e");
	command = at = calloc(1, 512);
	at += sprintf(at, "%s u32 a", event);
	for (i = 0; strlen(command) < 500; i++)
		at += sprintf(at, ";u8 f%d", i);
}

TEST(register_many_fields_survives_faults)
{
	SWEEP(.setup = name_many_fields, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

static void name_in_instance(void)
{
	name_event();
	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
}

TEST(register_with_instance_survives_faults)
{
	SWEEP(.setup = name_in_instance, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

TEST(register_existing_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = close_file);
}

/* The table of a file has room for 6 events, and then for 12. */
static void fill_file(void)
{
	int i;

	open_file();
	for (i = 0; i < 6; i++)
		must_reg(file, text("%s_%d", event, i));
}

static void check_seventh(void)
{
	EXPECT_EQ(registered.write_index, 6);
	check_reg();
}

static void undo_seven(void)
{
	int i;

	undo_reg();
	for (i = 0; i < 6; i++)
		EXPECT_OK(del_event(text("%s_%d", event, i)));
}

TEST(register_seventh_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = fill_file, .call = call_reg,
	      .check = check_seventh, .undo = undo_seven);
}

static void open_dynamic(void)
{
	file = tfs_open(O_WRONLY, "dynamic_events");
	ASSERT_OK(file);
}

static int call_line(void)
{
	return write(file, command, strlen(command));
}

static void name_line(void)
{
	name_event();
	command = text("u:%s", command);
}

static void check_line(void)
{
	check_complete(event);
}

TEST(create_by_line_survives_faults)
{
	SWEEP(.setup = name_line, .arrange = open_dynamic, .call = call_line,
	      .check = check_line, .undo = undo_reg);
}

/* --- deletion ------------------------------------------------------------- */

static void check_deleted(void)
{
	EXPECT_FALSE(status_line(event));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	EXPECT_LACKS(tfs_read("dynamic_events"), event);
}

static void arrange_deletable(void)
{
	file = data_open();
	must_reg(file, command);
	close(file);
	file = data_open();
}

static int call_delete(void)
{
	return del(file, event);
}

TEST(delete_by_name_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable,
	      .call = call_delete, .check = check_deleted, .undo = close_file);
}

static const char *deletion;

static void arrange_deletable_line(void)
{
	arrange_deletable();
	close(file);
	open_dynamic();
	deletion = text("-:%s", event);
}

static int call_delete_line(void)
{
	return write(file, deletion, strlen(deletion));
}

TEST(delete_by_line_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable_line,
	      .call = call_delete_line, .check = check_deleted,
	      .undo = close_file);
}

/* --- registration: enablers ----------------------------------------------- */

unsigned int enabler_flags, enabler_bit;

int call_reg_enabler(void)
{
	return reg_enabler(file, command, words, sizeof(*words), enabler_bit,
			   enabler_flags);
}

void check_bit_is_updated(const char *name)
{
	const char *at = text("events/%s/%s/enable", system_of(name), name);

	EXPECT_OK(tfs_write("1", "%s", at));
	wait_value(words, 1U << enabler_bit);
	EXPECT_OK(tfs_write("0", "%s", at));
	wait_value(words, 0);
}

void check_enabler(void)
{
	check_complete(event);
	check_bit_is_updated(event);
	EXPECT_ERRNO(call_reg_enabler(), EADDRINUSE);
}

void undo_enabler(void)
{
	EXPECT_OK(unreg(file, words, enabler_bit));
	close_file();
}

void setup_enabler(void)
{
	name_event();
	words = new_words();
}

TEST(register_enabler_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

static void setup_enabler_joining(void)
{
	setup_event();
	words = new_words();
}

TEST(register_enabler_of_existing_survives_faults)
{
	SWEEP(.setup = setup_enabler_joining, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

static void setup_persistent(void)
{
	setup_enabler();
	enabler_flags = USER_EVENT_REG_PERSIST;
}

static void undo_persistent(void)
{
	undo_enabler();
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(del_event(event));
}

TEST(register_persistent_survives_faults)
{
	SWEEP(.setup = setup_persistent, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_persistent);
}

/* The number in the name of a multi-format event is not known. */
static const char *multi_name(void)
{
	char *line =
		find_line(tfs_read("user_events_status"), text(":%s.", event));

	ASSERT_TRUE(line);
	line = strchr(line, ':') + 1;

	return strndup(line, strcspn(line, " "));
}

static void setup_multi(void)
{
	setup_enabler();
	enabler_flags = USER_EVENT_REG_MULTI_FORMAT;
}

static void check_multi(void)
{
	check_complete(multi_name());
	check_bit_is_updated(multi_name());
}

TEST(register_multi_format_survives_faults)
{
	SWEEP(.setup = setup_multi, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_multi,
	      .undo = undo_enabler);
}

/* The first set of a process has room for four enablers, and must then grow. */
static void arrange_four(void)
{
	unsigned int bit;

	open_file();
	for (bit = 0; bit < 4; bit++)
		must_reg_word(file, command, words + 1, bit);
}

static void undo_five(void)
{
	unsigned int bit;

	for (bit = 0; bit < 4; bit++)
		EXPECT_OK(unreg(file, words + 1, bit));
	undo_enabler();
}

TEST(register_fifth_enabler_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_four,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_five);
}

static void discard_page(void)
{
	open_file();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(register_enabler_without_page_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = discard_page,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

/* --- a set of enablers shared with a child --- */

pid_t child;

pid_t start_child(void)
{
	pid_t pid = fork();

	ASSERT_OK(pid);
	if (!pid)
		while (true)
			pause();

	return pid;
}

void stop_child(void)
{
	kill_child(child);
}

static void arrange_shared(void)
{
	open_file();
	must_reg_word(file, command, words + 1, 7);
	child = start_child();
}

static void undo_shared(void)
{
	EXPECT_OK(unreg(file, words + 1, 7));
	EXPECT_OK(unreg(file, words, enabler_bit));
	stop_child();
	close_file();
}

TEST(register_enabler_shared_with_child_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_shared,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_shared);
}

void arrange_enabler(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
}

static int call_unreg(void)
{
	return unreg(file, words, 0);
}

static void check_unreg(void)
{
	EXPECT_ERRNO(unreg(file, words, 0), ENOENT);
	EXPECT_EQ(*words, 0);
}

TEST(unregister_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler,
	      .call = call_unreg, .check = check_unreg, .undo = close_file);
}

static void arrange_enabler_shared(void)
{
	arrange_enabler();
	child = start_child();
}

static void undo_child(void)
{
	stop_child();
	close_file();
}

TEST(unregister_shared_with_child_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler_shared,
	      .call = call_unreg, .check = check_unreg, .undo = undo_child);
}

/*
 * Closes the file that has the last reference to an event that is not
 * persistent.
 */
static int call_close(void)
{
	int done = close(file);

	file = -1;

	return done;
}

static void arrange_last_file(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
	EXPECT_OK(unreg(file, words, 0));
}

void check_event_is_deleted(void)
{
	wait_deleted(event);
}

TEST(close_data_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_last_file,
	      .call = call_close, .check = check_event_is_deleted,
	      .once = true);
}
