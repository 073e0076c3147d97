// SPDX-License-Identifier: GPL-2.0-only
/*
 * The u: lines of dynamic_events: creation, listing and deletion. Kprobes,
 * uprobes, synthetic events and event probes must not be affected.
 */
#include <ctype.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

static void create(const char *event, const char *args)
{
	ASSERT_OK(dynevent_write(text("u:%s%s", event, args)));
}

static bool exists(const char *event)
{
	bool dir = tfs_exists("events/user_events/%s/format", event);
	bool status = !!status_line(event);

	EXPECT_EQ(dir, status);

	return dir;
}

TEST(lists_created_events)
{
	static const struct {
		const char *args;
		const char *listed;
	} cases[] = {
		{ "", "" },
		{ " ", "" },
		{ " u32 a", " u32 a" },
		{ " u32 a;", " u32 a" },
		{ " u32 a;u32 b", " u32 a; u32 b" },
		{ " u32 a; u32 b;", " u32 a; u32 b" },
		{ " ;;u32 a;;  u32 b;;", " u32 a; u32 b" },
		{ " unsigned int a", " unsigned int a" },
		{ " char[20] a", " char[20] a" },
		{ " char[0x14] a", " char[0x14] a" },
		{ " struct s a 20", " struct s a 20" },
		{ " struct s a +20;u8 b", " struct s a 20; u8 b" },
		{ " __data_loc char[] a", " __data_loc char[] a" },
		{ " __rel_loc unsigned char[] a;u64 b",
		  " __rel_loc unsigned char[] a; u64 b" },
		{ ":FLAG u32 a", " u32 a" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));

		harness_context("\"%s\"", cases[i].args);
		create(event, cases[i].args);
		EXPECT_TRUE(exists(event));
		EXPECT_STREQ(find_line(tfs_read("dynamic_events"),
				       text("u:%s", event)),
			     text("u:%s%s", event, cases[i].listed));
	}
}

TEST(lists_events_in_order_of_creation)
{
	const char *a = uniq("zz"), *b = uniq("mm"), *c = uniq("aa");
	char *list;
	int fd = data_open();

	create(a, "");
	must_reg(fd, b);
	create(c, " u32 x");
	list = tfs_read("dynamic_events");
	EXPECT_CONTAINS(list, text("u:%s\nu:%s\nu:%s u32 x\n", a, b, c));
}

TEST(prefix_must_be_exact)
{
	static const char *const prefixes[] = {
		" u:", "U:", "u ", "u", "uu:", "u1:", "u/:", "x:", "", "\tu:",
	};
	const char *event = uniq("e");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++) {
		harness_context("\"%s\"", prefixes[i]);
		if (isspace((unsigned char)*prefixes[i]) && !has_whole_lines())
			continue;
		EXPECT_ERRNO(dynevent_write(text("%s%s", prefixes[i], event)),
			     EINVAL);
		EXPECT_FALSE(exists(event));
	}
}

TEST(accepts_space_after_prefix)
{
	static const char *const spaces[] = { " ", "   ", "\t", " \t " };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spaces); i++) {
		const char *event = uniq(text("%zu", i));

		harness_context("\"%s\"", spaces[i]);
		EXPECT_OK(
			dynevent_write(text("u:%s%s u32 a", spaces[i], event)));
		EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", event)));
	}
}

TEST(accepts_lines_and_comments)
{
	const char *a = uniq("a"), *b = uniq("b"), *c = uniq("c");
	const char *d = uniq("d"), *e = uniq("e");

	EXPECT_OK(dynevent_write(
		text("# nothing\n\nu:%s u32 x\n# more\nu:%s\n", a, b)));
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 x", a)));
	EXPECT_TRUE(dynevent_listed(text("u:%s", b)));

	/* The space in front of a comment belongs to the command. */
	if (has_whole_lines()) {
		EXPECT_ERRNO(dynevent_write(text("u:%s u32 x # comment", c)),
			     EINVAL);
		EXPECT_FALSE(exists(c));
	}
	EXPECT_OK(dynevent_write(text("u:%s u32 x# comment", c)));
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 x", c)));

	/* Lines before the invalid one take effect, lines after it do not. */
	EXPECT_ERRNO(dynevent_write(text("u:%s\nu:%s bad\nu:%s\n", d, a, e)),
		     EADDRINUSE);
	EXPECT_TRUE(exists(d));
	EXPECT_FALSE(exists(e));
	EXPECT_ERRNO(dynevent_write(text("u:%s u32\nu:%s\n", e, e)), EINVAL);
	EXPECT_FALSE(exists(e));

	/* Created and deleted by one write(). */
	EXPECT_OK(dynevent_write(text("u:%s\n-:%s\nu:%s u8 z\n", e, e, e)));
	EXPECT_TRUE(dynevent_listed(text("u:%s u8 z", e)));
}

