// SPDX-License-Identifier: MIT
#include "perf/losses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16

void uev_losses_free(struct uev_losses *losses)
{
	free(losses->entries);
	*losses = (struct uev_losses){ 0 };
}

/* Makes room at the end. Return: 0 or -ENOMEM */
static int make_room(struct uev_losses *losses)
{
	size_t count = losses->end - losses->first;
	size_t room = losses->room ? 2 * losses->room : FIRST_ROOM;
	struct uev_loss *entries;

	if (losses->end < losses->room)
		return 0;
	/* Half of it is enough, so that moving takes constant time per entry. */
	if (losses->first > losses->room / 2) {
		memmove(losses->entries, losses->entries + losses->first,
			count * sizeof(*losses->entries));
		losses->first = 0;
		losses->end = count;
		return 0;
	}
	entries = realloc(losses->entries, room * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	losses->entries = entries;
	losses->room = room;

	return 0;
}

/* Only a malicious file, or one without records, has so many. */
static void add_to_last(struct uev_losses *losses, const struct uev_loss *loss)
{
	struct uev_loss *last = &losses->entries[losses->end - 1];

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
	struct uev_loss *entry;
	int ret;

	if (losses->end - losses->first >= UEV_LOSSES_MAX) {
		add_to_last(losses, loss);
		return 0;
	}
	ret = make_room(losses);
	if (ret)
		return ret;
	entry = losses->entries + losses->end++;
	while (entry > losses->entries + losses->first &&
	       entry[-1].to > loss->to) {
		entry[0] = entry[-1];
		entry--;
	}
	*entry = *loss;

	return 0;
}

bool uev_losses_take(struct uev_losses *losses, uint64_t until,
		     struct uev_loss *loss)
{
	if (losses->first == losses->end ||
	    losses->entries[losses->first].to > until)
		return false;
	*loss = losses->entries[losses->first++];
	if (losses->first == losses->end)
		losses->first = losses->end = 0;

	return true;
}

bool uev_loss_reason_is_valid(const char reason[UEV_LOSS_REASON_SIZE])
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	size_t size = strnlen(reason, UEV_LOSS_REASON_SIZE);

	return size && size < UEV_LOSS_REASON_SIZE &&
	       strspn(reason, word) == size;
}
