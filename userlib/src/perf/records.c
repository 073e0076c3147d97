// SPDX-License-Identifier: MIT
#include "perf/records.h"

#include <errno.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/compressed.h"
#include "perf/features.h"
#include "perf/format.h"
#include "perf/sample.h"
#include "util/common.h"

/* Bytes of a HEADER_FEATURE before the section. */
#define FEATURE_HEAD (UEV_PERF_HEADER_SIZE + 8)

/* perf record counts samples that its BPF filter has dropped. */
#define MISC_LOST_SAMPLES_BPF (1U << 15)

/* A PERF_RECORD_LOST up to its number. */
#define LOST_SIZE (UEV_PERF_HEADER_SIZE + 16)

struct header {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
};

static struct header header_at(const struct uev_perf_reader *reader,
			       const uint8_t *bytes)
{
	return (struct header){
		.type = uev_get32(bytes, reader->input.big),
		.misc = uev_get16(bytes + 4, reader->input.big),
		.size = uev_get16(bytes + 6, reader->input.big),
	};
}

static uint64_t u64_at(const struct uev_perf_reader *reader,
		       const uint8_t *bytes)
{
	return uev_get64(bytes, reader->input.big);
}

/* The writer puts them before the samples. */
static void set_vpid(struct uev_perf_reader *reader, struct uev_sample *record)
{
	const struct uev_vpid *known =
		uev_vpids_at(&reader->vpids, record->pid);

	if (!known->vpid || known->pid != record->pid)
		return;
	record->vpid = known->vpid;
	record->flags |= UEV_HAS_VPID;
}

static const char *read_sample(struct uev_perf_reader *reader,
			       const uint8_t *bytes, size_t size)
{
	bool big = reader->input.big;
	struct uev_perf_event *event;
	struct uev_sample record;
	const char *reason;

	event = uev_perf_events_of_sample(&reader->events, bytes, size, big);
	if (!event)
		return "sample of an unknown event";
	reason = uev_sample_read(&record, &event->attr, bytes, size, big);
	if (reason)
		return reason;

	record.source = event->source;
	set_vpid(reader, &record);
	if (record.time < reader->queue.popped_time)
		reader->counts.unordered++;
	if (record.time > reader->newest)
		reader->newest = record.time;
	if (uev_queue_push(&reader->queue, &record, reader->record_offset)) {
		reader->input.error = -ENOMEM;
		return NULL;
	}
	reader->counts.records++;
	reader->counts.bytes += size;
	uev_deferred_allow(&reader->deferred, size);

	return NULL;
}

/*
 * The kernel puts the number of lost records into the buffer where the next
 * record fits; for perf record it also counts them for each event, and perf
 * record writes these counts at the end, as lost samples. Both are the same
 * losses; a count that is not complete is the smaller one.
 */
static void update_lost(struct uev_perf_reader *reader)
{
	reader->counts.lost = reader->lost > reader->lost_samples
				      ? reader->lost
				      : reader->lost_samples;
}

static const char *read_lost_samples(struct uev_perf_reader *reader,
				     const uint8_t *bytes, size_t size)
{
	if (size < UEV_PERF_HEADER_SIZE + 8)
		return "lost record too short";
	if (header_at(reader, bytes).misc & MISC_LOST_SAMPLES_BPF)
		return NULL;
	reader->lost_samples += u64_at(reader, bytes + 8);
	update_lost(reader);

	return NULL;
}

/*
 * Returns the attribute that describes the end of a record that is not a
 * sample.
 */
static const struct uev_attr *
attr_of_other(const struct uev_perf_reader *reader, const uint8_t *bytes,
	      size_t size)
{
	const struct uev_perf_events *events = &reader->events;
	static const struct uev_attr none;
	const struct uev_perf_event *event;

	if (!events->count)
		return &none;
	/* The ID of an event is the last member, if it is present. */
	event = uev_id_table_get(&events->by_id,
				 u64_at(reader, bytes + size - 8));
	if (!(events->events[0]->attr.sample_type & PERF_SAMPLE_IDENTIFIER) ||
	    !event)
		event = events->events[0];

	return &event->attr;
}