TEST(joins_existing_event_with_same_fields)
{
	const char *event = uniq("e");
	int fd = data_open();

	create(event, " u32 a; u32 b");
	EXPECT_OK(dynevent_write(text("u:%s u32 a; u32 b", event)));
	EXPECT_OK(dynevent_write(text("u:%s u32 a;u32 b;", event)));
	EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", event)), EADDRINUSE);
	EXPECT_ERRNO(dynevent_write(text("u:%s", event)), EADDRINUSE);
	EXPECT_EQ(count_lines(tfs_read("dynamic_events"), text("u:%s", event)),
		  1);
	EXPECT_EQ(must_reg(fd, text("%s u32 a; u32 b", event)), 0);
	EXPECT_ERRNO(reg(fd, text("%s u32 a; u16 b", event), NULL), EADDRINUSE);
	close(fd);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_FALSE(exists(event));
}

/* An event that was created by a line needs no open file. */
TEST(event_stays_until_deleted)
{
	const char *event = uniq("e");
	uint32_t record[2] = { 0, 3 };
	int fd = data_open();

	create(event, " u32 a");
	must_reg(fd, text("%s u32 a", event));
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	close(fd);
	EXPECT_TRUE(exists(event));
	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	enable(event, true);
	EXPECT_EQ(write(fd, record, sizeof(record)), 8);
	EXPECT_STREQ(trace_text(event), text("%s: a=0x3 (3)", event));
	close(fd);
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	enable(event, false);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
}

