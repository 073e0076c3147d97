// SPDX-License-Identifier: MIT
#include "formats/demangle.h"

#include <stddef.h>

#ifdef TOOL_HAS_IBERTY
#include <libiberty/demangle.h>
/* tool.h has it, too. */
#undef ARRAY_SIZE
#include <setjmp.h>
#include <stdlib.h>

#include <userevents/decode.h>

#include "tool.h"

/* A malicious symbol doubles its text with each reference to a part of it. */
#define TEXT_MAX 16384

struct demangled {
	struct uev_output text;
	jmp_buf too_long;
};

/* libiberty allocates no memory here, and has no way to stop. */
static void append(const char *text, size_t size, void *data)
{
	struct demangled *demangled = data;

	if (size > TEXT_MAX - demangled->text.size)
		longjmp(demangled->too_long, 1);
	tool_need(uev_output_append(&demangled->text, text, size));
}

char *demangle(const char *name)
{
	/* Not in registers, which longjmp() restores. */
	struct demangled *demangled = tool_alloc(sizeof(*demangled));
	char *text = NULL;

	if (!setjmp(demangled->too_long) &&
	    cplus_demangle_v3_callback(name, DMGL_NO_OPTS, append, demangled))
		text = demangled->text.size ? tool_copy(demangled->text.text)
					    : NULL;
	uev_output_release(&demangled->text);
	free(demangled);

	return text;
}

#else

char *demangle(const char *name)
{
	(void)name;

	return NULL;
}
#endif
