// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace: the files of an event, instances, filters, histograms and other
 * triggers, synthetic events, and the text in trace.
 */
#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define EVENT_DIR "events/user_events/%s"

static void write_u32(int fd, uint32_t value)
{
	EXPECT_EQ(emit(fd, 0, &value, sizeof(value)), 8);
}

/* Writes a location word that is followed by its string. */
static void write_string(int fd, unsigned int base, const char *string)
{
	struct {
		uint32_t word;
		char data[60];
	} payload = { .word = DYN_LOC(base, strlen(string) + 1) };

	strcpy(payload.data, string);
	EXPECT_EQ(emit(fd, 0, &payload, 4 + strlen(string) + 1),
		  8 + strlen(string) + 1);
}

static unsigned int count_recorded(const char *event)
{
	return trace_count(NULL, text(" %s:", event));
}

/* --- files --- */

TEST(creates_files_of_event)
{
	static const char *const files[] = { "enable", "filter", "format",
					     "hist",   "id",	 "trigger" };
	const char *event = uniq("e"), *instance = uniq("inst");
	size_t i;

	open_event(event, "u32 a");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		if (!strcmp(files[i], "hist") && !has_hist())
			continue;
		EXPECT_TRUE(tfs_read(EVENT_DIR "/%s", event, files[i]));
		EXPECT_TRUE(tfs_read("instances/%s/" EVENT_DIR "/%s", instance,
				     event, files[i]));
	}
	harness_context(NULL);
	EXPECT_STREQ(tfs_read("instances/%s/" EVENT_DIR "/format", instance,
			      event),
		     tfs_read(EVENT_DIR "/format", event));
	EXPECT_STREQ(tfs_read("instances/%s/" EVENT_DIR "/id", instance, event),
		     tfs_read(EVENT_DIR "/id", event));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", event), "0\n");
	EXPECT_STREQ(tfs_read(EVENT_DIR "/filter", event), "none\n");
}

/* The directory of the system exists only while it has events. */
TEST(system_directory_exists_with_events)
{
	const char *event = uniq("e");

	if (tfs_exists("events/user_events"))
		SKIP("this machine has other user events");
	close(open_event(event, ""));
	EXPECT_TRUE(tfs_exists("events/user_events/enable"));
	EXPECT_TRUE(tfs_exists("events/user_events/filter"));
	EXPECT_OK(del_event(event));
	EXPECT_FALSE(tfs_exists("events/user_events"));
}

TEST(ids_are_distinct)
{
	unsigned int first, second;

	open_event(uniq("a"), "");
	open_event(uniq("b"), "");
	first = event_id(uniq("a"));
	second = event_id(uniq("b"));
	EXPECT_NE(first, 0);
	EXPECT_NE(first, second);
}

TEST(lists_event_in_available_events)
{
	const char *event = uniq("e");

	EXPECT_LACKS(tfs_read("available_events"), event);
	close(open_event(event, ""));
	EXPECT_CONTAINS(tfs_read("available_events"),
			text("user_events:%s\n", event));
	EXPECT_OK(del_event(event));
	EXPECT_LACKS(tfs_read("available_events"), event);
}

TEST(enable_file_enables_and_disables)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	enable(event, true);
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", event), "1\n");
	write_u32(fd, 1);
	enable(event, false);
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", event), "0\n");
	EXPECT_EQ(count_recorded(event), 1);
	EXPECT_ERRNO(tfs_write("2", EVENT_DIR "/enable", event), EINVAL);
	ASSERT_OK(tfs_write("stacktrace", EVENT_DIR "/trigger", event));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", event), "0*\n");
	write_u32(fd, 2);
	EXPECT_EQ(count_recorded(event), 1);
	enable(event, true);
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", event), "1*\n");
	write_u32(fd, 3);
	EXPECT_EQ(count_recorded(event), 2);
}

TEST(set_event_enables_and_disables)
{
	const char *a = uniq("a"), *b = uniq("b");
	int fd;

	open_event(a, "");
	open_event(b, "");
	EXPECT_OK(tfs_write(text("user_events:%s", a), "set_event"));
	EXPECT_STREQ(find_line(tfs_read("set_event"), a),
		     text("user_events:%s", a));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", a), "1\n");
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", b), "0\n");
	EXPECT_OK(tfs_write(b, "set_event"));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", b), "1\n");
	EXPECT_OK(tfs_write(text("!user_events:%s", a), "set_event"));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", a), "0\n");
	EXPECT_OK(tfs_write("user_events:*", "set_event"));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", a), "1\n");
	fd = tfs_open(O_WRONLY | O_TRUNC, "set_event");
	EXPECT_OK(fd);
	close(fd);
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", a), "0\n");
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", b), "0\n");
	EXPECT_ERRNO(tfs_write("user_events:" PREFIX "none", "set_event"),
		     EINVAL);
}

TEST(system_file_enables_all_events)
{
	const char *a = uniq("a"), *b = uniq("b");
	int fd = open_event(a, "u32 x");

	open_event(b, "");
	EXPECT_OK(tfs_write("1", "events/user_events/enable"));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", a), "1\n");
	EXPECT_STREQ(tfs_read(EVENT_DIR "/enable", b), "1\n");
	EXPECT_STREQ(tfs_read("events/user_events/enable"), "1\n");
	write_u32(fd, 1);
	enable(b, false);
	EXPECT_STREQ(tfs_read("events/user_events/enable"), "X\n");
	EXPECT_OK(tfs_write("0", "events/user_events/enable"));
	EXPECT_STREQ(tfs_read("events/user_events/enable"), "0\n");
	EXPECT_EQ(count_recorded(a), 1);
}

/*
 * Writes in a child process, which must succeed whether or not it is recorded.
 */
static void write_u32_in_child(int fd, uint32_t value)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		write_u32(fd, value);
		_exit(harness_failed());
	}
	wait_child(child);
}

TEST(set_event_pid_selects_processes)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write(text("%d", getpid()), "set_event_pid"));
	enable(event, true);
	write_u32(fd, 1);
	write_u32_in_child(fd, 2);
	write_u32(fd, 3);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x1 ", event)), 1);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x2 ", event)), 0);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x3 ", event)), 1);
}

