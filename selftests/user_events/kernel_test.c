// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of another module, user_events_sample.ko, which is beside the module of
 * USER_EVENTS_KO.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/module.h"
#include "../lib/user_events.h"

#define SAMPLE_FIELDS "u32 number; char[8] fixed; __rel_loc char[] text"

static const char *skip_reason(void)
{
	if (access(sample_path(), R_OK))
		return SAMPLE ".ko is not beside USER_EVENTS_KO";

	return user_events_hooks.skip_reason();
}

static unsigned int after_test(void)
{
	sample_unload();
	return user_events_hooks.after();
}

static const char *first(void)
{
	return uniq("e");
}

static const char *second(void)
{
	return uniq("e_pieces");
}

/* Loads the sample with events of this test. */
static int load(const char *parameters)
{
	return module_load_file(sample_path(),
				text("name=%s %s", first(), parameters));
}

/* Records for which the static key of the sample was true. */
static unsigned int enabled_records(void)
{
	return atoi(read_file("/sys/module/" SAMPLE "/parameters/enabled"));
}

/* The text behind the name of the n-th record of an event in trace, from 0. */
static char *nth_text(const char *event, unsigned int n)
{
	const char *name = text(" %s: ", event);
	char *at = tfs_read("trace");

	while ((at = strstr(at, name))) {
		at += strlen(name);
		if (!n--)
			return strndup(at, strcspn(at, "\n"));
	}

	return NULL;
}

TEST(module_defines_events)
{
	ASSERT_OK(load(""));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=0,gid=0,mode=0600 " SAMPLE_FIELDS, first())));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=0,gid=0,mode=0600 u64 number; u8 length; "
		     "struct bytes bytes 6",
		     second())));
	EXPECT_OK(sample_unload());
	EXPECT_FALSE(status_line(first()));
	EXPECT_FALSE(status_line(second()));
}

TEST(module_emits_records)
{
	static const struct {
		const char *way;
		bool is_second;
		const char *text;
	} cases[] = {
		{ "array", false, "number=0x1 (1) fixed=text text=text" },
		{ "bytes", false, "number=0x2 (2) fixed=bytes text=text" },
		{ "pieces", true, "number=0x3 (3) length=(4) bytes=" },
		{ "timer", false, "number=0x4 (4) fixed=text text=text" },
		{ "interrupt", false, "number=0x5 (5) fixed=text text=text" },
	};
	unsigned int counts[2] = { 0, 0 };
	unsigned long long hits, lost;
	size_t i;

	ASSERT_OK(load(""));
	enable(first(), true);
	enable(second(), true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = cases[i].is_second ? second() : first();

		harness_context("%s", cases[i].way);
		ASSERT_OK(sample_emit(cases[i].way));
		EXPECT_CONTAINS(nth_text(event, counts[cases[i].is_second]++),
				cases[i].text);
	}
	harness_context(NULL);
	ASSERT_TRUE(read_profile(first(), &hits, &lost));
	EXPECT_EQ(hits, 4);
	EXPECT_EQ(lost, 0);
}

/* The record that the NMI interrupts is complete, too. */
TEST(nmi_emits_while_a_record_is_written)
{
	unsigned long long hits, lost;
	struct sample sample;
	struct perf perf;

	ASSERT_OK(load(""));
	pin_to_cpu(0);
	perf_map(&perf, event_id(first()), -1, 0, 2);
	ASSERT_OK(tfs_write(text("common_flags & %u", COMMON_FLAGS_NMI),
			    "events/user_events/%s/filter", first()));
	enable(first(), true);
	enable(second(), true);
	if (sample_emit("nmi")) {
		ASSERT_EQ(errno, EOPNOTSUPP);
		SKIP("no NMI on this architecture");
	}
	EXPECT_CONTAINS(nth_text(first(), 0),
			"number=0x2 (2) fixed=text text=text");
	EXPECT_CONTAINS(nth_text(second(), 0), "number=0x1 (1) length=(0)");
	ASSERT_TRUE(perf_next(&perf, &sample));
	EXPECT_TRUE(sample.bytes[COMMON_FLAGS_OFFSET] & COMMON_FLAGS_NMI);
	EXPECT_EQ(sample.bytes[common_fields_size()], 2);
	EXPECT_FALSE(perf_next(&perf, &sample));
	perf_close(&perf);
	ASSERT_TRUE(read_profile(first(), &hits, &lost));
	EXPECT_EQ(hits, 1);
	EXPECT_EQ(lost, 0);
}

