// SPDX-License-Identifier: MIT
/*
 * The system calls of the library, which other tests replace, on real files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/common.h"
#include "lib/runner.h"

/* Those of the fake kernel have the usual names. */
#define uev_sys_open real_open
#define uev_sys_close real_close
#define uev_sys_read real_read
#define uev_sys_writev real_writev
#define uev_sys_ioctl real_ioctl
#define uev_sys_duplicate real_duplicate
#define uev_sys_access real_access
#define uev_sys_is_tracefs real_is_tracefs
#define uev_sys_map real_map
#define uev_sys_unmap real_unmap
#define uev_sys_now real_now
#include "core/sys.c"

/* An errno that none of the calls below sets. */
#define PROGRAMS_ERRNO EXDEV

/* --- errno ---------------------------------------------------------------- */

static int try_open(void)
{
	return uev_sys_open("/does/not/exist", O_RDONLY);
}

static int try_close(void)
{
	return uev_sys_close(-1);
}

static int try_read(void)
{
	char byte;

	return (int)uev_sys_read(-1, &byte, 1);
}

static int try_writev(void)
{
	char byte = 0;
	struct iovec vector = { &byte, 1 };

	return (int)uev_sys_writev(-1, &vector, 1);
}

static int try_ioctl(void)
{
	return uev_sys_ioctl(-1, 0, NULL);
}

static int try_duplicate(void)
{
	return uev_sys_duplicate(-1, 0);
}

static int try_access(void)
{
	return uev_sys_access(-1);
}

static int try_is_tracefs(void)
{
	return uev_sys_is_tracefs("/does/not/exist") ? 0 : -ENOENT;
}

static int try_map(void)
{
	const void *page;

	return uev_sys_map(-1, &page);
}

static const struct {
	int (*call)(void);
	int error;
} failing[] = {
	{ try_open, -ENOENT },	{ try_close, -EBADF },
	{ try_read, -EBADF },	{ try_writev, -EBADF },
	{ try_ioctl, -EBADF },	{ try_duplicate, -EBADF },
	{ try_access, -EBADF }, { try_is_tracefs, -ENOENT },
	{ try_map, -EBADF },
};

START_TEST(keeps_errno)
{
	errno = PROGRAMS_ERRNO;
	ck_assert_int_eq(failing[_i].call(), failing[_i].error);
	ck_assert_int_eq(errno, PROGRAMS_ERRNO);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sys");
	TCase *tcase = tcase_create("sys");

	tcase_add_loop_test(tcase, keeps_errno, 0, ARRAY_SIZE(failing));
	suite_add_tcase(suite, tcase);

	return run_suite(suite);
}