/* A trigger with a filter must see the record before the process is checked. */
TEST(set_event_pid_works_with_trigger)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned long long hits, lost;

	ASSERT_OK(tfs_write(text("%d", getpid()), "set_event_pid"));
	ASSERT_OK(tfs_write("traceoff if a == 99",
			    "events/user_events/%s/trigger", event));
	enable(event, true);
	write_u32_in_child(fd, 2);
	write_u32(fd, 3);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x2 ", event)), 0);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x3 ", event)), 1);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 2);
	EXPECT_EQ(lost, 0);
}

TEST(tracing_on_stops_recording)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	enable(event, true);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	write_u32(fd, 1);
	EXPECT_EQ(count_recorded(event), 0);
	ASSERT_OK(tfs_write("1", "tracing_on"));
	write_u32(fd, 2);
	EXPECT_EQ(count_recorded(event), 1);
}

TEST(trace_pipe_consumes_records)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int pipe = tfs_open(O_RDONLY | O_NONBLOCK, "trace_pipe");
	char out[65536];
	ssize_t got;

	ASSERT_OK(pipe);
	enable(event, true);
	EXPECT_ERRNO(read(pipe, out, sizeof(out)), EAGAIN);
	write_u32(fd, 1);
	write_u32(fd, 2);
	got = read(pipe, out, sizeof(out) - 1);
	ASSERT_GT(got, 0);
	out[got] = '\0';
	EXPECT_CONTAINS(out, text(": %s: a=0x1 (1)\n", event));
	EXPECT_CONTAINS(out, text(": %s: a=0x2 (2)\n", event));
	/* Reading consumes the records. */
	EXPECT_ERRNO(read(pipe, out, sizeof(out)), EAGAIN);
	EXPECT_EQ(count_recorded(event), 0);
}

/* A record wakes up a blocked reader. */
TEST(trace_pipe_waits_for_records)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int pipe = tfs_open(O_RDONLY, "trace_pipe");
	pid_t child;

	ASSERT_OK(pipe);
	enable(event, true);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		char out[4096];
		ssize_t got = read(pipe, out, sizeof(out) - 1);

		ASSERT_GT(got, 0);
		out[got] = '\0';
		EXPECT_CONTAINS(out, text(": %s: a=0x9 (9)\n", event));
		_exit(harness_failed());
	}
	write_u32(fd, 9);
	wait_child(child);
}

/* --- instances --- */

/* This program can have other pointers than the kernel. */
static int kernel_pointer_size(void)
{
	const char *page = tfs_read("events/header_page");

	return strstr(page, "commit;\toffset:8;\tsize:8;") ? 8 : 4;
}

/*
 * A record that no instance gets is not counted, so the status of the event is
 * cleared before the last instance is removed from its list.
 */
TEST(status_is_cleared_before_instance_is_detached)
{
	const char *event = uniq("e"), *probe = uniq("kp");
	uint32_t word = 0;
	char *line;

	must_reg_word(data_open(), event, &word, 0);
	enable(event, true);
	/* The first member of the structure is a pointer, then the status. */
	if (dynevent_write(text("p:%s user_events:ue_ftrace_detach "
				"status=+%d($arg1):u8",
				probe, kernel_pointer_size())))
		SKIP("no kprobes on functions of the module");
	ASSERT_OK(tfs_write("1", "events/kprobes/%s/enable", probe));
	enable(event, false);
	ASSERT_OK(tfs_write("0", "events/kprobes/%s/enable", probe));
	line = find_line(tfs_read("trace"), text("%s: (", probe));
	EXPECT_TRUE(line);
	if (line)
		EXPECT_CONTAINS(line, " status=0");
	EXPECT_OK(dynevent_write(text("-:kprobes/%s", probe)));
}

static void check_instance(const char *event, int fd, const char *instance)
{
	unsigned int before = count_recorded(event);

	ASSERT_OK(tfs_write("1", "instances/%s/" EVENT_DIR "/enable", instance,
			    event));
	write_u32(fd, 77);
	EXPECT_EQ(trace_count(instance, text(" %s: a=0x4d (77)", event)), 1);
	EXPECT_EQ(count_recorded(event), before);
	enable(event, true);
	write_u32(fd, 77);
	EXPECT_EQ(trace_count(instance, text(" %s: a=0x4d (77)", event)), 2);
	EXPECT_EQ(count_recorded(event), before + 1);
	ASSERT_OK(tfs_write("0", "instances/%s/" EVENT_DIR "/enable", instance,
			    event));
	write_u32(fd, 77);
	EXPECT_EQ(trace_count(instance, text(" %s: a=0x4d (77)", event)), 2);
	EXPECT_EQ(count_recorded(event), before + 2);
	enable(event, false);
}

TEST(instance_works_for_later_event)
{
	const char *event = uniq("e"), *instance = uniq("inst");
	int fd;

	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	fd = open_event(event, "u32 a");
	check_instance(event, fd, instance);
	close(fd);
	EXPECT_OK(del_event(event));
	EXPECT_FALSE(tfs_exists("instances/%s/" EVENT_DIR, instance, event));
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
}

TEST(instance_works_for_earlier_event)
{
	const char *event = uniq("e"), *instance = uniq("inst");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	check_instance(event, fd, instance);
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
	close(fd);
	EXPECT_OK(del_event(event));
}

TEST(each_instance_gets_record)
{
	const char *event = uniq("e"), *one = uniq("one"), *two = uniq("two");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), one), 0700));
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), two), 0700));
	ASSERT_OK(tfs_write("1", "instances/%s/" EVENT_DIR "/enable", one,
			    event));
	write_u32(fd, 1);
	ASSERT_OK(tfs_write("1", "instances/%s/" EVENT_DIR "/enable", two,
			    event));
	write_u32(fd, 2);
	enable(event, true);
	write_u32(fd, 3);
	ASSERT_OK(tfs_write("0", "instances/%s/" EVENT_DIR "/enable", one,
			    event));
	ASSERT_OK(tfs_write("0", "instances/%s/" EVENT_DIR "/enable", two,
			    event));
	write_u32(fd, 4);
	EXPECT_EQ(trace_count(one, text(" %s:", event)), 3);
	EXPECT_EQ(trace_count(two, text(" %s:", event)), 2);
	EXPECT_EQ(count_recorded(event), 2);
}

