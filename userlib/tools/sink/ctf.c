// SPDX-License-Identifier: MIT
/*
 * user-events decode: a trace in the Common Trace Format (CTF) 1.8 for
 * babeltrace2 and Trace Compass.
 *
 * The trace is a directory with a stream of packets per processor and the
 * metadata, which is written last, when all event classes are known. A record
 * without a class, because it is malformed or there are too many classes, is an
 * event of a class with its JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/loss.h"
#include "query/groups.h"
#include "query/metadata.h"
#include "sink/ctf_shape.h"
#include "sink/formats.h"
#include "util/id_table.h"
#include "util/temporary.h"
#include "files.h"
#include "tool.h"

#define MAGIC 0xc1fc1fc1U
#define SECOND UINT64_C(1000000000)

/* Size of a packet, unless its first event is larger. */
#define PACKET_SIZE ((size_t)32 * 1024)

#define STREAMS_MAX 2048
#define CLASSES_MAX 8192
#define CLASSES_SIZE_MAX ((size_t)16 << 20)

/* The class of JSON records. */
#define JSON_CLASS 0

/* Processor of records without one. */
#define NO_CPU UINT32_MAX

/* Header of a packet, without padding. */
struct packet_head {
	uint32_t magic;
	uint32_t stream_id;
	uint64_t begin;
	uint64_t end;
	uint64_t content_bits;
	uint64_t packet_bits;
	uint64_t number;
	uint64_t discarded;
	uint32_t cpu;
} __attribute__((packed));

static const char packet_types[] = "trace {\n"
				   "\tmajor = 1;\n"
				   "\tminor = 8;\n"
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
				   "\tbyte_order = le;\n"
#else
				   "\tbyte_order = be;\n"
#endif
				   "\tpacket.header := struct {\n"
				   "\t\tuint32_t magic;\n"
				   "\t\tuint32_t stream_id;\n"
				   "\t};\n"
				   "};\n\n";

static const char stream_types[] =
	"typealias integer { size = 64; align = 8; signed = false; "
	"map = clock.records.value; } := time_t;\n\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct {\n"
	"\t\ttime_t timestamp_begin;\n"
	"\t\ttime_t timestamp_end;\n"
	"\t\tuint64_t content_size;\n"
	"\t\tuint64_t packet_size;\n"
	"\t\tuint64_t packet_seq_num;\n"
	"\t\tuint64_t events_discarded;\n"
	"\t\tuint32_t cpu_id;\n"
	"\t};\n"
	"\tevent.header := struct {\n"
	"\t\tuint32_t id;\n"
	"\t\ttime_t timestamp;\n"
	"\t};\n"
	"\tevent.context := struct {\n"
	"\t\tint32_t _pid;\n"
	"\t\tint32_t _tid;\n"
	"\t\tstring _comm;\n"
	"\t};\n"
	"};\n\n";

static const char header_types[] =
	"\tcontext := struct { hex64_t _keyword; uint8_t _level; "
	"uint8_t _opcode; uint16_t _id; uint8_t _version; uint16_t _tag; "
	"string _activity; string _related; };\n";

static const char json_class[] =
	"event {\n"
	"\tid = 0;\n"
	"\tname = \"record\";\n"
	"\tstream_id = 0;\n"
	"\tfields := struct { string _event; string _json; };\n"
	"};\n\n";

/* struct event_class - A class of events; @text: its metadata without its number */
struct event_class {
	uint32_t id;
	size_t size;
	char *text;
};

/*
 * struct stream - Stream of a processor
 * @packet: its packet, with room for the header
 * @begin, @end: times of the packet
 * @number: number of the packet
 * @discarded: number of lost records
 */
struct stream {
	struct stream *next;
	uint32_t cpu;
	struct uev_output packet;
	uint64_t begin;
	uint64_t end;
	uint64_t number;
	uint64_t discarded;
};

/*
 * @sink: has the error of the files
 * @path: final path of the directory; @directory: its temporary path
 * @streams: struct stream by processor + 1, and a list of them
 * @classes: tree of struct event_class by their texts
 * @by_id: the same by their numbers, without that of JSON records
 * @losses: lost records by event and reason
 * @clock: clock of the file, if @has_clock
 */
