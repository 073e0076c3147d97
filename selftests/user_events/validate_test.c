// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic data: validation of location words. No tracer may read outside of the
 * record because of one.
 */
#include <unistd.h>

#include "../lib/user_events.h"

#define AS_IS 0x10000

/*
 * struct location - a location word and the expected results
 * @offset: start of the data relative to the base, or AS_IS and the word's
 *	    offset
 * @size: size in the word
 * @error: errno of the write if the field is a string, or 0
 * @error_of_bytes: errno of the write if the field is not a string, or 0
 * @shown: text of an accepted string
 * @hex: text of accepted bytes
 */
struct location {
	unsigned int offset;
	unsigned int size;
	int error;
	int error_of_bytes;
	const char *shown;
	const char *hex;
};

/*
 * The payload is the word and these eight bytes. The byte before the end of a
 * string must be NUL even if the string has no bytes.
 */
static const char data[8] = "abcdefg";

/* Relative to the end of the word. */
static const struct location relative[] = {
	{ 0, 8, 0, 0, "abcdefg", "61,62,63,64,65,66,67,00" },
	{ 1, 7, 0, 0, "bcdefg", "62,63,64,65,66,67,00" },
	{ 6, 2, 0, 0, "g", "67,00" },
	{ 7, 1, 0, 0, "", "00" },
	{ 8, 0, 0, 0, "", "" },
	{ 0, 0, 0, 0, "", "" },
	{ 0, 9, EFAULT, EFAULT, NULL, NULL },
	{ 1, 8, EFAULT, EFAULT, NULL, NULL },
	{ 7, 2, EFAULT, EFAULT, NULL, NULL },
	{ 8, 1, EFAULT, EFAULT, NULL, NULL },
	{ 9, 0, EFAULT, EFAULT, NULL, NULL },
	{ 100, 0, EFAULT, EFAULT, NULL, NULL },
	{ 0, 65535, EFAULT, EFAULT, NULL, NULL },
	{ 65535, 0, EFAULT, EFAULT, NULL, NULL },
	{ 65535, 1, EFAULT, EFAULT, NULL, NULL },
	{ 65535, 65535, EFAULT, EFAULT, NULL, NULL },
	{ 32768, 32768, EFAULT, EFAULT, NULL, NULL },
	/* A string without a NUL at its end. */
	{ 0, 7, EFAULT, 0, NULL, "61,62,63,64,65,66,67" },
	{ 0, 1, EFAULT, 0, NULL, "61" },
	{ 6, 1, EFAULT, 0, NULL, "67" },
};

/*
 * Relative to the start of the record; the offsets here, to the start of the
 * data.
 */
static const struct location absolute[] = {
	{ 0, 8, 0, 0, "abcdefg", "61,62,63,64,65,66,67,00" },
	{ 1, 7, 0, 0, "bcdefg", "62,63,64,65,66,67,00" },
	{ 7, 1, 0, 0, "", "00" },
	{ 8, 0, 0, 0, "", "" },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	/*
	 * The byte before the data is the last byte of the word, which is NUL
	 * here.
	 */
	{ 0, 0, 0, 0, "", "" },
#else
	{ 0, 0, EFAULT, 0, NULL, "" },
#endif
	{ AS_IS | 0, 0, 0, 0, "", "" },
	{ 0, 9, EFAULT, EFAULT, NULL, NULL },
	{ 1, 8, EFAULT, EFAULT, NULL, NULL },
	{ 7, 2, EFAULT, EFAULT, NULL, NULL },
	{ 8, 1, EFAULT, EFAULT, NULL, NULL },
	{ 9, 0, EFAULT, EFAULT, NULL, NULL },
	{ AS_IS | 100, 1, EFAULT, EFAULT, NULL, NULL },
	{ AS_IS | 0, 65535, EFAULT, EFAULT, NULL, NULL },
	{ AS_IS | 65535, 0, EFAULT, EFAULT, NULL, NULL },
	{ AS_IS | 65535, 1, EFAULT, EFAULT, NULL, NULL },
	{ AS_IS | 65535, 65535, EFAULT, EFAULT, NULL, NULL },
	{ 0, 7, EFAULT, 0, NULL, "61,62,63,64,65,66,67" },
	{ 0, 1, EFAULT, 0, NULL, "61" },
	{ 6, 1, EFAULT, 0, NULL, "67" },
};