/* A full buffer that keeps old records counts each record once. */
TEST(full_buffer_counts_dropped_records)
{
	const char *event = uniq("e"), *instance = uniq("inst");
	int fd = open_event(event, "u32 a");
	const char *name = text("instances/%s", instance);
	unsigned int i, recorded;
	char *stats;

	ASSERT_OK(mkdir(text("%s/%s", tracefs(), name), 0700));
	ASSERT_OK(tfs_write("0", "%s/options/overwrite", name));
	ASSERT_OK(tfs_write("4", "%s/buffer_size_kb", name));
	ASSERT_OK(tfs_write("1", "%s/" EVENT_DIR "/enable", name, event));
	pin_to_cpu(0);
	for (i = 0; i < 5000; i++)
		write_u32(fd, i);
	recorded = trace_count(instance, text(" %s:", event));
	stats = tfs_read("%s/per_cpu/cpu0/stats", name);
	EXPECT_GT(recorded, 0);
	EXPECT_EQ(number_after(stats, "dropped events: "), 5000 - recorded);
}

TEST(instances_have_own_filters)
{
	const char *event = uniq("e"), *one = uniq("one"), *two = uniq("two");
	int fd = open_event(event, "u32 a");
	uint32_t i;

	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), one), 0700));
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), two), 0700));
	ASSERT_OK(tfs_write("a < 3", "instances/%s/" EVENT_DIR "/filter", one,
			    event));
	ASSERT_OK(tfs_write("a >= 3", "instances/%s/" EVENT_DIR "/filter", two,
			    event));
	ASSERT_OK(tfs_write("1", "instances/%s/" EVENT_DIR "/enable", one,
			    event));
	ASSERT_OK(tfs_write("1", "instances/%s/" EVENT_DIR "/enable", two,
			    event));
	enable(event, true);
	for (i = 0; i < 10; i++)
		write_u32(fd, i);
	EXPECT_EQ(trace_count(one, text(" %s:", event)), 3);
	EXPECT_EQ(trace_count(two, text(" %s:", event)), 7);
	EXPECT_EQ(count_recorded(event), 10);
}

/* --- filters --- */

/* Linux 4.18 cannot parse them in a filter of any event. */
static bool has_negative_numbers(void)
{
	const char *filter = "events/sched/sched_switch/filter";

	if (tfs_write("prev_pid == -1", "%s", filter)) {
		EXPECT_EQ(errno, EINVAL);
		return false;
	}
	EXPECT_OK(tfs_write("0", "%s", filter));

	return true;
}

TEST(filters_numbers)
{
	/* Each case writes these values as the type of the field. */
	static const long long values[] = { 0, 1, 2, 5, 100, -1 };
	static const struct {
		const char *type;
		size_t size;
		const char *filter;
		unsigned int hits;
	} cases[] = {
		{ "u32", 4, "a == 5", 1 },
		{ "u32", 4, "a != 5", 5 },
		{ "u32", 4, "a < 5", 3 },
		{ "u32", 4, "a <= 5", 4 },
		{ "u32", 4, "a > 5", 2 },
		{ "u32", 4, "a >= 5", 3 },
		{ "u32", 4, "a & 1", 3 },
		{ "u32", 4, "a == 4294967295", 1 },
		{ "u32", 4, "a == 0xffffffff", 1 },
		{ "s32", 4, "a < 0", 1 },
		{ "s32", 4, "a == -1", 1 },
		{ "s32", 4, "a > -2", 6 },
		{ "int", 4, "a < 1", 2 },
		{ "unsigned int", 4, "a > 100", 1 },
		{ "u64", 8, "a == 100", 1 },
		{ "u64", 8, "a > 100", 1 },
		{ "s64", 8, "a < 0", 1 },
		{ "u16", 2, "a == 65535", 1 },
		{ "s16", 2, "a == -1", 1 },
		{ "short", 2, "a < 0", 1 },
		{ "unsigned short", 2, "a > 5", 2 },
		{ "u8", 1, "a == 255", 1 },
		{ "s8", 1, "a == -1", 1 },
		{ "char", 1, "a == 100", 1 },
		{ "unsigned char", 1, "a == 255", 1 },
		{ "u32", 4, "a == 1 || a == 2", 2 },
		{ "u32", 4, "a > 0 && a < 100", 3 },
		{ "u32", 4, "!(a > 0 && a < 100)", 3 },
		{ "u32", 4, "a == 7", 0 },
	};
	bool has_negative = has_negative_numbers();
	size_t i, v;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		int fd = open_event(event, text("%s a", cases[i].type));

		harness_context("%s, %s", cases[i].type, cases[i].filter);
		if (strchr(cases[i].filter, '-') && !has_negative) {
			EXPECT_ERRNO(tfs_write(cases[i].filter,
					       EVENT_DIR "/filter", event),
				     EINVAL);
			continue;
		}
		ASSERT_OK(
			tfs_write(cases[i].filter, EVENT_DIR "/filter", event));
		EXPECT_STREQ(tfs_read(EVENT_DIR "/filter", event),
			     text("%s\n", cases[i].filter));
		enable(event, true);
		for (v = 0; v < ARRAY_SIZE(values); v++)
			EXPECT_EQ(emit(fd, 0,
				       low_bytes(&values[v], 8, cases[i].size),
				       cases[i].size),
				  4 + cases[i].size);
		EXPECT_EQ(count_recorded(event), cases[i].hits);
		ASSERT_OK(tfs_write("0", EVENT_DIR "/filter", event));
		EXPECT_EQ(emit(fd, 0, &values[0], cases[i].size),
			  4 + cases[i].size);
		EXPECT_EQ(count_recorded(event), cases[i].hits + 1);
	}
}

TEST(filters_common_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	enable(event, true);
	ASSERT_OK(tfs_write(text("common_pid == %d", getpid()),
			    EVENT_DIR "/filter", event));
	write_u32(fd, 1);
	EXPECT_EQ(count_recorded(event), 1);
	ASSERT_OK(tfs_write(text("common_pid != %d", getpid()),
			    EVENT_DIR "/filter", event));
	write_u32(fd, 1);
	EXPECT_EQ(count_recorded(event), 1);
}

