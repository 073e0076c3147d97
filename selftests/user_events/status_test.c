// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_status: its text, the bits of its page, and that no process can
 * write the page.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

/* --- text --- */

/* Checks all parts of the text that do not depend on the test. */
static void check_text(const char *content)
{
	unsigned int active = 0, busy = 0, index;
	const char *at = content;
	int used;

	while (*at && *at != '\n') {
		const char *end = strchr(at, '\n');
		char *line, name[512], comment[64] = "";

		ASSERT_TRUE(end);
		line = strndup(at, end - at);
		EXPECT_TRUE(sscanf(line, "%u:%511s%n", &index, name, &used) ==
			    2);
		snprintf(comment, sizeof(comment), "%s", line + used);
		EXPECT_TRUE(!comment[0] ||
			    !strcmp(comment, " # Used by ftrace") ||
			    !strcmp(comment, " # Used by perf") ||
			    !strcmp(comment, " # Used by ftrace perf"));
		EXPECT_NE(index, 0);
		active++;
		busy += !!comment[0];
		free(line);
		at = end + 1;
	}
	EXPECT_STREQ(at, text("\nActive: %u\nBusy: %u\nMax: 32768\n", active,
			      busy));
}

static unsigned int register_status_bit(const char *event)
{
	struct user_reg_status out;
	int fd = data_open();

	ASSERT_OK(reg(fd, event, &out));
	close(fd);

	return out.status_bit;
}

TEST(text_without_events)
{
	char *content = tfs_read("user_events_status");

	if (content && content[0] != '\n')
		SKIP("this machine has other user events");
	EXPECT_STREQ(content, "\nActive: 0\nBusy: 0\nMax: 32768\n");
}