static uint32_t location_word(const struct location *row, unsigned int base)
{
	unsigned int offset = row->offset & AS_IS ? row->offset & 0xffff
						  : base + row->offset;

	return DYN_LOC(offset, row->size);
}

/* Offset of the data in the record if the word is the first field. */
static unsigned int data_start(void)
{
	return common_fields_size() + sizeof(uint32_t);
}

/* A record with one word and @data. */
struct located {
	uint32_t word;
	char data[sizeof(data)];
};

static void check_write(int fd, const struct located *payload, int error)
{
	if (error)
		EXPECT_ERRNO(emit(fd, 0, payload, sizeof(*payload)), error);
	else
		EXPECT_EQ(emit(fd, 0, payload, sizeof(*payload)),
			  sizeof(*payload) + 4);
}

static void check_trace(const char *event, const char *shown)
{
	if (shown)
		EXPECT_STREQ(trace_text(event), text("%s: a=%s", event, shown));
	else
		EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
	trace_clear();
}

static void check_locations(const char *type, bool string, unsigned int base,
			    const struct location *rows, size_t count)
{
	const char *event = uniq("e");
	int fd = open_event(event, text("%s a", type));
	struct located payload;
	struct sample sample;
	struct perf perf;
	size_t i;

	memcpy(payload.data, data, sizeof(data));
	for (i = 0; i < count; i++) {
		int error = string ? rows[i].error : rows[i].error_of_bytes;
		const char *shown = string ? rows[i].shown : rows[i].hex;

		harness_context("%s, offset %u, size %u", type,
				rows[i].offset & 0xffff, rows[i].size);
		payload.word = location_word(&rows[i], base);

		/* With perf, with both, and with ftrace. */
		perf_map(&perf, event_id(event), 0, -1, 3);
		check_write(fd, &payload, error);
		EXPECT_EQ(perf_next(&perf, &sample), !error);

		enable(event, true);
		check_write(fd, &payload, error);
		EXPECT_EQ(perf_next(&perf, &sample), !error);
		check_trace(event, error ? NULL : shown);

		perf_close(&perf);
		check_write(fd, &payload, error);
		check_trace(event, error ? NULL : shown);
		enable(event, false);
	}
}

static void check_absolute(const char *type, bool string)
{
	check_locations(type, string, data_start(), absolute,
			ARRAY_SIZE(absolute));
}

TEST(validates_relative_strings)
{
	check_locations("__rel_loc char[]", true, 0, relative,
			ARRAY_SIZE(relative));
}

TEST(validates_relative_unsigned_strings)
{
	check_locations("__rel_loc unsigned char[]", true, 0, relative,
			ARRAY_SIZE(relative));
}

TEST(validates_relative_bytes)
{
	check_locations("__rel_loc u8[]", false, 0, relative,
			ARRAY_SIZE(relative));
}

TEST(validates_relative_data_of_unknown_type)
{
	check_locations("__rel_loc thing", false, 0, relative,
			ARRAY_SIZE(relative));
}

TEST(validates_absolute_strings)
{
	check_absolute("__data_loc char[]", true);
}

TEST(validates_absolute_unsigned_strings)
{
	check_absolute("__data_loc unsigned char[]", true);
}

TEST(validates_absolute_bytes)
{
	check_absolute("__data_loc u8[]", false);
}

TEST(validates_absolute_data_of_unknown_type)
{
	check_absolute("__data_loc unsigned thing", false);
}

