// SPDX-License-Identifier: MIT
/*
 * Writes a perf.data pipe file for tests of timeline programs.
 *
 *	write_timeline [--big] >FILE
 *
 * It has starts and stops of threads and activities, some without a
 * counterpart, and names, texts and numbers that are difficult to represent.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <userevents/eventheader-types.h>

#include "util/common.h"
#include "lib/decode_formats.h"

#define PLAIN 1500
#define DISK 1501
#define NET 1502

/* Some days after boot, with nine digits of a second. */
#define BEGIN UINT64_C(123456789000000)

static const char plain[] =
	"name: walk_file\nID: 1500\n" COMMON_FIELDS
	"\tfield:u64 size;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:s32 mode;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:char path[12];\toffset:20;\tsize:12;\tsigned:0;\n\n"
	"print fmt: \"size=%llu\", REC->size\n";

static const char disk[] =
	"name: Disk_L4K1\nID: 1501\n" COMMON_FIELDS EVENTHEADER_FIELDS;
static const char net[] =
	"name: Net_L5K2\nID: 1502\n" COMMON_FIELDS EVENTHEADER_FIELDS;

#define ATTR_SIZE 112
#define SAMPLE_TYPE                                                    \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* Bytes of the trailer of other records. */
#define IDS_SIZE 32

/* Bytes of a sample before the raw data. */
#define SAMPLE_HEAD 44

/* Records that perf itself writes between those of the kernel. */
#define HEADER_ATTR 64
#define HEADER_TRACING_DATA 66

struct thread {
	uint32_t pid;
	uint32_t tid;
	const char *comm;
};

enum {
	MAIN,
	WORKER,
	OTHER,
	NAMELESS,
	IDLE
};

static const struct thread threads[] = {
	[MAIN] = { 1000, 1000, "main" },
	[WORKER] = { 1000, 1001, "w\"\\\xc3\xb6rk\ter <1>" },
	[OTHER] = { 2000, 2000, "other" },
	[NAMELESS] = { 2000, 2002, NULL },
	[IDLE] = { 0, 0, "swapper" },
};

/* Opcodes. */
#define INFO UEV_OPCODE_INFO
#define START UEV_OPCODE_ACTIVITY_START
#define STOP UEV_OPCODE_ACTIVITY_STOP

/*
 * struct row - An EventHeader record
 * @time: nanoseconds since BEGIN
 * @thread: index in threads[]
 * @activity: 0 for none
 * @text: field "text", valid UTF-8 or not, and field "latin"
 * @number: field "number"
 */
struct row {
	uint64_t time;
	unsigned int thread;
	unsigned int event;
	uint8_t opcode;
	uint8_t activity;
	const char *name;
	const char *text;
	uint64_t number;
};