TEST(text_lists_events_and_tracers)
{
	const char *a = uniq("a"), *b = uniq("b"), *c = uniq("c");
	unsigned long long active, busy;
	char *content = tfs_read("user_events_status");
	int perf;

	ASSERT_TRUE(content);
	check_text(content);
	active = number_after(content, "Active: ");
	busy = number_after(content, "Busy: ");

	register_status_bit(a);
	register_status_bit(b);
	register_status_bit(c);
	content = tfs_read("user_events_status");
	check_text(content);
	EXPECT_EQ(number_after(content, "Active: "), active + 3);
	EXPECT_EQ(number_after(content, "Busy: "), busy);
	EXPECT_STREQ(status_line(a), text("%u:%s", register_status_bit(a), a));
	EXPECT_STREQ(status_line(b), text("%u:%s", register_status_bit(b), b));
	EXPECT_STREQ(status_line(c), text("%u:%s", register_status_bit(c), c));

	enable(a, true);
	perf = perf_open(event_id(b), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	content = tfs_read("user_events_status");
	check_text(content);
	EXPECT_EQ(number_after(content, "Active: "), active + 3);
	EXPECT_EQ(number_after(content, "Busy: "), busy + 2);
	EXPECT_STREQ(status_line(a),
		     text("%u:%s # Used by ftrace", register_status_bit(a), a));
	EXPECT_STREQ(status_line(b),
		     text("%u:%s # Used by perf", register_status_bit(b), b));

	enable(b, true);
	enable(a, false);
	content = tfs_read("user_events_status");
	check_text(content);
	EXPECT_EQ(number_after(content, "Busy: "), busy + 1);
	EXPECT_STREQ(status_line(a), text("%u:%s", register_status_bit(a), a));
	EXPECT_STREQ(status_line(b), text("%u:%s # Used by ftrace perf",
					  register_status_bit(b), b));

	close(perf);
	EXPECT_STREQ(status_line(b),
		     text("%u:%s # Used by ftrace", register_status_bit(b), b));
	enable(b, false);
	EXPECT_OK(del_event(a));
	EXPECT_OK(del_event(b));
	EXPECT_OK(del_event(c));
	content = tfs_read("user_events_status");
	check_text(content);
	EXPECT_EQ(number_after(content, "Active: "), active);
	EXPECT_EQ(number_after(content, "Busy: "), busy);
	EXPECT_LACKS(content, PREFIX);
}

/* More text than fits into a typical buffer. */
TEST(text_lists_many_events)
{
	unsigned int i;
	char *content;

	for (i = 0; i < 400; i++)
		register_status_bit(uniq(text("%0100u", i)));
	content = tfs_read("user_events_status");
	check_text(content);
	for (i = 0; i < 400; i++)
		EXPECT_TRUE(strstr(content, uniq(text("%0100u\n", i))));
}

TEST(text_is_complete_in_small_reads)
{
	const char *a = uniq("a");
	char whole[8192], piece;
	size_t size = 0;
	char *content;
	int fd;

	register_status_bit(a);
	content = tfs_read("user_events_status");
	fd = status_open();
	while (size < sizeof(whole) - 1 && read(fd, &piece, 1) == 1)
		whole[size++] = piece;
	whole[size] = '\0';
	EXPECT_STREQ(whole, content);
	EXPECT_EQ(read(fd, &piece, 1), 0);

	/* Reading from the start returns the current state. */
	enable(a, true);
	ASSERT_EQ(lseek(fd, 0, SEEK_SET), 0);
	EXPECT_CONTAINS(read_fd(fd), text("%s # Used by ftrace", a));
	EXPECT_EQ(pread(fd, whole, sizeof(whole), 1 << 20), 0);
}

/* --- lists that are read in parts --- */

#define STABLE 120
#define CHANGING 16

/* The names of the stable events in a list, in its order. */
static char *stable_names(const char *list)
{
	const char *prefix = uniq("stable_"), *at = list;
	char *names;
	size_t size;
	FILE *stream = open_memstream(&names, &size);

	ASSERT_TRUE(stream);
	while ((at = strstr(at, prefix))) {
		fprintf(stream, "%.*s\n", (int)strcspn(at, " \n"), at);
		at += strlen(prefix);
	}
	fclose(stream);

	return names;
}

static void add_or_delete_others(bool add)
{
	unsigned int i;

	for (i = 0; i < CHANGING; i++) {
		const char *event = uniq(text("%u", i));

		if (add)
			register_status_bit(event);
		else
			EXPECT_OK(del_event(event));
	}
}

/* Adds or deletes other events after each part. */
static char *read_while_events_change(int fd, size_t part)
{
	static char list[1 << 16];
	size_t used = 0;
	bool add = false;
	ssize_t got;

	add_or_delete_others(true);
	while (used + part < sizeof(list)) {
		got = read(fd, list + used, part);
		EXPECT_GE(got, 0);
		if (got <= 0)
			break;
		used += got;
		add_or_delete_others(add);
		add = !add;
	}
	list[used] = '\0';
	if (!add)
		add_or_delete_others(false);

	return list;
}

/* Each event that exists all the time is listed once, in the same order. */
static void check_stable_events(const char *name)
{
	static const size_t parts[] = { 300, 3000 };
	char *expected, *names;
	unsigned int i;
	int fd;

	for (i = 0; i < STABLE; i++)
		register_status_bit(uniq(text("stable_%03u", i)));
	expected = stable_names(tfs_read("%s", name));
	EXPECT_EQ(strlen(expected), STABLE * (strlen(uniq("stable_000")) + 1));
	ASSERT_OK(fd = tfs_open(O_RDONLY, "%s", name));
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		harness_context("parts of %zu bytes", parts[i]);
		ASSERT_EQ(lseek(fd, 0, SEEK_SET), 0);
		names = stable_names(read_while_events_change(fd, parts[i]));
		EXPECT_STREQ(names, expected);
		free(names);
	}
	free(expected);
}

TEST(text_has_each_event_once_while_others_change)
{
	check_stable_events("user_events_status");
}

TEST(profile_has_each_event_once_while_others_change)
{
	check_stable_events("user_events_profile");
}

static const char *long_event(unsigned int i)
{
	const char *prefix = uniq("stable_");

	return text("%s%0*u", prefix, 255 - (int)strlen(prefix), i);
}

/* The lines of one part do not fit into a page. */
TEST(lists_have_events_with_long_names)
{
	static const char *const lists[] = { "user_events_status",
					     "user_events_profile" };
	unsigned int i, j;
	char *list;

	for (i = 0; i < 40; i++)
		register_status_bit(long_event(i));
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		harness_context("%s", lists[i]);
		list = tfs_read("%s", lists[i]);
		EXPECT_EQ(strlen(stable_names(list)), 40 * 256);
		for (j = 0; j < 40; j++)
			EXPECT_TRUE(strstr(list, long_event(j)));
	}
	check_text(tfs_read("user_events_status"));
}