/* Fields that are set by name, and bytes of a structure in the raw buffer. */
TEST(pieces_are_where_their_fields_are)
{
	static const char payload[] =
		NUM8("\1", "\0", "\0", "\0", "\0", "\0", "\0", "\0") "\4text\0";

	ASSERT_OK(load(""));
	enable(second(), true);
	ASSERT_OK(sample_emit("pieces"));
	expect_record(event_id(second()), payload, 8 + 1 + 6);
}

/* The code behind the key runs only while a tracer is attached. */
TEST(key_follows_tracers)
{
	int perf;

	ASSERT_OK(load(""));
	EXPECT_ERRNO(sample_emit("array"), EBADF);
	EXPECT_EQ(enabled_records(), 0);
	enable(first(), true);
	EXPECT_OK(sample_emit("array"));
	EXPECT_EQ(enabled_records(), 1);
	perf = perf_open(event_id(first()), 0, -1, PERF_COUNT);
	ASSERT_OK(perf);
	enable(first(), false);
	EXPECT_OK(sample_emit("array"));
	EXPECT_EQ(enabled_records(), 2);
	close(perf);
	EXPECT_ERRNO(sample_emit("array"), EBADF);
	EXPECT_ERRNO(sample_emit("pieces"), EBADF);
	EXPECT_EQ(enabled_records(), 2);
}

/* A key starts with the state of an event that exists. */
TEST(key_of_enabled_event_is_true)
{
	int fd = open_event(first(), SAMPLE_FIELDS);

	enable(first(), true);
	ASSERT_OK(load(""));
	EXPECT_OK(sample_emit("array"));
	EXPECT_OK(sample_emit("undefine"));
	EXPECT_ERRNO(sample_emit("array"), ENOENT);
	EXPECT_OK(sample_emit("define"));
	EXPECT_ERRNO(sample_emit("define"), EEXIST);
	EXPECT_OK(sample_emit("array"));
	enable(first(), false);
	close(fd);
}

/*
 * The key becomes true before the definition returns, so an emitter that is
 * running has no event yet.
 */
TEST(emitter_can_run_while_event_is_defined)
{
	int fd = open_event(first(), SAMPLE_FIELDS);
	unsigned int i;

	enable(first(), true);
	ASSERT_OK(load(""));
	for (i = 0; i < 30; i++)
		ASSERT_OK(sample_emit("live"));
	EXPECT_OK(sample_emit("array"));
	enable(first(), false);
	close(fd);
}

TEST(invalid_records_are_not_emitted)
{
	static const struct {
		const char *way;
		int error;
	} cases[] = {
		{ "name", ENOENT },    { "data", EINVAL },
		{ "number", EINVAL },  { "long", E2BIG },
		{ "count", EINVAL },   { "short", EINVAL },
		{ "outside", EFAULT }, { "large", E2BIG },
	};
	size_t i;

	ASSERT_OK(load(""));
	enable(first(), true);
	enable(second(), true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].way);
		EXPECT_ERRNO(sample_emit(cases[i].way), cases[i].error);
		EXPECT_EQ(trace_count(NULL, first()), 0);
	}
	harness_context(NULL);
	EXPECT_OK(sample_emit("pieces"));
	EXPECT_EQ(trace_count(NULL, text(" %s:", second())), 1);
}

/* Each memory for records is free again afterwards. */
TEST(nested_records_are_limited)
{
	unsigned int i;

	ASSERT_OK(load(""));
	enable(second(), true);
	for (i = 1; i <= 3; i++) {
		EXPECT_ERRNO(sample_emit("nested"), EBUSY);
		EXPECT_EQ(trace_count(NULL, text(" %s:", second())), 4 * i);
	}
	EXPECT_OK(sample_emit("pieces"));
}

/* A filter sees the record, and the reason is counted also for interrupts. */
TEST(filters_see_records_of_modules)
{
	static const uint32_t written[] = { 2, 0, 0, DYN_LOC(0, 0) };
	unsigned long long hits, lost, removed = 0, filtered;
	int fd, i;

	ASSERT_OK(load(""));
	fd = open_event(first(), SAMPLE_FIELDS);
	ASSERT_OK(tfs_write("number == 2", "events/user_events/%s/filter",
			    first()));
	enable(first(), true);
	/* Those of a process, on the same CPU, are not counted once more. */
	pin_to_cpu(0);
	for (i = 0; i < 4; i++)
		EXPECT_EQ(emit(fd, 0, written, sizeof(written)), 20);
	EXPECT_OK(sample_emit("array"));
	EXPECT_OK(sample_emit("interrupt"));
	EXPECT_OK(sample_emit("interrupt"));
	EXPECT_EQ(trace_count(NULL, text(" %s:", first())), 5);
	EXPECT_EQ(read_loss(first(), "ftrace_filtered"), 2);
	ASSERT_TRUE(read_profile(first(), &hits, &lost));
	EXPECT_EQ(hits, 7);

	/* The counters of removed events have those of interrupts, too. */
	read_profile("/", &removed, &lost);
	filtered = read_loss("/", "ftrace_filtered");
	enable(first(), false);
	close(fd);
	EXPECT_OK(sample_unload());
	EXPECT_OK(del_event(first()));
	ASSERT_TRUE(read_profile("/", &hits, &lost));
	EXPECT_EQ(hits - removed, 7);
	EXPECT_EQ(read_loss("/", "ftrace_filtered") - filtered, 2);
}