static const char *const strings[] = {
	"abc", "abcd", "xabc", "xabcx", "ABC", "", "b",
};

/*
 * The kernel compares the end of a pattern with the end of the array, not with
 * the end of its text: a pattern that only starts with a star matches full
 * arrays only.
 */
static const struct {
	const char *filter;
	unsigned int hits;
	unsigned int hits_in_arrays;
} string_filters[] = {
	{ "a == \"abc\"", 1, 1 },
	{ "a != \"abc\"", 6, 6 },
	{ "a ~ \"abc*\"", 2, 2 },
	{ "a ~ \"*abc\"", 2, 0 },
	{ "a ~ \"*abc*\"", 4, 4 },
	{ "a ~ \"*b*\"", 5, 5 },
	{ "a ~ \"?bc\"", 1, 1 },
	{ "a ~ \"a*d\"", 1, 1 },
	{ "a == \"zzz\"", 0, 0 },
	{ "a != \"zzz\"", 7, 7 },
	{ "a == \"abc\" || a == \"b\"", 2, 2 },
	{ "!(a ~ \"*abc*\")", 3, 3 },
};

/* Kernels without such filters must reject them. */
static void skip_without_filters(const char *type)
{
	const char *event = uniq("rejected");

	if (strncmp(type, "__rel_loc", strlen("__rel_loc")) ||
	    has_rel_loc_filters())
		return;
	open_event(event, text("%s a", type));
	EXPECT_ERRNO(tfs_write("a == \"abc\"", EVENT_DIR "/filter", event),
		     EINVAL);
	SKIP("this kernel has no filters for __rel_loc strings");
}

static void check_string_filters(const char *type, int base)
{
	size_t i, s;

	skip_without_filters(type);
	for (i = 0; i < ARRAY_SIZE(string_filters); i++) {
		const char *event = uniq(text("%zu", i));
		int fd = open_event(event, text("%s a", type));

		harness_context("%s, %s", type, string_filters[i].filter);
		if (tfs_write(string_filters[i].filter, EVENT_DIR "/filter",
			      event)) {
			FAIL("cannot set the filter: %s", harness_errno(errno));
			continue;
		}
		enable(event, true);
		for (s = 0; s < ARRAY_SIZE(strings); s++) {
			char array[8] = { 0 };

			strcpy(array, strings[s]);
			if (base < 0)
				EXPECT_EQ(emit(fd, 0, array, 8), 12);
			else
				write_string(fd, base, strings[s]);
		}
		EXPECT_EQ(count_recorded(event),
			  base < 0 ? string_filters[i].hits_in_arrays
				   : string_filters[i].hits);
		enable(event, false);
	}
}

TEST(filters_arrays)
{
	check_string_filters("char[8]", -1);
}

TEST(filters_unsigned_arrays)
{
	check_string_filters("unsigned char[8]", -1);
}

TEST(filters_absolute_strings)
{
	check_string_filters("__data_loc char[]", common_fields_size() + 4);
}

TEST(filters_relative_strings)
{
	check_string_filters("__rel_loc char[]", 0);
}

TEST(filters_relative_unsigned_strings)
{
	check_string_filters("__rel_loc unsigned char[]", 0);
}

/* A full array has no NUL; bytes after it must not be compared. */
TEST(filter_stays_within_full_array)
{
	const char *event = uniq("e");
	int fd = open_event(event, "char[4] a;char[4] b");

	ASSERT_OK(tfs_write("a == \"abcd\"", EVENT_DIR "/filter", event));
	enable(event, true);
	EXPECT_EQ(emit(fd, 0, "abcdefgh", 8), 12);
	EXPECT_EQ(emit(fd, 0, "abcxefgh", 8), 12);
	EXPECT_EQ(count_recorded(event), 1);
	EXPECT_STREQ(trace_text(event), text("%s: a=abcd b=efgh", event));
}

TEST(rejects_invalid_filters)
{
	static const char *const filters[] = {
		"b == 1", "a == \"x\"", "a ~ \"x\"", "a",
		"a ==",	  "s < \"a\"",	"s & 1",
	};
	const char *own = "events/sched/sched_switch/filter";
	const char *event = uniq("e");
	bool rejected;
	size_t i;

	open_event(event, "u32 a;char[8] s");
	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		harness_context("%s", filters[i]);
		EXPECT_ERRNO(tfs_write(filters[i], EVENT_DIR "/filter", event),
			     EINVAL);
	}
	/* Some kernels accept this for any event. */
	rejected = tfs_write("prev_pid == 1 &&", "%s", own) < 0;
	EXPECT_EQ(tfs_write("a == 1 &&", EVENT_DIR "/filter", event) < 0,
		  rejected);
	ASSERT_OK(tfs_write("0", "%s", own));
	ASSERT_OK(tfs_write("0", EVENT_DIR "/filter", event));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/filter", event), "none\n");
}

TEST(system_filter_applies_to_events)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write("a == 3", "events/user_events/filter"));
	EXPECT_STREQ(tfs_read(EVENT_DIR "/filter", event), "a == 3\n");
	enable(event, true);
	write_u32(fd, 3);
	write_u32(fd, 4);
	EXPECT_EQ(count_recorded(event), 1);
	ASSERT_OK(tfs_write("0", "events/user_events/filter"));
}

/* --- histograms --- */

/*
 * hist_hits - hits of one entry of a histogram
 * @key: "field: value"; blanks are ignored
 */
static long long hist_hits(const char *hist, const char *key)
{
	char *copy = strdup(hist), *line, *next = copy;

	while ((line = strsep(&next, "\n"))) {
		char squeezed[1024];
		size_t used = 0, i;
		const char *wanted;

		if (line[0] != '{')
			continue;
		for (i = 0; line[i] && used < sizeof(squeezed) - 1; i++)
			if (!isblank(line[i]))
				squeezed[used++] = line[i];
		squeezed[used] = '\0';
		wanted = text("{%s}hitcount:", key);
		if (!strncmp(squeezed, wanted, strlen(wanted)))
			return atoll(squeezed + strlen(wanted));
	}
	free(copy);

	return 0;
}

