// SPDX-License-Identifier: MIT
#include "session/vpids.h"

#include <stdlib.h>
#include <string.h>

#include "util/text_file.h"

/* A PID can be that of another process after this time, in ns. */
#define LOOK_EVERY UINT64_C(1000000000)

#define LINE "\nNStgid:"

#define FIRST_ROOM 64

/* Returns the last of several PIDs, or 0. */
static uint32_t last_of(const char *text)
{
	const char *at = strstr(text, LINE);
	unsigned long pid = 0;
	unsigned int count = 0;
	char *end;

	if (!at)
		return 0;
	/* strtoul() would go on to the next line. */
	for (at += strlen(LINE); *at == '\t' || *at == ' '; at = end) {
		pid = strtoul(at, &end, 10);
		if (end == at)
			break;
		count++;
	}

	return count > 1 ? (uint32_t)pid : 0;
}

/* Return: as before, if the process has exited or is hidden */
static uint32_t read_vpid(uint32_t pid, uint32_t before)
{
	char *text;

	if (uev_text_file_of_process(pid, "status", &text, NULL))
		return before;
	before = last_of(text);
	free(text);

	return before;
}

/* A process that was not seen recently. Return: NULL if out of memory */
static struct uev_session_vpid *add(struct uev_session_vpids *vpids,
				    uint32_t pid)
{
	size_t room = vpids->room ? vpids->room * 2 : FIRST_ROOM;
	struct uev_session_vpid *grown;

	if (vpids->count == UEV_SESSION_VPIDS_MAX) {
		uev_id_table_free(&vpids->by_pid);
		vpids->count = 0;
	}
	if (vpids->count == vpids->room) {
		grown = realloc(vpids->processes, room * sizeof(*grown));
		if (!grown)
			return NULL;
		vpids->processes = grown;
		vpids->room = room;
	}
	if (uev_id_table_set(&vpids->by_pid, pid,
			     (void *)(uintptr_t)(vpids->count + 1)))
		return NULL;
	vpids->processes[vpids->count] = (struct uev_session_vpid){ 0 };

	return &vpids->processes[vpids->count++];
}

void uev_session_set_vpid(struct uev_session *session,
			  struct uev_sample *record)
{
	struct uev_session_vpids *vpids = &session->vpids;
	struct uev_session_vpid *process;
	size_t number;

	if (!(session->options.flags & UEV_SESSION_VPIDS))
		return;
	number = (uintptr_t)uev_id_table_get(&vpids->by_pid, record->pid);
	process = number ? &vpids->processes[number - 1]
			 : add(vpids, record->pid);
	if (!process)
		return;
	if (!number || record->time > process->time + LOOK_EVERY) {
		process->vpid = read_vpid(record->pid, process->vpid);
		process->time = record->time;
	}
	record->vpid = process->vpid;
	if (record->vpid)
		record->flags |= UEV_HAS_VPID;
}

void uev_session_free_vpids(struct uev_session *session)
{
	uev_id_table_free(&session->vpids.by_pid);
	free(session->vpids.processes);
}