struct ctf {
	struct sink *sink;
	char *path;
	char *directory;
	struct uev_id_table by_cpu;
	struct stream *streams;
	void *classes;
	struct event_class **by_id;
	size_t class_count;
	size_t classes_size;
	struct ctf_shape shape;
	struct uev_output text;
	struct uev_output event;
	struct query_groups losses;
	struct uev_clock clock;
	bool has_clock;
	struct stream *last;
};

/* ---- Files ---- */

static int create_directory(const char *name)
{
	return mkdir(name, 0777) ? -errno : 0;
}

static int begin(struct sink *sink, const struct sink_options *options)
{
	struct ctf *ctf;
	struct stat status;
	size_t size = strlen(options->path);
	int ret;

	if (!lstat(options->path, &status))
		return -EEXIST;
	ctf = tool_alloc(sizeof(*ctf));
	while (size > 1 && options->path[size - 1] == '/')
		size--;
	ctf->path = tool_print("%.*s", (int)size, options->path);
	ret = uev_temporary_create(ctf->path, create_directory,
				   &ctf->directory);
	if (ret) {
		free(ctf->path);
		free(ctf);
		return ret;
	}
	ctf->sink = sink;
	sink->data = ctf;

	return 0;
}

static char *path_of(const struct ctf *ctf, const struct stream *stream)
{
	if (!stream)
		return tool_print("%s/metadata", ctf->directory);
	if (stream->cpu == NO_CPU)
		return tool_print("%s/stream", ctf->directory);

	return tool_print("%s/stream_%" PRIu32, ctf->directory, stream->cpu);
}

/* Opened each time, because processors can exceed the limit of open files. */
static void append_to(struct ctf *ctf, const struct stream *stream,
		      const char *bytes, size_t size)
{
	_cleanup_free_ char *path = NULL;
	int fd;

	if (ctf->sink->error)
		return;
	path = path_of(ctf, stream);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0) {
		ctf->sink->error = -errno;
		return;
	}
	ctf->sink->error = files_write_all(fd, bytes, size);
	if (close(fd) && !ctf->sink->error)
		ctf->sink->error = -errno;
}

/* ---- Packets ---- */

static struct stream *stream_of(struct ctf *ctf, uint32_t cpu)
{
	struct stream *stream;

	stream = uev_id_table_get(&ctf->by_cpu, (uint64_t)cpu + 1);
	if (!stream && ctf->by_cpu.count >= STREAMS_MAX) {
		cpu = NO_CPU;
		stream = uev_id_table_get(&ctf->by_cpu, (uint64_t)cpu + 1);
	}
	if (stream)
		return stream;
	stream = tool_alloc(sizeof(*stream));
	stream->cpu = cpu;
	stream->next = ctf->streams;
	ctf->streams = stream;
	tool_need(uev_id_table_set(&ctf->by_cpu, (uint64_t)cpu + 1, stream));

	return stream;
}

static void end_packet(struct ctf *ctf, struct stream *stream)
{
	struct packet_head head = {
		.magic = MAGIC,
		.begin = stream->begin,
		.end = stream->end,
		.content_bits = stream->packet.size * 8,
		.packet_bits = stream->packet.size * 8,
		.number = stream->number,
		.discarded = stream->discarded,
		.cpu = stream->cpu,
	};

	memcpy(stream->packet.text, &head, sizeof(head));
	append_to(ctf, stream, stream->packet.text, stream->packet.size);
	stream->packet.size = 0;
	stream->number++;
}

static void begin_packet(struct stream *stream, uint64_t time)
{
	static const struct packet_head none;

	tool_append(&stream->packet, &none, sizeof(none));
	stream->begin = time;
	stream->end = time;
}

/*
 * Readers place lost records before a packet, so a loss ends a packet. They
 * ignore losses before the first packet, so the stream starts with an empty
 * one.
 */
static void add_lost(struct ctf *ctf, struct stream *stream, uint64_t lost,
		     uint64_t time)
{
	if (!stream->packet.size)
		begin_packet(stream, time);
	end_packet(ctf, stream);
	stream->discarded += lost;
	/* Also if no record follows. */
	begin_packet(stream, time < stream->end ? stream->end : time);
}