/* Adds a loss; its time can be that of the records before it. */
static void add_loss(struct uev_perf_reader *reader,
		     const struct uev_loss *loss)
{
	struct uev_loss placed = *loss;

	reader->lost += loss->count;
	update_lost(reader);
	if (!(loss->flags & UEV_HAS_TIME))
		placed.to = reader->newest;
	if (uev_losses_add(&reader->losses, &placed))
		reader->input.error = -ENOMEM;
}

/* The members that the kernel, or perf, has written behind the number. */
static void describe_lost(const struct uev_perf_reader *reader,
			  const uint8_t *bytes, size_t size,
			  struct uev_loss *loss)
{
	const struct uev_attr *attr = attr_of_other(reader, bytes, size);
	size_t trailer = uev_sample_id_size(attr);
	bool big = reader->input.big;

	if (!trailer || size < LOST_SIZE + trailer)
		return;
	bytes += size - trailer;
	if (uev_sample_id_time(attr, bytes, big, &loss->to))
		loss->flags |= UEV_HAS_TIME;
	if (uev_sample_id_cpu(attr, bytes, big, &loss->cpu))
		loss->flags |= UEV_HAS_CPU;
}

static const char *read_lost(struct uev_perf_reader *reader,
			     const uint8_t *bytes, size_t size)
{
	struct uev_loss loss = { .reason = UEV_LOSS_PERF_BUFFER };
	uint64_t count, known = reader->explained;

	/* Follows the ID of an event, which can be any of the buffer. */
	if (size < LOST_SIZE)
		return "lost record too short";
	count = u64_at(reader, bytes + 16);
	reader->explained = 0;
	if (count <= known)
		return NULL;
	loss.count = count - known;
	describe_lost(reader, bytes, size, &loss);
	add_loss(reader, &loss);

	return NULL;
}

/* The next PERF_RECORD_LOST is about the same records. */
static const char *read_loss(struct uev_perf_reader *reader,
			     const uint8_t *bytes, size_t size)
{
	const struct uev_perf_event *event;
	bool big = reader->input.big;
	struct uev_loss loss = { 0 };

	if (size < UEV_PERF_LOSS_SIZE)
		return "loss too short";
	loss.count = u64_at(reader, bytes + UEV_PERF_LOSS_COUNT);
	loss.from = u64_at(reader, bytes + UEV_PERF_LOSS_FROM);
	loss.to = u64_at(reader, bytes + UEV_PERF_LOSS_TO);
	loss.flags = uev_get32(bytes + UEV_PERF_LOSS_FLAGS, big) &
		     (UEV_HAS_TIME | UEV_HAS_CPU);
	loss.cpu = uev_get32(bytes + UEV_PERF_LOSS_CPU, big);
	memcpy(loss.reason, bytes + UEV_PERF_LOSS_REASON, sizeof(loss.reason));
	if (!loss.count || (loss.flags & UEV_HAS_TIME && loss.from > loss.to) ||
	    !uev_loss_reason_is_valid(loss.reason))
		return "malformed loss";
	event = uev_id_table_get(&reader->events.by_id,
				 u64_at(reader, bytes + UEV_PERF_LOSS_ID));
	loss.source = event ? event->source : NULL;
	reader->explained = loss.count;
	add_loss(reader, &loss);

	return NULL;
}

/*
 * Updates the mappings of a process, if they are needed. In a file that was not
 * completed, the first ones precede the attributes of events.
 */
static const char *update_mappings(struct uev_perf_reader *reader,
				   const uint8_t *bytes, size_t size)
{
	const char *reason = NULL;

	if ((reader->has_stacks || !reader->events.count) &&
	    uev_mappings_read(&reader->mappings,
			      attr_of_other(reader, bytes, size), bytes, size,
			      reader->input.big, &reason))
		reader->input.error = -ENOMEM;

	return reason;
}

static const char *read_mapping(struct uev_perf_reader *reader,
				const uint8_t *bytes, size_t size)
{
	reader->counts.other++;

	return update_mappings(reader, bytes, size);
}