TEST(deletes_by_line)
{
	/* %s is replaced by the event's name. */
	static const struct {
		const char *args;
		const char *line;
		int error;
	} cases[] = {
		{ "", "-:%s", 0 },
		{ "", "-:user_events/%s", 0 },
		{ "", "!u:%s", 0 },
		{ "", "!u:user_events/%s", 0 },
		{ "", "!zz:%s", 0 },
		{ "", "!:%s", 0 },
		{ " u32 a", "-:%s", 0 },
		{ " u32 a", "!u:%s", 0 },
		{ " u32 a", "-:%s u32 a", 0 },
		{ " u32 a", "!u:%s u32 a", 0 },
		{ " u32 a", "-:user_events/%s u32 a", 0 },
		{ " u32 a; u32 b", "-:%s u32 a; u32 b", 0 },
		{ " u32 a;u32 b", "-:%s u32 a; u32 b", 0 },
		{ " u32 a; u32 b", "!u:%s u32 a; u32 b", 0 },
		{ " struct s a 20", "-:%s struct s a 20", 0 },
		{ " __rel_loc char[] a", "-:%s __rel_loc char[] a", 0 },
		{ " unsigned int a", "!u:%s unsigned int a", 0 },
		{ ":FLAG u32 a", "!u:%s", 0 },
		{ "", "-:%sx", ENOENT },
		{ "", "-:synthetic/%s", ENOENT },
		{ "", "-:user_events_multi/%s", 0 },
		{ "", "-:kprobes/%s", ENOENT },
		{ "", "!u:synthetic/%s", ENOENT },
		{ "", "-:%s u32 a", ENOENT },
		{ " u32 a", "-:%s u32 b", ENOENT },
		{ " u32 a", "-:%s s32 a", ENOENT },
		{ " u32 a; u32 b", "-:%s u32 a", ENOENT },
		{ " u32 a", "-:%s u32 a; u32 b", ENOENT },
		{ " u32 a; u32 b", "-:%s u32 b; u32 a", ENOENT },
		{ " struct s a 20", "-:%s struct s a 21", ENOENT },
		{ " struct s a 20", "-:%s struct s a", ENOENT },
		{ "", "-%s", EINVAL },
		{ "", "!%s", EINVAL },
		{ "", "-u%s", EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		const char *at = strstr(cases[i].line, "%s");
		const char *line = text("%.*s%s%s", (int)(at - cases[i].line),
					cases[i].line, event, at + 2);

		harness_context("\"%s\" for \"%s\"", cases[i].line,
				cases[i].args);
		create(event, cases[i].args);
		if (cases[i].error) {
			EXPECT_ERRNO(dynevent_write(line), cases[i].error);
			EXPECT_TRUE(exists(event));
		} else {
			EXPECT_OK(dynevent_write(line));
			EXPECT_FALSE(exists(event));
			EXPECT_FALSE(strstr(tfs_read("dynamic_events"), event));
			EXPECT_ERRNO(dynevent_write(line), ENOENT);
		}
	}
}

TEST(rejects_malformed_deletes)
{
	static const struct {
		const char *line;
		int error;
	} cases[] = {
		{ "-", EINVAL },
		{ "!", EINVAL },
		{ "-x", EINVAL },
		{ "!x", EINVAL },
		{ "-:", EINVAL },
		{ "!u:", EINVAL },
		{ "-:" PREFIX "none", ENOENT },
		{ "!u:" PREFIX "none", ENOENT },
		{ "-:user_events/" PREFIX "none", ENOENT },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("\"%s\"", cases[i].line);
		EXPECT_ERRNO(dynevent_write(cases[i].line), cases[i].error);
	}
}

TEST(rejects_delete_while_referenced)
{
	const char *event = uniq("e");
	int fd = data_open();
	int perf;

	must_reg(fd, event);
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	close(fd);
	enable(event, true);
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	enable(event, false);
	perf = perf_open(event_id(event), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	close(perf);
	EXPECT_OK(
		tfs_write("traceon:3", "events/user_events/%s/trigger", event));
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	EXPECT_OK(
		tfs_write("!traceon", "events/user_events/%s/trigger", event));
	EXPECT_TRUE(exists(event));
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_FALSE(exists(event));
}

static int truncate_list(void)
{
	int fd = tfs_open(O_WRONLY | O_TRUNC, "dynamic_events");

	if (fd >= 0)
		close(fd);

	return fd < 0 ? -1 : 0;
}

static void skip_if_list_is_not_empty(void)
{
	char *list = tfs_read("dynamic_events");

	if (list && list[0])
		SKIP("this machine has other dynamic events");
}

TEST(truncation_deletes_all)
{
	const char *a = uniq("a"), *b = uniq("b");
	int fd;

	skip_if_list_is_not_empty();
	create(a, "");
	create(b, " u32 x");
	fd = data_open();
	must_reg(fd, uniq("c"));
	close(fd);
	if (tfs_exists("kprobe_events"))
		ASSERT_OK(dynevent_write(
			text("p:%s %s", uniq("kp"), kprobe_target())));
	if (has_synthetic_events())
		ASSERT_OK(dynevent_write(text("s:%s u32 x", uniq("synth"))));
	EXPECT_OK(truncate_list());
	EXPECT_STREQ(tfs_read("dynamic_events"), "");
	EXPECT_FALSE(exists(a));
	EXPECT_FALSE(exists(b));
	EXPECT_FALSE(exists(uniq("c")));
}

TEST(truncation_is_all_or_nothing)
{
	const char *a = uniq("a"), *b = uniq("b"), *c = uniq("c");
	int fd = data_open();
	char *list;

	skip_if_list_is_not_empty();
	create(a, "");
	must_reg(fd, b);
	create(c, " u32 x");
	if (has_synthetic_events())
		ASSERT_OK(dynevent_write(text("s:%s u32 x", uniq("synth"))));
	list = tfs_read("dynamic_events");
	EXPECT_ERRNO(truncate_list(), EBUSY);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
	EXPECT_TRUE(exists(a));
	EXPECT_TRUE(exists(b));
	EXPECT_TRUE(exists(c));
	close(fd);
	enable(c, true);
	EXPECT_ERRNO(truncate_list(), EBUSY);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
	enable(c, false);
	EXPECT_OK(truncate_list());
	EXPECT_STREQ(tfs_read("dynamic_events"), "");
}

/* Truncates as a user who cannot delete the events of another user. */
static void truncate_unprivileged(const char *list)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { { 0 } };

	ASSERT_OK(syscall(SYS_capset, &header, none));
	EXPECT_ERRNO(truncate_list(), EBUSY);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
	_exit(harness_failed());
}

TEST(truncation_needs_permission_for_every_event)
{
	const char *event = uniq("e"), *roots = uniq("roots");
	int fd = data_open();
	char *list;
	pid_t child;

	skip_if_list_is_not_empty();
	ASSERT_OK(seteuid(1000));
	must_reg(fd, event);
	ASSERT_OK(seteuid(0));
	close(fd);
	create(roots, "");
	list = tfs_read("dynamic_events");
	EXPECT_CONTAINS(list, event);
	child = fork();
	ASSERT_OK(child);
	if (!child)
		truncate_unprivileged(list);
	wait_child(child);
	EXPECT_TRUE(exists(event));
	EXPECT_TRUE(exists(roots));
	EXPECT_OK(truncate_list());
	EXPECT_FALSE(exists(event));
	EXPECT_FALSE(exists(roots));
}

/* Other dynamic events keep working, and their names are not affected. */
TEST(kprobes_work_beside_user_events)
{
	const char *event = uniq("e"), *probe = uniq("kp");
	const char *target = kprobe_target();
	char byte;
	int fd;

	create(event, " u32 a");
	ASSERT_OK(dynevent_write(text("p:%s %s", probe, target)));
	EXPECT_CONTAINS(dynevent_list(), text("u:%s u32 a\np:kprobes/%s %s",
					      event, probe, target));
	ASSERT_OK(tfs_write("1", "events/kprobes/%s/enable", probe));
	fd = open("/proc/self/comm", O_RDONLY);
	EXPECT_EQ(read(fd, &byte, 1), 1);
	/* Disabled first, since reading trace would hit the probe. */
	ASSERT_OK(tfs_write("0", "events/kprobes/%s/enable", probe));
	EXPECT_GE(number_after(tfs_read("kprobe_profile"), text("%s ", probe)),
		  1);
	/* If the kprobe uses a breakpoint, some of its records can be lost. */
	if (!strcmp(target, KPROBE_FUNCTION))
		EXPECT_GE(trace_count(NULL, text("%s: (", probe)), 1);
	EXPECT_ERRNO(dynevent_write(text("-:kprobes/%s", event)), ENOENT);
	EXPECT_ERRNO(dynevent_write(text("-:user_events/%s", probe)), ENOENT);
	EXPECT_OK(dynevent_write(text("-:kprobes/%s", probe)));
	EXPECT_TRUE(exists(event));
	/* The error is EINVAL since Linux 6.12. */
	EXPECT_TRUE(dynevent_write(
			    text("p:%s no_such_function_anywhere", probe)) < 0);
}

/* A kprobe can use the group of user events, and then owns the name. */
TEST(name_of_kprobe_is_taken)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int fd = data_open();

	ASSERT_OK(dynevent_write(
		text("p:user_events/%s %s", event, kprobe_target())));
	EXPECT_ERRNO(reg(fd, event, NULL), EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, event, &word, 0), EADDRINUSE);
	EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", event)), EADDRINUSE);
	EXPECT_FALSE(status_line(event));
	EXPECT_OK(dynevent_write(text("-:user_events/%s", event)));
	EXPECT_EQ(reg(fd, event, NULL), 0);
	close(fd);
	EXPECT_OK(del_event(event));
}

