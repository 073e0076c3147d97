// SPDX-License-Identifier: MIT
/* Texts that are shortened because they or their event are too large. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/decode.h>
#include <userevents/eventheader-dynamic.h>

#include "lib/decode_help.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

#define MARK UEV_SHORTENED
#define MARK_SIZE (sizeof(MARK) - 1)

#define A_UMLAUT "\xc3\xa4"
#define EURO "\xe2\x82\xac"
#define SMILE "\xf0\x9f\x98\x80"

static const struct shortened {
	const char *text;
	size_t limit;
	size_t kept;
} shortened[] = {
	{ "", 0, 0 },
	{ "abcdef", 6, 6 },
	{ "abcdef", 5, 2 },
	{ "abcdef", 4, 1 },
	{ "abcdef", 3, 0 },
	{ "abcdef", 2, 0 },
	{ "abcdef", 0, 0 },
	{ "a" A_UMLAUT "bcd", 5, 1 },
	{ "a" A_UMLAUT "bcd", 6, 6 },
	{ "a" A_UMLAUT "bcde", 6, 3 },
	{ "a" EURO "bcd", 6, 1 },
	{ "ab" EURO EURO, 6, 2 },
	{ "ab" EURO EURO, 7, 2 },
	{ "ab" EURO EURO, 8, 8 },
	{ SMILE SMILE, 7, 4 },
	{ SMILE SMILE, 6, 0 },
	{ "a" SMILE "bcd", 7, 1 },
	/* Not UTF-8 */
	{ "\x80\x80\x80\x80\x80\x80\x80\x80\x80", 8, 5 },
	{ "\xff\xff\xff\xff\xff\xff", 5, 2 },
};

TEST_LOOP(keeps_characters, COUNT(shortened))
{
	const struct shortened *row = &shortened[_i];

	ck_assert_uint_eq(uev_shorten(row->text, strlen(row->text), row->limit),
			  row->kept);
}

static struct uev_dynamic_provider *provider;
static struct uev_builder *builder;
static struct uev_decoder *decoder;
static struct uev_event_set *set;
static struct uev_output json;
static char text[100000];

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 5, 1, &set),
			 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	decoder = new_decoder();
	fake_enable("Prov_L5K1", true);
	ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
	memset(text, 'x', sizeof(text));
}

static void tear_down(void)
{
	uev_output_release(&json);
	uev_decoder_free(decoder);
	uev_builder_free(builder);
	uev_dynamic_provider_free(provider);
}

TEST_FIXTURE(set_up, tear_down);

static struct uev_stats stats_of_set(void)
{
	struct uev_stats stats;

	ck_assert_int_eq(uev_event_stats(&set->event, &stats, sizeof(stats)),
			 0);
	return stats;
}

/*
 * Decodes the record, and compares it after each run of x is replaced with its
 * length, and the mark with "...".
 */
static void wrote(const char *expected)
{
	const struct fake_record *record = fake_record();
	char *found, *to;
	size_t i;

	json.size = 0;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, record->name,
						       record->payload,
						       record->size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	ck_assert_int_eq(uev_output_append(&json, "", 1), 0);
	found = malloc(json.size);
	to = found;
	for (i = 0; json.text[i];) {
		size_t run = strspn(json.text + i, "x");

		if (run) {
			to += sprintf(to, "%zu", run);
			i += run;
		} else if (!strncmp(json.text + i, MARK, MARK_SIZE)) {
			to += sprintf(to, "...");
			i += MARK_SIZE;
		} else {
			*to++ = json.text[i++];
		}
	}
	*to = '\0';
	to = strstr(found, ", \"meta\"");
	ck_assert_ptr_nonnull(to);
	*to = '\0';
	ck_assert_str_eq(strstr(found, "E\", ") + 4, expected);
	free(found);
}

static void writes(const char *expected)
{
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	wrote(expected);
}

TEST(only_if_too_large)
{
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8(builder, "a", text, UEV_PAYLOAD_MAX - 19);
	writes("\"a\": \"8165\"");
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(stats_of_set().shortened, 0);

	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8(builder, "a", text, UEV_PAYLOAD_MAX - 18);
	writes("\"a\": \"8162...\"");
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(stats_of_set().shortened, 1);
	/* It stays so. */
	writes("\"a\": \"8162...\"");
	ck_assert_uint_eq(stats_of_set().shortened, 2);

	/* The next event must allow it again. */
	uev_builder_begin(builder, "E", 0);
	uev_add_utf8(builder, "a", text, UEV_PAYLOAD_MAX - 18);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	ck_assert_uint_eq(stats_of_set().shortened, 2);
	ck_assert_uint_eq(stats_of_set().oversize, 1);
}

TEST(activity_takes_its_share)
{
	static const uint8_t id[UEV_ACTIVITY_SIZE];

	uev_builder_shorten(builder, 1000);
	uev_add_utf8(builder, "a", text, 5000);
	writes("\"a\": \"978...\"");
	ck_assert_uint_eq(fake_record()->size, 1000);
	ck_assert_int_eq(uev_builder_write(builder, set, id, NULL), 0);
	wrote("\"a\": \"958...\"");
	ck_assert_int_eq(uev_builder_write(builder, set, id, id), 0);
	wrote("\"a\": \"942...\"");
	ck_assert_uint_eq(fake_record()->size, 1000);
}