/* Updates the name of a thread, which is that of its creator at first. */
static const char *read_name(struct uev_perf_reader *reader,
			     const uint8_t *bytes, size_t size)
{
	const struct uev_attr *attr = attr_of_other(reader, bytes, size);
	const char *reason;

	if (uev_names_read(&reader->names, attr, bytes, size, reader->input.big,
			   &reason))
		reader->input.error = -ENOMEM;
	reader->counts.other++;

	return reason ? reason : update_mappings(reader, bytes, size);
}

static const char *read_deferred(struct uev_perf_reader *reader,
				 const uint8_t *bytes, size_t size)
{
	const char *reason;

	reader->counts.other++;
	uev_deferred_allow(&reader->deferred, size);
	if (uev_deferred_read(&reader->deferred,
			      attr_of_other(reader, bytes, size), bytes, size,
			      reader->input.big, &reason))
		reader->input.error = -ENOMEM;

	return reason;
}

static const char *read_throttle(struct uev_perf_reader *reader,
				 const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	reader->counts.throttled++;

	return NULL;
}

static const char *read_round(struct uev_perf_reader *reader,
			      const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	/* Only the first file of a directory has rounds. */
	if (reader->part_count)
		return NULL;
	reader->until = reader->round_newest;
	reader->round_newest = reader->newest;

	return NULL;
}

static const char *read_attr(struct uev_perf_reader *reader,
			     const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size;
	struct uev_perf_event *event;
	const char *reason;
	int ret = 0;

	bytes += UEV_PERF_HEADER_SIZE;
	reason = uev_perf_reader_add_attr(reader, bytes, (size_t)(end - bytes),
					  &event);
	if (reason)
		return reason;

	bytes += uev_attr_size(bytes, reader->input.big);
	for (; !ret && end - bytes >= 8; bytes += 8)
		ret = uev_perf_events_add_id(&reader->events, event,
					     u64_at(reader, bytes));
	if (ret == -ENOMEM)
		reader->input.error = ret;

	return ret ? "too many event IDs" : NULL;
}

static const char *read_update(struct uev_perf_reader *reader,
			       const uint8_t *bytes, size_t size)
{
	size_t text = UEV_PERF_HEADER_SIZE + 16;
	struct uev_perf_event *event;

	if (size < text)
		return "event update too short";
	if (u64_at(reader, bytes + 8) != UEV_PERF_UPDATE_NAME)
		return NULL;
	event = uev_id_table_get(&reader->events.by_id,
				 u64_at(reader, bytes + 16));
	if (!event)
		return "update of an unknown event";
	if (uev_perf_events_name(event, (const char *)bytes + text,
				 strnlen((const char *)bytes + text,
					 size - text)))
		reader->input.error = -ENOMEM;

	return NULL;
}

/* Reads input up to @end with a function that can read less. */
static const char *read_part(struct uev_perf_reader *reader, uint64_t size,
			     unsigned int feature)
{
	struct uev_input *input = &reader->input;
	uint64_t limit = input->limit;
	uint64_t end = input->offset + size;
	const char *reason;

	if (size > limit - input->offset)
		return "record payload exceeds the data";

	input->limit = end;
	reason = uev_feature_read(input, feature, &reader->info,
				  &reader->events);
	if (!uev_input_skip(input, end - input->offset) && !reason)
		reason = "truncated record payload";
	input->limit = limit;

	return reason;
}

/* The tracing data follows its record and is not included in its size. */
static const char *read_tracing_data(struct uev_perf_reader *reader,
				     const uint8_t *bytes, size_t size)
{
	if (size < UEV_PERF_HEADER_SIZE + 4)
		return "tracing data record too short";

	return read_part(reader, uev_get32(bytes + 8, reader->input.big),
			 UEV_FEATURE_TRACING_DATA);
}

/* Reads a feature section of a pipe, after its number. */
static const char *read_feature(struct uev_perf_reader *reader,
				const uint8_t *bytes, size_t size)
{
	uint64_t feature = u64_at(reader, bytes + 8);

	return read_part(reader, size - FEATURE_HEAD,
			 feature < UEV_FEATURES ? (unsigned int)feature
						: UEV_FEATURES);
}