/* A position within the text, as pread() and tail -c use it. */
TEST(lists_can_be_read_from_any_position)
{
	static const char *const lists[] = { "user_events_status",
					     "user_events_profile" };
	char *list, part[64];
	size_t size, i, at;
	int fd;

	for (i = 0; i < STABLE; i++)
		register_status_bit(uniq(text("stable_%03zu", i)));
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list = tfs_read("%s", lists[i]);
		size = strlen(list);
		ASSERT_OK(fd = tfs_open(O_RDONLY, "%s", lists[i]));
		for (at = size - 10; at > 1000; at -= 997) {
			harness_context("%s at %zu", lists[i], at);
			memset(part, 0, sizeof(part));
			EXPECT_GE(pread(fd, part, sizeof(part) - 1, at), 10);
			EXPECT_EQ(strncmp(part, list + at, strlen(part)), 0);
		}
		close(fd);
	}
}

/* In the middle of a list, without a complaint in the kernel log. */
TEST(readers_can_be_killed)
{
	static const char *const lists[] = { "user_events_status",
					     "user_events_profile" };
	static char text_of_all[1 << 16];
	int fd, status = 0;
	size_t i;
	pid_t child;

	for (i = 0; i < STABLE; i++)
		register_status_bit(uniq(text("stable_%03zu", i)));
	for (i = 0; i < 40; i++) {
		harness_context("reader %zu", i);
		ASSERT_OK(fd = tfs_open(O_RDONLY, "%s", lists[i % 2]));
		ASSERT_OK(child = fork());
		if (!child)
			for (;;)
				pread(fd, text_of_all, sizeof(text_of_all), 0);
		usleep(1000 * (i + 1));
		ASSERT_OK(kill(child, SIGKILL));
		ASSERT_EQ(waitpid(child, &status, 0), child);
		EXPECT_TRUE(WIFSIGNALED(status));
		close(fd);
	}
}

TEST(rejects_write)
{
	int fd = tfs_open(O_RDWR, "user_events_status");

	ASSERT_OK(fd);
	EXPECT_ERRNO(write(fd, "x", 1), EINVAL);
	EXPECT_ERRNO(pwrite(fd, "x", 1, 0), ESPIPE);
}

/* --- bits --- */

static void check_bit(const unsigned char *page, const char *event, bool set)
{
	unsigned int number = register_status_bit(event);

	if (status_page_bit(page, number) != set)
		FAIL("bit %u of %s is %sset", number, event, set ? "not " : "");
	if (page[0] & 1)
		FAIL("bit 0 is set");
}

/* Exactly one bit of the page changes, and it has the right position. */
TEST(bit_is_little_endian)
{
	const unsigned char *page = status_map();
	unsigned char before[PAGE];
	unsigned int i, n;

	for (n = 0; n < 20; n++) {
		const char *event = uniq(text("%u", n));
		unsigned int number = register_status_bit(event);

		harness_context("bit %u", number);
		memcpy(before, page, PAGE);
		enable(event, true);
		before[number / 8] ^= 1 << (number % 8);
		for (i = 0; i < PAGE; i++)
			EXPECT_EQ(page[i], before[i]);
		before[number / 8] ^= 1 << (number % 8);
		enable(event, false);
		for (i = 0; i < PAGE; i++)
			EXPECT_EQ(page[i], before[i]);
	}
}

TEST(bit_follows_enable)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e");

	register_status_bit(event);
	check_bit(page, event, false);
	enable(event, true);
	check_bit(page, event, true);
	enable(event, true);
	check_bit(page, event, true);
	enable(event, false);
	check_bit(page, event, false);
	enable(event, false);
	check_bit(page, event, false);
}

TEST(bit_follows_set_event)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e");

	register_status_bit(event);
	EXPECT_OK(tfs_write(text("user_events:%s", event), "set_event"));
	check_bit(page, event, true);
	EXPECT_OK(tfs_write(text("!user_events:%s", event), "set_event"));
	check_bit(page, event, false);
	EXPECT_OK(tfs_write("1", "events/user_events/enable"));
	check_bit(page, event, true);
	EXPECT_OK(tfs_write("0", "events/user_events/enable"));
	check_bit(page, event, false);
}