/* Wherever the kprobe is among the events, which are listed before it. */
TEST(name_of_kprobe_is_taken_among_other_events)
{
	/* Events to create, or to delete if they exist. */
	static const char *const steps[] = {
		"a", "b", "c", "c", "a", "b", "b", "a", "b", "a",
	};
	const char *event = uniq("e"), *last, *list;
	size_t i;

	ASSERT_OK(dynevent_write(
		text("p:user_events/%s %s", event, kprobe_target())));
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		harness_context("step %zu", i);
		last = uniq(steps[i]);
		if (exists(last))
			EXPECT_OK(del_event(last));
		else
			create(last, "");
		EXPECT_ERRNO(reg(data_open(), event, NULL), EADDRINUSE);
		list = dynevent_list();
		EXPECT_FALSE(strstr(strstr(list, "p:"), "\nu:"));
		EXPECT_EQ(count_lines(list, "u:" PREFIX),
			  exists(uniq("a")) + exists(uniq("b")) +
				  exists(uniq("c")));
	}
	harness_context(NULL);
	EXPECT_OK(dynevent_write(text("-:user_events/%s", event)));
}

TEST(return_probes_work_beside_user_events)
{
	const char *event = uniq("e"), *probe = uniq("kr");
	char byte;
	int fd;

	if (strcmp(kprobe_target(), KPROBE_FUNCTION))
		SKIP("this kernel allows no kprobe at function entry");
	create(event, "");
	ASSERT_OK(dynevent_write(text("r:%s " KPROBE_FUNCTION, probe)));
	ASSERT_OK(tfs_write("1", "events/kprobes/%s/enable", probe));
	fd = open("/proc/self/comm", O_RDONLY);
	EXPECT_EQ(read(fd, &byte, 1), 1);
	/* Disabled first, since reading trace would hit the probe. */
	ASSERT_OK(tfs_write("0", "events/kprobes/%s/enable", probe));
	EXPECT_GE(trace_count(NULL, text("%s: (", probe)), 1);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_OK(dynevent_write(text("-:%s", probe)));
}