static const char *read_vpid(struct uev_perf_reader *reader,
			     const uint8_t *bytes, size_t size)
{
	bool big = reader->input.big;
	uint32_t pid;

	if (size < UEV_PERF_VPID_SIZE)
		return "pid of a namespace too short";
	pid = uev_get32(bytes + UEV_PERF_VPID_PID, big);
	*uev_vpids_at(&reader->vpids, pid) = (struct uev_vpid){
		.pid = pid,
		.vpid = uev_get32(bytes + UEV_PERF_VPID_VPID, big),
	};

	return NULL;
}

static bool has_magic(const uint8_t *bytes, size_t size, const char *magic)
{
	return size >= UEV_PERF_HEADER_SIZE + strlen(magic) &&
	       !memcmp(bytes + UEV_PERF_HEADER_SIZE, magic, strlen(magic));
}

/* The records of a description follow, if they are used. */
static const char *read_event_type(struct uev_perf_reader *reader,
				   const uint8_t *bytes, size_t size)
{
	if (has_magic(bytes, size, UEV_PERF_LOSS_MAGIC))
		return read_loss(reader, bytes, size);
	if (has_magic(bytes, size, UEV_PERF_VPID_MAGIC))
		return read_vpid(reader, bytes, size);

	return NULL;
}

/* The auxtrace data follows its record, too. */
static const char *read_auxtrace(struct uev_perf_reader *reader,
				 const uint8_t *bytes, size_t size)
{
	if (size < UEV_PERF_HEADER_SIZE + 8)
		return "auxtrace record too short";
	reader->counts.other++;
	if (!uev_input_skip(&reader->input, u64_at(reader, bytes + 8)))
		return "truncated record payload";

	return NULL;
}

static const struct {
	uint32_t type;
	const char *(*read)(struct uev_perf_reader *reader,
			    const uint8_t *bytes, size_t size);
} kinds[] = {
	{ PERF_RECORD_SAMPLE, read_sample },
	{ PERF_RECORD_LOST, read_lost },
	{ PERF_RECORD_LOST_SAMPLES, read_lost_samples },
	{ PERF_RECORD_COMM, read_name },
	{ PERF_RECORD_FORK, read_name },
	{ PERF_RECORD_EXIT, read_mapping },
	{ PERF_RECORD_MMAP, read_mapping },
	{ PERF_RECORD_MMAP2, read_mapping },
	{ PERF_RECORD_THROTTLE, read_throttle },
	{ UEV_PERF_RECORD_CALLCHAIN_DEFERRED, read_deferred },
	{ UEV_PERF_RECORD_FINISHED_ROUND, read_round },
	{ UEV_PERF_RECORD_HEADER_ATTR, read_attr },
	{ UEV_PERF_RECORD_HEADER_EVENT_TYPE, read_event_type },
	{ UEV_PERF_RECORD_HEADER_TRACING_DATA, read_tracing_data },
	{ UEV_PERF_RECORD_EVENT_UPDATE, read_update },
	{ UEV_PERF_RECORD_HEADER_FEATURE, read_feature },
	{ UEV_PERF_RECORD_AUXTRACE, read_auxtrace },
	{ UEV_PERF_RECORD_COMPRESSED, uev_compressed_read },
	{ UEV_PERF_RECORD_COMPRESSED2, uev_compressed2_read },
};

static const char *read_kind(struct uev_perf_reader *reader, uint32_t type,
			     const uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].type == type)
			return kinds[i].read(reader, bytes, size);
	reader->counts.other++;

	return NULL;
}

/* Tests whether bytes are a plausible record. */
static bool is_plausible(struct uev_perf_reader *reader, const uint8_t *bytes)
{
	struct header header = header_at(reader, bytes);

	if (header.type == UEV_PERF_RECORD_FINISHED_ROUND)
		return header.size == UEV_PERF_HEADER_SIZE;
	if (header.type != PERF_RECORD_SAMPLE || header.size % 8 ||
	    header.size <= UEV_PERF_HEADER_SIZE)
		return false;
	bytes = uev_input_peek(&reader->input, header.size);

	return bytes &&
	       uev_perf_events_of_sample(&reader->events, bytes, header.size,
					 reader->input.big);
}