TEST(bit_follows_instances)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e");
	const char *one = uniq("one"), *two = uniq("two");

	register_status_bit(event);
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), one), 0700));
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), two), 0700));
	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    one, event));
	check_bit(page, event, true);
	EXPECT_STREQ(status_line(event),
		     text("%u:%s # Used by ftrace", register_status_bit(event),
			  event));
	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    two, event));
	enable(event, true);
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    one, event));
	check_bit(page, event, true);
	enable(event, false);
	check_bit(page, event, true);
	/* Removing an instance disables the events that it has enabled. */
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), two)));
	check_bit(page, event, false);
	EXPECT_STREQ(status_line(event),
		     text("%u:%s", register_status_bit(event), event));
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), one)));
	EXPECT_OK(del_event(event));
}

TEST(bit_follows_trigger)
{
	static const char *const triggers[] = {
		"traceon:5",
		"hist:keys=common_pid",
		"stacktrace",
	};
	const unsigned char *page = status_map();
	const char *event = uniq("e");
	size_t i;

	register_status_bit(event);
	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		const char *undo = !strncmp(triggers[i], "traceon", 7)
					   ? "!traceon"
					   : text("!%s", triggers[i]);

		harness_context("trigger %s", triggers[i]);
		if (!strncmp(triggers[i], "hist", 4) && !has_hist())
			continue;
		ASSERT_OK(tfs_write(triggers[i],
				    "events/user_events/%s/trigger", event));
		check_bit(page, event, true);
		EXPECT_STREQ(status_line(event),
			     text("%u:%s # Used by ftrace",
				  register_status_bit(event), event));
		EXPECT_ERRNO(del_event(event), EBUSY);
		EXPECT_OK(tfs_write(undo, "events/user_events/%s/trigger",
				    event));
		check_bit(page, event, false);
	}
	EXPECT_OK(del_event(event));
}

TEST(bit_follows_perf)
{
	static const struct {
		pid_t pid;
		int cpu;
		unsigned int flags;
	} cases[] = {
		{ -1, 0, 0 },
		{ -1, 0, PERF_COUNT },
		{ 0, -1, 0 },
		{ 0, -1, PERF_COUNT },
		{ 0, 0, PERF_COUNT },
		{ -1, 0, PERF_DISABLED },
		{ 0, -1, PERF_COUNT | PERF_DISABLED | PERF_INHERIT },
	};
	const unsigned char *page = status_map();
	const char *event = uniq("e");
	size_t i;

	register_status_bit(event);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int fd = perf_open(event_id(event), cases[i].pid, cases[i].cpu,
				   cases[i].flags);
		int second;

		harness_context("case %zu", i);
		ASSERT_OK(fd);
		check_bit(page, event, true);
		EXPECT_STREQ(status_line(event),
			     text("%u:%s # Used by perf",
				  register_status_bit(event), event));
		EXPECT_ERRNO(del_event(event), EBUSY);
		second = perf_open(event_id(event), -1, 0, PERF_COUNT);
		ASSERT_OK(second);
		close(fd);
		check_bit(page, event, true);
		close(second);
		check_bit(page, event, false);
	}
	EXPECT_OK(del_event(event));
}

/* Settings that restrict recording do not affect the bit. */
TEST(bit_ignores_filters_and_tracing_on)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e");
	int fd = data_open();

	must_reg(fd, text("%s u32 a", event));
	close(fd);
	enable(event, true);
	EXPECT_OK(tfs_write("a == 1", "events/user_events/%s/filter", event));
	EXPECT_OK(tfs_write("0", "tracing_on"));
	EXPECT_OK(tfs_write("1", "set_event_pid"));
	EXPECT_TRUE(strstr(status_line(event), " # Used by ftrace"));
	fd = data_open();
	{
		struct user_reg_status out;

		ASSERT_OK(reg(fd, text("%s u32 a", event), &out));
		EXPECT_TRUE(status_page_bit(page, out.status_bit));
		enable(event, false);
		EXPECT_FALSE(status_page_bit(page, out.status_bit));
	}
}

TEST(bit_of_deleted_event_is_reused)
{
	const unsigned char *page = status_map();
	const char *a = uniq("a"), *b = uniq("b"), *c = uniq("c");
	const char *d = uniq("d"), *e = uniq("e");
	unsigned int bit_a = register_status_bit(a),
		     bit_b = register_status_bit(b),
		     bit_c = register_status_bit(c);

	enable(b, true);
	EXPECT_TRUE(status_page_bit(page, bit_b));
	enable(b, false);
	EXPECT_OK(del_event(b));
	EXPECT_FALSE(status_page_bit(page, bit_b));
	EXPECT_EQ(register_status_bit(d), bit_b);
	EXPECT_FALSE(status_page_bit(page, bit_b));
	EXPECT_OK(del_event(a));
	EXPECT_OK(del_event(d));
	/* The lowest free bit is used. */
	EXPECT_EQ(register_status_bit(e), bit_a < bit_b ? bit_a : bit_b);
	EXPECT_EQ(register_status_bit(c), bit_c);
	enable(e, true);
	EXPECT_TRUE(status_page_bit(page, register_status_bit(e)));
}

