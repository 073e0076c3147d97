// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes records with the PID that the process sees, for the containers of
 * scripts/check/install/installed-guest.
 *
 *	contained [PATH | FD]
 *
 * Ends when its event has been enabled and disabled, or after two minutes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#define TENTHS 1200
#define TENTH_IN_MICROSECONDS 100000

static int use_file(const char *file)
{
	if (*file == '/')
		return uev_set_path(file);

	return uev_set_files(atoi(file), -1);
}

static unsigned long long written(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.written;
}

int main(int argc, char **argv)
{
	int err = argc > 1 ? use_file(argv[1]) : 0;
	unsigned long long before;
	char text[1000];
	int i;

	if (!err)
		err = uev_register_pending();
	if (err) {
		uev_diagnose(text, sizeof(text));
		puts(text);
		return 1;
	}

	for (i = 0; i < TENTHS; i++) {
		before = written();
		UEV_TRACE(box_contained, pid_inside, getpid());
		if (before && written() == before)
			return 0;
		usleep(TENTH_IN_MICROSECONDS);
	}

	return 1;
}
