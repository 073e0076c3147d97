// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of enablers: one system call registers or unregisters each as a call for
 * it alone would, and those after a failure, too.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define UNTOUCHED 0x55555555

static struct user_reg_entry entry_of(const char *command,
				      const volatile void *at,
				      unsigned int size, unsigned int bit)
{
	const struct user_reg_entry entry = {
		.enable_addr = (uintptr_t)at,
		.name_args = (uintptr_t)command,
		.enable_bit = bit,
		.enable_size = size,
		.result = UNTOUCHED,
	};

	return entry;
}

static struct user_reg_entry removal_of(const volatile void *at,
					unsigned int bit)
{
	return entry_of(NULL, at, 0, bit);
}

static int change(int fd, struct user_reg_entry *entries, uint32_t count,
		  uint32_t flags)
{
	const struct user_reg_list list = {
		.size = sizeof(list),
		.count = count,
		.entries = (uintptr_t)entries,
		.flags = flags,
	};

	return ioctl(fd, DIAG_IOCSREGLIST, &list);
}

TEST(registers_and_unregisters_each)
{
	static volatile uint32_t words[30];
	struct user_reg_entry entries[ARRAY_SIZE(words)];
	int fd = data_open();
	uint32_t value;
	int i;

	for (i = 0; i < 30; i++)
		entries[i] = entry_of(text("%s u32 a", uniq(text("%d", i))),
				      &words[i], 4, i);
	ASSERT_EQ(change(fd, entries, 30, 0), 30);
	for (i = 0; i < 30; i++) {
		harness_context("entry %d", i);
		EXPECT_EQ(entries[i].result, i);
		enable(uniq(text("%d", i)), true);
		EXPECT_EQ(words[i], 1U << i);
		value = i;
		EXPECT_EQ(emit(fd, entries[i].result, &value, 4), 8);
		EXPECT_EQ(trace_count(NULL, uniq(text("%d", i))), 1);
		entries[i] = removal_of(&words[i], i);
	}
	harness_context(NULL);
	EXPECT_EQ(change(fd, entries, 30, USER_REG_LIST_REMOVE), 30);
	for (i = 0; i < 30; i++) {
		harness_context("entry %d", i);
		EXPECT_EQ(entries[i].result, 0);
		EXPECT_EQ(words[i], 0);
		EXPECT_ERRNO(unreg(fd, &words[i], i), ENOENT);
	}
	harness_context(NULL);
	EXPECT_EQ(change(fd, entries, 30, USER_REG_LIST_REMOVE), 0);
	for (i = 0; i < 30; i++)
		EXPECT_EQ(entries[i].result, -ENOENT);
}

/* Each entry has the result of a call for it alone, and the rest is handled. */
TEST(failure_has_no_effect_on_others)
{
	static volatile uint64_t words[20];
	static uint32_t taken;
	const char *command = uniq("good");
	const char *other = text("%s u32 a", uniq("other"));
	int fd = data_open();
	const struct {
		struct user_reg_entry entry;
		int error;
	} cases[] = {
		{ entry_of("st_bad nonsense", &words[0], 4, 0), EINVAL },
		{ entry_of("", &words[0], 4, 0), EINVAL },
		{ entry_of(NULL, &words[0], 4, 0), EFAULT },
		{ entry_of(command, &words[0], 3, 0), EINVAL },
		{ entry_of(command, &words[0], 4, 32), EINVAL },
		{ entry_of(command, (char *)&words[0] + 1, 4, 0), EINVAL },
		{ entry_of(command, NULL, 4, 0), ENOMEM },
		{ entry_of(command, &taken, 4, 3), EADDRINUSE },
		{ entry_of(other, &words[0], 4, 0), EADDRINUSE },
	};
	struct user_reg_entry entries[4];
	unsigned int i, j, at;

	must_reg(fd, text("%s u64 a", uniq("other")));
	must_reg_word(fd, command, &taken, 3);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("case %u", i);
		at = i % ARRAY_SIZE(entries);
		for (j = 0; j < ARRAY_SIZE(entries); j++)
			entries[j] = entry_of(command, &words[1 + j], 4, 5);
		entries[at] = cases[i].entry;
		EXPECT_EQ(change(fd, entries, ARRAY_SIZE(entries), 0), (int)at);
		for (j = 0; j < ARRAY_SIZE(entries); j++) {
			EXPECT_EQ(entries[j].result,
				  j == at ? -cases[i].error : 1);
			if (j != at)
				EXPECT_OK(unreg(fd, &words[1 + j], 5));
		}
	}
	harness_context(NULL);
	for (j = 0; j < ARRAY_SIZE(entries); j++)
		entries[j] = entry_of("", &words[0], 4, 0);
	EXPECT_EQ(change(fd, entries, ARRAY_SIZE(entries), 0), 0);
}

