// SPDX-License-Identifier: MIT
#include "query/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "query/value.h"
#include "query/when.h"
#include "tool.h"

/* Open parentheses and operators that wait for their second operand */
#define WAITING_MAX 64

#define TEXT_MAX 4096

/*
 * struct operand - A part of a comparison
 * @offset: in the text
 * @literal: its value, if that has a kind; otherwise @field is its index
 * @text: memory of a text
 * @when: the literal as a moment, if it is one
 */
struct operand {
	size_t offset;
	struct query_field literal;
	size_t field;
	char *text;
	struct query_when when;
};

/* A step computes the result from the result so far. */
enum step_kind {
	STEP_FIELD, /* whether @left is true */
	STEP_COMPARE,
	STEP_NOT,
	STEP_AND, /* goes to @target if the result is false */
	STEP_OR, /* goes to @target if the result is true */
};

/*
 * struct step - A step of an expression
 * @offset: of the operator in the text
 * @right: operand of STEP_COMPARE
 */
struct step {
	enum step_kind kind;
	enum query_operator op;
	size_t offset;
	size_t target;
	struct operand left;
	struct operand right;
};

/* @has_mismatch: there was one, at @mismatch */
struct query_expression {
	struct step *steps;
	size_t count;
	struct query_fields *fields;
	struct query_scratch scratch;
	bool has_mismatch;
	size_t mismatch;
};

/* ---- Parser ---- */

/* An operator that waits: its kind, or an open parenthesis */
enum {
	WAITING_PARENTHESIS = -1,
};

/* struct waiting - @step: the step of && or ||, whose target is not known */
struct waiting {
	int kind;
	size_t step;
};

/* struct parser - A text that is being parsed; @reason is set on error */
struct parser {
	const char *text;
	size_t at;
	struct query_expression *expression;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	const char *reason;
};

static bool set_error(struct parser *parser, const char *reason)
{
	parser->reason = reason;

	return false;
}

static struct step *add_step(struct parser *parser, enum step_kind kind)
{
	struct query_expression *expression = parser->expression;
	struct step *step = tool_add(expression->steps, expression->count);

	*step = (struct step){ .kind = kind, .offset = parser->at };

	return step;
}

static const char *skip_spaces(struct parser *parser)
{
	while (isspace((unsigned char)parser->text[parser->at]))
		parser->at++;

	return parser->text + parser->at;
}

/* Skips @token if it is next. */
static bool take_token(struct parser *parser, const char *token)
{
	if (strncmp(skip_spaces(parser), token, strlen(token)) != 0)
		return false;
	parser->at += strlen(token);

	return true;
}

static bool parse_text(struct parser *parser, struct operand *operand)
{
	const char *from = parser->text + parser->at + 1;
	char *to = operand->text = tool_alloc(strlen(from) + 1);

	while (*from && *from != '"') {
		/* Other backslashes are for patterns. */
		if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*to++ = *from++;
	}
	if (!*from)
		return set_error(parser, "the text has no second \"");
	parser->at = (size_t)(from - parser->text) + 1;
	operand->literal.kind = QUERY_VALUE;
	operand->literal.value =
		tool_text(operand->text, (size_t)(to - operand->text));

	return true;
}

static bool ends_number(char c)
{
	return !isalnum((unsigned char)c) && c != '_' && c != '.';
}

/* Sets an integer. Return: its end, or @begin if it is not one */
static const char *parse_integer(const char *begin,
				 struct uev_decoded_value *value)
{
	bool is_negative = *begin == '-';
	bool is_hex = begin[is_negative] == '0' &&
		      (begin[is_negative + 1] | 0x20) == 'x';
	char *end;

	errno = 0;
	/* A leading zero does not mean octal. */
	if (is_negative) {
		value->type = UEV_DECODED_SIGNED;
		value->i64 = strtoll(begin, &end, is_hex ? 16 : 10);
	} else {
		value->type = UEV_DECODED_UNSIGNED;
		value->u64 = strtoull(begin, &end, is_hex ? 16 : 10);
	}

	return !errno && ends_number(*end) ? end : begin;
}

