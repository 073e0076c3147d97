// SPDX-License-Identifier: GPL-2.0-only
/* Kernels on which the module cannot work, or only in another way. */
#include <fcntl.h>
#include <linux/btf.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

static void check_altered(const char *name, const char *by, const char *word)
{
	const char *const names[] = { name, by, NULL };
	const char *path;

	harness_context("%s", name);
	path = module_alter(names);
	check_not_loaded(path, "", word);
	unlink(path);
}

static void check_missing(const char *name)
{
	char *altered = strdup(name);

	altered[strlen(altered) - 1] = 'X';
	check_altered(name, altered, altered);
}

/* Loads the module once per name, which takes seconds on slow machines. */
TEST_TIMEOUT(rejects_kernel_without_required_functions, 8 * HARNESS_TIMEOUT)
{
	static const char *const names[] = {
		"trace_add_event_call", "trace_remove_event_call",
		"tracefs_create_file",	"tracefs_remove",
		"task_work_add",
	};
	static const char *const dynamic_names[] = {
		"dyn_event_seq_start",
		"dyn_event_seq_next",
		"dyn_event_seq_stop",
		"dyn_event_register",
	};
	/* Before Linux 5.0 */
	static const char *const own_names[] = {
		"trace_parse_run_command",
		"event_mutex",
	};
	size_t i;

	module_must_unload();
	for (i = 0; i < ARRAY_SIZE(names); i++)
		check_missing(names[i]);
	if (kernel_has_dynamic_events())
		for (i = 0; i < ARRAY_SIZE(dynamic_names); i++)
			check_missing(dynamic_names[i]);
	else
		for (i = 0; i < ARRAY_SIZE(own_names); i++)
			check_missing(own_names[i]);
	check_missing(kernel_has("task_work_cancel_match")
			      ? "task_work_cancel_match"
			      : "task_work_cancel");
	ASSERT_OK(load(""));
}

static void check_still_works(const char *path)
{
	const char *event = uniq("e");

	ASSERT_OK(module_load_file(path, ""));
	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	EXPECT_TRUE(tfs_exists("events/user_events/%s", event));
	EXPECT_OK(tfs_write("1", "events/user_events/%s/enable", event));
	EXPECT_OK(tfs_write("0", "events/user_events/%s/enable", event));
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	module_must_unload();
	unlink(path);
}

/* Kernels without KALLSYMS_ALL have no symbols of data. */
TEST(loads_without_data_symbols)
{
	static const char *const names[] = {
		"event_mutex",
		"event_muteX",
		"dyn_event_list",
		"dyn_event_lisX",
		"dyn_event_ops_mutex",
		"dyn_event_ops_muteX",
		NULL,
	};

	need_dynamic_events();
	if (!access("/proc/lockdep", F_OK))
		SKIP("kernels with lockdep have symbols of data");

	module_must_unload();
	check_still_works(module_alter(names));
	ASSERT_OK(load(""));
}

static void check_way_to_leave(const char *way)
{
	const char *path = module_alter_ways(way);

	harness_context("only %s", way);
	if (kernel_has(way)) {
		check_still_works(path);
		return;
	}
	check_not_loaded(path, "", "needed to leave dynamic_events");
	unlink(path);
}

TEST_TIMEOUT(loads_with_one_way_to_leave_dynamic_events, 2 * HARNESS_TIMEOUT)
{
	static const char *const ways[] = { "dyn_event_create",
					    "dyn_event_ops_mutex",
					    "create_dyn_event", "none" };
	size_t i;

	need_dynamic_events();
	EXPECT_TRUE(kernel_has("create_dyn_event"));
	module_must_unload();
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		check_way_to_leave(ways[i]);
	ASSERT_OK(load(""));
}

/*
 * The first replaced name exists in every kernel, like a symbol of built-in
 * user_events, and the second one in a module, which is this one. Neither is
 * static, so that clang's LTO does not change it.
 */