/* Any type that contains "char" is a string. */
TEST(type_with_char_is_a_string)
{
	static const char *const types[] = {
		"__rel_loc char",
		"__rel_loc charming",
		"__rel_loc uchar[]",
	};
	uint32_t payload[2] = { DYN_LOC(0, 4), 0x41414141 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		const char *event = uniq(text("%zu", i));
		int fd = open_event(event, text("%s a", types[i]));

		harness_context("%s", types[i]);
		enable(event, true);
		memcpy(&payload[1], "AAAA", 4);
		EXPECT_ERRNO(emit(fd, 0, payload, 8), EFAULT);
		memcpy(&payload[1], "AAA", 4);
		EXPECT_EQ(emit(fd, 0, payload, 8), 12);
	}
}

TEST(skips_validation_while_disabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a");
	uint32_t word = DYN_LOC(65535, 65535);

	EXPECT_ERRNO(emit(fd, 0, &word, 4), EBADF);
	EXPECT_ERRNO(emit(fd, 0, &word, 3), EINVAL);
}

TEST(validates_word_at_end_of_payload)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 x;__rel_loc char[] a");
	uint32_t payload[2] = { 5, DYN_LOC(0, 0) };

	enable(event, true);
	EXPECT_EQ(emit(fd, 0, payload, 8), 12);
	EXPECT_STREQ(trace_text(event), text("%s: x=0x5 (5) a=", event));
	payload[1] = DYN_LOC(0, 1);
	EXPECT_ERRNO(emit(fd, 0, payload, 8), EFAULT);
	payload[1] = DYN_LOC(1, 0);
	EXPECT_ERRNO(emit(fd, 0, payload, 8), EFAULT);
	/* A byte of padding in the record is not part of the payload. */
	payload[1] = DYN_LOC(0, 2);
	EXPECT_ERRNO(emit(fd, 0, payload, 9), EFAULT);
}

TEST(does_not_accept_padding_as_payload)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a");
	unsigned char payload[16] = { 0 };
	uint32_t word;
	size_t size;

	/* Zeroed padding must not be used as the missing NUL. */
	enable(event, true);
	for (size = 1; size < 8; size++) {
		harness_context("%zu bytes after the word", size);
		memset(payload + 4, 'x', 12);
		word = DYN_LOC(0, size + 1);
		memcpy(payload, &word, sizeof(word));
		EXPECT_ERRNO(emit(fd, 0, payload, 4 + size), EFAULT);
		payload[4 + size - 1] = '\0';
		word = DYN_LOC(0, size);
		memcpy(payload, &word, sizeof(word));
		EXPECT_EQ(emit(fd, 0, payload, 4 + size), 8 + size);
	}
}

/*
 * A NUL is added behind an empty string at the end of a record. Behind each record,
 * the buffer of the tracer had another with more bytes.
 */
static void check_missing_nul(bool with_ftrace, bool with_perf)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a");
	unsigned char payload[64];
	struct record record;
	struct sample sample;
	struct perf perf;
	uint32_t word;
	size_t size, end;

	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 3);
	for (size = 4; size < 40; size++) {
		harness_context("payload of %zu bytes", size);
		end = common_fields_size() + size;
		memset(payload, 0xff, sizeof(payload));
		payload[sizeof(payload) - 1] = '\0';
		word = DYN_LOC(0, sizeof(payload) - sizeof(word));
		memcpy(payload, &word, sizeof(word));
		EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)),
			  sizeof(payload) + 4);
		if (with_ftrace)
			ASSERT_TRUE(raw_next(event_id(event), &record));
		if (with_perf)
			ASSERT_TRUE(perf_next(&perf, &sample));

		payload[size - 1] = '\0';
		word = DYN_LOC(size - sizeof(word), 0);
		memcpy(payload, &word, sizeof(word));
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
		if (with_ftrace) {
			ASSERT_TRUE(raw_next(event_id(event), &record));
			ASSERT_GT(record.size, end);
			EXPECT_EQ(record.bytes[end], 0);
		}
		if (with_perf) {
			ASSERT_TRUE(perf_next(&perf, &sample));
			ASSERT_GT(sample.size, end);
			EXPECT_EQ(sample.bytes[end], 0);
		}
	}
}