/* Appends an event of @time; times do not decrease. */
static void add_event(struct ctf *ctf, struct stream *stream, uint64_t time,
		      const struct uev_output *event)
{
	if (stream->packet.size &&
	    stream->packet.size + event->size > PACKET_SIZE)
		end_packet(ctf, stream);
	if (time < stream->end)
		time = stream->end;
	if (!stream->packet.size)
		begin_packet(stream, time);
	stream->end = time;
	tool_append(&stream->packet, event->text, sizeof(uint32_t));
	tool_append(&stream->packet, &time, sizeof(time));
	tool_append(&stream->packet, event->text + sizeof(uint32_t),
		    event->size - sizeof(uint32_t));
	ctf->last = stream;
}

/* ---- Classes ---- */

static int compare_classes(const void *one, const void *other)
{
	const struct event_class *a = one, *b = other;

	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;

	return memcmp(a->text, b->text, a->size);
}

/* Appends text as UTF-8, which a trace must have. */
static void append_valid(struct uev_output *to, const char *text, size_t size)
{
	const struct uev_decoded_value value = tool_text(text, size);

	tool_need(uev_decoded_value_append_text(&value, to));
}

/* Writes quoted text of the metadata. */
static void put_quoted(struct uev_output *to, const char *text, size_t size)
{
	_cleanup_(uev_output_release) struct uev_output valid = UEV_OUTPUT_INIT;
	size_t i;

	append_valid(&valid, text, size);
	tool_append(to, "\"", 1);
	for (i = 0; i < valid.size; i++) {
		char c = valid.text[i];

		if (c == '"' || c == '\\')
			tool_append(to, "\\", 1);
		if ((unsigned char)c < ' ' || c == 0x7f)
			c = '?';
		tool_append(to, &c, 1);
	}
	tool_append(to, "\"", 1);
}

/* Log levels of LTTng. */
static unsigned int level_of(uint8_t level)
{
	static const uint8_t levels[] = {
		[UEV_LEVEL_CRITICAL] = 2,
		[UEV_LEVEL_ERROR] = 3,
		[UEV_LEVEL_WARNING] = 4,
		[UEV_LEVEL_INFORMATION] = 6,
	};

	return level && level < ARRAY_SIZE(levels) ? levels[level] : 14;
}

/* Writes the metadata of a record's class, without its number. */
static void put_class(struct ctf *ctf, const struct uev_record_info *info,
		      const struct uev_sample *sample)
{
	struct uev_output *text = &ctf->text;

	text->size = 0;
	ctf->event.size = 0;
	query_event_name(&ctf->event, sample, info);
	format_print(text, "\tname = ");
	put_quoted(text, ctf->event.text, ctf->event.size);
	format_print(text, ";\n\tstream_id = 0;\n");
	if (info->is_eventheader) {
		format_print(text, "\tloglevel = %u;\n", level_of(info->level));
		tool_put(text, header_types);
	}
	format_print(text, "\tfields := struct { ");
	ctf_shape_types(&ctf->shape, text);
	format_print(text, "};\n");
}

/* Return: number of the class that ctf->text describes. */
static uint32_t class_of(struct ctf *ctf)
{
	const struct uev_output *text = &ctf->text;
	const struct event_class key = { .size = text->size,
					 .text = text->text };
	struct event_class *const *found =
		tfind(&key, &ctf->classes, compare_classes);
	struct event_class *class;

	if (found)
		return (*found)->id;
	if (ctf->class_count == CLASSES_MAX - 1 ||
	    text->size > CLASSES_SIZE_MAX - ctf->classes_size)
		return JSON_CLASS;
	class = tool_alloc(sizeof(*class));
	*tool_add(ctf->by_id, ctf->class_count) = class;
	class->id = (uint32_t)ctf->class_count + JSON_CLASS;
	class->size = text->size;
	class->text = tool_copy(text->text);
	tool_need(tsearch(class, &ctf->classes, compare_classes) ? 0 : -ENOMEM);
	ctf->classes_size += text->size;

	return class->id;
}

/* ---- Events ---- */

/* Writes a string of a name, which can be any bytes. */
static void put_name(struct uev_output *event, const char *name, size_t size)
{
	_cleanup_(uev_output_release) struct uev_output valid = UEV_OUTPUT_INIT;

	append_valid(&valid, name, size);
	ctf_append_string(event, valid.text, valid.size);
}