static char *hist_of(const char *event)
{
	char *hist = tfs_read(EVENT_DIR "/hist", event);

	ASSERT_TRUE(hist);

	return hist;
}

TEST(hist_counts_numbers)
{
	static const struct {
		const char *type;
		size_t size;
	} cases[] = {
		{ "u32", 4 }, { "s32", 4 },
		{ "u64", 8 }, { "u16", 2 },
		{ "u8", 1 },  { "s64", 8 },
		{ "int", 4 }, { "unsigned short", 2 },
	};
	size_t i;

	need_hist();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		int fd = open_event(event, text("%s a", cases[i].type));
		size_t size = cases[i].size;
		unsigned int v, n;
		char *hist;

		harness_context("%s", cases[i].type);
		ASSERT_OK(
			tfs_write("hist:keys=a", EVENT_DIR "/trigger", event));
		for (v = 1; v <= 10; v++)
			for (n = 0; n < v; n++) {
				uint64_t value = v;

				EXPECT_EQ(emit(fd, 0,
					       low_bytes(&value, 8, size),
					       size),
					  4 + size);
			}
		hist = hist_of(event);
		for (v = 1; v <= 10; v++)
			EXPECT_EQ(hist_hits(hist, text("a:%u", v)), v);
		EXPECT_EQ(number_after(hist, "Hits: "), 55);
		EXPECT_EQ(number_after(hist, "Entries: "), 10);
		EXPECT_EQ(number_after(hist, "Dropped: "), 0);
		/* A histogram alone does not record the event. */
		EXPECT_EQ(count_recorded(event), 0);
		ASSERT_OK(
			tfs_write("!hist:keys=a", EVENT_DIR "/trigger", event));
	}
}

static void check_string_hist(const char *type, int base)
{
	const char *event = uniq("e");
	int fd = open_event(event, text("%s a", type));
	unsigned int s, n;
	char *hist;

	harness_context("%s", type);
	need_hist();
	ASSERT_OK(tfs_write("hist:keys=a", EVENT_DIR "/trigger", event));
	for (s = 0; s < ARRAY_SIZE(strings); s++)
		for (n = 0; n <= s; n++) {
			char array[8] = { 0 };

			strcpy(array, strings[s]);
			if (base < 0)
				EXPECT_EQ(emit(fd, 0, array, 8), 12);
			else
				write_string(fd, base, strings[s]);
		}
	hist = hist_of(event);
	for (s = 0; s < ARRAY_SIZE(strings); s++)
		EXPECT_EQ(hist_hits(hist, text("a:%s", strings[s])), s + 1);
	EXPECT_EQ(number_after(hist, "Hits: "), 28);
	EXPECT_EQ(number_after(hist, "Entries: "), 7);
}

TEST(hist_counts_arrays)
{
	check_string_hist("char[8]", -1);
}

TEST(hist_counts_absolute_strings)
{
	check_string_hist("__data_loc char[]", common_fields_size() + 4);
}

TEST(hist_counts_relative_strings)
{
	need_rel_loc_hist();
	check_string_hist("__rel_loc char[]", 0);
}

TEST(hist_sums_by_several_keys)
{
	const char *event = uniq("e");
	int fd = open_event(event, "char[8] name;u32 kind;u64 bytes");
	struct {
		char name[8];
		uint32_t kind;
		uint64_t bytes;
	} __attribute__((packed)) payload = { 0 };
	unsigned int i;
	char *hist;

	need_hist();
	ASSERT_OK(tfs_write("hist:keys=name,kind:vals=bytes:sort=bytes",
			    EVENT_DIR "/trigger", event));
	for (i = 0; i < 30; i++) {
		strcpy(payload.name, i % 3 ? "foo" : "bar");
		payload.kind = i % 2;
		payload.bytes = i;
		EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)), 24);
	}
	hist = hist_of(event);
	EXPECT_EQ(hist_hits(hist, "name:foo,kind:0"), 10);
	EXPECT_EQ(hist_hits(hist, "name:foo,kind:1"), 10);
	EXPECT_EQ(hist_hits(hist, "name:bar,kind:0"), 5);
	EXPECT_EQ(hist_hits(hist, "name:bar,kind:1"), 5);
	/* 0 + 6 + 12 + 18 + 24. */
	EXPECT_EQ(number_after(find_line(hist, "bar"), "bytes: "), 60);
	EXPECT_EQ(number_after(hist, "Hits: "), 30);
}

TEST(hist_applies_filter)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	uint32_t i;
	char *hist;

	need_hist();
	ASSERT_OK(
		tfs_write("hist:keys=a if a > 6", EVENT_DIR "/trigger", event));
	for (i = 0; i < 10; i++)
		write_u32(fd, i);
	hist = hist_of(event);
	EXPECT_EQ(number_after(hist, "Hits: "), 3);
	EXPECT_EQ(hist_hits(hist, "a:7"), 1);
	EXPECT_EQ(hist_hits(hist, "a:6"), 0);
}

/* --- other triggers --- */

TEST(stacktrace_trigger_records_stack)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write("stacktrace", EVENT_DIR "/trigger", event));
	write_u32(fd, 1);
	write_u32(fd, 2);
	EXPECT_EQ(trace_count(NULL, "<stack trace>"), 2);
	EXPECT_GE(trace_count(NULL, "vfs_write"), 2);
	ASSERT_OK(tfs_write("!stacktrace", EVENT_DIR "/trigger", event));
	ASSERT_OK(tfs_write("stacktrace:1 if a == 5", EVENT_DIR "/trigger",
			    event));
	write_u32(fd, 4);
	EXPECT_EQ(trace_count(NULL, "<stack trace>"), 2);
	write_u32(fd, 5);
	write_u32(fd, 5);
	EXPECT_EQ(trace_count(NULL, "<stack trace>"), 3);
}

#define FILLED_RECORDS 200

/* The trigger of an instance stops the top level on old kernels. */
static bool is_tracing(const char *instance)
{
	return number_after(tfs_read("instances/%s/tracing_on", instance),
			    "") &&
	       number_after(tfs_read("tracing_on"), "");
}