TEST(ftrace_gets_missing_nul)
{
	check_missing_nul(true, false);
}

TEST(perf_gets_missing_nul)
{
	check_missing_nul(false, true);
}

TEST(ftrace_and_perf_get_missing_nul)
{
	check_missing_nul(true, true);
}

TEST(validates_several_words)
{
	/* Two words, in a payload of sixteen bytes. */
	static const struct {
		uint32_t first;
		uint32_t second;
		int error;
	} cases[] = {
		{ DYN_LOC(4, 4), DYN_LOC(4, 4), 0 },
		{ DYN_LOC(4, 4), DYN_LOC(0, 4), 0 },
		{ DYN_LOC(0, 0), DYN_LOC(0, 0), 0 },
		{ DYN_LOC(4, 4), DYN_LOC(4, 5), EFAULT },
		{ DYN_LOC(4, 4), DYN_LOC(5, 4), EFAULT },
		{ DYN_LOC(8, 5), DYN_LOC(4, 4), EFAULT },
		{ DYN_LOC(9, 4), DYN_LOC(4, 4), EFAULT },
		{ DYN_LOC(4, 3), DYN_LOC(4, 4), EFAULT },
		{ DYN_LOC(4, 4), DYN_LOC(4, 3), EFAULT },
		{ DYN_LOC(9, 4), DYN_LOC(4, 5), EFAULT },
	};
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a;__rel_loc char[] b");
	struct {
		uint32_t first;
		uint32_t second;
		char data[8];
	} payload = { .data = "one\0two" };
	size_t i;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned int recorded = trace_count(NULL, text(" %s:", event));

		harness_context("case %zu", i);
		payload.first = cases[i].first;
		payload.second = cases[i].second;
		if (cases[i].error)
			EXPECT_ERRNO(emit(fd, 0, &payload, 16), cases[i].error);
		else
			EXPECT_EQ(emit(fd, 0, &payload, 16), 20);
		EXPECT_EQ(trace_count(NULL, text(" %s:", event)),
			  recorded + !cases[i].error);
	}
	trace_clear();
	payload.first = DYN_LOC(4, 4);
	payload.second = DYN_LOC(4, 4);
	EXPECT_EQ(emit(fd, 0, &payload, 16), 20);
	EXPECT_STREQ(trace_text(event), text("%s: a=one b=two", event));
}

TEST(validates_both_kinds_of_words)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__data_loc char[] a;__rel_loc char[] b");
	struct {
		uint32_t first;
		uint32_t second;
		char data[8];
	} payload = {
		.first = DYN_LOC(common_fields_size() + 8, 4),
		.second = DYN_LOC(4, 4),
		.data = "one\0two",
	};

	enable(event, true);
	EXPECT_EQ(emit(fd, 0, &payload, 16), 20);
	EXPECT_STREQ(trace_text(event), text("%s: a=one b=two", event));
	payload.first = DYN_LOC(common_fields_size() + 13, 4);
	EXPECT_ERRNO(emit(fd, 0, &payload, 16), EFAULT);
}

/*
 * The text of a string ends at its first NUL, whatever the size in the word is.
 */
TEST(text_ends_at_first_nul)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a");
	struct {
		uint32_t word;
		char data[8];
	} payload = { .word = DYN_LOC(0, 8), .data = "ab\0cdef" };

	enable(event, true);
	EXPECT_EQ(emit(fd, 0, &payload, 12), 16);
	EXPECT_STREQ(trace_text(event), text("%s: a=ab", event));
}

