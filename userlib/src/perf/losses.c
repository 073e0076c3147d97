// SPDX-License-Identifier: MIT
#include "perf/losses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16

void uev_losses_free(struct uev_losses *losses)
{
	free(losses->heap);
	*losses = (struct uev_losses){ 0 };
}

static int make_room(struct uev_losses *losses)
{
	size_t room = losses->room ? 2 * losses->room : FIRST_ROOM;
	struct uev_losses_entry *heap;

	if (losses->count < losses->room)
		return 0;
	heap = realloc(losses->heap, room * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	losses->heap = heap;
	losses->room = room;

	return 0;
}

static bool before(const struct uev_losses_entry *one,
		   const struct uev_losses_entry *other)
{
	return one->loss.to < other->loss.to ||
	       (one->loss.to == other->loss.to && one->number < other->number);
}

/*
 * Only a malicious file, or one without records, has so many. The last entry has
 * no other one below it, and its time does not fall.
 */
static void add_to_last(struct uev_losses *losses, const struct uev_loss *loss)
{
	struct uev_loss *last = &losses->heap[losses->count - 1].loss;

	last->count += loss->count;
	last->source = NULL;
	last->flags &= ~UEV_HAS_CPU;
	if (loss->from < last->from)
		last->from = loss->from;
	if (loss->to > last->to)
		last->to = loss->to;
	strcpy(last->reason, "unknown");
}

int uev_losses_add(struct uev_losses *losses, const struct uev_loss *loss)
{
	const struct uev_losses_entry entry = { .loss = *loss,
						.number = losses->added };
	struct uev_losses_entry *heap;
	size_t at, above;
	int ret;

	if (losses->count >= UEV_LOSSES_MAX) {
		add_to_last(losses, loss);
		return 0;
	}
	ret = make_room(losses);
	if (ret)
		return ret;
	losses->added++;
	heap = losses->heap;
	for (at = losses->count++; at; at = above) {
		above = (at - 1) / 2;
		if (!before(&entry, &heap[above]))
			break;
		heap[at] = heap[above];
	}
	heap[at] = entry;

	return 0;
}

static void remove_first(struct uev_losses *losses)
{
	struct uev_losses_entry *heap = losses->heap;
	const struct uev_losses_entry *last = &heap[--losses->count];
	size_t at = 0, child;

	for (child = 1; child < losses->count; child = 2 * at + 1) {
		if (child + 1 < losses->count &&
		    before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = *last;
}

bool uev_losses_take(struct uev_losses *losses, uint64_t until,
		     struct uev_loss *loss)
{
	if (!losses->count || losses->heap[0].loss.to > until)
		return false;
	*loss = losses->heap[0].loss;
	remove_first(losses);

	return true;
}

bool uev_loss_reason_is_valid(const char reason[UEV_LOSS_REASON_SIZE])
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	size_t size = strnlen(reason, UEV_LOSS_REASON_SIZE);

	return size && size < UEV_LOSS_REASON_SIZE &&
	       strspn(reason, word) == size;
}