static bool parse_number(struct parser *parser, struct operand *operand)
{
	const char *begin = parser->text + parser->at, *end;
	struct uev_decoded_value *value = &operand->literal.value;
	char *real_end;

	operand->literal.kind = QUERY_VALUE;
	end = parse_integer(begin, value);
	/* -nan and -inf are no numbers, as nan and inf. */
	if (end == begin && !isalpha((unsigned char)begin[*begin == '-'])) {
		value->type = UEV_DECODED_FLOAT;
		value->size = sizeof(double);
		value->f64 = strtod(begin, &real_end);
		end = real_end;
	}
	if (end == begin || !ends_number(*end))
		return set_error(parser, "invalid number");
	parser->at = (size_t)(end - parser->text);

	return true;
}

/* Return: whether it is a literal */
static bool take_word(struct parser *parser, struct operand *operand)
{
	static const struct {
		const char *word;
		struct uev_decoded_value value;
	} words[] = {
		{ "true", { .type = UEV_DECODED_BOOL, .boolean = true } },
		{ "false", { .type = UEV_DECODED_BOOL } },
		{ "null", { .type = UEV_DECODED_NULL } },
	};
	const char *begin = parser->text + parser->at;
	size_t size, i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		size = strlen(words[i].word);
		if (strncmp(begin, words[i].word, size) != 0 ||
		    !ends_number(begin[size]) || begin[size] == '[')
			continue;
		operand->literal.kind = QUERY_VALUE;
		operand->literal.value = words[i].value;
		parser->at += size;
		return true;
	}

	return false;
}

static bool parse_field(struct parser *parser, struct operand *operand)
{
	ptrdiff_t field;
	size_t size;

	field = query_fields_add(parser->expression->fields,
				 parser->text + parser->at, &size,
				 &parser->reason);
	parser->at += size;
	operand->field = (size_t)field;

	return field >= 0;
}

/* Sets the moment of a number or a text, for comparisons with a time. */
static void set_when(struct operand *operand, const char *text, size_t size)
{
	_cleanup_free_ char *copy = tool_print("%.*s", (int)size, text);

	if (!query_when_parse(copy, &operand->when))
		operand->when.kind = QUERY_NO_TIME;
}

static bool parse_literal(struct parser *parser, struct operand *operand)
{
	const char *begin = parser->text + parser->at;

	if (*begin == '"') {
		if (!parse_text(parser, operand))
			return false;
		set_when(operand, operand->text, operand->literal.value.size);
		return true;
	}
	if (!parse_number(parser, operand))
		return false;
	set_when(operand, begin, (size_t)(parser->text + parser->at - begin));

	return true;
}

static bool parse_operand(struct parser *parser, struct operand *operand)
{
	const char *next = skip_spaces(parser);

	operand->offset = parser->at;
	if (*next == '"' || (*next >= '0' && *next <= '9') || *next == '-' ||
	    *next == '.')
		return parse_literal(parser, operand);
	if (*next == '`' || *next == '_' || isalpha((unsigned char)*next))
		return take_word(parser, operand) ||
		       parse_field(parser, operand);
	if (*next == '\'')
		return set_error(parser, "texts are quoted with \"");

	return set_error(parser, "expected a field, a number or a \"text\"");
}

static bool take_operator(struct parser *parser, enum query_operator *op)
{
	static const struct {
		const char *token;
		enum query_operator op;
	} tokens[] = {
		{ "==", QUERY_EQUAL },	       { "!=", QUERY_NOT_EQUAL },
		{ "<=", QUERY_LESS_EQUAL },    { "<", QUERY_LESS },
		{ ">=", QUERY_GREATER_EQUAL }, { ">", QUERY_GREATER },
		{ "!~", QUERY_NOT_MATCH },     { "~", QUERY_MATCH },
	};
	const char *next = skip_spaces(parser);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tokens); i++) {
		if (take_token(parser, tokens[i].token)) {
			*op = tokens[i].op;
			return true;
		}
	}
	*op = QUERY_MASK;

	return next[0] == '&' && next[1] != '&' && take_token(parser, "&");
}

