/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One bit in the memory of a process that says whether an event is enabled.
 */
#ifndef USER_EVENTS_ENABLER_WORD_H
#define USER_EVENTS_ENABLER_WORD_H

#include <linux/types.h>

struct mm_struct;
struct page;

/**
 * struct enabler_bit - a bit as a process registers it
 * @address: address of the value that the bit belongs to; a multiple of @size
 * @bit: number of the bit in the value, from the lowest
 * @size: bytes of the value, 4 or 8
 */
struct enabler_bit {
	unsigned long address;
	u8 bit;
	u8 size;
};

/**
 * struct enabler_word - the same bit as the module writes it
 * @address: a word of 4 bytes
 * @mask: the bit in it, in the byte order of the machine
 */
struct enabler_word {
	unsigned long address;
	u32 mask;
};

/**
 * struct enabler_update - a page of any process that words are being written in
 * @mm: the memory of the process, with a user
 * @start: address of the page
 * @page: the page, locked and pinned, or NULL
 * @copies: how many pages may be copied; what is left is given back
 */
struct enabler_update {
	struct mm_struct *mm;
	unsigned long start;
	struct page *page;
	unsigned int copies;
};

struct enabler_word ue_enabler_word(const struct enabler_bit *bit);
struct page *ue_enabler_word_pin(const struct enabler_word *word);
void ue_enabler_word_write(const struct enabler_word *word, struct page *page,
			   bool on);
bool ue_enabler_word_matches(const struct enabler_word *word, struct page *page,
			     bool on);
bool ue_enabler_update_start(struct enabler_update *update,
			     struct mm_struct *mm,
			     const struct enabler_word *word);
void ue_enabler_update_finish(struct enabler_update *update);
struct page *ue_enabler_page_get(struct mm_struct *mm, unsigned long address);
struct page *ue_enabler_page_fault_in(struct mm_struct *mm,
				      unsigned long address);
void ue_enabler_page_unpin(struct page *page);

#endif /* USER_EVENTS_ENABLER_WORD_H */
