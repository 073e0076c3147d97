/* SPDX-License-Identifier: MIT */
/* user-events: lost records as text and JSON, and a queue of them. */
#ifndef USER_EVENTS_FORMATS_LOSS_H
#define USER_EVENTS_FORMATS_LOSS_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/record.h"
#include "formats/record_time.h"

/*
 * struct loss_queue - Losses that were not taken, in the order of their ends;
 * initialized to zeros, released by free(@losses)
 * @losses: the entries from @first up to @end
 */
struct loss_queue {
	struct uev_loss *losses;
	size_t first;
	size_t end;
};

void loss_queue_add(struct loss_queue *queue, const struct uev_loss *loss);

/*
 * loss_queue_take() - Takes the first loss whose time ended until @until
 * Return: false if there is none
 */
bool loss_queue_take(struct loss_queue *queue, uint64_t until,
		     struct uev_loss *loss);

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