/* The longest texts become equally long; the others and other fields stay. */
TEST(longest_first)
{
	struct uev_string strings[] = { { text, 2000 }, { "b", 1 } };

	uev_builder_shorten(builder, 1000);
	uev_add_u32(builder, "n", 7);
	uev_add_utf8(builder, "a", text, 700);
	uev_begin_struct(builder, "s", 0);
	uev_add_zutf8(builder, "z", "short");
	uev_add_utf8_array(builder, "l", strings, 2);
	uev_end_struct(builder);
	uev_add_zjson(builder, "j", "{}");
	uev_add_u32(builder, "m", 8);
	writes("\"n\": 7, \"a\": \"465...\", \"s\": { \"z\": \"short\", "
	       "\"l\": [ \"465...\", \"b\" ] }, \"j\": \"{}\", \"m\": 8");
	ck_assert_uint_le(fake_record()->size, 1000);
	ck_assert_uint_ge(fake_record()->size, 998);
}

TEST(zero_ended)
{
	text[5000] = '\0';
	uev_builder_shorten(builder, 1000);
	uev_add_zutf8(builder, "a", text);
	uev_add_zutf8(builder, "b", text);
	uev_add_zutf8(builder, "c", NULL);
	uev_add_u8(builder, "d", 9);
	writes("\"a\": \"482...\", \"b\": \"482...\", \"c\": \"\", \"d\": 9");
	ck_assert_uint_eq(fake_record()->size, 1000);
}

/* Longer than an event, alone and together */
TEST(any_length)
{
	struct uev_string strings[40];
	char name[] = "a";
	size_t i;

	for (i = 0; i < COUNT(strings); i++)
		strings[i] = (struct uev_string){ text, sizeof(text) };
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8(builder, "a", text, sizeof(text));
	writes("\"a\": \"8162...\"");

	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, 150);
	for (; *name <= 'j'; ++*name)
		ck_assert_int_eq(uev_add_utf8(builder, name, text, 8000), 0);
	writes("\"a\": \"5...\", \"b\": \"5...\", \"c\": \"5...\", "
	       "\"d\": \"5...\", \"e\": \"5...\", \"f\": \"5...\", "
	       "\"g\": \"5...\", \"h\": \"5...\", \"i\": \"5...\", "
	       "\"j\": \"5...\"");

	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8_array(builder, "a", strings, COUNT(strings));
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_le(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_ge(fake_record()->size, UEV_PAYLOAD_MAX - 40);
}

static int write_two(size_t limit)
{
	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, limit);
	uev_add_utf8(builder, "a", text, 100);
	uev_add_utf8(builder, "b", text, 100);

	return uev_builder_write(builder, set, NULL, NULL);
}

/* The event is written if it fits without its texts. */
TEST(text_without_room_is_empty)
{
	size_t limit = 1;

	while (write_two(limit) == -E2BIG)
		limit++;
	wrote("\"a\": \"\", \"b\": \"\"");
	ck_assert_uint_eq(fake_record()->size, limit);
	ck_assert_int_eq(write_two(limit + 2 * MARK_SIZE - 1), 0);
	wrote("\"a\": \"\", \"b\": \"\"");
	ck_assert_int_eq(write_two(limit + 2 * MARK_SIZE), 0);
	wrote("\"a\": \"...\", \"b\": \"...\"");
	ck_assert_uint_eq(stats_of_set().shortened, 3);
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;

	return (*state >> 33) % limit;
}

/* Fills @text with @size bytes of whole characters. */
static void fill(uint64_t *state, size_t size)
{
	static const char *const characters[] = { "a", A_UMLAUT, EURO, SMILE };
	size_t at = 0;

	while (at < size) {
		size_t kind = random_below(state, 4) % (size - at);

		memcpy(text + at, characters[kind], kind + 1);
		at += kind + 1;
	}
}

/*
 * Random events: they fit the limit, and the decoder, which would print an
 * escape for part of a character, finds the fields again.
 */