TEST(uprobes_work_beside_user_events)
{
	const char *event = uniq("e"), *probe = uniq("up");
	const char *line;

	create(event, "");
	line = text("p:%s /proc/self/exe:0x1000", probe);
	if (dynevent_write(line))
		SKIP("cannot add a uprobe on this program: %s",
		     harness_errno(errno));
	EXPECT_CONTAINS(dynevent_list(), text("p:uprobes/%s ", probe));
	EXPECT_TRUE(exists(event));
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_OK(dynevent_write(text("-:uprobes/%s", probe)));
}

TEST(synthetic_events_work_beside_user_events)
{
	const char *event = uniq("e"), *synth = uniq("synth");

	need_synthetic_events();
	create(event, " u32 a");
	ASSERT_OK(dynevent_write(text("s:%s u64 lat; pid_t pid", synth)));
	EXPECT_CONTAINS(tfs_read("dynamic_events"),
			text("s:synthetic/%s\tu64 lat; pid_t pid", synth));
	EXPECT_CONTAINS(tfs_read("synthetic_events"), synth);
	EXPECT_FALSE(strstr(tfs_read("synthetic_events"), event));
	EXPECT_OK(dynevent_write(text("-:synthetic/%s", synth)));
	EXPECT_TRUE(exists(event));
	/* Both systems can have an event with this name. */
	ASSERT_OK(dynevent_write(text("s:%s u64 lat", event)));
	EXPECT_OK(dynevent_write(text("-:synthetic/%s", event)));
	EXPECT_TRUE(exists(event));
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", event)));
}

TEST(event_probe_reads_user_event)
{
	const char *event = uniq("e"), *probe = uniq("ep");
	uint32_t record[2] = { 0, 4711 };
	int fd;

	create(event, " u32 a");
	if (dynevent_write(text("e:%s/%s user_events.%s val=$a:u32", "st_group",
				probe, event)))
		SKIP("no event probes: %s", harness_errno(errno));
	/* A probe holds a reference even while it is disabled. */
	EXPECT_ERRNO(dynevent_write(text("-:user_events/%s", event)), EBUSY);
	EXPECT_ERRNO(del_event(event), EBUSY);
	ASSERT_OK(tfs_write("1", "events/st_group/%s/enable", probe));
	EXPECT_ERRNO(del_event(event), EBUSY);
	EXPECT_TRUE(strstr(status_line(event), "# Used by ftrace"));

	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	EXPECT_EQ(write(fd, record, sizeof(record)), 8);
	close(fd);
	EXPECT_CONTAINS(find_line(tfs_read("trace"), text(" %s: ", probe)),
			"val=4711");

	ASSERT_OK(tfs_write("0", "events/st_group/%s/enable", probe));
	EXPECT_ERRNO(del_event(event), EBUSY);
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	EXPECT_OK(del_event(event));
}

/**
 * struct dynamic - a dynamic event of one type
 * @prefix: what its line starts with
 * @system: system in lists, or NULL: the prefix has the name
 * @syntax: what README has if the kernel has the type; NULL for those of all
 * @place: the rest of its line
 */
struct dynamic {
	const char *prefix;
	const char *system;
	const char *syntax;
	const char *place;
};

