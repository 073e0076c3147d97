// SPDX-License-Identifier: GPL-2.0-only
/*
 * As many events as the status page has bits, and who pays for what there is
 * much of.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "lib.h"

#define BITS 32768
#define PER_FILE 512

/* What the directories of so many events take in tracefs, and some. */
#define MEMORY_KIB (700 * 1024)

static const char *numbered(unsigned int i)
{
	static char name[64];

	snprintf(name, sizeof(name), PREFIX "limit_%u", i);

	return name;
}

TEST_TIMEOUT(all_bits, 900)
{
	static unsigned char seen[BITS / 8];
	unsigned int active, registered = 0, i;
	struct user_reg_status out;
	int files[BITS / PER_FILE];
	int deleter = data_open();
	int fd;

	if (number_after(get_file("/proc/meminfo"), "MemAvailable:") <
	    MEMORY_KIB)
		SKIP("needs %u MiB of free memory", MEMORY_KIB / 1024);
	active = number_after(get("user_events_status"), "Active: ");

	while (true) {
		if (registered % PER_FILE == 0)
			files[registered / PER_FILE] = data_open();
		if (reg(files[registered / PER_FILE], numbered(registered),
			&out))
			break;
		ASSERT_LT(out.status_bit, BITS);
		EXPECT_NE(out.status_bit, 0);
		EXPECT_EQ(out.write_index, registered % PER_FILE);
		EXPECT_FALSE(bit_of(seen, out.status_bit));
		seen[out.status_bit / 8] |= 1 << (out.status_bit % 8);
		registered++;
		ASSERT_LT(registered, BITS);
	}
	EXPECT_EQ(errno, EMFILE);
	EXPECT_EQ(registered, BITS - 1 - active);
	EXPECT_EQ(number_after(get("user_events_status"), "Active: "),
		  BITS - 1);

	/* What exists can still be joined, and written. */
	EXPECT_EQ(must_reg(files[0], numbered(5)), 5);
	EXPECT_EQ(must_reg(deleter, numbered(registered - 1)), 0);
	i = 0;
	enable(numbered(registered - 1), true);
	EXPECT_EQ(write(deleter, &i, 4), 4);
	enable(numbered(registered - 1), false);

	/* Full is full, for everybody. */
	EXPECT_ERRNO(reg(data_open(), PREFIX "one_more", NULL), EMFILE);
	EXPECT_ERRNO(dynamic("u:" PREFIX "one_more"), EMFILE);
	EXPECT_ERRNO(del_event(PREFIX "one_more"), ENOENT);
	EXPECT_ERRNO(del_event(numbered(0)), EBUSY);

	/* Of the deleted one's bit there is one. */
	close(deleter);
	for (i = 0; i <= registered / PER_FILE; i++)
		close(files[i]);
	EXPECT_OK(del_event(numbered(7)));
	fd = data_open();
	EXPECT_OK(reg(fd, PREFIX "one_more", NULL));
	EXPECT_ERRNO(reg(fd, PREFIX "two_more", NULL), EMFILE);
	close(fd);
	EXPECT_OK(del_event(PREFIX "one_more"));

	/* The youngest first: the kernel finds it at the head of its lists. */
	deleter = data_open();
	for (i = registered; i--;)
		if (i != 7 && del(deleter, numbered(i))) {
			FAIL("%s: %s", numbered(i), harness_errno(errno));
			break;
		}
	EXPECT_EQ(number_after(get("user_events_status"), "Active: "), active);
}

/* --- memory --- */

/*
 * An enabler takes more than 6 words of the kernel, so these take 768 KiB. A
 * processor may have 256 KiB charged ahead.
 */
#define ENABLERS (sizeof(long) == 8 ? 16384 : 32768)
#define CHARGED (400 * 1024)

static void register_many(const char *event)
{
	uint32_t *words = malloc(ENABLERS * sizeof(*words));
	int fd = data_open();
	long long before;
	size_t i;

	pin(0);
	cgroup_enter();
	ASSERT_TRUE(words);
	memset(words, 0xff, ENABLERS * sizeof(*words));
	must_reg_word(fd, event, &words[0], 0);
	before = cgroup_charged();
	for (i = 1; i < ENABLERS; i++)
		if (reg_word(fd, event, &words[i], 0)) {
			FAIL("number %zu: %s", i, harness_errno(errno));
			break;
		}
	EXPECT_GE(cgroup_charged() - before, CHARGED);
}

TEST_TIMEOUT(enablers_are_charged, 900)
{
	const char *event = uniq("e");
	pid_t child;

	cgroup_make();
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		register_many(event);
		_exit(harness_failed());
	}
	join_child(child);
	cgroup_remove();
}

/* --- enablers of a process --- */

#define ENABLERS_MAX 65536

/* Each bit of enough words of 4 bytes, and one more. */
TEST_TIMEOUT(enablers_of_a_process_have_a_limit, 900)
{
	uint32_t *words = calloc(ENABLERS_MAX / 32 + 1, sizeof(*words));
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;
	pid_t child;

	ASSERT_TRUE(words);
	for (i = 0; i < ENABLERS_MAX; i++)
		must_reg_word(fd, event, &words[i / 32], i % 32);
	EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
	EXPECT_ERRNO(unreg(fd, &words[i / 32], 0), ENOENT);

	/* Another process has a limit of its own, which it has reached, too. */
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
		EXPECT_OK(unreg(fd, &words[1], 5));
		EXPECT_OK(reg_word(fd, event, &words[i / 32], 0));
		EXPECT_ERRNO(reg_word(fd, event, &words[1], 5), EMFILE);
		_exit(harness_failed());
	}
	join_child(child);
	EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_OK(reg_word(fd, event, &words[i / 32], 0));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
