// SPDX-License-Identifier: MIT
#include "query/value.h"

#include <arpa/inet.h>
#include <float.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "tool.h"

/* The order of two values; UNORDERED for not-a-number. */
enum order {
	LESS = -1,
	SAME = 0,
	GREATER = 1,
	UNORDERED,
	INCOMPARABLE,
};

/* struct number - A number of any type; @is_single: a float of 4 bytes */
struct number {
	bool is_float;
	bool is_single;
	bool is_negative;
	uint64_t magnitude; /* of a negative number, its two's complement */
	double real;
};

static bool number_of(const struct uev_decoded_value *value,
		      struct number *number)
{
	*number = (struct number){ 0 };
	switch (value->type) {
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_HEX:
	case UEV_DECODED_PORT:
		number->magnitude = value->u64;
		break;
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_ERRNO:
	case UEV_DECODED_PID:
	case UEV_DECODED_TIME:
		number->is_negative = value->i64 < 0;
		number->magnitude = (uint64_t)value->i64;
		break;
	case UEV_DECODED_BOOL:
		number->magnitude = value->boolean;
		break;
	case UEV_DECODED_FLOAT:
		number->is_float = true;
		number->is_single = value->size == sizeof(float);
		number->real = value->f64;
		return true;
	default:
		return false;
	}
	number->real = number->is_negative ? (double)(int64_t)number->magnitude
					   : (double)number->magnitude;

	return true;
}

static enum order inverse(enum order order)
{
	return order == LESS ? GREATER : order == GREATER ? LESS : order;
}

/*
 * Rounds to a float of 4 bytes, so that such a field is the same as the number
 * of its text: 0.1. Larger numbers remain larger than any float, and smaller
 * ones are not 0.
 */
static double rounded(double real)
{
	float single = fabs(real) <= (double)FLT_MAX ? (float)real : 0;

	return fpclassify(single) == FP_ZERO ? real : (double)single;
}

static enum order order_reals(const struct number *a, const struct number *b)
{
	double left = b->is_single ? rounded(a->real) : a->real;
	double right = a->is_single ? rounded(b->real) : b->real;

	if (isunordered(left, right))
		return UNORDERED;

	return left < right ? LESS : left > right ? GREATER : SAME;
}

/* @real is positive. A double has not all integers of 64 bits. */
static enum order order_magnitude(uint64_t magnitude, double real)
{
	uint64_t whole;

	if (real >= 0x1p64)
		return LESS;
	whole = (uint64_t)real;
	if (magnitude != whole)
		return magnitude < whole ? LESS : GREATER;

	return (double)whole < real ? LESS : SAME;
}

static enum order order_mixed(const struct number *integer, double real)
{
	if (isnan(real))
		return UNORDERED;
	if (!integer->is_negative)
		return real < 0 ? GREATER
				: order_magnitude(integer->magnitude, real);
	if (real >= 0)
		return LESS;

	return inverse(order_magnitude(-integer->magnitude, -real));
}

static enum order order_numbers(const struct number *a, const struct number *b)
{
	if (a->is_float && b->is_float)
		return order_reals(a, b);
	if (a->is_float)
		return inverse(order_mixed(b, a->real));
	if (b->is_float)
		return order_mixed(a, b->real);
	if (a->is_negative != b->is_negative)
		return a->is_negative ? LESS : GREATER;

	return a->magnitude < b->magnitude   ? LESS
	       : a->magnitude > b->magnitude ? GREATER
					     : SAME;
}

static enum order order_of(int difference)
{
	return difference < 0 ? LESS : difference > 0 ? GREATER : SAME;
}

static void set_text(const struct uev_decoded_value *value,
		     struct uev_output *text)
{
	text->size = 0;
	/* An empty value appends nothing. */
	tool_append(text, "", 0);
	tool_need(uev_decoded_value_append_text(value, text));
}

static enum order order_bytes(const void *a, size_t a_size, const void *b,
			      size_t b_size)
{
	size_t size = a_size < b_size ? a_size : b_size;
	int difference = size ? memcmp(a, b, size) : 0;

	if (difference)
		return order_of(difference);

	return a_size < b_size ? LESS : a_size > b_size ? GREATER : SAME;
}

static bool is_text(const struct uev_decoded_value *value)
{
	return value->type == UEV_DECODED_TEXT;
}

/* @address: an address; @other: the same, or a text. */
static enum order order_address(const struct uev_decoded_value *address,
				const struct uev_decoded_value *other,
				struct uev_output *text)
{
	bool is_v4 = address->type == UEV_DECODED_IPV4;
	uint8_t bytes[sizeof(struct in6_addr)];

	if (other->type == address->type)
		return order_bytes(address->bytes, address->size, other->bytes,
				   other->size);
	if (!is_text(other))
		return INCOMPARABLE;
	set_text(other, text);
	if (inet_pton(is_v4 ? AF_INET : AF_INET6, text->text, bytes) != 1)
		return INCOMPARABLE;