/*
 * Old kernels look for the end of a text. Behind the last one there is what the
 * buffer contained before, which is made to match here.
 */
TEST(trigger_reads_no_text_behind_the_record)
{
	const char *event = uniq("e"), *instance = uniq("inst");
	const char *name = text("instances/%s", instance);
	int fd = open_event(event, "char[8] s");
	int filler = open_event(uniq("filler"), "char[200] s");
	char filling[200];
	unsigned int i;

	for (i = 0; i < sizeof(filling); i++)
		filling[i] = "MARK"[i % 4];
	ASSERT_OK(mkdir(text("%s/%s", tracefs(), name), 0700));
	ASSERT_OK(tfs_write("4", "%s/buffer_size_kb", name));
	ASSERT_OK(tfs_write("1", "%s/events/user_events/enable", name));
	pin_to_cpu(0);
	for (i = 0; i < FILLED_RECORDS; i++)
		EXPECT_OK(emit(filler, 0, filling, sizeof(filling)));
	ASSERT_OK(tfs_write("traceoff if s ~ \"x*M?RK*\"",
			    "%s/" EVENT_DIR "/trigger", name, event));
	for (i = 0; i < FILLED_RECORDS; i++)
		EXPECT_OK(emit(fd, 0, "xxxxxxxx", 8));
	EXPECT_TRUE(is_tracing(instance));
	EXPECT_OK(emit(fd, 0, "xxMARKxx", 8));
	EXPECT_FALSE(is_tracing(instance));
	ASSERT_OK(tfs_write("1", "tracing_on"));
	ASSERT_OK(tfs_write("0", "%s/events/user_events/enable", name));
}

TEST(snapshot_trigger_takes_snapshot)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	if (!tfs_exists("snapshot"))
		SKIP("this kernel has no snapshots");
	ASSERT_OK(
		tfs_write("snapshot:1 if a == 3", EVENT_DIR "/trigger", event));
	enable(event, true);
	write_u32(fd, 1);
	write_u32(fd, 2);
	EXPECT_LACKS(tfs_read("snapshot"), event);
	write_u32(fd, 3);
	EXPECT_CONTAINS(tfs_read("snapshot"), text(" %s: a=0x1 (1)", event));
	EXPECT_CONTAINS(tfs_read("snapshot"), text(" %s: a=0x2 (2)", event));
	enable(event, false);
	ASSERT_OK(tfs_write("!snapshot", EVENT_DIR "/trigger", event));
	EXPECT_OK(tfs_write("0", "snapshot"));
}

TEST(traceoff_trigger_stops_tracing)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write("traceoff if a == 2", EVENT_DIR "/trigger", event));
	enable(event, true);
	write_u32(fd, 1);
	EXPECT_STREQ(tfs_read("tracing_on"), "1\n");
	write_u32(fd, 2);
	EXPECT_STREQ(tfs_read("tracing_on"), "0\n");
	write_u32(fd, 3);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x1 ", event)), 1);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x3 ", event)), 0);
}

TEST(traceon_trigger_starts_tracing)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write("traceon:1", EVENT_DIR "/trigger", event));
	enable(event, true);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	write_u32(fd, 1);
	EXPECT_STREQ(tfs_read("tracing_on"), "1\n");
	write_u32(fd, 2);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x2 ", event)), 1);
	/* The trigger's count is used up. */
	ASSERT_OK(tfs_write("0", "tracing_on"));
	write_u32(fd, 3);
	EXPECT_STREQ(tfs_read("tracing_on"), "0\n");
}

TEST(enable_event_trigger_enables_other_event)
{
	const char *a = uniq("a"), *b = uniq("b"), *c = uniq("c");
	int fd_a = open_event(a, "u32 x");
	int fd_b = open_event(b, "u32 x");
	int fd_c = open_event(c, "u32 x");

	ASSERT_OK(tfs_write(text("enable_event:user_events:%s if x == 7", b),
			    EVENT_DIR "/trigger", a));
	ASSERT_OK(tfs_write(text("disable_event:user_events:%s if x == 8", b),
			    EVENT_DIR "/trigger", c));
	/* Soft mode: the event is enabled, but not recorded. */
	EXPECT_TRUE(strstr(status_line(b), "# Used by ftrace"));
	write_u32(fd_b, 1);
	EXPECT_EQ(count_recorded(b), 0);
	write_u32(fd_a, 6);
	write_u32(fd_b, 2);
	EXPECT_EQ(count_recorded(b), 0);
	write_u32(fd_a, 7);
	write_u32(fd_b, 3);
	EXPECT_EQ(count_recorded(b), 1);
	write_u32(fd_c, 8);
	write_u32(fd_b, 4);
	EXPECT_EQ(count_recorded(b), 1);
	EXPECT_EQ(count_recorded(a), 0);
	close(fd_b);
	/* The trigger holds a reference to the event that it would enable. */
	EXPECT_ERRNO(del_event(b), EBUSY);
}

TEST(kernel_event_trigger_enables_user_event)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const char *source = "events/sched/sched_process_fork";
	const char *trigger = text("enable_event:user_events:%s:1", event);
	pid_t child;

	if (tfs_write(trigger, "%s/trigger", source))
		SKIP("cannot set a trigger on sched_process_fork: %s",
		     harness_errno(errno));
	write_u32(fd, 1);
	EXPECT_EQ(count_recorded(event), 0);
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	write_u32(fd, 2);
	EXPECT_EQ(count_recorded(event), 1);
	EXPECT_OK(tfs_write(text("!enable_event:user_events:%s", event),
			    "%s/trigger", source));
}

TEST(rejects_invalid_triggers)
{
	const char *event = uniq("e");

	open_event(event, "u32 a");
	EXPECT_ERRNO(tfs_write("hist:keys=nothing", EVENT_DIR "/trigger",
			       event),
		     EINVAL);
	EXPECT_ERRNO(tfs_write("stacktrace if b == 1", EVENT_DIR "/trigger",
			       event),
		     EINVAL);
	EXPECT_ERRNO(tfs_write("nonsense", EVENT_DIR "/trigger", event),
		     EINVAL);
	/* A failed write must not leave the event enabled. */
	EXPECT_LACKS(status_line(event), "Used by");
}