static bool parse_comparison(struct parser *parser)
{
	struct step *step = add_step(parser, STEP_FIELD);

	if (!parse_operand(parser, &step->left))
		return false;
	skip_spaces(parser);
	step->offset = parser->at;
	if (parser->text[parser->at] == '=' &&
	    parser->text[parser->at + 1] != '=')
		return set_error(parser, "equality is ==");
	if (!take_operator(parser, &step->op))
		return true;
	step->kind = STEP_COMPARE;

	return parse_operand(parser, &step->right);
}

static bool push_step(struct parser *parser, int kind)
{
	if (parser->waiting_count == WAITING_MAX)
		return set_error(parser, "nested too deeply");
	parser->waiting[parser->waiting_count++] = (struct waiting){ kind, 0 };

	return true;
}

/* Completes waiting operators that bind at least as strongly as @kind. */
static void complete(struct parser *parser, int kind)
{
	struct query_expression *expression = parser->expression;
	const struct waiting *last;

	while (parser->waiting_count) {
		last = &parser->waiting[parser->waiting_count - 1];
		/* STEP_NOT binds most, STEP_OR least. */
		if (last->kind == WAITING_PARENTHESIS || last->kind > kind)
			return;
		if (last->kind == STEP_NOT)
			add_step(parser, STEP_NOT);
		else
			expression->steps[last->step].target =
				expression->count;
		parser->waiting_count--;
	}
}

/* Parses what precedes an operator. */
static bool parse_operands(struct parser *parser)
{
	for (;;) {
		if (*skip_spaces(parser) == '!') {
			if (!push_step(parser, STEP_NOT))
				return false;
		} else if (parser->text[parser->at] == '(') {
			if (!push_step(parser, WAITING_PARENTHESIS))
				return false;
		} else {
			return parse_comparison(parser);
		}
		parser->at++;
	}
}

static bool close_parenthesis(struct parser *parser)
{
	complete(parser, STEP_OR);
	if (!parser->waiting_count)
		return set_error(parser, "expected an operator");
	parser->waiting_count--;
	parser->at++;

	return true;
}

static bool add_operator(struct parser *parser, enum step_kind kind)
{
	complete(parser, kind);
	if (!push_step(parser, kind))
		return false;
	parser->waiting[parser->waiting_count - 1].step =
		parser->expression->count;
	add_step(parser, kind);
	parser->at += 2;

	return true;
}

static bool parse_expression(struct parser *parser)
{
	bool is_valid = parse_operands(parser);
	const char *next;

	while (is_valid) {
		next = skip_spaces(parser);
		if (*next == ')') {
			is_valid = close_parenthesis(parser);
			continue;
		}
		if (strncmp(next, "&&", 2) == 0)
			is_valid = add_operator(parser, STEP_AND);
		else if (strncmp(next, "||", 2) == 0)
			is_valid = add_operator(parser, STEP_OR);
		else
			break;
		is_valid = is_valid && parse_operands(parser);
	}
	if (!is_valid)
		return false;
	complete(parser, STEP_OR);
	if (parser->waiting_count)
		return set_error(parser, "expected an operator or )");

	return *next ? set_error(parser, "expected an operator") : true;
}

struct query_expression *query_expression_parse(const char *text,
						struct query_fields *fields,
						size_t *offset,
						const char **reason)
{
	struct parser parser = { .text = text };
	bool is_valid;

	parser.expression = tool_alloc(sizeof(*parser.expression));
	parser.expression->fields = fields;
	is_valid = strlen(text) > TEXT_MAX ? set_error(&parser, "too long")
					   : parse_expression(&parser);
	if (is_valid)
		return parser.expression;
	*offset = parser.at;
	*reason = parser.reason;
	query_expression_free(parser.expression);

	return NULL;
}

/* ---- Evaluation ---- */

/* Return: the field, or the literal as one */
static const struct query_field *
field_of(const struct query_expression *expression,
	 const struct operand *operand)
{
	return operand->literal.kind
		       ? &operand->literal
		       : &expression->fields->fields[operand->field];
}

static void note_mismatch(struct query_expression *expression,
			  const struct step *step)
{
	if (!expression->has_mismatch)
		expression->mismatch = step->offset;
	expression->has_mismatch = true;
}

