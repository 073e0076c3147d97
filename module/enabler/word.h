/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bit in the memory of a process that shows whether an event is enabled.
 */
#ifndef USER_EVENTS_ENABLER_WORD_H
#define USER_EVENTS_ENABLER_WORD_H

#include <linux/mm.h>
#include <linux/types.h>

/**
 * struct enabler_bit - a bit as a process registers it
 * @address: address of the value that has the bit; a multiple of @size
 * @bit: number of the bit in the value, from the lowest
 * @size: size of the value in bytes, 4 or 8
 */
struct enabler_bit {
	unsigned long address;
	u8 bit;
	u8 size;
};

/**
 * struct enabler_word - the same bit as the module writes it
 * @address: address of a word of 4 bytes
 * @mask: mask of the bit in the word, in the byte order of the machine
 */
struct enabler_word {
	unsigned long address;
	u32 mask;
};

/**
 * struct enabler_update - the page in which words are being written
 * @mm: the memory of the process, with a reference
 * @start: address of the page
 * @page: the page, locked and pinned, or NULL
 */
struct enabler_update {
	struct mm_struct *mm;
	unsigned long start;
	struct page *page;
};

/**
 * ue_enabler_update_has_page - Tells whether the page is that of an address
 * @update: the page
 * @mm: the memory of the process
 * @address: the address
 */
static inline bool
ue_enabler_update_has_page(const struct enabler_update *update,
			   const struct mm_struct *mm, unsigned long address)
{
	return update->page && update->mm == mm &&
	       update->start == (address & PAGE_MASK);
}

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
struct page *ue_enabler_page_get(unsigned long address);
struct page *ue_enabler_page_fault_in(unsigned long address);
void ue_enabler_page_set_dirty(struct page *page);
void ue_enabler_page_unpin(struct page *page);

#endif /* USER_EVENTS_ENABLER_WORD_H */
