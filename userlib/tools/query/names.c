// SPDX-License-Identifier: MIT
#include "query/names.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/*
 * struct name - A name
 * @next: number of the next field of that name, to find it without a search
 */
struct name {
	unsigned int next;
	char *text;
};

static int compare(const void *one, const void *other)
{
	const struct name *a = one, *b = other;

	return strcmp(a->text, b->text);
}

static void free_name(void *data)
{
	struct name *name = data;

	free(name->text);
	free(name);
}

static bool is_reserved(const struct query_names *names, const char *text)
{
	const char *const *name = names->reserved;

	while (name && *name && strcmp(*name, text) != 0)
		name++;

	return name && *name;
}

/* Takes @text. Return: the name that has it; @is_new: it had none before */
static struct name *insert(struct query_names *names, char *text, bool *is_new)
{
	struct name *name = tool_alloc(sizeof(*name)), **found;

	name->text = text;
	name->next = 2;
	found = tsearch(name, &names->tree, compare);
	tool_need(found ? 0 : -ENOMEM);
	if (found && *found != name) {
		free_name(name);
		*is_new = false;
		return *found;
	}
	*is_new = !is_reserved(names, text);

	return name;
}

/*
 * Outputs have the same characters for bytes that are not valid in UTF-8. Readers
 * reject an empty name.
 */
static char *text_of(const char *name, size_t size)
{
	const struct uev_decoded_value value = tool_text(name, size);
	struct uev_output text = UEV_OUTPUT_INIT;

	tool_put(&text, size ? "" : "_");
	tool_need(uev_decoded_value_append_text(&value, &text));

	return text.text;
}

const char *query_names_add(struct query_names *names, const char *name,
			    size_t size)
{
	struct name *first, *added;
	bool is_new;

	first = insert(names, text_of(name, size), &is_new);
	added = first;
	while (!is_new)
		added = insert(names,
			       tool_print("%s#%u", first->text, first->next++),
			       &is_new);

	return added->text;
}

void query_names_clear(struct query_names *names)
{
	tdestroy(names->tree, free_name);
	names->tree = NULL;
}
