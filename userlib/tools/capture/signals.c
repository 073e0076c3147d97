// SPDX-License-Identifier: MIT
#include "capture/signals.h"

#include "tool.h"

struct capture_signals capture_signals;

static void note(int number, siginfo_t *info, void *context)
{
	(void)context;
	switch (number) {
	case SIGUSR2:
		capture_signals.snapshot = 1;
		break;
	case SIGCHLD:
		break;
	case SIGTSTP:
		capture_signals.pause = 1;
		break;
	default:
		if (capture_signals.stop_requests < 2)
			capture_signals.stop_requests++;
		if (capture_signals.stop_requests > 1)
			break;
		capture_signals.stop_signal = number;
		capture_signals.stop_was_sent = info->si_code != SI_KERNEL;
	}
}

void capture_signals_add(int number)
{
	struct sigaction action = {
		.sa_sigaction = note,
		.sa_flags = SA_RESTART | SA_SIGINFO,
	};

	sigaction(number, &action, NULL);
}

void capture_signals_catch(void)
{
	capture_signals = (struct capture_signals){ 0 };
	capture_signals_add(SIGINT);
	capture_signals_add(SIGTERM);
	if (!tool_ignores_hangup())
		capture_signals_add(SIGHUP);
	capture_signals_add(SIGQUIT);
}
