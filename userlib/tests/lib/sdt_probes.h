/* SPDX-License-Identifier: MIT */
/* Probes of <sys/sdt.h> for tests of C and C++, with each number of arguments. */
#ifndef SDT_PROBES_H
#define SDT_PROBES_H

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
}

/* Names can be macros. */
#define PROBE_PROVIDER sdt
#define PROBE_NAME types

#define SDT_TYPES_COMMAND                                                \
	"sdt_types s32 arg1; s32 arg2; s8 arg3; u8 arg4; s16 arg5; "     \
	"u16 arg6; u32 arg7; s64 arg8; u64 arg9; u32 arg10; u32 arg11; " \
	"u64 arg12"
#define SDT_TYPES_SIZE (4 + 4 + 1 + 1 + 2 + 2 + 4 + 8 + 8 + 4 + 4 + 8)

static void probe_types(void)
{
	const bool yes = true;
	volatile char letter = 'x';
	signed char s8 = -1;
	unsigned char u8 = 2;
	short s16 = -3;
	unsigned short u16 = 4;
	long long s64 = -5;
	unsigned long long u64 = 6;
	enum probe_color color = PROBE_BLUE;
	float f = 1.0F;
	double d = 2.0;

	STAP_PROBE12(PROBE_PROVIDER, PROBE_NAME, yes, letter, s8, u8, s16, u16,
		     7U, s64, u64, color, f, d);
}

#define SDT_TEXTS_COMMAND                                          \
	"sdt_texts __rel_loc char[] arg1; __rel_loc char[] arg2; " \
	"__rel_loc char[] arg3; __rel_loc char[] arg4"

static void probe_texts(const char *text)
{
	char array[] = "array";
	char *pointer = array + 2;

	DTRACE_PROBE4(sdt, texts, text, array, pointer, "literal");
}

static void probe_addresses(struct probe_object *object,
			    const volatile int *number, unsigned char *bytes,
			    char **list)
{
	DTRACE_PROBE6(sdt, addresses, object, number, bytes, list, &probe_types,
		      NULL);
}

#endif
