// SPDX-License-Identifier: MIT
/*
 * A daemon that is traced without privileges.
 *
 *	unprivileged_daemon USER [SECONDS]
 *
 * Started by root, it opens user_events and then becomes USER: open files stay
 * open, and events require no permission. If root does not start a daemon, its
 * group can be permitted to write to user_events_data, once after every boot:
 *
 *	chgrp tracing /sys/kernel/tracing /sys/kernel/tracing/user_events_data
 *	chmod g+x /sys/kernel/tracing
 *	chmod g+w /sys/kernel/tracing/user_events_data
 *
 * and to read user_events_status on kernels before 6.4.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

/* Drops all groups and IDs of root permanently. */
static int drop_privileges(const char *name)
{
	const struct passwd *user = getpwnam(name);

	if (!user) {
		fprintf(stderr, "%s: no such user\n", name);
		return -1;
	}
	if (setgroups(0, NULL) || setgid(user->pw_gid) ||
	    setuid(user->pw_uid)) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return -1;
	}

	return 0;
}

int main(int argc, char **argv)
{
	int seconds = argc > 2 ? atoi(argv[2]) : 3;
	char text[1000];
	int i;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: unprivileged_daemon USER [SECONDS]\n");
		return 2;
	}

	/*
	 * The events of this program were registered before main(). This is the
	 * last chance to open user_events if that was not possible then.
	 */
	uev_register_pending();
	if (!geteuid() && drop_privileges(argv[1]))
		return 1;
	uev_diagnose(text, sizeof(text));
	printf("user %u: %s\n", (unsigned int)geteuid(), text);
	fflush(stdout);

	for (i = 0; i < seconds * 10; i++) {
		UEV_TRACE(daemon_request, number, i, user, geteuid());
		usleep(100000);
	}

	return 0;
}