TEST(flags_are_those_of_a_registration)
{
	static volatile uint32_t words[2];
	struct user_reg_entry entries[] = {
		entry_of(uniq("e"), &words[0], 4, 0),
		entry_of(uniq("e"), &words[1], 4, 0),
	};
	int fd = data_open();

	entries[0].flags = USER_EVENT_REG_REPORT | USER_EVENT_REG_PERSIST;
	entries[1].flags = USER_EVENT_REG_MAX;
	EXPECT_EQ(change(fd, entries, 2, 0), 1);
	EXPECT_EQ(entries[0].result, (int)USER_EVENT_INDEX_REPORT);
	EXPECT_EQ(entries[1].result, -EINVAL);
	EXPECT_OK(unreg(fd, &words[0], 0));
	close(fd);
	EXPECT_OK(del_event(uniq("e")));
}

TEST(removal_rejects_what_it_does_not_use)
{
	static volatile uint32_t word;
	struct user_reg_entry entry;
	int fd = data_open();
	unsigned int i;

	must_reg_word(fd, uniq("e"), &word, 0);
	for (i = 0; i < 3; i++) {
		entry = removal_of(&word, 0);
		if (i == 0)
			entry.name_args = (uintptr_t) "e";
		if (i == 1)
			entry.enable_size = 4;
		if (i == 2)
			entry.flags = 1;
		EXPECT_EQ(change(fd, &entry, 1, USER_REG_LIST_REMOVE), 0);
		EXPECT_EQ(entry.result, -EINVAL);
	}
	EXPECT_OK(unreg(fd, &word, 0));
}

/* The call ends there, and what was registered stays. */
TEST(ends_at_unreadable_entry)
{
	static volatile uint32_t words[3];
	struct user_reg_entry *end = (void *)guarded_page_end();
	int fd = data_open();
	unsigned int i;

	EXPECT_ERRNO(change(fd, NULL, 1, 0), EFAULT);
	EXPECT_ERRNO(change(fd, end, 1, 0), EFAULT);
	EXPECT_ERRNO(change(fd, (void *)-4096L, 1, 0), EFAULT);
	EXPECT_EQ(change(fd, NULL, 0, 0), 0);
	for (i = 0; i < 2; i++)
		end[(int)i - 2] = entry_of(uniq("e"), &words[i], 4, 0);
	EXPECT_EQ(change(fd, end - 2, 3, 0), 2);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_OK(unreg(fd, &words[1], 0));
	end[-1] = entry_of("", &words[1], 4, 0);
	EXPECT_EQ(change(fd, end - 1, 2, 0), 0);
	EXPECT_EQ(end[-1].result, -EINVAL);
}

/* A result that cannot be written ends the call as well. */
TEST(ends_at_read_only_entry)
{
	static volatile uint32_t words[2];
	struct user_reg_entry *entries = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();

	entries[0] = entry_of(uniq("e"), &words[0], 4, 0);
	entries[1] = entry_of(uniq("e"), &words[1], 4, 0);
	ASSERT_OK(mprotect(entries, PAGE, PROT_READ));
	EXPECT_ERRNO(change(fd, entries, 2, 0), EFAULT);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_ERRNO(unreg(fd, &words[1], 0), ENOENT);
}