/* --- synthetic events --- */

TEST(onmatch_creates_synthetic_event)
{
	const char *start = uniq("start"), *end = uniq("end");
	const char *latency = uniq("lat");
	int fd_start = open_event(start, "u32 id");
	int fd_end = open_event(end, "u32 id;u32 status");
	uint32_t record[2];
	unsigned int i;
	char *hist;

	need_synthetic_events();
	need_hist();
	ASSERT_OK(dynevent_write(
		text("s:%s u64 lat; u32 id; u32 status", latency)));
	ASSERT_OK(tfs_write("hist:keys=id:ts0=common_timestamp.usecs",
			    EVENT_DIR "/trigger", start));
	ASSERT_OK(tfs_write(text("hist:keys=id:lat=common_timestamp.usecs-$ts0:"
				 "onmatch(user_events.%s).%s($lat,id,status)",
				 start, latency),
			    EVENT_DIR "/trigger", end));
	ASSERT_OK(tfs_write("hist:keys=id,status",
			    "events/synthetic/%s/trigger", latency));
	ASSERT_OK(tfs_write("1", "events/synthetic/%s/enable", latency));

	for (i = 0; i < 20; i++)
		write_u32(fd_start, i);
	for (i = 0; i < 30; i++) {
		record[0] = i;
		record[1] = i % 2;
		EXPECT_EQ(emit(fd_end, 0, record, 8), 12);
	}

	/* The last ten end events have no matching start event. */
	EXPECT_EQ(trace_count(NULL, text(" %s: lat=", latency)), 20);
	/* Big-endian kernels before 6.6 print such fields as 0. */
	if (little_endian())
		EXPECT_CONTAINS(find_line(tfs_read("trace"), "id=17"),
				"status=1");
	hist = tfs_read("events/synthetic/%s/hist", latency);
	EXPECT_EQ(number_after(hist, "Hits: "), 20);
	EXPECT_EQ(hist_hits(hist, "id:17,status:1"), 1);
	EXPECT_EQ(hist_hits(hist, "id:25,status:1"), 0);
	close(fd_start);
	close(fd_end);
	EXPECT_ERRNO(del_event(start), EBUSY);
	EXPECT_ERRNO(del_event(end), EBUSY);
}

/* --- text --- */

struct expected_text {
	const char *fields;
	const char *payload;
	size_t size;
	const char *text;
};

#define BYTES(string) (string), sizeof(string) - 1

/*
 * In the table, the offset of a __data_loc word is relative to the end of the
 * common fields, whose size depends on the kernel.
 */
static void write_shown(int fd, const struct expected_text *row)
{
	char *payload = malloc(row->size + sizeof(uint32_t));
	uint32_t word;

	memcpy(payload, row->payload, row->size);
	if (!strncmp(row->fields, "__data_loc ", strlen("__data_loc "))) {
		memcpy(&word, payload, sizeof(word));
		word += DYN_LOC(common_fields_size(), 0);
		memcpy(payload, &word, sizeof(word));
	}
	EXPECT_EQ(emit(fd, 0, payload, row->size), 4 + row->size);
	free(payload);
}