TEST_LOOP(any_event, 100)
{
	uint64_t state = (uint64_t)_i;
	size_t limit = 200 + random_below(&state, UEV_PAYLOAD_MAX - 199);
	size_t i, count = 1 + random_below(&state, 12);
	char last[32];

	uev_builder_shorten(builder, limit);
	for (i = 0; i < count; i++) {
		size_t size = random_below(&state, 4) ? 20 : sizeof(text) - 1;
		struct uev_string strings[2] = { { text, 0 }, { text, 0 } };

		size = random_below(&state, size);
		fill(&state, size);
		strings[0].count = size;
		strings[1].count = size;
		switch (random_below(&state, 3)) {
		case 0:
			uev_add_utf8(builder, "a", text, size);
			break;
		case 1:
			text[size] = '\0';
			uev_add_zutf8(builder, "b", text);
			break;
		default:
			uev_add_utf8_array(builder, "c", strings, 2);
		}
	}
	uev_add_u32(builder, "last", (uint32_t)_i);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_le(fake_record()->size, limit);
	/* Not shorter than necessary: at most 3 bytes for each text. */
	ck_assert(!stats_of_set().shortened ||
		  fake_record()->size + 24 * 4 > limit);
	json.size = 0;
	ck_assert_int_eq(uev_decoder_start_eventheader(
				 decoder, fake_record()->name,
				 fake_record()->payload, fake_record()->size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	ck_assert_int_eq(uev_output_append(&json, "", 1), 0);
	snprintf(last, sizeof(last), "\"last\": %d", _i);
	ck_assert_ptr_nonnull(strstr(json.text, last));
	ck_assert_ptr_null(strchr(json.text, '\\'));
	ck_assert_ptr_null(strstr(json.text, "\xef\xbf\xbd"));
}

/* The kernel tells that no tracer takes it. */
TEST(too_large_for_the_tracers)
{
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8(builder, "a", text, 6000);
	fake_fail(FAKE_WRITE, 0, 1, -E2BIG);
	writes("\"a\": \"4030...\"");
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_FTRACE_MAX);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(stats_of_set().written, 1);
	ck_assert_uint_eq(stats_of_set().shortened, 1);
	ck_assert_uint_eq(stats_of_set().lost, 0);

	/* Not to a larger size than the caller has chosen */
	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, 1000);
	uev_add_utf8(builder, "a", text, 6000);
	fake_fail(FAKE_WRITE, 0, 1, -E2BIG);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(stats_of_set().lost, 1);

	/* Without texts that can be shortened enough */
	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, UEV_PAYLOAD_MAX);
	uev_add_utf8(builder, "a", text, 100);
	uev_add_binary(builder, "b", text, 5000);
	fake_fail(FAKE_WRITE, 0, 1, -E2BIG);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(stats_of_set().lost, 2);
	ck_assert_uint_eq(stats_of_set().written, 1);
}

/* Without texts that can be shortened, the event is not written. */
TEST(too_large_nevertheless)
{
	static const unsigned int latin1 = UEV_FORMAT_STRING8;

	uev_builder_shorten(builder, 1000);
	uev_add_utf8(builder, "a", text, 500);
	uev_add_binary(builder, "b", text, 1000);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	uev_builder_begin(builder, "E", 0);
	uev_builder_shorten(builder, 1000);
	uev_add(builder, "a", UEV_ENCODING_STRING8, latin1, 0, text, 1000);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	ck_assert_uint_eq(stats_of_set().oversize, 2);
	ck_assert_uint_eq(stats_of_set().shortened, 0);
	ck_assert_uint_eq(fake_records(), 0);
	/* The same while it is disabled, but not counted. */
	fake_enable("Prov_L5K1", false);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	ck_assert_uint_eq(stats_of_set().oversize, 2);
}

TEST(limits)
{
	ck_assert_int_eq(uev_builder_shorten(builder, UEV_PAYLOAD_MAX), 0);
	ck_assert_int_eq(uev_builder_shorten(builder, UEV_PAYLOAD_MAX + 1),
			 -EINVAL);
	ck_assert_int_eq(uev_builder_shorten(builder, 1), -EINVAL);
	uev_builder_begin(builder, "E", 0);
	ck_assert_int_eq(uev_builder_shorten(builder, 0), -EINVAL);
}

/* An event of an enabled set that is not written because of an error. */
TEST(errors_are_counted)
{
	uev_add(builder, "a", UEV_ENCODING_END, 0, 0, "", 1);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EINVAL);
	ck_assert_uint_eq(stats_of_set().failed, 1);
	fake_enable("Prov_L5K1", false);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EINVAL);
	ck_assert_uint_eq(stats_of_set().failed, 1);
	uev_event_count(&set->event, UEV_COUNTER_FAILED);
	uev_event_count(&set->event, UEV_COUNTER_OVERSIZE);
	uev_event_count(&set->event, UEV_COUNTER_SHORTENED);
	ck_assert_uint_eq(stats_of_set().failed, 2);
	ck_assert_uint_eq(stats_of_set().oversize, 1);
	ck_assert_uint_eq(stats_of_set().shortened, 1);
}

TEST(no_memory)
{
	unsigned int after;
	int err = -ENOMEM;

	for (after = 0; err; after++) {
		uev_builder_free(builder);
		ck_assert_int_eq(uev_builder_new(&builder), 0);
		uev_builder_begin(builder, "E", 0);
		uev_builder_shorten(builder, 1000);
		fake_alloc_fail(after);
		for (int i = 0; i < 20; i++)
			uev_add_utf8(builder, "a", text, 300);
		err = uev_builder_error(builder);
		ck_assert(fake_alloc_end() == !!err);
		ck_assert(!err || err == -ENOMEM);
	}
	ck_assert_uint_gt(after, 3);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
}
