// SPDX-License-Identifier: MIT
#include "formats/demangle.h"

#include <stddef.h>

#ifdef TOOL_HAS_IBERTY
#include <libiberty/demangle.h>
/* tool.h has it, too. */
#undef ARRAY_SIZE
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include <userevents/decode.h>

#include "tool.h"

/*
 * A malicious symbol doubles its text with each reference to a part of it, and the
 * texts of all found symbols are kept.
 */
#define TEXT_MAX 2048

/* Longer names are rejected by libiberty (DEMANGLE_RECURSION_LIMIT). */
#define NAME_MAX_LENGTH 1024

/*
 * Before libiberty prints an expansion of a pack, it searches the whole type for
 * the pack, as often as the type is referenced. Names of LLVM have 25 references
 * at most.
 */
#define PACK_REFERENCES_MAX 40

struct demangled {
	struct uev_output text;
	jmp_buf too_long;
};

static bool is_reference(const char *at)
{
	at += 1 + strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return *at == '_';
}

static bool is_too_complex(const char *name)
{
	static const char *const expansions[] = { "Dp", "sp", "sP", "sZ" };
	bool has_pack = false;
	size_t references = 0, i;

	if (strnlen(name, NAME_MAX_LENGTH + 1) > NAME_MAX_LENGTH)
		return true;
	for (i = 0; i < ARRAY_SIZE(expansions); i++)
		has_pack |= strstr(name, expansions[i]) != NULL;
	for (; (name = strchr(name, 'S')); name++)
		references += is_reference(name);

	return has_pack && references > PACK_REFERENCES_MAX;
}

/* libiberty allocates no memory here, and has no way to stop. */
static void append(const char *text, size_t size, void *data)
{
	struct demangled *demangled = data;

	if (size > TEXT_MAX - demangled->text.size)
		longjmp(demangled->too_long, 1);
	tool_append(&demangled->text, text, size);
}

static bool convert(struct demangled *demangled, const char *name)
{
	if (setjmp(demangled->too_long))
		return false;

	return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, append,
					  demangled);
}

char *demangle(const char *name)
{
	struct demangled demangled = { .text = UEV_OUTPUT_INIT };
	char *text = NULL;

	if (!is_too_complex(name) && convert(&demangled, name) &&
	    demangled.text.size)
		text = tool_copy(demangled.text.text);
	uev_output_release(&demangled.text);

	return text;
}

#else

char *demangle(const char *name)
{
	(void)name;

	return NULL;
}
#endif