TEST(rejects_kernel_with_builtin_user_events)
{
	module_must_unload();
	check_altered("user_events_release", "wait_for_completion", "built in");
	check_altered("user_events_release", "user_event_register", "built in");
	ASSERT_OK(load(""));
}

TEST(rejects_unexpected_layout)
{
	if (!has_btf())
		SKIP("this kernel has no BTF");

	module_must_unload();
	if (kernel_has_dynamic_events())
		check_altered("dyn_event_operations", "dyn_event_operationX",
			      "dyn_event_operationX");
	else
		check_altered("ftrace_event_field", "ftrace_event_fielX",
			      "ftrace_event_fielX");
	ASSERT_OK(load(""));
}

/* Symbol and file from which the module gets the kernel's BTF. */
#define BTF_SYMBOL "__start_BTF"
#define BTF_FILE "/sys/kernel/btf/vmlinux"

/*
 * struct member - a structure member as the module expects it
 * @structure: the structure
 * @name: the member
 * @words: number of machine words before the member
 * @numbers: number of additional 4-byte numbers before it
 */
struct member {
	const char *structure;
	const char *name;
	unsigned int words;
	unsigned int numbers;
};

static const struct member members[] = {
	{ "dyn_event_operations", "list", 0, 0 },
	{ "dyn_event_operations", "create", 2, 0 },
	{ "dyn_event_operations", "show", 3, 0 },
	{ "dyn_event_operations", "is_busy", 4, 0 },
	{ "dyn_event_operations", "free", 5, 0 },
	{ "dyn_event_operations", "match", 6, 0 },
	{ "dyn_event", "list", 0, 0 },
	{ "dyn_event", "ops", 2, 0 },
	{ "ftrace_event_field", "offset", 4, 1 },
	{ "ftrace_event_field", "size", 4, 2 },
};

/*
 * struct description - BTF of a hypothetical kernel
 * @context: what is wrong with it
 * @without: a structure or member that it lacks
 * @moved: a member with another offset
 * @kind: kind of an additional type, if not 0
 * @cut: number of bytes missing at the end
 * @word: text of the refusal; NULL if loading succeeds
 */
struct description {
	const char *context;
	const char *without;
	const char *moved;
	uint32_t kind;
	size_t cut;
	const char *word;
};

/*
 * struct btf - content of a BTF file
 * @header: positions of the other two
 * @types: structures, each followed by its members
 * @names: strings, the first of which is empty
 */
struct btf {
	struct btf_header header;
	uint32_t types[64];
	char names[256];
};

static void btf_number(struct btf *btf, uint32_t number)
{
	ASSERT_LT(btf->header.type_len, sizeof(btf->types));
	btf->types[btf->header.type_len / sizeof(number)] = number;
	btf->header.type_len += sizeof(number);
}

static void btf_name(struct btf *btf, const char *name)
{
	uint32_t at = btf->header.str_len;

	btf->header.str_len += strlen(name) + 1;
	ASSERT_LE(btf->header.str_len, sizeof(btf->names));
	strcpy(btf->names + at, name);
	btf_number(btf, at);
}

static bool is_name(const char *name, const char *which)
{
	return which && !strcmp(name, which);
}

static void btf_member(struct btf *btf, const struct member *member, bool moved)
{
	size_t offset = member->words * sizeof(long) + member->numbers * 4;

	btf_name(btf, member->name);
	btf_number(btf, 0);
	btf_number(btf, 8 * (offset + moved));
}

/* Adds a structure. Return: the member that follows those of the structure. */
static const struct member *btf_structure(struct btf *btf,
					  const struct member *member,
					  const struct description *wanted)
{
	const char *structure = member->structure;
	uint32_t *info, count = 0;

	/* With another name, the structure is missing. */
	btf_name(btf,
		 is_name(structure, wanted->without) ? "other" : structure);
	info = &btf->types[btf->header.type_len / sizeof(*info)];
	btf_number(btf, 0);
	btf_number(btf, 8 * sizeof(long));
	for (; member < members + ARRAY_SIZE(members) &&
	       !strcmp(member->structure, structure);
	     member++) {
		if (is_name(member->name, wanted->without))
			continue;
		btf_member(btf, member, is_name(member->name, wanted->moved));
		count++;
	}
	*info = (uint32_t)BTF_KIND_STRUCT << 24 | count;

	return member;
}