/* Skips to the next plausible record after one of invalid size. */
static void find_record(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->input;
	uint64_t begin = input->offset;
	const uint8_t *bytes;

	do {
		uev_input_skip(input, UEV_PERF_HEADER_SIZE);
		bytes = uev_input_peek(input, UEV_PERF_HEADER_SIZE);
	} while (bytes && !is_plausible(reader, bytes));
	/* Fewer bytes than a record are left. */
	if (!bytes)
		uev_input_skip(input,
			       uev_input_left(input, UEV_PERF_HEADER_SIZE));

	/* These can have been compressed records. */
	uev_compressed_break(reader);
	uev_perf_reader_problem(reader, begin, "skipped %llu bytes",
				(unsigned long long)(input->offset - begin));
}

/* Tests for a description whose records are read as those of a pipe. */
static bool is_used_description(struct uev_perf_reader *reader,
				struct header header)
{
	const uint8_t *bytes;

	if (header.type != UEV_PERF_RECORD_HEADER_EVENT_TYPE ||
	    header.size < UEV_PERF_DESCRIPTION_FRONT || !reader->is_incomplete)
		return false;
	bytes = uev_input_peek(&reader->input, UEV_PERF_DESCRIPTION_FRONT);

	return bytes &&
	       !memcmp(bytes + UEV_PERF_HEADER_SIZE, UEV_PERF_DESCRIPTION_MAGIC,
		       sizeof(UEV_PERF_DESCRIPTION_MAGIC) - 1);
}

/* Limit of a record that is read as a whole. */
static size_t head_size(struct uev_perf_reader *reader, struct header header)
{
	if (is_used_description(reader, header))
		return UEV_PERF_DESCRIPTION_FRONT;

	return header.type == UEV_PERF_RECORD_HEADER_FEATURE ? FEATURE_HEAD
							     : header.size;
}

/* @reason: NULL: the record is not corrupt */
static void count_corrupt(struct uev_perf_reader *reader, uint64_t offset,
			  const char *reason)
{
	if (!reason || reader->input.error)
		return;
	reader->counts.corrupt++;
	uev_perf_reader_problem(reader, offset, "%s", reason);
}

/*
 * Reads the next record of those that were compressed. perf compresses only
 * records of the kernel.
 *
 * Return: false if the next record is in the input
 */
static bool read_decompressed(struct uev_perf_reader *reader)
{
	const char *reason = "compressed record of perf";
	struct header header;
	const uint8_t *bytes;

	if (!uev_compressed_next(reader, &bytes))
		return false;
	if (!bytes)
		return true;

	header = header_at(reader, bytes);
	if (header.type < UEV_PERF_RECORD_HEADER_ATTR)
		reason = read_kind(reader, header.type, bytes, header.size);
	count_corrupt(reader, reader->record_offset, reason);

	return true;
}

void uev_perf_record_read(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->input;
	uint64_t offset = input->offset;
	const char *reason = NULL;
	struct header header;
	const uint8_t *bytes;
	size_t left;

	if (read_decompressed(reader))
		return;
	left = uev_input_left(input, UEV_PERF_HEADER_SIZE);
	if (!left) {
		uev_compressed_end(reader);
		reader->at_end = true;
		return;
	}
	reader->record_offset = offset;
	if (left < UEV_PERF_HEADER_SIZE) {
		uev_input_skip(input, left);
		count_corrupt(reader, offset, "truncated record");
		return;
	}

	bytes = uev_input_peek(input, UEV_PERF_HEADER_SIZE);
	header = header_at(reader, bytes);
	if (header.size < UEV_PERF_HEADER_SIZE)
		reason = "record too short";
	else if (!uev_input_peek(input, header.size))
		reason = "record exceeds the data";
	else if (header.size < head_size(reader, header))
		reason = "feature record too short";
	if (reason) {
		count_corrupt(reader, offset, reason);
		find_record(reader);
		return;
	}

	bytes = uev_input_take(input, head_size(reader, header));
	reason = read_kind(reader, header.type, bytes, header.size);
	count_corrupt(reader, offset, reason);
}