TEST(module_of_events_pins_user_events)
{
	ASSERT_OK(load(""));
	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
	EXPECT_OK(sample_emit("undefine"));
	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
	EXPECT_TRUE(status_line(second()));
	EXPECT_OK(sample_unload());
}

/* What the module forgets is removed when it is unloaded. */
TEST(events_of_unloaded_module_are_removed)
{
	ASSERT_OK(load("undefines=N"));
	EXPECT_OK(sample_unload());
	EXPECT_FALSE(status_line(first()));
	EXPECT_FALSE(status_line(second()));
	/* A second time, with the same names */
	ASSERT_OK(load("undefines=N"));
	enable(first(), true);
	EXPECT_OK(sample_emit("array"));
	enable(first(), false);
	EXPECT_OK(sample_unload());
	EXPECT_FALSE(status_line(first()));
}

/* A tracer can stay attached, and its event goes with it. */
TEST(tracer_outlives_module)
{
	static const char *const parameters[] = { "undefines=Y",
						  "undefines=N" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parameters); i++) {
		harness_context("%s", parameters[i]);
		ASSERT_OK(load(parameters[i]));
		enable(first(), true);
		EXPECT_OK(sample_emit("array"));
		EXPECT_CONTAINS(nth_text(first(), 0), "number=0x1 (1)");
		EXPECT_OK(sample_unload());
		EXPECT_TRUE(status_line(first()));
		enable(first(), false);
		wait_deleted(first());
		trace_clear();
	}
}

/* The event of a module stays for a process that has registered it. */
TEST(process_and_module_share_an_event)
{
	uint32_t record[] = { 0, 7, 0, 0, 0 };
	int fd;

	ASSERT_OK(load(""));
	fd = open_event(first(), SAMPLE_FIELDS);
	EXPECT_ERRNO(del_event(first()), EBUSY);
	enable(first(), true);
	EXPECT_EQ(write(fd, record, sizeof(record)), sizeof(record));
	EXPECT_OK(sample_emit("array"));
	EXPECT_CONTAINS(nth_text(first(), 0), "number=0x7 (7)");
	EXPECT_CONTAINS(nth_text(first(), 1), "number=0x1 (1)");
	EXPECT_OK(sample_unload());
	EXPECT_EQ(write(fd, record, sizeof(record)), sizeof(record));
	enable(first(), false);
	close(fd);
	EXPECT_OK(del_event(first()));
}

/* A module whose name is taken works without the event, and can try again. */
TEST(name_of_process_is_taken)
{
	int fd = open_event(first(), "u32 other");

	ASSERT_OK(load(""));
	EXPECT_ERRNO(sample_emit("define"), EADDRINUSE);
	EXPECT_ERRNO(sample_emit("array"), ENOENT);
	EXPECT_ERRNO(sample_emit("pieces"), EBADF);
	enable(second(), true);
	EXPECT_OK(sample_emit("pieces"));
	enable(second(), false);
	close(fd);
	EXPECT_OK(del_event(first()));
	EXPECT_OK(sample_emit("define"));
	EXPECT_ERRNO(reg(data_open(), text("%s u32 other", first()), NULL),
		     EADDRINUSE);
}

/* An event that is not defined is one without a tracer. */
TEST(undefined_event_is_disabled)
{
	static const char *const ways[] = { "pieces", "data", "count" };
	int fd = open_event(second(), "u32 other");
	size_t i;

	enable(second(), true);
	ASSERT_OK(load(""));
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		harness_context("%s", ways[i]);
		EXPECT_ERRNO(sample_emit(ways[i]), EBADF);
	}
	harness_context(NULL);
	enable(second(), false);
	close(fd);
}

static const char *sample_command(void)
{
	return text("%s " SAMPLE_FIELDS, first());
}