/* Writes the header of an event; the time is filled in later. */
static void put_context(struct uev_output *event, uint32_t id,
			const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	bool is_known = sample->flags & UEV_HAS_TID;
	int32_t pid = is_known ? (int32_t)sample->pid : -1;
	int32_t tid = is_known ? (int32_t)sample->tid : -1;
	const char *comm = record->comm ? record->comm : "";

	tool_append(event, &id, sizeof(id));
	tool_append(event, &pid, sizeof(pid));
	tool_append(event, &tid, sizeof(tid));
	put_name(event, comm, strlen(comm));
}

static void put_activity(struct uev_output *event, const uint8_t *bytes)
{
	const struct uev_decoded_value value = tool_uuid(bytes);

	if (bytes)
		tool_need(uev_decoded_value_append_text(&value, event));
	tool_append(event, "", 1);
}

static void put_header(struct uev_output *event,
		       const struct uev_record_info *info)
{
	tool_append(event, &info->keyword, sizeof(info->keyword));
	tool_append(event, &info->level, sizeof(info->level));
	tool_append(event, &info->opcode, sizeof(info->opcode));
	tool_append(event, &info->id, sizeof(info->id));
	tool_append(event, &info->version, sizeof(info->version));
	tool_append(event, &info->tag, sizeof(info->tag));
	put_activity(event, info->activity);
	put_activity(event, info->related);
}

static int put_json(struct ctf *ctf, struct uev_decoder *decoder,
		    const struct format_record *record)
{
	_cleanup_(uev_output_release) struct uev_output name = UEV_OUTPUT_INIT;
	int ret;

	ctf->event.size = 0;
	put_context(&ctf->event, JSON_CLASS, record);
	ctf->text.size = 0;
	ret = format_append_json(&ctf->text, decoder, record, UEV_JSON_COMPACT,
				 UEV_META_DEFAULT);
	query_event_name(&name, record->sample, uev_decoder_info(decoder));
	put_name(&ctf->event, name.text, name.size);
	ctf_append_string(&ctf->event, ctf->text.text ? ctf->text.text : "",
			  ctf->text.size);

	return ret;
}

static int put_event(struct ctf *ctf, struct uev_decoder *decoder,
		     const struct format_record *record)
{
	const struct uev_record_info *info;
	uint32_t id = JSON_CLASS;

	/* The first call returns an error of the start again. */
	format_start(decoder, record);
	if (ctf_shape_read(&ctf->shape, decoder) > 0) {
		put_class(ctf, uev_decoder_info(decoder), record->sample);
		id = class_of(ctf);
	}
	if (id == JSON_CLASS)
		return put_json(ctf, decoder, record);

	format_start(decoder, record);
	info = uev_decoder_info(decoder);
	ctf->event.size = 0;
	put_context(&ctf->event, id, record);
	if (info->is_eventheader)
		put_header(&ctf->event, info);
	ctf_shape_bytes(&ctf->shape, decoder, &ctf->event);

	return 0;
}

static int record(void *writer, struct uev_decoder *decoder,
		  const struct format_record *from)
{
	const struct uev_sample *sample = from->sample;
	struct ctf *ctf = writer;
	struct stream *stream;
	uint64_t time;
	int ret;

	if (from->clock) {
		ctf->clock = *from->clock;
		ctf->has_clock = true;
	}
	stream = stream_of(ctf,
			   sample->flags & UEV_HAS_CPU ? sample->cpu : NO_CPU);
	/* A record without a time has the time of the previous one. */
	time = sample->flags & UEV_HAS_TIME ? sample->time : stream->end;
	ret = put_event(ctf, decoder, from);
	add_event(ctf, stream, time, &ctf->event);

	return ret;
}

/* A loss of an unknown processor is counted where the last record was. */
static struct stream *stream_of_loss(struct ctf *ctf,
				     const struct uev_loss *loss)
{
	if (loss->flags & UEV_HAS_CPU)
		return stream_of(ctf, loss->cpu);

	return ctf->last ? ctf->last : stream_of(ctf, NO_CPU);
}

/* The streams have numbers only; the environment has events and reasons. */
static void write_loss(void *writer, const struct format_loss *from)
{
	const struct uev_loss *loss = &from->loss;
	struct ctf *ctf = writer;
	struct stream *stream = stream_of_loss(ctf, loss);
	struct uev_output *text = &ctf->text;

	add_lost(ctf, stream, loss->count,
		 loss->flags & UEV_HAS_TIME ? loss->to : stream->end);
	text->size = 0;
	loss_append_event(text, from);
	format_print(text, "%s%s", text->size ? " " : "", loss->reason);
	query_groups_get(&ctf->losses, text->text, text->size)->count +=
		loss->count;
}

