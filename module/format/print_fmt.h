/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that are formatted from a description. Pure.
 */
#ifndef USER_EVENTS_FORMAT_PRINT_FMT_H
#define USER_EVENTS_FORMAT_PRINT_FMT_H

#include <linux/types.h>

struct event_desc;

size_t ue_desc_print_fmt(const struct event_desc *desc, char *buf, size_t size);
size_t ue_desc_text(const struct event_desc *desc, char *buf, size_t size);

#endif /* USER_EVENTS_FORMAT_PRINT_FMT_H */
