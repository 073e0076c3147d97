// SPDX-License-Identifier: GPL-2.0-only
/*
 * User-space versions of the kernel's functions, declared in include/.
 */
#include <limits.h>
#include <stdlib.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

/* --- Texts and numbers -------------------------------------------------- */

char *skip_spaces(const char *text)
{
	while (isspace(*text))
		text++;

	return (char *)text;
}

size_t str_has_prefix(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? 0 : len;
}

ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size);

	if (!size)
		return -E2BIG;

	if (len < size) {
		memcpy(to, from, len + 1);
		return len;
	}

	memcpy(to, from, size - 1);
	to[size - 1] = '\0';
	return -E2BIG;
}

void *memchr_inv(const void *start, int c, size_t size)
{
	const unsigned char *byte = start;

	for (; size--; byte++)
		if (*byte != (unsigned char)c)
			return (void *)byte;

	return NULL;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;

	return INT_MAX;
}

/* "0x" is a prefix only if a digit follows. */
static bool has_hex_prefix(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
	       digit_value(text[2]) < 16;
}

static int base_of(const char *text)
{
	if (text[0] != '0')
		return 10;

	return has_hex_prefix(text) ? 16 : 8;
}

/* A '+' may precede the number and a newline may follow it. */
int kstrtouint(const char *text, unsigned int base, unsigned int *result)
{
	unsigned long long value = 0;
	bool too_large = false;
	const char *first;

	if (*text == '+')
		text++;
	if (!base)
		base = base_of(text);
	if (base == 16 && has_hex_prefix(text))
		text += 2;

	for (first = text; digit_value(*text) < (int)base; text++) {
		value = value * base + digit_value(*text);
		too_large |= value > UINT_MAX;
		value &= UINT_MAX;
	}

	if (text == first)
		return -EINVAL;
	if (*text == '\n')
		text++;
	if (*text)
		return -EINVAL;
	if (too_large)
		return -ERANGE;

	*result = value;
	return 0;
}

/* --- Lines of a trace --------------------------------------------------- */

void trace_seq_printf(struct trace_seq *seq, const char *format, ...)
{
	size_t room = seq->seq.size - seq->seq.len;
	va_list args;
	int len;

	if (seq->full)
		return;

	va_start(args, format);
	len = vsnprintf(seq->seq.buffer + seq->seq.len, room, format, args);
	va_end(args);

	/* Includes the terminating NUL. */
	if ((size_t)len < room)
		seq->seq.len += len;
	else
		seq->full = 1;
}

void trace_seq_puts(struct trace_seq *seq, const char *text)
{
	trace_seq_printf(seq, "%s", text);
}

void trace_seq_putc(struct trace_seq *seq, unsigned char c)
{
	trace_seq_printf(seq, "%c", c);
}

/* --- Memory ------------------------------------------------------------- */

static unsigned int fail_in;
static unsigned long live;

void alloc_fail_nth(unsigned int n)
{
	fail_in = n;
}

unsigned long alloc_live(void)
{
	return live;
}

static void *alloc(size_t size, int fill)
{
	void *ptr;

	if (fail_in && !--fail_in)
		return NULL;

	ptr = malloc(size);
	if (!ptr)
		abort();

	live++;
	return memset(ptr, fill, size);
}

/* Memory that is not zeroed has other contents. */
void *kmalloc(size_t size, gfp_t flags)
{
	(void)flags;
	return alloc(size, 0xa5);
}

void *kvmalloc(size_t size, gfp_t flags)
{
	return kmalloc(size, flags);
}

void *kvzalloc(size_t size, gfp_t flags)
{
	(void)flags;
	return alloc(size, 0);
}

void kfree(const void *ptr)
{
	live -= !!ptr;
	free((void *)ptr);
}

void kvfree(const void *ptr)
{
	kfree(ptr);
}
