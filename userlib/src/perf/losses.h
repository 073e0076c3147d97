/* SPDX-License-Identifier: MIT */
/* Losses, ordered by the end of their time. */
#ifndef USEREVENTS_PERF_LOSSES_H
#define USEREVENTS_PERF_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

/* Maximum number of losses that wait; further ones are added to the last one. */
#define UEV_LOSSES_MAX 65536

/* Zeros are an empty list: the entries from @first up to @end of @entries. */
struct uev_losses {
	struct uev_loss *entries;
	size_t first;
	size_t end;
	size_t room;
};

void uev_losses_free(struct uev_losses *losses);

/* Adds a loss, behind others of the same time. Return: 0 or -ENOMEM */
int uev_losses_add(struct uev_losses *losses, const struct uev_loss *loss);

/* Removes the first loss, if it is not newer than @until. */
bool uev_losses_take(struct uev_losses *losses, uint64_t until,
		     struct uev_loss *loss);

/* Tests for a word of lower-case letters, digits and underscores with a NUL. */
bool uev_loss_reason_is_valid(const char reason[UEV_LOSS_REASON_SIZE]);

#endif