TEST(mode_lets_processes_join)
{
	int fd = data_open();

	ASSERT_OK(load(""));
	ASSERT_OK(seteuid(1000));
	EXPECT_ERRNO(reg(fd, sample_command(), NULL), EACCES);
	ASSERT_OK(seteuid(0));
	EXPECT_OK(sample_unload());
	ASSERT_OK(load("mode=0622"));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=0,gid=0,mode=0622 " SAMPLE_FIELDS, first())));
	ASSERT_OK(seteuid(1000));
	EXPECT_EQ(reg(fd, sample_command(), NULL), 0);
	ASSERT_OK(seteuid(0));
	close(fd);
}

/* A module takes an event over from a user, but not from an administrator. */
TEST(module_takes_over_event_of_user)
{
	int fd = data_open(), other = data_open();

	ASSERT_OK(seteuid(1000));
	ASSERT_OK(reg(fd, sample_command(), NULL));
	ASSERT_OK(seteuid(0));
	ASSERT_OK(load(""));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=0,gid=0,mode=0600 " SAMPLE_FIELDS, first())));
	ASSERT_OK(seteuid(1000));
	EXPECT_ERRNO(reg(other, sample_command(), NULL), EACCES);
	ASSERT_OK(seteuid(0));
	close(fd);
	EXPECT_OK(sample_unload());
	EXPECT_OK(del_event(first()));

	ASSERT_OK(dynevent_write(
		text("u:%s:uid=1000,gid=0,mode=0640 " SAMPLE_FIELDS, first())));
	ASSERT_OK(load(""));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=1000,gid=0,mode=0640 " SAMPLE_FIELDS, first())));
	EXPECT_OK(sample_unload());
	EXPECT_OK(del_event(first()));
}

/* Text behind the name would be rights or fields. */
TEST(rejects_invalid_names)
{
	static const char *const names[] = { "\"\"", "\"%s u32\"", "%s:x",
					     "%s/x" };
	const char *at;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		harness_context("%s", names[i]);
		at = strstr(names[i], "%s");
		ASSERT_OK(module_load_file(
			sample_path(),
			text("name=%.*s%s%s", at ? (int)(at - names[i]) : 2,
			     names[i], at ? first() : "", at ? at + 2 : "")));
		EXPECT_ERRNO(sample_emit("define"), EINVAL);
		EXPECT_OK(sample_unload());
	}
	EXPECT_FALSE(strstr(tfs_read("user_events_status"), first()));
}

TEST(rejects_invalid_definitions)
{
	static const struct {
		const char *way;
		int error;
	} cases[] = {
		{ "separator", EINVAL }, { "untyped", EINVAL },
		{ "room", E2BIG },	 { "no_room", E2BIG },
		{ "no_memory", ENOMEM }, { "unnamed", EINVAL },
		{ "fixed", E2BIG },
	};
	size_t i;

	ASSERT_OK(load(""));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].way);
		EXPECT_ERRNO(sample_emit(cases[i].way), cases[i].error);
	}
	EXPECT_FALSE(status_line("sample_wrong"));
}

TEST(rejects_invalid_mode)
{
	ASSERT_OK(load("mode=01777"));
	EXPECT_ERRNO(sample_emit("define"), EINVAL);
	EXPECT_FALSE(status_line(first()));
}

/* Each load and unload leaves nothing behind, whoever undefines the events. */
TEST(loads_again_and_again)
{
	unsigned int references = module_references();
	unsigned int i;

	for (i = 0; i < 10; i++) {
		ASSERT_OK(load(i & 1 ? "undefines=N" : ""));
		ASSERT_OK(sample_unload());
	}
	EXPECT_EQ(module_references(), references);
}

/* Runs until it is killed. Most writes fail, since there is no module. */
static void write_words(void)
{
	static const char *const words[] = { "live", "undefine", "define",
					     "array" };
	unsigned int i;

	for (i = 0;; i++)
		sample_emit(words[i % ARRAY_SIZE(words)]);
}

/* A write that is late defines no event which would stay. */
TEST(writes_race_with_unload)
{
	pid_t writer = fork();
	unsigned int i;

	ASSERT_OK(writer);
	if (!writer)
		write_words();
	for (i = 0; i < 30; i++) {
		ASSERT_OK(load(i & 1 ? "undefines=N" : ""));
		EXPECT_OK(sample_unload());
		EXPECT_FALSE(status_line(first()));
	}
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	ASSERT_OK(load(""));
	enable(first(), true);
	EXPECT_OK(sample_emit("array"));
}

int main(int argc, char **argv)
{
	static struct harness_hooks hooks;

	hooks = user_events_hooks;
	hooks.skip_reason = skip_reason;
	hooks.after = after_test;

	return harness_main(argc, argv, &hooks);
}
