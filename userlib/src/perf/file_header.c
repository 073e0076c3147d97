// SPDX-License-Identifier: MIT
#include "perf/file_header.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/features.h"
#include "perf/format.h"

/* Offsets in the header. */
#define HEADER_SIZE 8
#define HEADER_ATTR_SIZE 16
#define HEADER_ATTRS 24
#define HEADER_DATA 40
#define HEADER_FEATURES 72

struct section {
	uint64_t offset;
	uint64_t size;
};

static struct section section_at(const struct uev_perf_reader *reader,
				 const uint8_t *bytes)
{
	return (struct section){
		.offset = uev_get64(bytes, reader->input.big),
		.size = uev_get64(bytes + 8, reader->input.big),
	};
}

/* Seeks to a section, as far as it is in the file. */
static bool go_to(struct uev_perf_reader *reader, struct section section)
{
	uint64_t size = reader->file_size;
	bool whole = section.offset <= size &&
		     section.size <= size - section.offset;

	if (section.offset > size)
		section.offset = size;
	uev_input_seek(&reader->input, section.offset,
		       whole ? section.offset + section.size : size);

	return whole;
}

static const char overlapping[] = "sections of the file overlap";

/*
 * Seeks to a section that the header names, as far as it is in the file.
 *
 * Return: false if the sections so far are larger than the file
 */
static bool open_section(struct uev_perf_reader *reader, struct section section,
			 bool *whole)
{
	uint64_t size;

	*whole = go_to(reader, section);
	size = reader->input.limit - reader->input.offset;
	if (size > reader->unused)
		return false;
	reader->unused -= size;

	return true;
}

static const char *read_ids(struct uev_perf_reader *reader,
			    struct uev_perf_event *event, struct section ids)
{
	uint64_t count = ids.size / sizeof(uint64_t);
	uint64_t id;
	bool whole;
	int ret = 0;

	if (!open_section(reader, ids, &whole))
		return overlapping;
	while (!ret && count-- && uev_input_u64(&reader->input, &id))
		ret = uev_perf_events_add_id(&reader->events, event, id);

	if (ret == -ENOMEM)
		reader->input.error = ret;
	if (ret)
		return "too many event IDs";

	return whole ? NULL : "event IDs beyond the end of the file";
}

/* Reads one attribute and the location of its IDs. */
static const char *read_attr(struct uev_perf_reader *reader, size_t size)
{
	struct uev_perf_event *event;
	struct section ids;
	const uint8_t *bytes;
	const char *reason;

	bytes = uev_input_take(&reader->input, size);
	if (!bytes)
		return "attributes beyond the end of the file";
	size -= UEV_PERF_SECTION_SIZE;
	ids = section_at(reader, bytes + size);
	reason = uev_perf_reader_add_attr(reader, bytes, size, &event);

	return reason ? reason : read_ids(reader, event, ids);
}

static void read_attrs(struct uev_perf_reader *reader, struct section attrs,
		       uint64_t size)
{
	struct section attr = { .size = size };
	const char *reason;
	uint64_t i;

	if (size < UEV_ATTR_SIZE_MIN + UEV_PERF_SECTION_SIZE ||
	    size > UEV_ATTR_SIZE_MAX) {
		uev_perf_reader_problem(reader, HEADER_ATTR_SIZE,
					"invalid attribute size: %llu",
					(unsigned long long)size);
		return;
	}

	for (i = 0; i < attrs.size / size && !reader->input.error; i++) {
		attr.offset = attrs.offset + i * size;
		go_to(reader, attr);
		reason = read_attr(reader, size);
		if (!reason)
			continue;
		uev_perf_reader_problem(reader, attr.offset, "%s", reason);
		/* Later entries are beyond the end, too. */
		if (attr.offset >= reader->file_size)
			break;
	}
}

static void read_feature(struct uev_perf_reader *reader, unsigned int feature,
			 struct section section)
{
	const char *reason = overlapping;
	bool whole;