static const struct row rows[] = {
	/* One in the other, and an instant in both. */
	{ 1001, MAIN, DISK, START, 0, "Read", "/usr/share", 1 },
	{ 2002, MAIN, DISK, START, 0, "Seek", "to", 4096 },
	{ 3003, MAIN, DISK, INFO, 0, "Busy", "", 0 },
	{ 4004, MAIN, DISK, STOP, 0, "SeekDone", "at", 4097 },
	{ 5005, MAIN, DISK, STOP, 0, "ReadDone", "complete", 2 },
	/* Two that follow each other, one of which takes no time. */
	{ 5005, MAIN, DISK, START, 0, "Read", "", 3 },
	{ 5006, MAIN, DISK, STOP, 0, "ReadDone", "", 4 },
	{ 5007, MAIN, DISK, START, 0, "Sync", "", 5 },
	{ 5007, MAIN, DISK, STOP, 0, "SyncDone", "", 6 },
	/* A stop without a start, and one of another thread. */
	{ 6000, WORKER, DISK, STOP, 0, "ReadDone", "no start", 7 },
	{ 7000, NAMELESS, NET, START, 0, "Send", "", 8 },
	{ 7500, NAMELESS, DISK, STOP, 0, "ReadDone", "not mine", 9 },
	{ 8000, NAMELESS, NET, STOP, 0, "SendDone", "", 10 },
	/* Never stopped, one in the other. */
	{ 9000, WORKER, DISK, START, 0, "Flush", "", 11 },
	{ 9100, WORKER, DISK, START, 0, "Wait", "", 12 },
	/* From thread to thread, and from process to process. */
	{ 10000, MAIN, NET, START, 1, "Request", "GET", 13 },
	{ 11000, MAIN, NET, START, 2, "Transfer", "", 14 },
	{ 12345, WORKER, NET, STOP, 1, "Response", "200", 15 },
	{ 13000, OTHER, NET, STOP, 2, "TransferDone", "", 16 },
	/* One in the other, of one activity. */
	{ 14000, OTHER, NET, START, 3, "Outer", "", 17 },
	{ 14500, OTHER, NET, START, 3, "Inner", "", 18 },
	{ 14600, OTHER, NET, STOP, 3, "InnerDone", "", 19 },
	{ 15000, OTHER, NET, STOP, 3, "OuterDone", "", 20 },
	/* Two providers in one activity, one across the other. */
	{ 16000, MAIN, NET, START, 4, "Post", "", 21 },
	{ 16100, MAIN, DISK, START, 4, "Store", "", 22 },
	{ 16200, MAIN, NET, STOP, 4, "PostDone", "", 23 },
	{ 16300, MAIN, DISK, STOP, 4, "StoreDone", "", 24 },
	/* Never stopped, not started, and the same activity once more. */
	{ 17000, MAIN, NET, START, 5, "Accept", "", 25 },
	{ 18000, MAIN, NET, STOP, 6, "Closed", "", 26 },
	{ 19000, MAIN, NET, START, 1, "Request", "PUT", 27 },
	{ 19500, MAIN, NET, INFO, 1, "Progress", "half", 28 },
	{ 20000, OTHER, NET, STOP, 1, "Response", "404", 29 },
	/* Of several threads and processes, one across the other. */
	{ 20100, MAIN, DISK, START, 0, "Read", "", 34 },
	{ 20200, OTHER, DISK, START, 0, "Read", "", 35 },
	{ 20300, NAMELESS, DISK, START, 0, "Seek", "", 36 },
	{ 20400, MAIN, DISK, STOP, 0, "ReadDone", "", 37 },
	{ 20500, OTHER, DISK, STOP, 0, "ReadDone", "", 38 },
	{ 20600, NAMELESS, DISK, STOP, 0, "SeekDone", "", 39 },
	/* Numbers that are no doubles, or not signed ones. */
	{ 21000, IDLE, DISK, INFO, 0, "Number", "2^53+1", (1ULL << 53) + 1 },
	{ 21001, MAIN, DISK, INFO, 0, "Number", "2^63-1", INT64_MAX },
	{ 21002, MAIN, DISK, INFO, 0, "Number", "2^63", 1ULL << 63 },
	{ 21003, MAIN, DISK, INFO, 0, "Number", "2^64-1", UINT64_MAX },
	/* Texts. */
	{ 22000, MAIN, DISK, INFO, 0, "Quo\"te\\d, na\xc3\xafve",
	  "a \"quote\", a \\, a / and </script>", 30 },
	{ 22001, MAIN, DISK, INFO, 0, "Text", "\1\2\b\t\n\r\x1b[1m\x7f", 31 },
	{ 22002, MAIN, DISK, INFO, 0, "Text",
	  "gr\xc3\xbc\xc3\x9f \xe4\xbd\xa0\xe5\xa5\xbd "
	  "\xf0\x9f\x98\x80 \xe2\x80\xa8",
	  32 },
	{ 22003, MAIN, DISK, INFO, 0, "Text", "not \xff\xc3 UTF-8", 33 },
	/* Names that are HTML. */
	{ 22100, MAIN, DISK, START, 0,
	  "</script><script>document.title='hacked'</script>",
	  "<img src=x onerror=\"document.title='hacked'\">", 40 },
	{ 22200, MAIN, DISK, STOP, 0, "<b>&amp;", "<!--", 41 },
};