TEST(prints_every_kind_of_field)
{
	static const struct expected_text cases[] = {
		{ "", BYTES(""), "No fields found" },
		{ "", BYTES("\x01\x02"), "No fields found" },
		{ "char a", BYTES("A"), " a='A'(65)" },
		{ "u8 a", BYTES("z"), " a='z'(122)" },
		{ "s8 a", BYTES(" "), " a=' '(32)" },
		{ "u8 a", BYTES("\x07"), " a=(7)" },
		{ "unsigned char a", BYTES("\x7f"), " a=(127)" },
		{ "u8 a", BYTES("\x00"), " a=(0)" },
		{ "s8 a", BYTES("\x80"), " a=(128)" },
		{ "u16 a", BYTES(NUM2("\x01", "\x02")), " a=0x201 (513)" },
		{ "s16 a", BYTES("\xff\xff"), " a=0xffff (65535)" },
		{ "short a", BYTES("\x00\x00"), " a=0x0 (0)" },
		{ "unsigned short a", BYTES(NUM2("\xff", "\x7f")),
		  " a=0x7fff (32767)" },
		{ "u32 a", BYTES(NUM4("\x01", "\0", "\0", "\0")),
		  " a=0x1 (1)" },
		{ "u32 a", BYTES("\xff\xff\xff\xff"), " a=0xffffffff (-1)" },
		{ "s32 a", BYTES(NUM4("\xfe", "\xff", "\xff", "\xff")),
		  " a=0xfffffffe (-2)" },
		{ "int a", BYTES(NUM4("\xff", "\xff", "\xff", "\x7f")),
		  " a=0x7fffffff (2147483647)" },
		{ "unsigned int a", BYTES(NUM4("\x78", "\x56", "\x34", "\x12")),
		  " a=0x12345678 (305419896)" },
		{ "u64 a",
		  BYTES(NUM8("\x01", "\0", "\0", "\0", "\0", "\0", "\0", "\0")),
		  " a=0x1 (1)" },
		{ "u64 a", BYTES("\xff\xff\xff\xff\xff\xff\xff\xff"),
		  " a=0xffffffffffffffff (-1)" },
		{ "s64 a",
		  BYTES(NUM8("\x08", "\x07", "\x06", "\x05", "\x04", "\x03",
			     "\x02", "\x01")),
		  " a=0x102030405060708 (72623859790382856)" },
		{ "char[8] a", BYTES("hi\0\0\0\0\0\0"), " a=hi" },
		{ "char[8] a", BYTES("hi\0there"), " a=hi" },
		{ "char[8] a", BYTES("abcdefgh"), " a=abcdefgh" },
		{ "char[8] a", BYTES("\0bcdefgh"), " a=" },
		{ "char[8] a", BYTES("a\nb\tc\x7f\x1b\x80"), " a=a.b.c..\x80" },
		{ "unsigned char[3] a", BYTES("xyz"), " a=xyz" },
		{ "char[4] a;char[4] b", BYTES("abcdefgh"), " a=abcd b=efgh" },
		{ "struct s a 1", BYTES("A"), " a='A'(65)" },
		{ "struct s a 2", BYTES(NUM2("\x01", "\x02")),
		  " a=0x201 (513)" },
		{ "struct s a 4", BYTES(NUM4("\x01", "\0", "\0", "\0")),
		  " a=0x1 (1)" },
		{ "struct s a 8",
		  BYTES(NUM8("\x01", "\0", "\0", "\0", "\0", "\0", "\0", "\0")),
		  " a=0x1 (1)" },
		{ "struct s a 3", BYTES("abc"), " a=<INVALID-SIZE>" },
		{ "struct s a 20", BYTES("aaaaaaaaaabbbbbbbbbb"),
		  " a=<INVALID-SIZE>" },
		{ "u8 a;u16 b;u32 c;u64 d",
		  BYTES("\x01" NUM2("\x02", "\0") NUM4("\x03", "\0", "\0", "\0")
				NUM8("\x04", "\0", "\0", "\0", "\0", "\0", "\0",
				     "\0")),
		  " a=(1) b=0x2 (2) c=0x3 (3) d=0x4 (4)" },
		{ "__rel_loc char[] a", BYTES(WORD("\0", "\x04") "abc\0"),
		  " a=abc" },
		{ "__rel_loc char[] a", BYTES("\0\0\0\0"), " a=" },
		{ "__data_loc char[] a", BYTES(WORD("\x04", "\x04") "abc\0"),
		  " a=abc" },
		{ "__rel_loc unsigned char[] a",
		  BYTES(WORD("\0", "\x04") "abc\0"), " a=abc" },
		{ "__rel_loc u8[] a", BYTES(WORD("\0", "\x02") "\x01\x02"),
		  " a=01,02" },
		{ "__rel_loc u8[] a", BYTES(WORD("\0", "\x03") "\xff\x80\x00"),
		  " a=ff,80,00" },
		{ "__rel_loc u8[] a", BYTES("\0\0\0\0"), " a=" },
		{ "__data_loc u8[] a", BYTES(WORD("\x04", "\x02") "\x01\x02"),
		  " a=01,02" },
		{ "__data_loc thing a", BYTES(WORD("\x04", "\x02") "\x01\x02"),
		  " a=01,02" },
		{ "__rel_loc u32[] a;u16 b",
		  BYTES(WORD("\x02", "\x04") NUM2("\x07", "\0") "\x01\x02"
								"\x03\x04"),
		  " a=01,02,03,04 b=0x7 (7)" },
		{ "__rel_loc char[] a;__rel_loc char[] b;u8 c",
		  BYTES(WORD("\x05", "\x03") WORD("\x04", "\x03") "Zab\0cd\0"),
		  " a=ab b=cd c='Z'(90)" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		int fd = open_event(event, cases[i].fields);

		harness_context("%s", cases[i].fields);
		enable(event, true);
		write_shown(fd, &cases[i]);
		EXPECT_STREQ(trace_text(event),
			     text("%s:%s", event, cases[i].text));
		enable(event, false);
	}
}

/* Whether bytes above 127 are printable is not specified; their number is. */
TEST(prints_negative_bytes)
{
	const char *event = uniq("e");
	int fd = open_event(event, "s8 a");

	enable(event, true);
	EXPECT_EQ(emit(fd, 0, "\xff", 1), 5);
	EXPECT_CONTAINS(trace_text(event), "(255)");
}

TEST(prints_common_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	char *line;

	pin_to_cpu(0);
	enable(event, true);
	write_u32(fd, 1);
	line = find_line(tfs_read("trace"), text(" %s:", event));
	EXPECT_CONTAINS(line, text("-%d ", getpid()));
	EXPECT_CONTAINS(line, "[000]");
	EXPECT_CONTAINS(line, text(": %s: a=0x1 (1)", event));
}

/* A long record is a single line as well. */
TEST(prints_long_record)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a;u32 b");
	static struct {
		uint32_t word;
		uint32_t b;
		char data[3000];
	} payload;
	char *expected_text;

	memset(payload.data, 'L', sizeof(payload.data) - 1);
	payload.word = DYN_LOC(4, sizeof(payload.data));
	payload.b = 9;
	enable(event, true);
	EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)), 4 + sizeof(payload));
	expected_text = trace_text(event);
	EXPECT_TRUE(expected_text);
	if (expected_text)
		EXPECT_EQ(strlen(expected_text), strlen(event) +
							 strlen(": a=") + 2999 +
							 strlen(" b=0x9 (9)"));
}

/*
 * A record of 4000 bytes has a text of 12,000, which is cut, and no shorter if
 * other records are printed before.
 */
TEST(cuts_text_of_long_record)
{
	const char *event = uniq("e"), *other = uniq("f");
	int fd = open_event(event, "__rel_loc u8[] a");
	int other_fd = open_event(other, "u32 a");
	int pipe = tfs_open(O_RDONLY | O_NONBLOCK, "trace_pipe");
	static uint8_t payload[PAGE_MAX];
	static char out[2 * PAGE_MAX];
	/* Three characters for each byte do not fit into a page. */
	const size_t bytes = PAGE - 96;
	char *line;
	ssize_t got, size = 0;
	int i;

	ASSERT_OK(pipe);
	*(uint32_t *)payload = DYN_LOC(0, bytes);
	enable(event, true);
	enable(other, true);
	for (i = 0; i < 20; i++)
		write_u32(other_fd, 1);
	EXPECT_EQ(emit(fd, 0, payload, 4 + bytes), 8 + bytes);
	write_u32(other_fd, 2);

	line = trace_text(event);
	ASSERT_TRUE(line);
	EXPECT_CONTAINS(line, text("%s: a=00,00,", event));
	EXPECT_STREQ(line + strlen(line) - 3, "...");

	while ((got = read(pipe, out + size, sizeof(out) - 1 - size)) > 0)
		size += got;
	out[size] = '\0';
	EXPECT_CONTAINS(out, text(": %s: a=0x1 (1)\n", other));
	EXPECT_TRUE(strstr(out, line));
	EXPECT_CONTAINS(out, text(": %s: a=0x2 (2)\n", other));
	free(line);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
