// SPDX-License-Identifier: MIT
/*
 * Directories from the text of /proc/mounts.
 */
#include <string.h>

#include "util/common.h"
#include "util/mounts.h"
#include "lib/runner.h"

static const struct {
	const char *text;
	const char *directories[3];
} rows[] = {
	{ "", { NULL } },
	{ "\n\n", { NULL } },
	{ "proc /proc proc rw 0 0\n", { NULL } },
	{ "tracefs /sys/kernel/tracing tracefs rw,nosuid 0 0\n",
	  { "/sys/kernel/tracing" } },
	/* The last line can lack a newline. */
	{ "tracefs /t tracefs rw 0 0", { "/t" } },
	{ "debugfs /d debugfs rw 0 0\n", { "/d/tracing" } },
	{ "a /a ext4 rw 0 0\nd /d debugfs rw 0 0\nt /t tracefs rw 0 0\n",
	  { "/d/tracing", "/t" } },
	{ "t /with\\040space\\134and\\011more tracefs rw 0 0\n",
	  { "/with space\\and\tmore" } },
	/* Malformed lines, which must not crash. */
	{ "t /x\\04 tracefs rw 0 0\n", { "/x\\04" } },
	{ "t /x\\ tracefs rw 0 0\n", { "/x\\" } },
	{ "t /x\\189 tracefs rw 0 0\n", { "/x\\189" } },
	{ "tracefs", { NULL } },
	{ "tracefs ", { NULL } },
	{ "t /t", { NULL } },
	{ "t /t tracefs", { NULL } },
	{ "t  tracefs rw 0 0\n", { NULL } },
	/* Only the third word says which file system it is. */
	{ "tracefs /tracefs tracefs2 rw 0 0\n", { NULL } },
	{ "tracefs /tracefs trace rw 0 0\n", { NULL } },
};

TEST_LOOP(directories, ARRAY_SIZE(rows))
{
	const char *text = rows[_i].text;
	char directory[64];
	int i;

	for (i = 0; rows[_i].directories[i]; i++) {
		ck_assert(uev_mounts_next(&text, directory, sizeof(directory)));
		ck_assert_str_eq(directory, rows[_i].directories[i]);
	}
	ck_assert(!uev_mounts_next(&text, directory, sizeof(directory)));
	ck_assert_str_eq(text, "");
}

/* A path that does not fit is as if it was not there; the next one counts. */
TEST(sizes)
{
	const char *tracefs =
		"t /1234567 tracefs rw 0 0\nt /x tracefs rw 0 0\n";
	const char *debugfs = "t /12345 debugfs rw 0 0\n";
	const char *text = tracefs;
	char directory[14];

	ck_assert(uev_mounts_next(&text, directory, 9));
	ck_assert_str_eq(directory, "/1234567");
	text = tracefs;
	ck_assert(uev_mounts_next(&text, directory, 8));
	ck_assert_str_eq(directory, "/x");

	text = debugfs;
	ck_assert(!uev_mounts_next(&text, directory, sizeof(directory)));
	text = debugfs;
	memset(directory, 'x', sizeof(directory));
	ck_assert(!uev_mounts_next(&text, directory, 6));
	ck_assert_int_eq(directory[6], 'x');
}