static void write_btf(const char *path, const struct description *wanted)
{
	struct btf btf = {
		.header = {
			.magic = BTF_MAGIC,
			.version = BTF_VERSION,
			.hdr_len = sizeof(btf.header),
			.str_off = sizeof(btf.types),
			.str_len = 1,
		},
	};
	const struct member *member = members;
	int fd;

	while (member < members + ARRAY_SIZE(members))
		member = btf_structure(&btf, member, wanted);
	if (wanted->kind) {
		btf_number(&btf, 0);
		btf_number(&btf, wanted->kind << 24);
		btf_number(&btf, 0);
	}
	btf.header.str_len = sizeof(btf.names);

	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT_OK(fd);
	EXPECT_EQ(write(fd, &btf, sizeof(btf) - wanted->cut),
		  (ssize_t)(sizeof(btf) - wanted->cut));
	close(fd);
}

/*
 * Kernels whose BTF lacks structures, has other structures, or is malformed.
 * The test writes the BTF to a file and changes the path in a copy of the
 * module, so it works on every kernel.
 */
TEST_TIMEOUT(rejects_btf_without_structures, 8 * HARNESS_TIMEOUT)
{
	static const struct description cases[] = {
		{ .context = "valid" },
		{ .context = "without dyn_event_operations",
		  .without = "dyn_event_operations",
		  .word = "dyn_event_operations.list is not at byte" },
		{ .context = "without dyn_event",
		  .without = "dyn_event",
		  .word = "dyn_event.list is not at byte" },
		{ .context = "without ftrace_event_field",
		  .without = "ftrace_event_field",
		  .word = "ftrace_event_field.offset is not at byte" },
		{ .context = "missing member",
		  .without = "is_busy",
		  .word = "dyn_event_operations.is_busy is not at byte" },
		{ .context = "member with another offset",
		  .moved = "ops",
		  .word = "dyn_event.ops is not at byte" },
		{ .context = "unknown kind of type",
		  .kind = 31,
		  .word = "failed to parse" },
		{ .context = "truncated", .cut = 1, .word = "failed to parse" },
		{ .context = "empty",
		  .cut = sizeof(struct btf),
		  .word = "failed to parse" },
	};
	/* A relative path, with the length of the path that it replaces. */
	const char *file =
		text(PREFIX "%0*d", (int)strlen(BTF_FILE) - 3, getpid());
	const char *const names[] = { BTF_SYMBOL, "__start_BTX", BTF_FILE, file,
				      NULL };
	const char *path = module_alter(names);
	size_t i;

	module_must_unload();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].context);
		if (!kernel_has_dynamic_events() && cases[i].word &&
		    strstr(cases[i].word, "dyn_event"))
			continue;
		write_btf(file, &cases[i]);
		if (cases[i].word) {
			check_not_loaded(path, "", cases[i].word);
		} else {
			EXPECT_OK(module_load_file(path, ""));
			module_must_unload();
		}
	}
	/* Only a missing file means that there is no BTF. */
	harness_context("file that cannot be opened");
	ASSERT_OK(unlink(file));
	ASSERT_OK(symlink(file, file));
	check_not_loaded(path, "",
			 text("failed to read the kernel's BTF: error %d",
			      -ELOOP));
	unlink(file);
	unlink(path);
}