/* ---- Bytes ---- */

static unsigned char file[65536];
static size_t size;
static bool is_big;

static void put(const void *bytes, size_t count)
{
	if (count > sizeof(file) - size)
		abort();
	memcpy(file + size, bytes, count);
	size += count;
}

static void put_zeros(size_t count)
{
	while (count--)
		put("", 1);
}

static void put_number(uint64_t value, unsigned int count)
{
	unsigned int i;
	uint8_t byte;

	for (i = 0; i < count; i++) {
		byte = (uint8_t)(value >> 8 * (is_big ? count - 1 - i : i));
		put(&byte, 1);
	}
}

static void put_u8(uint8_t value)
{
	put_number(value, 1);
}

static void put_u16(uint16_t value)
{
	put_number(value, 2);
}

static void put_u32(uint32_t value)
{
	put_number(value, 4);
}

static void put_u64(uint64_t value)
{
	put_number(value, 8);
}

/* Overwrites earlier bytes. */
static void set_number(size_t at, uint64_t value, unsigned int count)
{
	size_t end = size;

	size = at;
	put_number(value, count);
	size = end;
}

/* Pads to a multiple of 8 after @begin. */
static void pad(size_t begin)
{
	put_zeros((8 - (size - begin) % 8) % 8);
}

static void put_string(const char *text)
{
	put(text, strlen(text) + 1);
}

/* ---- Records ---- */

static void put_common(unsigned int event, const struct thread *thread)
{
	put_u16((uint16_t)event);
	put_u16(0);
	put_u32(thread->tid);
}

/* A block that follows the header; @chain: another follows this one. */
static void put_extension(size_t size, uint16_t kind, bool chain)
{
	put_u16((uint16_t)size);
	put_u16(chain ? kind | 0x8000 : kind);
}

/* Fields: text, the same as Latin-1, a number, an array and a double. */
static void put_fields(const struct row *row)
{
	static const char fields[] = "text\0\7"
				     "latin\0\x87\x0a"
				     "number\0\5"
				     "list\0\x43"
				     "a.b[0]\0\x85\x08";
	const double half = (double)row->number + 0.5;
	uint64_t bits;

	put_extension(strlen(row->name) + sizeof(fields),
		      UEV_EXTENSION_METADATA, false);
	put_string(row->name);
	put(fields, sizeof(fields) - 1);

	put_string(row->text);
	put_string(row->text);
	put_u64(row->number);
	put_u16(row->number % 3);
	if (row->number % 3 > 0)
		put_u16(65535);
	if (row->number % 3 > 1)
		put_u16(7);
	memcpy(&bits, &half, sizeof(bits));
	put_u64(bits);
}

static void put_row(const struct row *row)
{
	static const char activity[] = "0123456789abcde";

	put_common(row->event, &threads[row->thread]);
	put_u8(is_big ? UEV_HEADER_EXTENSION | 1 : UEV_HEADER_KNOWN);
	put_zeros(5);
	put_u8(row->opcode);
	put_u8(row->event == DISK ? 4 : 5);
	if (row->activity) {
		put_extension(UEV_ACTIVITY_SIZE, UEV_EXTENSION_ACTIVITY, true);
		put(activity, sizeof(activity) - 1);
		put_u8(row->activity);
	}
	put_fields(row);
}

static void put_plain(const struct thread *thread, int32_t mode,
		      const char path[12])
{
	put_common(PLAIN, thread);
	put_u64(UINT32_MAX);
	put_u32((uint32_t)mode);
	put(path, 12);
}

/* ---- The file ---- */

static void put_header(uint32_t type, uint16_t length)
{
	put_u32(type);
	put_u16(0);
	put_u16(length);
}