	if (open_section(reader, section, &whole))
		reason = uev_feature_read(&reader->input, feature,
					  &reader->info, &reader->events);
	if (!reason && !whole)
		reason = "beyond the end of the file";
	if (reason)
		uev_perf_reader_problem(reader, section.offset,
					"feature %u: %s", feature, reason);
}

static bool has_feature(const uint8_t *bits, unsigned int feature,
			unsigned int word_size, bool big)
{
	unsigned int byte = feature / 8;

	/* A bitmap in words of the writer's long. */
	if (big)
		byte = byte / word_size * word_size +
		       (word_size - 1 - byte % word_size);

	return bits[byte] >> feature % 8 & 1;
}

/* The sections follow the data, ordered by feature number. */
static void read_features(struct uev_perf_reader *reader, const uint8_t *bits,
			  struct section data)
{
	bool big = reader->input.big;
	struct section table = {
		.offset = data.offset + data.size,
		.size = UEV_PERF_SECTION_SIZE,
	};
	unsigned int word_size = 8;
	unsigned int feature;
	const uint8_t *bytes;

	/* Beyond the end of any file. */
	if (table.offset < data.offset)
		table.offset = UINT64_MAX;
	/* perf always writes this feature. */
	if (!has_feature(bits, UEV_FEATURE_HOSTNAME, 8, big) &&
	    has_feature(bits, UEV_FEATURE_HOSTNAME, 4, big))
		word_size = 4;

	for (feature = 0; feature < UEV_FEATURES && !reader->input.error;
	     feature++) {
		if (!has_feature(bits, feature, word_size, big))
			continue;
		go_to(reader, table);
		bytes = uev_input_take(&reader->input, UEV_PERF_SECTION_SIZE);
		if (!bytes) {
			uev_perf_reader_problem(
				reader, table.offset,
				"truncated file: event formats are missing");
			return;
		}
		read_feature(reader, feature, section_at(reader, bytes));
		table.offset += UEV_PERF_SECTION_SIZE;
	}
}

static bool is_beyond_end(const struct uev_perf_reader *reader,
			  struct section section)
{
	return section.offset > reader->file_size ||
	       section.size > reader->file_size - section.offset;
}

/* Reports a file that was not finished, or whose end is missing. */
static void check_end(struct uev_perf_reader *reader, struct section attrs,
		      struct section data)
{
	uint64_t size = reader->file_size;

	if (!data.size)
		uev_perf_reader_problem(
			reader, size,
			"recording was not finished, its last records are "
			"missing");
	else if (is_beyond_end(reader, data))
		uev_perf_reader_problem(
			reader, size,
			"truncated file: at least %llu bytes of records are "
			"missing",
			(unsigned long long)(data.size -
					     (size > data.offset
						      ? size - data.offset
						      : 0)));
	reader->is_incomplete = !data.size || is_beyond_end(reader, data) ||
				is_beyond_end(reader, attrs);
}

int uev_perf_file_header_read(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->input;
	uint8_t header[UEV_PERF_FILE_HEADER_SIZE] = { 0 };
	struct section attrs;
	struct section data;
	uint64_t size;

	if (!uev_input_copy(input, header, HEADER_FEATURES))
		return input->error ? input->error : -EBADMSG;
	size = uev_get64(header + HEADER_SIZE, input->big);
	if (size != UEV_PERF_FILE_HEADER_SIZE &&
	    size != UEV_PERF_OLD_FILE_HEADER_SIZE)
		return -EBADMSG;
	if (!uev_input_copy(input, header + HEADER_FEATURES,
			    (size_t)size - HEADER_FEATURES))
		return input->error ? input->error : -EBADMSG;

	attrs = section_at(reader, header + HEADER_ATTRS);
	data = section_at(reader, header + HEADER_DATA);
	check_end(reader, attrs, data);
	read_attrs(reader, attrs,
		   uev_get64(header + HEADER_ATTR_SIZE, input->big));
	/* perf writes the size of the data last, and the features before. */
	if (data.size)
		read_features(reader, header + HEADER_FEATURES, data);
	else
		data.size = UINT64_MAX - data.offset;
	go_to(reader, data);

	return input->error;
}
