/* SPDX-License-Identifier: MIT */
/*
 * user-events: records that a flight recorder did not get: those that a full
 * buffer rejected, and those that are too large for ftrace.
 *
 * The kernel counts the former for each processor of an instance. The module counts
 * the latter for each event and processor, once for each instance that has the
 * event. What it had counted at the start is in the directory of the recorder.
 */
#ifndef USER_EVENTS_FLIGHT_LOSSES_H
#define USER_EVENTS_FLIGHT_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"
#include "flight/flight.h"
#include "flight/pages.h"
#include "formats/loss.h"

struct flight_loss_source;

/*
 * struct flight_losses - Losses that are found; zeros before flight_losses_begin()
 * @pages: processors of the recorder
 * @rejected: records that each processor had rejected when it was last read
 * @before: what the module had counted then
 * @since: time of that, of the clock of the recorder; 0 if it is unknown
 * @sources: events of @found
 * @found: losses that were found, for loss_queue_take()
 * @sum: all losses so far
 */
struct flight_losses {
	const struct flight_pages *pages;
	uint64_t *rejected;
	struct events before;
	uint64_t since;
	struct flight_loss_source *sources;
	struct loss_queue found;
	uint64_t sum;
};

/* flight_losses_save() - Saves what the module has counted. Return: 0 or -errno */
int flight_losses_save(const struct flight *flight);

/*
 * flight_losses_begin() - Starts to look for losses
 * @pages: valid until flight_losses_release()
 * @from_now: later losses only; otherwise, those since the start of the recorder
 */
void flight_losses_begin(struct flight_losses *losses,
			 const struct flight_pages *pages, bool from_now);

/* flight_losses_find() - Looks for new losses. */
void flight_losses_find(struct flight_losses *losses);

/*
 * flight_losses_pause() - Prints that the recorder does not record all of its
 * events, because others have changed that
 * Return: TOOL_OK or TOOL_INCOMPLETE
 */
int flight_losses_pause(const struct flight *flight);

/*
 * flight_losses_report() - Prints the losses since the start, and what others have
 * changed
 *
 * Return: TOOL_OK or TOOL_INCOMPLETE
 */
int flight_losses_report(const struct flight_pages *pages);

void flight_losses_release(struct flight_losses *losses);

#endif