	return order_bytes(address->bytes, address->size, bytes,
			   is_v4 ? 4 : 16);
}

static enum order order_error(const struct uev_decoded_value *error,
			      const struct uev_decoded_value *name,
			      struct uev_output *text)
{
	const char *known = uev_errno_name((int)error->i64);

	if (!is_text(name))
		return INCOMPARABLE;
	set_text(name, text);

	return known && strcmp(known, text->text) == 0 ? SAME : UNORDERED;
}

static bool has_digits(const struct uev_decoded_value *value)
{
	return value->type == UEV_DECODED_UUID ||
	       value->type == UEV_DECODED_BYTES;
}

static bool is_address(const struct uev_decoded_value *value)
{
	return value->type == UEV_DECODED_IPV4 ||
	       value->type == UEV_DECODED_IPV6;
}

/* Two values of which at least one is not a number. */
static enum order order_others(const struct uev_decoded_value *left,
			       const struct uev_decoded_value *right,
			       struct query_scratch *scratch)
{
	bool has_text = is_text(left) || is_text(right);

	if (left->type == UEV_DECODED_NULL || right->type == UEV_DECODED_NULL)
		return left->type == right->type ? SAME : UNORDERED;
	if (is_address(left))
		return order_address(left, right, &scratch->right);
	if (left->type == UEV_DECODED_ERRNO)
		return order_error(left, right, &scratch->right);

	set_text(left, &scratch->left);
	set_text(right, &scratch->right);
	/* UUIDs and bytes have digits of either case. */
	if ((has_digits(left) || has_digits(right)) &&
	    (has_text || left->type == right->type))
		return order_of(
			strcasecmp(scratch->left.text, scratch->right.text));
	/* The text of a time is ordered as the time is. */
	if (has_text &&
	    ((is_text(left) && is_text(right)) ||
	     left->type == UEV_DECODED_TIME || right->type == UEV_DECODED_TIME))
		return order_bytes(scratch->left.text, scratch->left.size,
				   scratch->right.text, scratch->right.size);

	return INCOMPARABLE;
}

static enum order order_values(const struct uev_decoded_value *left,
			       const struct uev_decoded_value *right,
			       struct query_scratch *scratch)
{
	struct number a, b;

	if (number_of(left, &a) && number_of(right, &b))
		return order_numbers(&a, &b);
	if (!is_address(right) && right->type != UEV_DECODED_ERRNO)
		return order_others(left, right, scratch);

	return inverse(order_others(right, left, scratch));
}

static enum query_result has_common_bit(const struct uev_decoded_value *left,
					const struct uev_decoded_value *right)
{
	struct number a, b;

	if (!number_of(left, &a) || !number_of(right, &b) || a.is_float ||
	    b.is_float)
		return QUERY_MISMATCH;

	return (a.magnitude & b.magnitude) ? QUERY_TRUE : QUERY_FALSE;
}

static bool matches(const struct uev_decoded_value *left,
		    const struct uev_decoded_value *right,
		    struct query_scratch *scratch)
{
	if (left->type == UEV_DECODED_NULL)
		return false;
	set_text(left, &scratch->left);
	set_text(right, &scratch->right);

	return fnmatch(scratch->right.text, scratch->left.text, 0) == 0;
}

static bool holds(enum query_operator op, enum order order)
{
	switch (op) {
	case QUERY_EQUAL:
		return order == SAME;
	case QUERY_NOT_EQUAL:
		return order != SAME;
	case QUERY_LESS:
		return order == LESS;
	case QUERY_LESS_EQUAL:
		return order == LESS || order == SAME;
	case QUERY_GREATER:
		return order == GREATER;
	default:
		return order == GREATER || order == SAME;
	}
}

enum query_result query_compare(enum query_operator op,
				const struct uev_decoded_value *left,
				const struct uev_decoded_value *right,
				struct query_scratch *scratch)
{
	enum order order;

	switch (op) {
	case QUERY_MATCH:
		return matches(left, right, scratch) ? QUERY_TRUE : QUERY_FALSE;
	case QUERY_NOT_MATCH:
		return matches(left, right, scratch) ? QUERY_FALSE : QUERY_TRUE;
	case QUERY_MASK:
		return has_common_bit(left, right);
	default:
		order = order_values(left, right, scratch);
		if (order == INCOMPARABLE)
			return QUERY_MISMATCH;

		return holds(op, order) ? QUERY_TRUE : QUERY_FALSE;
	}
}

bool query_is_true(const struct uev_decoded_value *value)
{
	struct number number;

	if (value->type == UEV_DECODED_NULL)
		return false;
	if (!number_of(value, &number))
		return value->size;

	return number.is_float ? number.real != 0 : number.magnitude != 0;
}

bool query_number(const struct uev_decoded_value *value, double *number)
{
	struct number any;

	if (!number_of(value, &any))
		return false;
	*number = any.real;

	return true;
}

void query_scratch_release(struct query_scratch *scratch)
{
	uev_output_release(&scratch->left);
	uev_output_release(&scratch->right);
}
