/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One bit in the memory of a process that says whether anybody listens to an
 * event.
 */
#ifndef USER_EVENTS_ENABLER_H
#define USER_EVENTS_ENABLER_H

#include <linux/types.h>

struct mm_struct;
struct page;
struct user_event;

/**
 * struct enabler - an event and the bit that follows it
 * @event: the event, of which this is a user
 * @address: where the value is that the bit belongs to; a multiple of @size
 * @bit: number of the bit in the value, from the lowest
 * @size: bytes of the value, 4 or 8
 */
struct enabler {
	struct user_event *event;
	unsigned long address;
	u8 bit;
	u8 size;
};

/**
 * struct enabler_word - the same bit as it is written
 * @address: a word of 4 bytes
 * @mask: the bit in it, in the byte order of the machine
 */
struct enabler_word {
	unsigned long address;
	u32 mask;
};

struct enabler_word enabler_word(const struct enabler *enabler);
struct page *enabler_word_pin(const struct enabler_word *word);
void enabler_word_write(const struct enabler_word *word, struct page *page,
			bool on);
void enabler_word_unpin(struct page *page);
bool enabler_lock_memory(struct mm_struct *mm, unsigned int *patience);
void enabler_unlock_memory(struct mm_struct *mm);
int enabler_word_update(const struct enabler_word *word, struct mm_struct *mm,
			bool on, unsigned int *copies);
struct page *enabler_word_bring_in(const struct enabler_word *word,
				   struct mm_struct *mm);

#endif /* USER_EVENTS_ENABLER_H */