/* The loading process has no access to any file, not even to tracefs. */
TEST(loads_from_empty_root)
{
	const char *const names[] = { BTF_SYMBOL, "__start_BTX", NULL };
	const char *root = text(PREFIX "%d.root", getpid());
	int kmsg, fd = open(module_alter(names), O_RDONLY | O_CLOEXEC);
	unsigned int lines;
	char *log;

	ASSERT_OK(fd);
	ASSERT_OK(unlink(text(PREFIX "%d.ko", getpid())));
	ASSERT_OK(mkdir(root, 0700));
	module_must_unload();
	kmsg = kmsg_open();
	if (in_child()) {
		ASSERT_OK(chroot(root));
		EXPECT_OK(syscall(SYS_finit_module, fd, "data_mode=0604", 0));
		end_child();
	}
	/* The module logs that it has no BTF to verify, and continues. */
	log = kmsg_lines(kmsg, &lines);
	if (has_btf())
		EXPECT_CONTAINS(log, "this kernel has no BTF");
	close(fd);
	EXPECT_OK(rmdir(root));
	check_file("user_events_data", 0604, 0, 0);
	create_event(uniq("e"), "u32 a");
	EXPECT_TRUE(status_line(uniq("e")));
	EXPECT_OK(del_event(uniq("e")));
	module_must_unload();
	check_unloaded();
}

/*
 * Names that let a copy of the module export nothing, since the kernel loads no
 * second module that exports the same functions. It finds them by a section, whose
 * name is the end of that of its relocations, and which Linux 7.2 has renamed.
 */
static const char *const *no_exports(void)
{
	static const char *const sections[][2] = {
		{ ".rela__ksymtab_gpl", ".rela__ksymtab_gpX" },
		{ ".rel__ksymtab_gpl", ".rel__ksymtab_gpX" },
		{ ".rela__ksymtab", ".rela__ksymtaX" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (module_has_name(sections[i][0]))
			return sections[i];
	FAIL("the module exports nothing");
	harness_stop();
}

/*
 * Another module has files with these names. They are not changed, and the
 * files that were created before the failure are removed.
 */
TEST_TIMEOUT(rejects_existing_files, 8 * HARNESS_TIMEOUT)
{
	static const char *const files[] = {
		"user_events_data",
		"user_events_status",
		"user_events_profile",
		"user_events_enablers",
	};
	/* Files that are to be created have other names. */
	const char *const *exports = no_exports();
	const char *names[2 * ARRAY_SIZE(files) + 5] = { MODULE, "user_eventX",
							 exports[0],
							 exports[1] };
	const char *event = uniq("e"), *list, *path;
	size_t i, made;
	char *other;

	create_event(event, "u32 a");
	list = tfs_read("user_events_status");
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		names[2 * i + 4] = NULL;
		path = module_alter(names);
		if (!check_refusal(path, "", files[i]))
			syscall(SYS_delete_module, "user_eventX", O_NONBLOCK);
		unlink(path);
		EXPECT_STREQ(tfs_read("user_events_status"), list);
		EXPECT_TRUE(tfs_exists("%s", files[i]));
		for (made = 0; made < i; made++)
			EXPECT_FALSE(tfs_exists("%s", names[2 * made + 5]));

		other = strdup(files[i]);
		other[strlen(other) - 1] = 'X';
		names[2 * i + 4] = files[i];
		names[2 * i + 5] = other;
	}
	harness_context(NULL);
	EXPECT_TRUE(access("/sys/module/user_eventX", F_OK));
	EXPECT_STREQ(read_file(LIMIT), "32768\n");
	EXPECT_OK(del_event(event));
	create_event(event, "u64 b");
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
}

/*
 * With create_dyn_event(), the types of dynamic events are called in turn. The
 * one of the first module must not keep the line from the second one.
 */
TEST(rejects_second_module_without_dyn_event_create)
{
	const char *const *exports = no_exports();
	const char *names[] = {
		MODULE,
		"user_eventX",
		exports[0],
		exports[1],
		"dyn_event_create",
		"dyn_event_creatX",
		"dyn_event_ops_mutex",
		"dyn_event_ops_muteX",
		NULL,
	};
	const char *path;

	need_dynamic_events();
	path = module_alter(names);
	if (!check_refusal(path, "", "user_events_data"))
		syscall(SYS_delete_module, "user_eventX", O_NONBLOCK);
	unlink(path);
	module_must_unload();
}
