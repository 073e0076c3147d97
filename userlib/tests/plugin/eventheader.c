// SPDX-License-Identifier: MIT
/*
 * A shared object with events of EventHeader, for host.c: of two sets, however
 * often and wherever they are written.
 */
#include <userevents/eventheader.h>

#include "eventheader.h"
#include "plugin.h"

UEV_PROVIDER(plugin_provider, "Plugin");

enum level {
	LEVEL_WORK = UEV_LEVEL_INFORMATION,
};

void plugin_work(int number)
{
	UEV_EVENTHEADER(plugin_provider, LEVEL_WORK, 1, "Work",
			UEV_EH_I32("number", number));
	UEV_EVENTHEADER(plugin_provider, 4, 0x1, "MoreWork");
	UEV_EVENTHEADER(plugin_provider, LEVEL_WORK, 1ULL << 63, "Other");
	more_work(number);
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