/*
 * A location of size 0 has no text. A filter must not compare the bytes after
 * the record, where an earlier record left the text. The result depends on
 * whether the record ends with padding.
 */
static void check_filter_stays_within(const char *type, unsigned int base)
{
	const char *event = uniq("e");
	int fd = open_event(event, text("%s a", type));
	struct {
		uint32_t word;
		char data[60];
	} payload;
	unsigned int start;

	if (base == 0 && !has_rel_loc_filters())
		SKIP("this kernel has no filters for __rel_loc strings");
	pin_to_cpu(0);
	ASSERT_OK(tfs_write("a == \"secret\"", "events/user_events/%s/filter",
			    event));
	enable(event, true);
	for (start = 6; start < 16; start++) {
		harness_context("%s, string at %u bytes", type, start);
		/* The record contains the text, but not in its string. */
		memset(&payload, 0, sizeof(payload));
		strcpy(payload.data, "other");
		strcpy(payload.data + start, "secret");
		payload.word = DYN_LOC(base, 6);
		EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)),
			  sizeof(payload) + 4);

		/*
		 * The record ends where the text of the previous record
		 * started.
		 */
		payload.word = DYN_LOC(base + start, 0);
		EXPECT_EQ(emit(fd, 0, &payload, 4 + start), 8 + start);
		EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
	}
	harness_context(NULL);
	trace_clear();
	payload.word = DYN_LOC(base + 15, 7);
	EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)), sizeof(payload) + 4);
	EXPECT_STREQ(trace_text(event), text("%s: a=secret", event));
}

TEST(filter_stays_within_relative_string)
{
	check_filter_stays_within("__rel_loc char[]", 0);
}

TEST(filter_stays_within_absolute_string)
{
	check_filter_stays_within("__data_loc char[]", data_start());
}

static void check_tracers(const char *type, unsigned int base,
			  const struct location *rows, size_t count)
{
	const char *event = uniq("e");
	int fd = open_event(event, text("%s a", type));
	struct {
		uint32_t word;
		char data[sizeof(data)];
	} payload;
	unsigned int good = 0, texts = 0, shown;
	char *hist;
	size_t i;

	memcpy(payload.data, data, sizeof(data));
	need_hist();
	ASSERT_OK(tfs_write("hist:keys=a", "events/user_events/%s/trigger",
			    event));
	ASSERT_OK(
		tfs_write("a ~ \"*\"", "events/user_events/%s/filter", event));
	enable(event, true);
	for (i = 0; i < count; i++) {
		payload.word = location_word(&rows[i], base);
		if (emit(fd, 0, &payload, sizeof(payload)) > 0)
			good++;
		if (!rows[i].error && rows[i].size)
			texts++;
	}
	EXPECT_GT(good, 0);
	EXPECT_GT(texts, 0);
	hist = tfs_read("events/user_events/%s/hist", event);
	EXPECT_EQ(number_after(hist, "Hits: "), good);
	EXPECT_EQ(number_after(hist, "Dropped: "), 0);
	/* Bytes from outside the strings would be shown with an escape. */
	EXPECT_LACKS(hist, "\\x");
	for (i = 0; i < count; i++)
		if (!rows[i].error && rows[i].size > 1)
			EXPECT_CONTAINS(hist, text("a: %s ", rows[i].shown));
	/* The pattern matches every string with text. */
	shown = trace_count(NULL, text(" %s:", event));
	if (base || has_rel_loc_filters())
		EXPECT_EQ(shown, texts);
	else
		EXPECT_LE(shown, good);
	EXPECT_EQ(trace_count(NULL, "OVERFLOW"), 0);
}

TEST(tracers_stay_within_relative_strings)
{
	need_rel_loc_hist();
	check_tracers("__rel_loc char[]", 0, relative, ARRAY_SIZE(relative));
}

TEST(tracers_stay_within_absolute_strings)
{
	check_tracers("__data_loc char[]", data_start(), absolute,
		      ARRAY_SIZE(absolute));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
