/* SPDX-License-Identifier: MIT */
/* PIDs of processes in their own pid namespaces, for UEV_SESSION_VPIDS. */
#ifndef USEREVENTS_SESSION_VPIDS_H
#define USEREVENTS_SESSION_VPIDS_H

#include "session/state.h"

/*
 * Sets the vpid of a record, if its process has one that can be read. Of a process
 * that has exited it is that of its last record.
 */
void uev_session_set_vpid(struct uev_session *session,
			  struct uev_sample *record);

void uev_session_free_vpids(struct uev_session *session);

#endif
