/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_JSON_HELP_H
#define TESTS_LIB_JSON_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

/*
 * json_path_find() - Returns a member by its path of names and indices, such as
 * "logs.0.body"; NULL if there is none
 */
static inline struct json_object *json_path_find(struct json_object *object,
						 const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;

	while (object && (name = strsep(&rest, ".")))
		object = *name >= '0' && *name <= '9'
				 ? json_object_array_get_idx(
					   object, strtoul(name, NULL, 10))
				 : json_object_object_get(object, name);
	free(copy);

	return object;
}

static inline struct json_object *json_parse_with(int flags, const char *text,
						  size_t size)
{
	struct json_tokener *tokener = json_tokener_new_ex(64);
	struct json_object *object;

	if (!tokener)
		return NULL;

	json_tokener_set_flags(tokener, flags);
	object = json_tokener_parse_ex(tokener, text, (int)size);
	if (!object)
		fprintf(stderr, "%s\n",
			json_tokener_error_desc(
				json_tokener_get_error(tokener)));
	json_tokener_free(tokener);

	return object;
}

/*
 * json_parse() - Parses one object in valid UTF-8; NULL if it is not one
 */
static inline struct json_object *json_parse(const char *text, size_t size)
{
	static const char accent[] = "{\"\":\"\303\251\"}";
	static int flags;
	struct json_object *object;

	if (!flags) {
		flags = JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8;
		object = json_parse_with(flags, accent, sizeof(accent) - 1);
		/* json-c 0.18 takes what is not ASCII for control characters. */
		if (!object)
			flags = JSON_TOKENER_VALIDATE_UTF8;
		json_object_put(object);
	}

	object = json_parse_with(flags, text, size);
	if (json_object_is_type(object, json_type_object))
		return object;

	json_object_put(object);
	return NULL;
}

#endif