static bool kernel_has_type(const struct dynamic *type)
{
	return !type->syntax || strstr(tfs_read("README"), type->syntax);
}

/* Name of the event of a type. */
static const char *name_of(const struct dynamic *type)
{
	return text("%s_%.1s", uniq("all"), type->system ?: "ep");
}

static const struct dynamic all_types[] = {
	{ "u:", "user_events", NULL, " u32 a; char[8] b" },
	{ "p:kprobes/", "kprobes", NULL, NULL },
	{ "p:uprobes/", "uprobes", "<path>:<offset>",
	  " /proc/self/exe:0x1000" },
	{ "s:synthetic/", "synthetic", "s:[synthetic/]",
	  " u64 lat; pid_t pid" },
	{ "f:fprobes/", "fprobes", "f[:[<group>/]", " vfs_read" },
};

/* Lines of dynamic_events that name objects of this test. */
static char *own_lines(void)
{
	char *list = strdup(tfs_read("dynamic_events")), *line, *rest = list;
	char *own = strdup("");

	while ((line = strsep(&rest, "\n")))
		if (strstr(line, uniq("all")))
			own = strdup(text("%s%s\n", own, line));

	return own;
}

static unsigned int create_all_types(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(all_types); i++) {
		const struct dynamic *type = &all_types[i];

		harness_context("%s", type->prefix);
		if (!kernel_has_type(type))
			continue;
		ASSERT_OK(dynevent_write(
			text("%s%s%s", type->prefix, name_of(type),
			     type->place ?: text(" %s", kprobe_target()))));
		EXPECT_TRUE(tfs_exists("events/%s/%s", type->system,
				       name_of(type)));
		nr++;
	}
	harness_context(NULL);

	return nr;
}

/* A listing is a script that creates what it lists, whatever the types are. */
TEST(listing_of_all_types_can_be_replayed)
{
	char *list, *line, *rest;
	unsigned int i, nr;

	need_dynamic_events();
	skip_if_list_is_not_empty();
	nr = create_all_types();
	EXPECT_GE(nr, 2);
	list = own_lines();
	EXPECT_EQ(count_lines(list, uniq("all")), nr);

	EXPECT_OK(truncate_list());
	EXPECT_STREQ(own_lines(), "");
	for (i = 0; i < ARRAY_SIZE(all_types); i++)
		EXPECT_FALSE(tfs_exists("events/%s/%s", all_types[i].system,
					name_of(&all_types[i])));

	rest = strdup(list);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			EXPECT_OK(dynevent_write(line));
	EXPECT_STREQ(own_lines(), list);

	/* Each by its system and name, in the order of the table */
	for (i = 0; i < ARRAY_SIZE(all_types); i++) {
		if (!kernel_has_type(&all_types[i]))
			continue;
		harness_context("%s", all_types[i].prefix);
		EXPECT_OK(dynevent_write(text("-:%s/%s", all_types[i].system,
					      name_of(&all_types[i]))));
		EXPECT_EQ(count_lines(own_lines(), uniq("all")), --nr);
	}
}

/*
 * An event probe, too, is replayed from the listing, behind its user event, and
 * keeps the list from being truncated while it uses one.
 */
TEST(listing_with_event_probe_can_be_replayed)
{
	const char *event = uniq("all_u"), *probe = uniq("all_ep");
	char *list, *line, *rest;

	need_dynamic_events();
	skip_if_list_is_not_empty();
	create(event, " u32 a");
	if (dynevent_write(text("e:st_group/%s user_events.%s val=$a:u32",
				probe, event)))
		SKIP("no event probes: %s", harness_errno(errno));
	list = own_lines();
	EXPECT_EQ(count_lines(list, uniq("all")), 2);
	EXPECT_ERRNO(truncate_list(), EBUSY);
	EXPECT_STREQ(own_lines(), list);

	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	EXPECT_OK(truncate_list());
	EXPECT_STREQ(own_lines(), "");
	rest = strdup(list);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			EXPECT_OK(dynevent_write(line));
	EXPECT_STREQ(own_lines(), list);
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
}

/*
 * The kernel's own type that event probes can read behaves like that: it is not
 * deleted together with its probe.
 */
