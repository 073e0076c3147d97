/* SPDX-License-Identifier: MIT */
/* user-events: lost records as text and JSON. */
#ifndef USER_EVENTS_FORMATS_LOSS_H
#define USER_EVENTS_FORMATS_LOSS_H

#include "formats/record.h"
#include "formats/record_time.h"

/*
 * loss_append_message() - Appends "N records of EVENT lost: why (REASON)", or
 * without an event that is not known
 */
void loss_append_message(struct uev_output *to, const struct format_loss *loss);

/*
 * loss_append_text() - Appends a line without a newline, which starts as that of a
 * record
 * @time: form of times; its clock is set
 */
void loss_append_text(struct record_time *time, struct uev_output *to,
		      const struct format_loss *loss);

/* loss_append_json() - Appends an object whose first member is "lost" */
void loss_append_json(struct uev_output *to, const struct format_loss *loss);

/* loss_append_event() - Appends "SYSTEM:NAME", or nothing if it is not known */
void loss_append_event(struct uev_output *to, const struct format_loss *loss);

#endif
