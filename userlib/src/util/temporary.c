// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "util/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/sys_perf.h"

/* Maximum number of temporary names to try. */
#define NAMES_MAX 100

int uev_temporary_create(const char *path, int (*create)(const char *name),
			 char **name)
{
	int ret = -EEXIST;
	unsigned int i;

	*name = NULL;
	for (i = 0; i < NAMES_MAX && ret == -EEXIST; i++) {
		free(*name);
		if (asprintf(name, "%s.tmp-%d-%u", path,
			     (int)uev_sys_perf_pid(), i) < 0) {
			*name = NULL;
			return -ENOMEM;
		}
		ret = create(*name);
	}
	if (ret < 0) {
		free(*name);
		*name = NULL;
	}

	return ret;
}
