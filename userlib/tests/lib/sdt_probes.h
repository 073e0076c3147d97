/* SPDX-License-Identifier: MIT */
/* Probes of <sys/sdt.h> for tests of C and C++, with each number of arguments. */
#ifndef SDT_PROBES_H
#define SDT_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_color {
	PROBE_RED,
	PROBE_BLUE
};

struct probe_object;

static int probes_evaluated;

static int probe_evaluate(int value)
{
	probes_evaluated++;

	return value;
}

static void probe_all_counts(void)
{
	DTRACE_PROBE(sdt, count0);
	DTRACE_PROBE1(sdt, count1, probe_evaluate(1));
	DTRACE_PROBE2(sdt, count2, 1, 2);
	DTRACE_PROBE3(sdt, count3, 1, 2, 3);
	DTRACE_PROBE4(sdt, count4, 1, 2, 3, 4);
	DTRACE_PROBE5(sdt, count5, 1, 2, 3, 4, 5);
	DTRACE_PROBE6(sdt, count6, 1, 2, 3, 4, 5, 6);
	DTRACE_PROBE7(sdt, count7, 1, 2, 3, 4, 5, 6, 7);
	DTRACE_PROBE8(sdt, count8, 1, 2, 3, 4, 5, 6, 7, 8);
	DTRACE_PROBE9(sdt, count9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	DTRACE_PROBE10(sdt, count10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	DTRACE_PROBE11(sdt, count11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	DTRACE_PROBE12(sdt, count12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

/* LTTng-UST has its own STAP_PROBEV(), so the number of arguments is a macro. */
#define PROBE_COUNT 2

static void probe_all_counts_stap(void)
{
	STAP_PROBE(stap, count0);
	STAP_PROBE1(stap, count1, 1);
	STAP_PROBE2(stap, count2, 1, 2);
	STAP_PROBE3(stap, count3, 1, 2, 3);
	STAP_PROBE4(stap, count4, 1, 2, 3, 4);
	STAP_PROBE5(stap, count5, 1, 2, 3, 4, 5);
	STAP_PROBE6(stap, count6, 1, 2, 3, 4, 5, 6);
	STAP_PROBE7(stap, count7, 1, 2, 3, 4, 5, 6, 7);
	STAP_PROBE8(stap, count8, 1, 2, 3, 4, 5, 6, 7, 8);
	STAP_PROBE9(stap, count9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	STAP_PROBE10(stap, count10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	STAP_PROBE11(stap, count11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	STAP_PROBE12(stap, count12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	STAP_PROBEV(stap, variable0);
	STAP_PROBEV(stap, variable2, 1, 2);
	STAP_PROBEV(stap, variable12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	_SDT_PROBE(lttng, count0, 0, ());
	_SDT_PROBE(lttng, count2, PROBE_COUNT, (1, 2));
}

/* Names can be macros. */
#define PROBE_PROVIDER sdt
#define PROBE_NAME types

#define SDT_TYPES_COMMAND                                                    \
	"sdt_types s64 arg1; s64 arg2; s64 arg3; s64 arg4; s64 arg5; "       \
	"s64 arg6; s64 arg7; s64 arg8; s64 arg9; s64 arg10; s64 arg11; s64 " \
	"arg12"

static void probe_types(void)
{
	const bool yes = true;
	volatile signed char s8 = -1;
	unsigned char u8 = 0xff;
	short s16 = -3;
	unsigned short u16 = 0xffff;
	long s_long = -4;
	unsigned long u_long = 8;
	long long s64 = -5;
	unsigned long long u64 = UINT64_MAX - 1;
	enum probe_color color = PROBE_BLUE;

	STAP_PROBE12(PROBE_PROVIDER, PROBE_NAME, yes, 'x', s8, u8, s16, u16,
		     0xffffffffU, s_long, u_long, s64, u64, color);
}

#define SDT_FLOATS_COMMAND                                            \
	"sdt_floats __data_loc char[] arg1; __data_loc char[] arg2; " \
	"__data_loc char[] arg3"

static void probe_floats(float f, double d, long double l)
{
	DTRACE_PROBE3(sdt, floats, f, d, l);
}

#define SDT_TEXTS_COMMAND                                            \
	"sdt_texts __data_loc char[] arg1; __data_loc char[] arg2; " \
	"__data_loc char[] arg3; s64 arg4"

static void probe_texts(const char *text, const char *other, int length)
{
	DTRACE_PROBE4(sdt, texts, UEV_SDT_STRING(text),
		      UEV_SDT_TEXT(other, length), UEV_SDT_STRING("literal"),
		      length);
}

static void probe_addresses(struct probe_object *object,
			    const volatile int *number, char *chars,
			    const char *more, char **list)
{
	char array[] = "array";

	DTRACE_PROBE8(sdt, addresses, object, number, chars, more, list,
		      &probe_types, NULL, array != NULL);
}

/* One name with arguments of several types, as USDT allows */
static void probe_move_in(short number, const char *text)
{
	DTRACE_PROBE2(sdt, move, number, text);
}

static void probe_move_out(unsigned long number, bool is_last)
{
	DTRACE_PROBE2(sdt, move, number, is_last);
}

static void probe_form_two(int number)
{
	DTRACE_PROBE2(sdt, form, number, 2);
}

static void probe_form_one(double number)
{
	DTRACE_PROBE1(sdt, form, number);
}

#endif
