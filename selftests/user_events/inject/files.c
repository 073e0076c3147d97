// SPDX-License-Identifier: GPL-2.0-only
/* Opening, reading and mapping files. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

static int call_open_data(void)
{
	return file = tfs_open(O_RDWR, "user_events_data");
}

TEST(open_data_survives_faults)
{
	SWEEP(.call = call_open_data, .undo = close_file);
}

static int call_set_prefix(void)
{
	const struct user_prefix prefix = {
		.size = sizeof(prefix),
		.prefix = (uintptr_t)PREFIX,
	};

	return ioctl(file, DIAG_IOCSPREFIX, &prefix);
}

static void check_prefix(void)
{
	EXPECT_ERRNO(reg(file, "other", NULL), EPERM);
}

TEST(set_prefix_survives_faults)
{
	SWEEP(.arrange = open_file, .call = call_set_prefix,
	      .check = check_prefix, .undo = close_file);
}

static int call_open_status(void)
{
	return file = tfs_open(O_RDONLY, "user_events_status");
}

TEST(open_status_survives_faults)
{
	SWEEP(.call = call_open_status, .undo = close_file);
}

void setup_event(void)
{
	name_event();
	helper = data_open();
	index_of_event = must_reg(helper, command);
}

static int call_read(void)
{
	return pread(file, buffer, sizeof(buffer), 0);
}

void open_status(void)
{
	file = status_open();
}

static void check_read(void)
{
	EXPECT_CONTAINS(buffer, event);
	memset(buffer, 0, sizeof(buffer));
}

TEST(read_status_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static void open_profile(void)
{
	file = tfs_open(O_RDONLY, "user_events_profile");
	ASSERT_OK(file);
}

TEST(read_profile_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_profile, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static int call_open_enablers(void)
{
	return file = tfs_open(O_RDONLY, "user_events_enablers");
}

static void setup_listed(void)
{
	name_event();
	helper = data_open();
	must_reg_word(helper, command, words, 0);
}

TEST(open_enablers_survives_faults)
{
	SWEEP(.setup = setup_listed, .call = call_open_enablers,
	      .undo = close_file);
}

static void open_enablers(void)
{
	ASSERT_OK(call_open_enablers());
}

TEST(read_enablers_survives_faults)
{
	SWEEP(.setup = setup_listed, .arrange = open_enablers,
	      .call = call_read, .check = check_read, .undo = close_file);
}

static void open_dynamic_events(void)
{
	file = tfs_open(O_RDONLY, "dynamic_events");
	ASSERT_OK(file);
}

TEST(read_dynamic_events_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_dynamic_events,
	      .call = call_read, .check = check_read, .undo = close_file);
}

void *mapping;

int call_mmap(void)
{
	mapping = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);

	return mapping == MAP_FAILED ? -1 : 0;
}

static void check_mmap(void)
{
	unsigned int bit = atoi(status_line(event));

	EXPECT_FALSE(status_page_bit(mapping, bit));
	enable(event, true);
	EXPECT_TRUE(status_page_bit(mapping, bit));
	enable(event, false);
	EXPECT_FALSE(status_page_bit(mapping, bit));
}

void undo_mmap(void)
{
	ASSERT_OK(munmap(mapping, PAGE));
	close_file();
}

TEST(map_status_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_mmap,
	      .check = check_mmap, .undo = undo_mmap, .also = EAGAIN);
}
