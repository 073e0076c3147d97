/* SPDX-License-Identifier: MIT */
/*
 * user-events: texts of trace_printk() in trace.dat.
 *
 * A record of ftrace:bprint has the address of a format and its arguments in
 * binary form, and one of ftrace:bputs the address of a text. The file has the
 * texts at these addresses.
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_PRINTK_H
#define USER_EVENTS_FORMATS_TRACE_DAT_PRINTK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

/*
 * struct dat_printk - The texts of a file; zeros are none
 * @texts: @count of them, ordered by address
 * @memory: has all of them
 */
struct dat_printk {
	struct dat_printk_text *texts;
	size_t count;
	char *memory;
};

/*
 * dat_printk_parse() - Reads lines of printk_formats
 * @text: NUL-terminated, from tool_alloc(), which is owned then
 */
void dat_printk_parse(struct dat_printk *printk, char *text);
void dat_printk_release(struct dat_printk *printk);

/* Returns the text at an address, or NULL. */
const char *dat_printk_find(const struct dat_printk *printk, uint64_t address);

/*
 * struct dat_printk_kernel - How a kernel stores arguments
 * @long_size: bytes of a long
 * @big: it is big-endian
 * @has_ints: those of %h and %hh have the size of an int (since Linux 6.14)
 */
struct dat_printk_kernel {
	unsigned int long_size;
	bool big;
	bool has_ints;
};

/*
 * dat_printk_format() - Appends a format with its arguments
 * @arguments: as the kernel's vbin_printf() has stored them
 * Return: false if the arguments are not those of the format, and the output is
 * unchanged. Exits without memory.
 */
bool dat_printk_format(struct uev_output *to, const char *format,
		       const uint8_t *arguments, size_t size,
		       const struct dat_printk_kernel *kernel);

#endif
