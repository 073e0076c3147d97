// SPDX-License-Identifier: MIT
/* A shared object with tracepoints, for host.c. */
#include <userevents/tracepoint.h>

#include "plugin.h"

void plugin_work(int number)
{
	UEV_TRACE(plugin_work, number, number);
	UEV_TRACE(plugin_more, number, number);
}

uint64_t plugin_events(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.registered + stats.pending;
}

int plugin_end(void)
{
	return uev_shutdown();
}
