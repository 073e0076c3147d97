// SPDX-License-Identifier: MIT
/* Decoding of the vectors of EventHeader in either byte order. */
#include <stdio.h>
#include <string.h>
#include <userevents/decode.h>
#include <userevents/eventheader-types.h>

#include "lib/decode_help.h"
#include "lib/runner.h"
#include "lib/vectors.h"

static void expect(const struct vector *vector, int is_big)
{
	const char *value = is_big && vector->big_json ? vector->big_json
						       : vector->json;
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	unsigned char event[VECTOR_EVENT_MAX];
	char expected[256];
	size_t size = vector_event(vector, is_big, event);

	snprintf(expected, sizeof(expected),
		 "{ \"n\": \"P:E\", \"f\": %s, \"meta\": { \"level\": 5, "
		 "\"keyword\": \"0x1\" } }",
		 value);
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, "P_L5K1", event,
						       size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	ck_assert_int_eq(uev_output_append(&json, "", 1), 0);
	ck_assert_msg(!strcmp(json.text, expected), "%s, %s: %s, not %s",
		      vector->name, is_big ? "big" : "little", json.text,
		      expected);
	uev_output_release(&json);
	uev_decoder_free(decoder);
}

TEST_LOOP(little_endian, (int)vector_count)
{
	expect(&vectors[_i], 0);
}

TEST_LOOP(big_endian, (int)vector_count)
{
	expect(&vectors[_i], 1);
}

/* Every pair exists exactly once. */
TEST(covers_every_pair)
{
	unsigned int encoding, format, pairs = 0;
	unsigned int found[UEV_ENCODING_END][UEV_FORMAT_END] = { 0 };
	size_t i;

	for (i = 0; i < vector_count; i++) {
		encoding = (unsigned char)vectors[i].meta.at[0];
		format = 0;
		if (encoding & UEV_ENCODING_CHAIN)
			format = (unsigned char)vectors[i].meta.at[1];
		found[encoding & UEV_ENCODING_TYPE][format]++;
	}
	for (encoding = UEV_ENCODING_VALUE8; encoding < UEV_ENCODING_END;
	     encoding++) {
		for (format = 0; format < UEV_FORMAT_END; format++) {
			if (!(UEV_FORMATS_OF(encoding) &
			      UEV_FORMAT_BIT(format)))
				continue;
			ck_assert_msg(found[encoding][format] == 1,
				      "encoding %u, format %u: %u rows",
				      encoding, format,
				      found[encoding][format]);
			pairs++;
		}
	}
	ck_assert_uint_eq(pairs, vector_count);
}