TEST(event_probe_keeps_synthetic_event)
{
	const char *synth = uniq("all_s"), *probe = uniq("all_ep");
	char *list;

	need_dynamic_events();
	need_synthetic_events();
	skip_if_list_is_not_empty();
	ASSERT_OK(dynevent_write(text("s:%s u64 lat", synth)));
	if (dynevent_write(text("e:st_group/%s synthetic.%s val=$lat:u64",
				probe, synth)))
		SKIP("no event probes: %s", harness_errno(errno));
	list = own_lines();
	EXPECT_EQ(count_lines(list, uniq("all")), 2);
	EXPECT_ERRNO(dynevent_write(text("-:synthetic/%s", synth)), EBUSY);
	EXPECT_ERRNO(truncate_list(), EBUSY);
	EXPECT_STREQ(own_lines(), list);

	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	EXPECT_OK(truncate_list());
	EXPECT_STREQ(own_lines(), "");
}

static void read_a_byte(void)
{
	int fd = open("/proc/self/comm", O_RDONLY);
	char byte;

	EXPECT_EQ(read(fd, &byte, 1), 1);
	close(fd);
}

/*
 * A user event starts a time and a kprobe ends it: the synthetic event has the
 * time, and a field of the record that the process wrote.
 */
TEST(latency_from_user_event_to_kprobe)
{
	const char *event = uniq("e"), *probe = uniq("kp");
	const char *synth = uniq("lat");
	uint32_t record[2] = { 0, 4711 };
	const char *start =
		"hist:keys=common_pid:ts0=common_timestamp.usecs:number=a";
	const char *end;
	long long deadline = 0;
	char *line;
	int fd;

	need_hist();
	need_synthetic_events();
	create(event, " u32 a");
	ASSERT_OK(dynevent_write(text("p:%s %s", probe, kprobe_target())));
	ASSERT_OK(dynevent_write(text("s:%s u64 lat; u32 a", synth)));
	end = text("hist:keys=common_pid:lat=common_timestamp.usecs-$ts0:"
		   "onmatch(user_events.%s).%s($lat,$number)",
		   event, synth);
	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	ASSERT_OK(tfs_write(start, "events/user_events/%s/trigger", event));
	ASSERT_OK(tfs_write(end, "events/kprobes/%s/trigger", probe));
	ASSERT_OK(tfs_write("1", "events/synthetic/%s/enable", synth));

	/* No record of the user event, no time */
	read_a_byte();
	EXPECT_EQ(trace_count(NULL, text(" %s: ", synth)), 0);
	/* A kprobe with a breakpoint can miss a read. */
	do {
		EXPECT_EQ(write(fd, record, sizeof(record)), 8);
		read_a_byte();
		line = find_line(tfs_read("trace"), text(" %s: ", synth));
	} while (!line && harness_deadline(&deadline, WAIT_TIMEOUT_S));
	EXPECT_CONTAINS(line, text("-%d ", getpid()));
	EXPECT_CONTAINS(line, "lat=");
	/* Big-endian kernels before 6.6 print another number. */
	if (little_endian())
		EXPECT_CONTAINS(line, "a=4711");

	ASSERT_OK(tfs_write("0", "events/synthetic/%s/enable", synth));
	ASSERT_OK(tfs_write(text("!%s", end), "events/kprobes/%s/trigger",
			    probe));
	ASSERT_OK(tfs_write(text("!%s", start), "events/user_events/%s/trigger",
			    event));
	close(fd);
	EXPECT_OK(dynevent_write(text("-:synthetic/%s", synth)));
	EXPECT_OK(dynevent_write(text("-:kprobes/%s", probe)));
	EXPECT_OK(dynevent_write(text("-:%s", event)));
}

/*
 * Deletion through dynamic_events clears the buffers that have records of the
 * event. Kernels that keep them, such as RHEL 9.4, no longer know their type,
 * which goes for records of their own dynamic events, too.
 */
TEST(delete_clears_records)
{
	const char *event = uniq("e");
	uint32_t record[2] = { 0, 1 };
	int fd;

	create(event, " u32 a");
	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	enable(event, true);
	EXPECT_EQ(write(fd, record, sizeof(record)), 8);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	close(fd);
	enable(event, false);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_EQ(trace_count(NULL, event), 0);
	if (trace_count(NULL, "Unknown type") == 1)
		SKIP("the kernel keeps records of deleted dynamic events");
	EXPECT_EQ(trace_count(NULL, "Unknown type"), 0);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
