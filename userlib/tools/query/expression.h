/* SPDX-License-Identifier: MIT */
/*
 * user-events: conditions on the fields of records, such as
 *
 *	status >= 500 && path ~ "/api*"
 *
 * Operators, from weak to strong: ||, &&, !, and the comparisons ==, !=, <, <=,
 * >, >=, ~, !~ and &. Operands are names of fields, numbers, "texts", true,
 * false and null. A field alone is true unless it is 0, empty or missing. The
 * time of a record is compared with a number, seconds of its clock, or with a
 * "date", as of query_when_parse().
 */
#ifndef USER_EVENTS_QUERY_EXPRESSION_H
#define USER_EVENTS_QUERY_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "query/fields.h"

struct query_expression;

/*
 * query_expression_parse() - Parses a condition
 * @fields: receives the names of its fields; must exist as long as the
 *        expression
 * @offset: set to the offset of the error in @text
 * @reason: set to what is wrong
 * Return: the expression; NULL for a syntax error
 */
struct query_expression *query_expression_parse(const char *text,
						struct query_fields *fields,
						size_t *offset,
						const char **reason);

/*
 * query_expression_test() - Tests the record of the last query_fields_read()
 *
 * A comparison with a missing field is false, as is one of a number with a
 * text.
 */
bool query_expression_test(struct query_expression *expression);

/*
 * query_expression_mismatch() - Gets the first comparison that was false
 * because of the types of its operands
 * @offset: set to the offset of its operator
 * Return: whether there was one
 */
bool query_expression_mismatch(const struct query_expression *expression,
			       size_t *offset);

/*
 * query_expression_unknown() - Gets the first field that no record had
 * @offset: set to its offset in the text
 * Return: its name; NULL if there is none
 */
const char *query_expression_unknown(const struct query_expression *expression,
				     size_t *offset);

void query_expression_free(struct query_expression *expression);

#endif
