/* SPDX-License-Identifier: MIT */
/* Losses, ordered by the end of their time. */
#ifndef USEREVENTS_PERF_LOSSES_H
#define USEREVENTS_PERF_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

/* Maximum number of losses that wait; further ones are added to one of them. */
#define UEV_LOSSES_MAX 65536

/* @number: of insertion */
struct uev_losses_entry {
	struct uev_loss loss;
	uint64_t number;
};

/* A heap, the first loss at the top. Zeros are an empty one. */
struct uev_losses {
	struct uev_losses_entry *heap;
	size_t count;
	size_t room;
	uint64_t added;
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
