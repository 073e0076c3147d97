// SPDX-License-Identifier: MIT
#include "perf/compressed.h"

#include <errno.h>

#include "util/bytes.h"
#include "perf/sample.h"

/* COMPRESSED2 has the size of its data before them. */
#define FRONT (UEV_PERF_HEADER_SIZE + 8)

/*
 * Counts a compressed record that cannot be decompressed. Those after it cannot
 * be either, since they belong to the same stream.
 */
static void count_failure(struct uev_perf_reader *reader, const char *what,
			  const char *reason)
{
	reader->counts.corrupt++;
	if (!reader->reported_compressed)
		uev_perf_reader_problem(reader, reader->compressed_offset,
					"%s%s", what, reason);
	reader->reported_compressed = true;
}

void uev_compressed_break(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->decompressed;

	uev_decompressor_break(&reader->decompressor);
	input->offset += input->end - input->start;
	input->start = 0;
	input->end = 0;
	input->error = 0;
}

static ssize_t read_stream(void *source, void *to, size_t size)
{
	return uev_decompressor_read(source, to, size);
}

static int open_input(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->decompressed;
	int ret;

	if (input->buffer)
		return 0;
	ret = uev_input_init(input, -1, false);
	input->read = read_stream;
	input->source = &reader->decompressor;
	input->big = reader->input.big;

	return ret;
}

/*
 * The type of the compression is in a feature that unfinished files do not have.
 * It has always been zstd.
 */
static void add(struct uev_perf_reader *reader, const uint8_t *bytes,
		size_t size)
{
	int ret;

	reader->compressed_offset = reader->record_offset;
	if (!uev_can_decompress()) {
		count_failure(reader,
			      "compressed records (perf record -z) require a "
			      "library built with libzstd",
			      "");
		return;
	}

	ret = open_input(reader);
	if (!ret)
		ret = uev_decompressor_add(&reader->decompressor, bytes, size);
	if (ret)
		reader->input.error = ret;
}

const char *uev_compressed_read(struct uev_perf_reader *reader,
				const uint8_t *bytes, size_t size)
{
	add(reader, bytes + UEV_PERF_HEADER_SIZE, size - UEV_PERF_HEADER_SIZE);

	return NULL;
}

/* The data is padded. */
const char *uev_compressed2_read(struct uev_perf_reader *reader,
				 const uint8_t *bytes, size_t size)
{
	uint64_t data_size;

	if (size < FRONT) {
		uev_compressed_break(reader);
		return "compressed record too short";
	}
	data_size = uev_get64(bytes + UEV_PERF_HEADER_SIZE, reader->input.big);
	if (data_size > size - FRONT) {
		uev_compressed_break(reader);
		return "compressed data exceeds its record";
	}
	add(reader, bytes + FRONT, (size_t)data_size);

	return NULL;
}

/* The stream goes on, but a record is only found in the next one. */
static void skip_data(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->decompressed;
	size_t left;

	do {
		left = uev_input_left(input, UEV_INPUT_PEEK_MAX);
		uev_input_skip(input, left);
	} while (left);
	reader->counts.corrupt++;
	uev_perf_reader_problem(reader, reader->compressed_offset,
				"record too short");
}

/* Return: whether there was an error */
static bool handle_error(struct uev_perf_reader *reader)
{
	int error = reader->decompressed.error;

	if (!error)
		return false;
	if (error == -ENOMEM)
		reader->input.error = error;
	else
		count_failure(reader, "cannot decompress: ",
			      reader->decompressor.reason);
	uev_compressed_break(reader);

	return true;
}

bool uev_compressed_next(struct uev_perf_reader *reader, const uint8_t **bytes)
{
	struct uev_input *input = &reader->decompressed;
	uint16_t size;

	*bytes = NULL;
	if (!input->buffer)
		return false;
	*bytes = uev_input_peek(input, UEV_PERF_HEADER_SIZE);
	if (!*bytes)
		return handle_error(reader);

	size = uev_get16(*bytes + 6, input->big);
	if (size < UEV_PERF_HEADER_SIZE) {
		*bytes = NULL;
		skip_data(reader);
		return true;
	}
	*bytes = uev_input_take(input, size);
	if (!*bytes)
		return handle_error(reader);
	reader->reported_compressed = false;
	uev_decompressor_charge_record(&reader->decompressor);

	return true;
}

void uev_compressed_end(struct uev_perf_reader *reader)
{
	if (reader->decompressed.start == reader->decompressed.end)
		return;
	reader->counts.corrupt++;
	uev_perf_reader_problem(reader, reader->compressed_offset,
				"truncated record");
}
