/* SPDX-License-Identifier: MIT */
/* user-events export: values and attributes of OTLP, in JSON. */
#ifndef USER_EVENTS_EXPORT_OTLP_JSON_H
#define USER_EVENTS_EXPORT_OTLP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "query/names.h"

/* Maximum depth of values: structs in arrays, and an array of values */
#define OTLP_DEPTH_MAX (2 * UEV_STRUCT_DEPTH_MAX + 1)

/*
 * otlp_put_key() - Starts an attribute, whose value and "}" follow
 *
 * A comma precedes all but the first of a list, which is the whole output or
 * starts after a "[".
 */
void otlp_put_key(struct uev_output *to, const char *key);

/* Append an attribute. */
void otlp_put_number(struct uev_output *to, const char *key, uint64_t number);
void otlp_put_text(struct uev_output *to, const char *key, const char *text);
void otlp_put_attribute(struct uev_output *to, const char *key,
			const struct uev_decoded_value *value);

/* otlp_put_value() - Appends a value, with its type */
void otlp_put_value(struct uev_output *to,
		    const struct uev_decoded_value *value);

/*
 * struct otlp_any - A value that is being written, item by item; initialized to
 * zeros
 * @names: has the names of the members of all structs
 * @count: number of structs and arrays so far
 * @numbers: of those that have not ended, @open of them
 */
struct otlp_any {
	struct query_names *names;
	unsigned int count;
	unsigned int numbers[OTLP_DEPTH_MAX];
	size_t open;
};

/*
 * otlp_any_take() - Appends an item of a value: arrays are arrayValue, and
 * structs kvlistValue, whose members of one name have numbers
 * @limit: when the output has more bytes, nothing is appended, and the value is
 *        not valid
 * Return: whether the value is complete
 */
bool otlp_any_take(struct otlp_any *any, struct uev_output *to,
		   const struct uev_item *item, size_t limit);

#endif
