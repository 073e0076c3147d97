// SPDX-License-Identifier: MIT
#include "capture/signals.h"

struct live_signals live_signals;

static void note(int number, siginfo_t *info, void *context)
{
	(void)context;
	switch (number) {
	case SIGUSR2:
		live_signals.snapshot = 1;
		break;
	case SIGCHLD:
		live_signals.child = 1;
		break;
	case SIGTSTP:
		live_signals.pause = 1;
		break;
	default:
		if (live_signals.ends < 2)
			live_signals.ends++;
		if (live_signals.ends > 1)
			break;
		live_signals.end = number;
		live_signals.end_was_sent = info->si_code != SI_KERNEL;
	}
}

void live_signals_add(int number)
{
	struct sigaction action = {
		.sa_sigaction = note,
		.sa_flags = SA_RESTART | SA_SIGINFO,
	};

	sigaction(number, &action, NULL);
}

void live_signals_begin(void)
{
	live_signals = (struct live_signals){ 0 };
	live_signals_add(SIGINT);
	live_signals_add(SIGTERM);
	live_signals_add(SIGHUP);
	live_signals_add(SIGQUIT);
	/* A file that gets too big is an error like others. */
	signal(SIGXFSZ, SIG_IGN);
}