/* Starts a sample. Return: position of its raw data, for end_sample() */
static size_t begin_sample(unsigned int event, uint64_t time,
			   const struct thread *thread)
{
	put_header(PERF_RECORD_SAMPLE, 0);
	put_u64(event);
	put_u32(thread->pid);
	put_u32(thread->tid);
	put_u64(BEGIN + time);
	put_u32(thread->tid % 4);
	put_u32(0);
	put_u32(0);

	return size;
}

static void end_sample(size_t raw)
{
	size_t begin = raw - SAMPLE_HEAD;

	pad(begin);
	set_number(begin + 6, size - begin, 2);
	set_number(raw - 4, size - raw, 4);
}

/* An attribute of 112 bytes, of a clock, with numbers of events in all records. */
static void put_attr(unsigned int event)
{
	const uint64_t bits = is_big ? UINT64_C(1) << (63 - 18) |
					       UINT64_C(1) << (63 - 25)
				     : 1 << 18 | 1 << 25;

	put_header(HEADER_ATTR, 8 + ATTR_SIZE + 8);
	put_u32(PERF_TYPE_TRACEPOINT);
	put_u32(ATTR_SIZE);
	put_u64(event);
	put_u64(1);
	put_u64(SAMPLE_TYPE);
	put_u64(PERF_FORMAT_ID);
	put_u64(bits);
	put_zeros(92 - 48);
	put_u32(4);
	put_zeros(ATTR_SIZE - 96);
	put_u64(event);
}

static void put_comm(const struct thread *thread)
{
	char comm[16] = "";

	memcpy(comm, thread->comm, strnlen(thread->comm, sizeof(comm) - 1));
	put_header(PERF_RECORD_COMM, 8 + 8 + sizeof(comm) + IDS_SIZE);
	put_u32(thread->pid);
	put_u32(thread->tid);
	put(comm, sizeof(comm));
	/* The sample_id_all trailer: thread, time, processor, event. */
	put_u32(thread->pid);
	put_u32(thread->tid);
	put_u64(BEGIN);
	put_u64(0);
	put_u64(DISK);
}

static void put_sized(const char *text)
{
	put_u64(strlen(text));
	put(text, strlen(text));
}

static void put_tracing(void)
{
	put_string("\x17\x08\x44tracing0.6");
	put_u8(is_big);
	put_u8(8);
	put_u32(4096);
	put_string("header_page");
	put_sized("a page");
	put_string("header_event");
	put_sized("");
	put_u32(0);
	put_u32(1);
	put_string("user_events");
	put_u32(3);
	put_sized(plain);
	put_sized(disk);
	put_sized(net);
	put_u32(0);
	put_u32(0);
	put_u64(0);
}

static void put_file(void)
{
	size_t begin, i;

	put(is_big ? "2ELIFREP" : "PERFILE2", 8);
	put_u64(16);
	put_attr(PLAIN);
	put_attr(DISK);
	put_attr(NET);
	put_header(HEADER_TRACING_DATA, 12);
	begin = size + 4;
	put_u32(0);
	put_tracing();
	pad(begin);
	set_number(begin - 4, size - begin, 4);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (threads[i].comm)
			put_comm(&threads[i]);
	begin = begin_sample(PLAIN, 0, &threads[OTHER]);
	put_plain(&threads[OTHER], -1, "first\0\0\0\0\0\0");
	end_sample(begin);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin = begin_sample(rows[i].event, rows[i].time,
				     &threads[rows[i].thread]);
		put_row(&rows[i]);
		end_sample(begin);
	}
	begin = begin_sample(PLAIN, 30000, &threads[IDLE]);
	put_plain(&threads[IDLE], 4711, "last\0\0\0\0\0\0\0");
	end_sample(begin);
}

int main(int argc, char **argv)
{
	is_big = argc > 1 && !strcmp(argv[1], "--big");
	put_file();
	if (fwrite(file, 1, size, stdout) != size || fflush(stdout)) {
		perror("write_timeline");
		return 1;
	}

	return 0;
}