TEST(limits_number_of_entries)
{
	static volatile uint32_t words[USER_REG_LIST_MAX + 1];
	static struct user_reg_entry entries[USER_REG_LIST_MAX + 1];
	const char *command = uniq("e");
	int fd = data_open();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		entries[i] = entry_of(command, &words[i], 4, 0);
	EXPECT_ERRNO(change(fd, entries, USER_REG_LIST_MAX + 1, 0), EINVAL);
	EXPECT_ERRNO(change(fd, entries, UINT32_MAX, 0), EINVAL);
	EXPECT_EQ(entries[0].result, UNTOUCHED);
	EXPECT_EQ(change(fd, entries, USER_REG_LIST_MAX, 0), USER_REG_LIST_MAX);
	EXPECT_EQ(entries[USER_REG_LIST_MAX].result, UNTOUCHED);
	enable(command, true);
	for (i = 0; i < ARRAY_SIZE(entries); i++)
		EXPECT_EQ(words[i], i < USER_REG_LIST_MAX);
}

TEST(checks_structure)
{
	unsigned char *at = map_page(PROT_READ | PROT_WRITE);
	struct user_reg_list *list = (void *)at;
	const struct {
		uint32_t size;
		unsigned char excess;
		uint32_t flags;
		uint32_t reserved;
		int error;
	} cases[] = {
		{ 0, 0, 0, 0, EINVAL },
		{ 23, 0, 0, 0, EINVAL },
		{ 24, 0xff, 0, 0, 0 },
		{ 25, 0, 0, 0, 0 },
		{ 25, 1, 0, 0, E2BIG },
		{ PAGE, 0, 0, 0, 0 },
		{ PAGE + 1, 0, 0, 0, E2BIG },
		{ 24, 0, USER_REG_LIST_REMOVE, 0, 0 },
		{ 24, 0, USER_REG_LIST_FLAG_MAX, 0, EINVAL },
		{ 24, 0, 0, 1, EINVAL },
	};
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("case %zu", i);
		list->size = cases[i].size;
		list->flags = cases[i].flags;
		list->__reserved = cases[i].reserved;
		at[sizeof(*list)] = cases[i].excess;
		if (cases[i].error)
			EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREGLIST, list),
				     cases[i].error);
		else
			EXPECT_EQ(ioctl(fd, DIAG_IOCSREGLIST, list), 0);
	}
	harness_context(NULL);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREGLIST, NULL), EFAULT);
}

/* New events of a list count as those of single calls. */
TEST(limit_applies_to_each)
{
	static volatile uint32_t words[6];
	const char *file = "/proc/sys/kernel/user_events_max";
	char *saved = read_file(file);
	struct user_reg_entry entries[6];
	int fd = data_open();
	unsigned int i;

	ASSERT_TRUE(saved);
	must_reg(fd, uniq("0"));
	for (i = 0; i < 6; i++)
		entries[i] = entry_of(uniq(text("%u", i % 3)), &words[i], 4, 0);
	EXPECT_OK(write_file("0", file));
	EXPECT_EQ(change(fd, entries, 6, 0), 1);
	EXPECT_OK(write_file(saved, file));
	for (i = 0; i < 6; i++)
		EXPECT_EQ(entries[i].result, i % 3 ? -EMFILE : 0);
}

/* Between two entries, or in one. */
TEST(can_be_killed)
{
	static volatile uint32_t words[USER_REG_LIST_MAX];
	static struct user_reg_entry entries[USER_REG_LIST_MAX];
	const char *command = uniq("e");
	int status = 0;
	unsigned int i;
	pid_t child;

	for (i = 0; i < USER_REG_LIST_MAX; i++)
		entries[i] = entry_of(command, &words[i], 4, 0);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		int fd = data_open();

		for (;;) {
			change(fd, entries, USER_REG_LIST_MAX, 0);
			for (i = 0; i < USER_REG_LIST_MAX; i++)
				entries[i] = removal_of(&words[i], 0);
			change(fd, entries, USER_REG_LIST_MAX,
			       USER_REG_LIST_REMOVE);
			for (i = 0; i < USER_REG_LIST_MAX; i++)
				entries[i] = entry_of(command, &words[i], 4, 0);
		}
	}
	usleep(100000);
	ASSERT_OK(kill(child, SIGKILL));
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	wait_deleted(command);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
