/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_JSON_PATH_H
#define TESTS_LIB_JSON_PATH_H

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

	while ((name = strsep(&rest, ".")))
		object = *name >= '0' && *name <= '9'
				 ? json_object_array_get_idx(
					   object, strtoul(name, NULL, 10))
				 : json_object_object_get(object, name);
	free(copy);

	return object;
}

#endif