/*
 * Sets an operand of a comparison with @time in nanoseconds of its clock.
 * Return: false if it is not a time
 */
static bool set_nanoseconds(const struct query_expression *expression,
			    const struct query_field *time,
			    const struct operand *operand,
			    struct uev_decoded_value *value)
{
	const struct query_field *field = field_of(expression, operand);

	*value = field->value;
	if (field->kind == QUERY_TIME)
		return true;
	if (field != &operand->literal || value->type == UEV_DECODED_NULL)
		return field == &operand->literal;
	value->type = UEV_DECODED_UNSIGNED;

	return query_when_fixed(&operand->when, time->clock, &value->u64);
}

static enum query_result compare_time(struct query_expression *expression,
				      const struct step *step,
				      const struct query_field *time)
{
	struct uev_decoded_value left, right;

	if (step->op == QUERY_MATCH || step->op == QUERY_NOT_MATCH ||
	    step->op == QUERY_MASK ||
	    !set_nanoseconds(expression, time, &step->left, &left) ||
	    !set_nanoseconds(expression, time, &step->right, &right))
		return QUERY_MISMATCH;

	return query_compare(step->op, &left, &right, &expression->scratch);
}

static bool compare_values(struct query_expression *expression,
			   const struct step *step)
{
	const struct query_field *left = field_of(expression, &step->left);
	const struct query_field *right = field_of(expression, &step->right);
	enum query_result result = QUERY_FALSE;

	if (left->kind == QUERY_TIME || right->kind == QUERY_TIME)
		result = compare_time(expression, step,
				      left->kind == QUERY_TIME ? left : right);
	else if (left->kind == QUERY_VALUE && right->kind == QUERY_VALUE)
		result = query_compare(step->op, &left->value, &right->value,
				       &expression->scratch);
	else if (left->kind == QUERY_COMPOUND || right->kind == QUERY_COMPOUND)
		/* Structs and arrays cannot be compared. */
		result = QUERY_MISMATCH;
	if (result == QUERY_MISMATCH)
		note_mismatch(expression, step);

	return result == QUERY_TRUE;
}

static bool is_true(const struct query_expression *expression,
		    const struct step *step)
{
	const struct query_field *field = field_of(expression, &step->left);

	return field->kind == QUERY_VALUE ? query_is_true(&field->value)
					  : field->kind != QUERY_MISSING;
}

bool query_expression_test(struct query_expression *expression)
{
	const struct step *step;
	bool result = false;
	size_t i = 0;

	while (i < expression->count) {
		step = &expression->steps[i++];
		if (step->kind == STEP_FIELD)
			result = is_true(expression, step);
		else if (step->kind == STEP_COMPARE)
			result = compare_values(expression, step);
		else if (step->kind == STEP_NOT)
			result = !result;
		else if (result == (step->kind == STEP_OR))
			i = step->target;
	}

	return result;
}

bool query_expression_mismatch(const struct query_expression *expression,
			       size_t *offset)
{
	*offset = expression->mismatch;

	return expression->has_mismatch;
}

/* Return: the name of a field that no record had; or NULL */
static const char *unknown(const struct query_expression *expression,
			   const struct operand *operand, size_t *offset)
{
	const struct query_field *field = field_of(expression, operand);

	*offset = operand->offset;

	return query_field_is_unknown(field) ? field->name : NULL;
}

const char *query_expression_unknown(const struct query_expression *expression,
				     size_t *offset)
{
	const struct step *step;
	const char *name = NULL;
	size_t i;

	for (i = 0; i < expression->count && !name; i++) {
		step = &expression->steps[i];
		if (step->kind == STEP_FIELD || step->kind == STEP_COMPARE)
			name = unknown(expression, &step->left, offset);
		if (!name && step->kind == STEP_COMPARE)
			name = unknown(expression, &step->right, offset);
	}

	return name;
}

void query_expression_free(struct query_expression *expression)
{
	size_t i;

	if (!expression)
		return;
	for (i = 0; i < expression->count; i++) {
		free(expression->steps[i].left.text);
		free(expression->steps[i].right.text);
	}
	free(expression->steps);
	query_scratch_release(&expression->scratch);
	free(expression);
}
