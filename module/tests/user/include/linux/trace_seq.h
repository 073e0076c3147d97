/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H
#define USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Text that does not fit is left out, and so is all text after it. */
struct trace_seq {
	char *buffer;
	size_t size;
	size_t len;
	bool full;
};

void trace_seq_printf(struct trace_seq *seq, const char *format, ...)
	__printf(2, 3);
void trace_seq_puts(struct trace_seq *seq, const char *text);
void trace_seq_putc(struct trace_seq *seq, unsigned char c);

#endif /* USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H */
