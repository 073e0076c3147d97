// SPDX-License-Identifier: MIT
#include "capabilities.h"

#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tool.h"

static void set_effective(bool on)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	size_t i;

	/* The kernel sets it if a file has given rights to the process. */
	if (!getauxval(AT_SECURE) || !geteuid() ||
	    syscall(SYS_capget, &header, sets))
		return;
	for (i = 0; i < ARRAY_SIZE(sets); i++)
		sets[i].effective = on ? sets[i].permitted : 0;
	syscall(SYS_capset, &header, sets);
}

void capabilities_lower(void)
{
	set_effective(false);
}

void capabilities_raise(void)
{
	set_effective(true);
}