TEST(mapping_survives_close)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e");
	struct user_reg_status out;
	int fd = data_open();

	ASSERT_OK(reg(fd, event, &out));
	close(fd);
	EXPECT_FALSE(status_page_bit(page, out.status_bit));
	enable(event, true);
	EXPECT_TRUE(status_page_bit(page, out.status_bit));
	enable(event, false);
	EXPECT_FALSE(status_page_bit(page, out.status_bit));
}

TEST(mappings_share_one_page)
{
	const unsigned char *page = status_map();
	const unsigned char *second = status_map();
	const char *event = uniq("e");
	unsigned int number = register_status_bit(event);

	ASSERT_TRUE(page != second);
	enable(event, true);
	EXPECT_TRUE(status_page_bit(page, number));
	EXPECT_TRUE(status_page_bit(second, number));
	if (in_child()) {
		EXPECT_TRUE(status_page_bit(page, number));
		EXPECT_TRUE(status_page_bit(status_map(), number));
		enable(event, false);
		EXPECT_FALSE(status_page_bit(page, number));
		end_child();
	}
	EXPECT_FALSE(status_page_bit(page, number));
	EXPECT_FALSE(status_page_bit(second, number));
}

TEST(page_is_readable_by_kernel)
{
	const unsigned char *page = status_map();
	unsigned char copy[PAGE];
	int ends[2];

	ASSERT_OK(pipe(ends));
	EXPECT_EQ(write(ends[1], page, PAGE), PAGE);
	EXPECT_EQ(read(ends[0], copy, PAGE), PAGE);
	EXPECT_TRUE(!memcmp(copy, page, PAGE));
}

/* --- rules of mmap() --- */

TEST(checks_mmap_arguments)
{
	const struct {
		size_t length;
		off_t offset;
		int protection;
		int flags;
		int mode;
		int error;
	} cases[] = {
		{ PAGE, 0, PROT_READ, MAP_SHARED, O_RDONLY, 0 },
		{ PAGE, 0, PROT_READ, MAP_SHARED, O_RDWR, 0 },
		{ PAGE, 0, PROT_READ, MAP_PRIVATE, O_RDONLY, 0 },
		{ PAGE, 0, PROT_READ, MAP_PRIVATE, O_RDWR, 0 },
		{ 1, 0, PROT_READ, MAP_SHARED, O_RDONLY, 0 },
		{ PAGE - 1, 0, PROT_READ, MAP_SHARED, O_RDONLY, 0 },
		{ PAGE, PAGE, PROT_READ, MAP_SHARED, O_RDONLY, 0 },
		{ PAGE, 100 * PAGE, PROT_READ, MAP_SHARED, O_RDONLY, 0 },
		{ PAGE + 1, 0, PROT_READ, MAP_SHARED, O_RDONLY, EINVAL },
		{ 2 * PAGE, 0, PROT_READ, MAP_SHARED, O_RDONLY, EINVAL },
		{ 2 * PAGE, PAGE, PROT_READ, MAP_SHARED, O_RDONLY, EINVAL },
		{ 512 * PAGE, 0, PROT_READ, MAP_SHARED, O_RDONLY, EINVAL },
		{ 2 * PAGE, 0, PROT_READ, MAP_PRIVATE, O_RDONLY, EINVAL },
		{ PAGE, 0, PROT_READ, MAP_SHARED, O_WRONLY, EACCES },
		{ PAGE, 0, PROT_WRITE, MAP_SHARED, O_RDONLY, EACCES },
		{ PAGE, 0, PROT_WRITE, MAP_SHARED, O_RDWR, EACCES },
		{ PAGE, 0, PROT_WRITE, MAP_PRIVATE, O_RDWR, EACCES },
		{ PAGE, 0, PROT_READ | PROT_WRITE, MAP_SHARED, O_RDONLY,
		  EACCES },
		{ PAGE, 0, PROT_READ | PROT_WRITE, MAP_SHARED, O_RDWR, EACCES },
		{ PAGE, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE, O_RDONLY,
		  EACCES },
		{ PAGE, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE, O_RDWR,
		  EACCES },
	};
	const char *event = uniq("e");
	unsigned int number = register_status_bit(event);
	size_t i;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int fd = tfs_open(cases[i].mode, "user_events_status");
		unsigned char *page;

		harness_context("case %zu", i);
		ASSERT_OK(fd);
		errno = 0;
		page = mmap(NULL, cases[i].length, cases[i].protection,
			    cases[i].flags, fd, cases[i].offset);
		if (cases[i].error) {
			EXPECT_TRUE(page == MAP_FAILED);
			EXPECT_EQ(errno, cases[i].error);
		} else {
			EXPECT_TRUE(page != MAP_FAILED);
			if (page != MAP_FAILED)
				EXPECT_TRUE(status_page_bit(page, number));
		}
		close(fd);
	}
}

