/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H
#define USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H

#include <linux/compiler.h>
#include <linux/types.h>

struct seq_buf {
	char *buffer;
	size_t size;
	size_t len;
};

/* Text that does not fit is left out, and so is all text after it. */
struct trace_seq {
	struct seq_buf seq;
	int full;
};

void trace_seq_printf(struct trace_seq *seq, const char *format, ...)
	__printf(2, 3);
void trace_seq_puts(struct trace_seq *seq, const char *text);
void trace_seq_putc(struct trace_seq *seq, unsigned char c);

static inline size_t trace_seq_used(const struct trace_seq *seq)
{
	return seq->seq.len;
}

static inline bool trace_seq_has_overflowed(const struct trace_seq *seq)
{
	return seq->full;
}

#endif /* USER_EVENTS_TESTS_LINUX_TRACE_SEQ_H */