/* ---- Completion ---- */

static void put_clock(struct ctf *ctf)
{
	const struct uev_clock *clock = &ctf->clock;
	uint64_t offset = clock->wall - clock->clock;
	bool is_known = ctf->has_clock && clock->wall >= clock->clock;

	format_print(&ctf->text, "clock {\n"
				 "\tname = \"records\";\n"
				 "\tfreq = 1000000000;\n");
	if (is_known)
		format_print(&ctf->text,
			     "\toffset_s = %" PRIu64 ";\n"
			     "\toffset = %" PRIu64 ";\n"
			     "\tabsolute = true;\n",
			     offset / SECOND, offset % SECOND);
	format_print(&ctf->text, "};\n\n");
}

/* "lost_0 = "NUMBER EVENT REASON"", for each event and reason */
static void put_environment(struct ctf *ctf)
{
	const struct query_group *group;
	struct uev_output *text = &ctf->text;
	size_t i;

	format_print(text, "env {\n\ttracer_name = \"user-events\";\n");
	for (i = 0; i < ctf->losses.count; i++) {
		_cleanup_free_ char *value = NULL;

		group = ctf->losses.groups[i];
		value = tool_print("%" PRIu64 " %s", group->count, group->name);
		format_print(text, "\tlost_%zu = ", i);
		tool_put_quoted(text, value, strlen(value));
		tool_put(text, ";\n");
	}
	tool_put(text, "};\n\n");
}

static void write_metadata(struct ctf *ctf)
{
	struct uev_output *text = &ctf->text;
	const struct event_class *class;
	size_t i;

	text->size = 0;
	format_print(text, "/* CTF 1.8 */\n\n");
	tool_put(text, ctf_shape_aliases);
	tool_put(text, packet_types);
	put_environment(ctf);
	put_clock(ctf);
	tool_put(text, stream_types);
	tool_put(text, json_class);
	for (i = 0; i < ctf->class_count; i++) {
		class = ctf->by_id[i];
		format_print(text, "event {\n\tid = %" PRIu32 ";\n", class->id);
		tool_append(text, class->text, class->size);
		format_print(text, "};\n\n");
	}
	append_to(ctf, NULL, text->text, text->size);
}

static void remove_file(const struct ctf *ctf, const struct stream *stream)
{
	_cleanup_free_ char *path = path_of(ctf, stream);

	unlink(path);
}

static void free_class(void *data)
{
	struct event_class *class = data;

	free(class->text);
	free(class);
}

static void release(void *writer)
{
	struct ctf *ctf = writer;
	struct stream *stream;

	while (ctf->streams) {
		stream = ctf->streams;
		ctf->streams = stream->next;
		uev_output_release(&stream->packet);
		free(stream);
	}
	tdestroy(ctf->classes, free_class);
	free(ctf->by_id);
	uev_id_table_free(&ctf->by_cpu);
	query_groups_release(&ctf->losses);
	ctf_shape_release(&ctf->shape);
	uev_output_release(&ctf->text);
	uev_output_release(&ctf->event);
	free(ctf->path);
	free(ctf->directory);
	free(ctf);
}

static void discard(void *writer)
{
	struct ctf *ctf = writer;
	struct stream *stream;

	for (stream = ctf->streams; stream; stream = stream->next)
		remove_file(ctf, stream);
	remove_file(ctf, NULL);
	rmdir(ctf->directory);
}

static int finish(void *writer)
{
	struct ctf *ctf = writer;
	struct stream *stream;

	for (stream = ctf->streams; stream; stream = stream->next)
		end_packet(ctf, stream);
	write_metadata(ctf);
	if (!ctf->sink->error && rename(ctf->directory, ctf->path))
		ctf->sink->error = -errno;
	if (ctf->sink->error)
		discard(ctf);

	return ctf->sink->error;
}

const struct sink_ops sink_ctf = {
	.name = "ctf",
	.summary = "a directory for babeltrace2",
	.begin = begin,
	.record = record,
	.loss = write_loss,
	.finish = finish,
	.discard = discard,
	.release = release,
	.is_single = true,
	.needs_path = true,
};
