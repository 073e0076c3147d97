// SPDX-License-Identifier: MIT
/*
 * Writes a perf.data file of any size, to see how readers do with much.
 *
 *	write_perf_data FILE MIB
 *
 * On four processors by turns, records of a plain event and of EventHeader
 * events, of which every third is a start or a stop; a few are lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/session.h>

#include "lib/decode_formats.h"

#define PLAIN                                                                \
	"name: walk_file\nID: 1500\n" COMMON_FIELDS                          \
	"\tfield:u64 size;\toffset:8;\tsize:8;\tsigned:0;\n"                 \
	"\tfield:s32 mode;\toffset:16;\tsize:4;\tsigned:1;\n"                \
	"\tfield:__rel_loc char[] path;\toffset:20;\tsize:4;\tsigned:0;\n\n" \
	"print fmt: \"size=%llu mode=%d path=%s\", REC->size, REC->mode, "   \
	"__get_rel_str(path)\n"

#define EVENTHEADER \
	"name: Disk_L4K2\nID: 1501\n" COMMON_FIELDS EVENTHEADER_FIELDS

static const struct uev_source plain = {
	.system = "user_events",
	.name = "walk_file",
	.format = PLAIN,
	.format_size = sizeof(PLAIN) - 1,
	.id = 1500,
};

static const struct uev_source eventheader = {
	.system = "user_events",
	.name = "Disk_L4K2",
	.format = EVENTHEADER,
	.format_size = sizeof(EVENTHEADER) - 1,
	.id = 1501,
};

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct plain_record {
	struct common common;
	uint64_t size;
	int32_t mode;
	uint32_t path_place;
	char path[40];
};

/* "ReadDone" with a number and an array of two. */
#define METADATA "ReadDone\0sector\0\5list\0\103"

struct eventheader_record {
	struct common common;
	uint8_t head[8];
	uint16_t size;
	uint16_t kind;
	char metadata[sizeof(METADATA) - 1];
	char payload[8 + 2 + 4];
} __attribute__((packed, aligned(8)));

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FLAGS 7
#else
#define FLAGS 5
#endif

static void set_plain(struct plain_record *record, uint64_t number)
{
	*record = (struct plain_record){
		.common = { .type = 1500, .pid = 7 },
		.size = number,
		.mode = -(int32_t)(number % 1000),
		.path_place = sizeof(record->path) << 16,
	};
	snprintf(record->path, sizeof(record->path), "/usr/share/file/%llu",
		 (unsigned long long)number);
}

static void set_eventheader(struct eventheader_record *record, uint64_t number)
{
	uint16_t count = 2;

	*record = (struct eventheader_record){
		.common = { .type = 1501, .pid = 7 },
		.head = { FLAGS, 0, 0, 0, 0, 0, number % 3, 4 },
		.size = sizeof(METADATA) - 1,
		.kind = 1,
	};
	memcpy(record->metadata, METADATA, sizeof(METADATA) - 1);
	memcpy(record->payload, &number, 8);
	memcpy(record->payload + 8, &count, 2);
	memcpy(record->payload + 10, &number, 4);
}

static int write_one(struct uev_perf_writer *writer, uint64_t number)
{
	struct eventheader_record header;
	struct plain_record record;
	struct uev_sample sample = {
		.source = number % 2 ? &plain : &eventheader,
		.raw = number % 2 ? (void *)&record : (void *)&header,
		.raw_size = number % 2 ? sizeof(record) : sizeof(header),
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID |
			 UEV_HAS_VPID,
		.time = 1000000000 + number * 1234,
		.id = number % 2,
		.cpu = number / 2 % 4,
		.pid = 7,
		.tid = 7 + number / 2 % 4,
		.vpid = 1,
	};
	int ret;

	if (number % 2)
		set_plain(&record, number);
	else
		set_eventheader(&header, number);
	ret = uev_perf_writer_record(writer, &sample);
	if (!ret && number % 100000 == 99999)
		ret = uev_perf_writer_lost(writer, 3, sample.cpu);
	if (!ret && number % 1000 == 999)
		ret = uev_perf_writer_finished_round(writer);

	return ret;
}

int main(int argc, char **argv)
{
	struct uev_clock clock = {
		.clockid = 4,
		.wall = UINT64_C(1700000000000000000),
		.clock = 1000000000,
	};
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = &clock,
	};
	struct uev_perf_writer *writer;
	uint64_t count, number;
	int ret;

	if (argc != 3) {
		fprintf(stderr, "usage: write_perf_data FILE MIB\n");
		return 2;
	}
	/* A plain record and one of EventHeader are 232 bytes in the file. */
	count = strtoull(argv[2], NULL, 10) * (1 << 20) / 116;
	ret = uev_perf_writer_open(&writer, argv[1], &options);
	for (number = 0; number < count && !ret; number++)
		ret = write_one(writer, number);
	ret = ret ? ret : uev_perf_writer_finish(writer);
	if (ret)
		fprintf(stderr, "write_perf_data: %s\n", strerror(-ret));
	else
		printf("%llu\n", (unsigned long long)count);

	return ret ? 1 : 0;
}