static unsigned char *map_with(int mode, int flags)
{
	int fd = tfs_open(mode, "user_events_status");
	unsigned char *page;

	ASSERT_OK(fd);
	page = mmap(NULL, PAGE, PROT_READ, flags, fd, 0);
	ASSERT_TRUE(page != MAP_FAILED);
	close(fd);

	return page;
}

/* Tries every way of writing to a mapping. */
static void try_writes(unsigned char *page)
{
	const unsigned char *witness = status_map();
	struct iovec local = { .iov_base = "\xff", .iov_len = 1 };
	struct iovec remote = { .iov_base = page + 100, .iov_len = 1 };
	int zero = open("/dev/zero", O_RDONLY);
	int memory = open("/proc/self/mem", O_RDWR);
	int ends[2];
	pid_t child;

	ASSERT_OK(zero);
	ASSERT_OK(memory);
	ASSERT_EQ(page[100], 0);

	EXPECT_ERRNO(mprotect(page, PAGE, PROT_READ | PROT_WRITE), EACCES);
	EXPECT_ERRNO(mprotect(page, PAGE, PROT_WRITE), EACCES);
	EXPECT_EQ(pwrite(memory, "\xff", 1, (uintptr_t)page + 100), -1);
	EXPECT_EQ(process_vm_writev(getpid(), &local, 1, &remote, 1, 0), -1);
	ASSERT_OK(pipe(ends));
	ASSERT_EQ(write(ends[1], "\xff", 1), 1);
	EXPECT_ERRNO(read(ends[0], page + 100, 1), EFAULT);
	EXPECT_ERRNO(read(zero, page, PAGE), EFAULT);

	child = fork();
	ASSERT_OK(child);
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	ASSERT_EQ(waitpid(child, NULL, WUNTRACED), child);
	EXPECT_EQ(ptrace(PTRACE_POKEDATA, child, page + 96, (void *)-1L), -1);
	ptrace(PTRACE_KILL, child, NULL, NULL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);

	/* A store instruction faults. */
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		*(volatile unsigned char *)(page + 100) = 0xff;
		_exit(0);
	}
	{
		int status = 0;

		ASSERT_EQ(waitpid(child, &status, 0), child);
		EXPECT_TRUE(WIFSIGNALED(status) &&
			    (WTERMSIG(status) == SIGSEGV ||
			     WTERMSIG(status) == SIGBUS));
	}

	EXPECT_EQ(page[100], 0);
	EXPECT_EQ(witness[100], 0);
	EXPECT_EQ(mremap(page, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED,
		  true);
}

TEST(shared_mapping_cannot_be_written)
{
	try_writes(map_with(O_RDONLY, MAP_SHARED));
}

TEST(shared_mapping_of_writable_file_cannot_be_written)
{
	try_writes(map_with(O_RDWR, MAP_SHARED));
}

TEST(private_mapping_cannot_be_written)
{
	try_writes(map_with(O_RDONLY, MAP_PRIVATE));
}

TEST(private_mapping_of_writable_file_cannot_be_written)
{
	try_writes(map_with(O_RDWR, MAP_PRIVATE));
}

TEST(mapping_can_be_moved)
{
	unsigned char *page = map_with(O_RDONLY, MAP_SHARED);
	unsigned char *elsewhere =
		mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *event = uniq("e");
	unsigned int number = register_status_bit(event);

	ASSERT_TRUE(mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			   elsewhere) == elsewhere);
	enable(event, true);
	EXPECT_TRUE(status_page_bit(elsewhere, number));
	EXPECT_OK(munmap(elsewhere, PAGE));
	enable(event, false);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
