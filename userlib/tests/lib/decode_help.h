/* SPDX-License-Identifier: MIT */
/* Records for tests of the decoder. */
#ifndef UEV_TESTS_DECODE_HELP_H
#define UEV_TESTS_DECODE_HELP_H

#include <userevents/decode.h>

/*
 * struct bytes - Bytes in an allocation of exactly their size, so that a
 * sanitizer detects any access beyond them
 */
struct bytes {
	uint8_t *at;
	size_t size;
};

/* Returns a decoder; the test fails without memory. */
struct uev_decoder *new_decoder(void);

struct bytes bytes_of(const char *text);
struct bytes bytes_cut(const struct bytes *bytes, size_t size);
void bytes_append(struct bytes *bytes, const char *text);
void bytes_free(struct bytes *bytes);

void check_json(const char *json);

char *record_json(const struct uev_schema *schema, const char *name,
		  const struct bytes *record,
		  const struct uev_json_options *options,
		  const struct uev_json_sample *sample, int *ret);
void check_record(const struct uev_schema *schema, const char *name,
		  const char *record, const char *json);
void check_event(const char *event, const char *json);
int event_error(const char *name, const char *event, const char **reason,
		size_t *offset);

struct uev_schema *schema_of(const char *system, const char *text);

/* Returns how often a text has @part. */
size_t count_text(const char *text, const char *part);

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The tracepoint that check_event() has. */
#define TRACEPOINT "Prov_L5K1"

#endif
