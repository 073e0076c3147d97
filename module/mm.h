/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The enablers of every process, by its memory: threads share them, a child
 * gets its own, and they end with the memory.
 */
#ifndef USER_EVENTS_MM_H
#define USER_EVENTS_MM_H

#include <linux/types.h>

struct enabler;
struct mm_struct;
struct user_event;

int mms_init(void);
void mms_exit(void);

bool mm_has_enabler(unsigned long address, u8 bit);
int mm_add_enabler(const struct enabler *enabler);
int mm_remove_enabler(unsigned long address, u8 bit, bool anyway);

void mms_update(struct user_event *event);

void mm_fork(struct mm_struct *parent, struct mm_struct *child);
void mms_sweep(void);
void mms_sweep_soon(void);

#endif /* USER_EVENTS_MM_H */
