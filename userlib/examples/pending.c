// SPDX-License-Identifier: MIT
/*
 * Starts before user_events is available, and is traced as soon as the module
 * is loaded, without a restart.
 *
 *	pending [SECONDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 5;
	struct uev_stats stats;
	int err, last = 1;
	int i;

	for (i = 0; i < seconds; i++) {
		/*
		 * Cheap. Programs without a main loop start a thread with
		 * uev_set_retry_interval() instead.
		 */
		err = uev_register_pending();
		if (err != last) {
			printf("%s\n", err ? uev_strerror(err)
					   : "user_events is available");
			fflush(stdout);
		}
		last = err;
		UEV_TRACE(late, second, i);
		sleep(1);
	}

	uev_process_stats(&stats, sizeof(stats));
	printf("%llu records written\n", (unsigned long long)stats.written);

	return 0;
}
