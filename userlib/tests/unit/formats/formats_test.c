// SPDX-License-Identifier: MIT
/*
 * user-events decode: files to formats.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <userevents/userevents.h>

#include "pipe/pipe.h"
#include "sink/formats.h"
#include "formats/spool.h"
#include "lib/decode_help.h"
#include "lib/dat_image.h"
#include "fuzz/decode_fuzz.h"
#include "lib/decode_formats.h"
#include "formats/trace_dat_bytes.h"
#include "formats/trace_input.h"
#include "lib/fake_sys_perf.h"
#include "lib/perf_image.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "tool.h"
#include "util/bytes.h"

#ifdef TOOL_HAS_ZSTD
#include "lib/peak_memory.h"
#endif

static char directory[32];
static char out[64];
static struct image image;

static void set_up(void)
{
	strcpy(directory, "/tmp/user-events-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	decode_fuzz_directory(directory);
	snprintf(out, sizeof(out), "%s/out", directory);
}

static void tear_down(void)
{
	unlink(out);
	ck_assert_int_eq(rmdir(directory), 0);
}

TEST_FIXTURE(set_up, tear_down);

/* Decodes the image. Return: the output, for free() */
static char *decoded(const struct sink_ops *format, unsigned long records,
		     unsigned long problems)
{
	unsigned long found;
	size_t size;

	ck_assert_uint_eq(decode_fuzz_to(format, image.bytes, image.size, out,
					 &found),
			  records);
	ck_assert_uint_eq(found, problems);

	return decode_fuzz_read(out, &size);
}

static void check_out(const struct sink_ops *format, unsigned long records,
		      unsigned long problems, const char *wanted)
{
	char *text = decoded(format, records, problems);

	ck_assert_str_eq(text, wanted);
	free(text);
}

static void as_input(unsigned long records)
{
	ck_assert_uint_eq(decode_fuzz_one(image.bytes, image.size), records);
}

/* ---- perf.data ---- */

static void two_samples(struct image *to)
{
	image_sample(to, IMAGE_SECOND_ID, 2000000001, 1, "two");
	image_sample(to, IMAGE_FIRST_ID, 1000000002, 0, "one");
}

TEST_LOOP(perf_data, 2)
{
	char *text;

	image_file(&image, _i, 8, two_samples);
	text = decoded(&sink_text, 2, 0);
	ck_assert_ptr_nonnull(strstr(text, " [000] 7/8 user_events:first\n"));
	ck_assert_ptr_nonnull(strstr(text, " [001] 7/8 user_events:second "));
	/* In order of time. */
	ck_assert(strstr(text, "first") < strstr(text, "second"));
	free(text);
	as_input(2);
	image_pipe(&image, _i, two_samples);
	as_input(2);
}

/* A pipe without formats and names. */
TEST(event_without_a_name)
{
	image.size = 0;
	image.big = false;
	image_bytes(&image, "PERFILE2", 8);
	image_u64(&image, 16);
	image_header(&image, 64, 128);
	image_attr(&image, PERF_TYPE_TRACEPOINT, IMAGE_FIRST,
		   IMAGE_SAMPLE_TYPE);
	image_u64(&image, IMAGE_FIRST_ID);
	image_sample(&image, IMAGE_FIRST_ID, 1, 0, "a");
	check_out(&sink_text, 1, 0,
		  "0.000000001 [000] 7/8 tracepoint-41 raw=\"61 00 00 00\"\n");
	as_input(1);
}

/* A record that is shorter than its field, and older. */
static void write_bad(const char *path)
{
	static const char format[] =
		"name: short\nID: 77\nformat:\n"
		"\tfield:u64 number;\toffset:8;\tsize:8;\tsigned:0;\n";
	static const struct uev_source source = {
		.system = "user_events",
		.name = "short",
		.format = format,
		.format_size = sizeof(format) - 1,
		.id = 77,
	};
	static const uint64_t raw[2];
	struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.raw_size = sizeof(raw),
		.flags = UEV_HAS_TIME,
		.time = 20,
	};
	struct uev_perf_writer *writer;

	ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), 0);
	ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	sample.raw_size = 8;
	sample.time = 10;
	ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

/* Returns the offset of the record with 8 bytes, the only one of its size. */
static size_t offset_of_bad(const char *path)
{
	static const struct perf_event_header wanted = {
		.type = PERF_RECORD_SAMPLE,
		.size = 56,
	};
	size_t size, at = 0;
	char *bytes = decode_fuzz_read(path, &size);

	while (at + 8 <= size && memcmp(bytes + at, &wanted, 8) != 0)
		at += 8;
	ck_assert_uint_lt(at, size);
	free(bytes);

	return at;
}

TEST(reports_the_place_of_a_bad_record)
{
	static char decode[] = "decode", path[64], option[80];
	char *arguments[] = { decode, option, path, NULL };
	char bad[80], *text;

	snprintf(path, sizeof(path), "%s/in", directory);
	snprintf(option, sizeof(option), "--output=%s", out);
	fake_perf_begin();
	write_bad(path);
	snprintf(bad, sizeof(bad),
		 "/in: at byte %zu: user_events:short: at byte 8 of the "
		 "record: ",
		 offset_of_bad(path));
	printed_begin(stderr);
	ck_assert_int_eq(command_decode.run(3, arguments), TOOL_INCOMPLETE);
	text = printed_text(stderr);
	ck_assert_ptr_nonnull(strstr(text, bad));
	/* It is one line, and has a reason. */
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	ck_assert_int_ne(strstr(text, bad)[strlen(bad)], '\n');
	free(text);
	fake_perf_end();
	unlink(path);
}

TEST(empty)
{
	dat_image_file(&image, false, 8, 0, NULL);
	check_out(&sink_text, 0, 0, "");
	check_out(&sink_json, 0, 0, "{\n\"a\\n\\\"\xc3\xbf\": [ ]\n}\n");
	check_out(&sink_chrome, 0, 0,
		  "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
	as_input(0);
}

/* ---- trace.dat ---- */

static void two_processors(struct image *to, unsigned int cpu)
{
	dat_image_page(to, 1000 + cpu * 50);
	dat_image_entry(to, 0, 7, 1 + cpu);
	dat_image_entry(to, 100, 8, 3 + cpu);
	/* A record may say its length in a word of its own. */
	dat_image_word(to, 0, 100);
	image_u32(to, 4 + 12);
	image_u16(to, DAT_IMAGE_ID);
	image_zeros(to, 2);
	image_u32(to, 7);
	image_u32(to, 5 + cpu);
	dat_image_page_end(to, 0);
}

#define TWO_PROCESSORS                                             \
	"0.000001%u00 [000] seven/7 user_events:number number=1\n" \
	"0.000001%u50 [001] seven/7 user_events:number number=2\n" \
	"0.000001%u00 [000] eight and more/8 "                     \
	"user_events:number number=3\n"                            \
	"0.000001%u50 [001] eight and more/8 "                     \
	"user_events:number number=4\n"                            \
	"0.000001%u00 [000] seven/7 user_events:number number=5\n" \
	"0.000001%u50 [001] seven/7 user_events:number number=6\n"

static void check_two_processors(unsigned int shift)
{
	char *wanted = tool_print(TWO_PROCESSORS, shift, shift, shift + 1,
				  shift + 1, shift + 2, shift + 2);

	check_out(&sink_text, 6, 0, wanted);
	free(wanted);
	as_input(6);
}

/* The times of this version are shifted by an option, by 100. */
TEST_LOOP(trace_dat_6, 4)
{
	dat_image_file(&image, _i & 1, _i & 2 ? 4 : 8, 2, two_processors);
	check_two_processors(1);
}

TEST_LOOP(trace_dat_7, 2)
{
	dat_image_file7(&image, _i, 2, two_processors);
	check_two_processors(0);
}

/* ---- Files from pipes ---- */

static void write_bytes(int fd, const uint8_t *bytes, size_t size)
{
	ssize_t written;

	for (; size; size -= (size_t)written) {
		written = write(fd, bytes, size);
		if (written <= 0)
			_exit(1);
		bytes += written;
	}
}

/*
 * Starts a process that writes the image into a pipe or a socket, the first
 * bytes one by one. Return: the other end
 */
static int deliver(bool by_socket, pid_t *writer)
{
	int ends[2];
	size_t i, apart = image.size < 20 ? image.size : 20;

	ck_assert_int_eq(by_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
				   : pipe(ends),
			 0);
	*writer = fork();
	if (!*writer) {
		close(ends[0]);
		for (i = 0; i < apart; i++)
			write_bytes(ends[1], image.bytes + i, 1);
		write_bytes(ends[1], image.bytes + apart, image.size - apart);
		_exit(0);
	}
	close(ends[1]);

	return ends[0];
}

static void count_problems(void *data, uint64_t offset, const char *reason)
{
	(void)offset;
	(void)reason;
	++*(unsigned int *)data;
}

static void check_delivered(bool by_socket, unsigned int wanted)
{
	unsigned int problems = 0, records = 0;
	struct format_record record;
	struct trace_input *input;
	pid_t writer;
	int fd = deliver(by_socket, &writer);

	ck_assert_int_eq(
		trace_input_open_fd(&input, fd, count_problems, &problems), 0);
	while (trace_input_next(input, &record) > 0)
		records++;
	trace_input_close(input);
	close(fd);
	ck_assert_int_eq(waitpid(writer, NULL, 0), writer);
	ck_assert_uint_eq(records, wanted);
	ck_assert_uint_eq(problems, 0);
}

TEST_LOOP(files_from_pipes, 2)
{
	image_file(&image, false, 8, two_samples);
	check_delivered(_i, 2);
	image_file(&image, true, 8, two_samples);
	check_delivered(_i, 2);
	dat_image_file(&image, false, 8, 2, two_processors);
	check_delivered(_i, 6);
	dat_image_file7(&image, false, 2, two_processors);
	check_delivered(_i, 6);
}

/* What has no offsets is read as it arrives, and other files are refused. */
TEST_LOOP(pipes_are_not_copied, 2)
{
	struct trace_input *input;
	unsigned int problems = 0;
	int fd, spooled;
	pid_t writer;

	image_pipe(&image, _i, two_samples);
	fd = deliver(false, &writer);
	ck_assert_int_eq(spool_open(fd, &spooled), 0);
	ck_assert_int_eq(spooled, -1);
	close(fd);
	waitpid(writer, NULL, 0);
	check_delivered(false, 2);
	image.size = (size_t)_i * 15;
	fd = deliver(false, &writer);
	ck_assert_int_eq(trace_input_open_fd(&input, fd, count_problems,
					     &problems),
			 -EBADMSG);
	close(fd);
	waitpid(writer, NULL, 0);
}

/* A socket can have its end while the other side still waits for an answer. */
TEST(reads_half_closed_sockets)
{
	struct trace_input *input;
	unsigned int problems = 0;
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	ck_assert_int_eq(write(ends[1], "PERFI", 5), 5);
	ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
	ck_assert_int_eq(trace_input_open_fd(&input, ends[0], count_problems,
					     &problems),
			 -EBADMSG);
	close(ends[0]);
	close(ends[1]);
}

static int nowhere;

static void stop_input(int signal)
{
	(void)signal;
	trace_input_stop(nowhere);
}

/* Ends a read of nothing, of a file, and of what perf writes to a pipe. */
TEST_LOOP(stops_waiting_for_a_pipe, 3)
{
	static const struct itimerval soon = { .it_value.tv_usec = 50000 };
	static const struct sigaction stop = { .sa_handler = stop_input };
	struct trace_input *input;
	struct format_record record;
	unsigned int problems = 0;
	struct stat about;
	int ends[2], ret;

	nowhere = open("/dev/null", O_RDONLY);
	ck_assert_int_eq(sigaction(SIGALRM, &stop, NULL), 0);
	ck_assert_int_eq(pipe(ends), 0);
	if (_i == 1)
		image_file(&image, false, 8, two_samples);
	else
		image_pipe(&image, false, two_samples);
	if (_i)
		write_bytes(ends[1], image.bytes, image.size - 1);
	setitimer(ITIMER_REAL, &soon, NULL);
	ret = trace_input_open_fd(&input, ends[0], count_problems, &problems);
	if (!ret) {
		while (trace_input_next(input, &record) > 0)
			;
		trace_input_close(input);
	}
	ck_assert_int_eq(fstat(ends[0], &about), 0);
	ck_assert(S_ISCHR(about.st_mode));
	/* Nothing is waited for from now on. */
	ck_assert_int_eq(trace_input_open(&input, "/dev/null", count_problems,
					  &problems),
			 -EINTR);
	close(ends[0]);
	close(ends[1]);
	close(nowhere);
}

static void keep_reason(void *data, uint64_t offset, const char *reason)
{
	(void)offset;
	snprintf(data, 128, "%s", reason);
}

TEST(reports_a_missing_directory)
{
	char reason[128] = "";
	struct trace_input *input;
	int fd, spooled;
	pid_t writer;

	image_file(&image, false, 8, two_samples);
	fd = deliver(false, &writer);
	setenv("TMPDIR", "/nonexistent", 1);
	ck_assert_int_eq(spool_open(fd, &spooled), -ENOENT);
	ck_assert_int_eq(spooled, -1);
	ck_assert_int_eq(trace_input_open_fd(&input, fd, keep_reason, reason),
			 -EBADMSG);
	ck_assert_str_eq(reason, "cannot be copied to /nonexistent: "
				 "No such file or directory");
	/* Files need none. */
	ck_assert_int_eq(spool_open(-1, &spooled), 0);
	close(fd);
	waitpid(writer, NULL, 0);
}

/* Distant times, absolute times, and padding. */
static void times(struct image *to, unsigned int cpu)
{
	(void)cpu;
	dat_image_page(to, 1000);
	dat_image_word(to, 30, 5);
	image_u32(to, 2);
	dat_image_entry(to, 1, 7, 1);
	dat_image_word(to, 31, 7);
	image_u32(to, 16);
	dat_image_entry(to, 0, 7, 2);
	/* A discarded entry has a length and a time. */
	dat_image_word(to, 29, 3);
	image_u32(to, 8);
	image_zeros(to, 4);
	dat_image_entry(to, 0, 7, 3);
	/* All of the rest is padding. */
	dat_image_word(to, 29, 0);
	image_zeros(to, 8);
	dat_image_page_end(to, 0);
	dat_image_page(to, UINT64_C(3) << 30);
	dat_image_entry(to, 0, 7, 4);
	dat_image_page_end(to, 0);
}

TEST_LOOP(trace_dat_times, 2)
{
	dat_image_file7(&image, _i, 1, times);
	/* 1000 + 2 * 2^27 + 5 + 1; 16 * 2^27 + 7; + 3; 3 * 2^30 */
	check_out(&sink_text, 4, 0,
		  "0.268436462 [000] seven/7 user_events:number number=1\n"
		  "2.147483655 [000] seven/7 user_events:number number=2\n"
		  "2.147483658 [000] seven/7 user_events:number number=3\n"
		  "3.221225472 [000] seven/7 user_events:number number=4\n");
}

static void losses(struct image *to, unsigned int cpu)
{
	(void)cpu;
	dat_image_page(to, 1000);
	dat_image_entry(to, 0, 7, 1);
	dat_image_page_end(to, 0);
	dat_image_page(to, 2000);
	dat_image_entry(to, 0, 7, 2);
	dat_image_page_end(to, 12);
}

static void ignore(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	(void)reason;
}

/* Opens the image in @file; the caller closes the input and the file. */
static struct trace_input *opened(FILE **file,
				  void (*problem)(void *data, uint64_t offset,
						  const char *reason),
				  void *data)
{
	struct trace_input *input;

	*file = tmpfile();
	ck_assert_ptr_nonnull(*file);
	ck_assert_uint_eq(fwrite(image.bytes, 1, image.size, *file),
			  image.size);
	ck_assert(!fflush(*file));
	ck_assert(!trace_input_open_fd(&input, fileno(*file), problem, data));

	return input;
}

/* Missing records before a page are counted, and written to CTF. */
TEST_LOOP(trace_dat_losses, 4)
{
	struct uev_trace_stats counts;
	struct format_record record;
	struct trace_input *input;
	struct format_loss loss;
	uint64_t offset;
	FILE *file;

	dat_image_file(&image, _i & 1, _i & 2 ? 4 : 8, 1, losses);
	input = opened(&file, ignore, NULL);
	ck_assert_int_eq(trace_input_next(input, &record), 1);
	offset = trace_input_record_offset(input);
	/* After the headers of the page and the entry. */
	ck_assert_uint_eq(offset % DAT_IMAGE_PAGE, (_i & 2 ? 12 : 16) + 4);
	ck_assert_ptr_eq(memmem(image.bytes, image.size, record.sample->raw,
				record.sample->raw_size),
			 image.bytes + offset);
	ck_assert(!trace_input_next_loss(input, 0, &loss));
	ck_assert_int_eq(trace_input_next(input, &record), 1);
	ck_assert(trace_input_next_loss(input, record.sample->time, &loss));
	ck_assert_uint_eq(loss.loss.count, 12);
	ck_assert_int_eq(trace_input_next(input, &record), 0);
	trace_input_counts(input, &counts);
	ck_assert_uint_eq(counts.lost, 12);
	trace_input_close(input);
	fclose(file);
	as_input(2);
}

/* Each processor has a page without losses, or with those of its number. */
static void interleaved(struct image *to, unsigned int cpu)
{
	dat_image_page(to, 1000 + 1000 * cpu);
	dat_image_entry(to, 0, 7, cpu);
	dat_image_page_end(to, cpu ? 3 : 0);
	if (cpu) {
		dat_image_page(to, 2000);
		dat_image_page_end(to, 7);
		return;
	}
	dat_image_page(to, 3000);
	dat_image_entry(to, 0, 7, cpu);
	dat_image_page_end(to, 5);
}

/* Pages are read in advance, but lost records precede those of their page. */
TEST(trace_dat_losses_of_processors)
{
	static const uint64_t lost[] = { 0, 3, 5 };
	struct uev_trace_stats counts;
	struct format_loss loss;
	struct format_record record;
	struct trace_input *input;
	FILE *file;
	size_t i;

	dat_image_file(&image, false, 8, 2, interleaved);
	input = opened(&file, ignore, NULL);
	for (i = 0; i < COUNT(lost); i++) {
		ck_assert_int_eq(trace_input_next(input, &record), 1);
		ck_assert_uint_eq(record.sample->cpu, i % 2);
		memset(&loss, 0, sizeof(loss));
		ck_assert_int_eq(trace_input_next_loss(
					 input, record.sample->time, &loss),
				 lost[i] > 0);
		ck_assert_uint_eq(loss.loss.count, lost[i]);
		ck_assert_uint_eq(loss.loss.cpu, lost[i] ? i % 2 : 0);
		ck_assert_uint_eq(loss.loss.to,
				  lost[i] ? record.sample->time : 0);
	}
	ck_assert_int_eq(trace_input_next(input, &record), 0);
	/* Those after the last record of their processor */
	ck_assert(trace_input_next_loss(input, UINT64_MAX, &loss));
	ck_assert_uint_eq(loss.loss.count, 7);
	ck_assert_uint_eq(loss.loss.cpu, 1);
	ck_assert_uint_eq(loss.loss.flags, UEV_HAS_CPU);
	ck_assert_str_eq(loss.loss.reason, FORMAT_LOSS_OVERWRITTEN);
	ck_assert(!trace_input_next_loss(input, UINT64_MAX, &loss));
	trace_input_counts(input, &counts);
	ck_assert_uint_eq(counts.lost, 15);
	trace_input_close(input);
	fclose(file);
}

static void numbered(struct image *to, unsigned int instance)
{
	dat_image_page(to, 1000 + instance);
	dat_image_entry(to, 0, 7, instance);
	dat_image_page_end(to, 0);
}

#define NUMBERED(digit)                                         \
	"0.00000100" digit " [000] seven/7 user_events:number " \
	"number=" digit "\n"

static void keep_offset(void *data, uint64_t offset, const char *reason)
{
	(void)reason;
	*(uint64_t *)data = offset;
}

/* A malformed page is reported with its place, and does not affect others. */
TEST_LOOP(trace_dat_6_instances, 4)
{
	uint64_t where = 0, bad;
	struct trace_input *input;
	size_t places[2];
	FILE *file;

	dat_image_instances(&image, _i & 1, places, numbered);
	check_out(&sink_text, 2, 0, NUMBERED("0") NUMBERED("1"));
	as_input(2);

	/* Invalid positions, or the end of the file. */
	bad = _i & 2 ? image.size : 64;
	image_set64(&image, places[0], bad);
	check_out(&sink_text, 1, 1, NUMBERED("1"));
	input = opened(&file, keep_offset, &where);
	ck_assert_uint_eq(where, bad);
	trace_input_close(input);
	fclose(file);
}

static void bad_entry(struct image *to, unsigned int cpu)
{
	(void)cpu;
	dat_image_page(to, 1000);
	dat_image_entry(to, 0, 7, 1);
	dat_image_word(to, 28, 0);
	dat_image_page_end(to, 0);
	/* A record of an unknown event. */
	dat_image_page(to, 2000);
	dat_image_word(to, 1, 0);
	image_u16(to, 9);
	image_u16(to, 0);
	dat_image_entry(to, 0, 9, 2);
	dat_image_page_end(to, 0);
}

/* Malformed parts are reported, and the rest is decoded. */
TEST(trace_dat_malformed)
{
	dat_image_file7(&image, false, 1, bad_entry);
	check_out(&sink_text, 3, 2,
		  "0.000001000 [000] seven/7 user_events:number number=1\n"
		  "0.000002000 [000] tracepoint-9 raw=\"09 00 00 00\"\n"
		  "0.000002000 [000] 9 user_events:number number=2\n");
	as_input(3);
}

/* Pages of the first processor only. */
static void one_processor(struct image *to, unsigned int cpu)
{
	if (!cpu)
		two_processors(to, 0);
}

/* Bytes that many buffers name are not decoded for each of them. */
TEST(trace_dat_repeated_buffers)
{
	const unsigned int cpus = 300;
	unsigned long problems;
	unsigned int cpu;

	dat_image_file7(&image, false, cpus, one_processor);
	for (cpu = 1; cpu < cpus; cpu++)
		memcpy(image.bytes + dat_image_table + (size_t)cpu * 20,
		       image.bytes + dat_image_table, 16);
	/* A record takes at least 16 bytes. */
	ck_assert_uint_le(decode_fuzz_to(&sink_text, image.bytes, image.size,
					 out, &problems),
			  image.size / 16);
	ck_assert_uint_gt(problems, 0);
}

/* A section that options name many times is read a few times. */
TEST(trace_dat_repeated_sections)
{
	unsigned long problems;

	dat_image_repeated7(&image, 1);
	decode_fuzz_to(&sink_text, image.bytes, image.size, out, &problems);
	ck_assert_uint_eq(problems, 0);
	dat_image_repeated7(&image, 1000);
	decode_fuzz_to(&sink_text, image.bytes, image.size, out, &problems);
	/* The file has room for 15 to 100 of them. */
	ck_assert_uint_gt(problems, 900);
}

static void count_too_many(void *data, uint64_t offset, const char *reason)
{
	(void)offset;
	*(unsigned int *)data += strcmp(reason, "too many buffers") == 0;
}

TEST(trace_dat_too_many_buffers)
{
	const unsigned int cpus = 4100;
	unsigned int cpu, problems = 0;
	struct trace_input *input;
	FILE *file;

	dat_image_file7(&image, false, cpus, one_processor);
	for (cpu = 1; cpu < cpus; cpu++)
		image_set64(&image, dat_image_table + (size_t)cpu * 20 + 8, 1);
	input = opened(&file, count_too_many, &problems);
	ck_assert_uint_eq(problems, cpus - 4096);
	trace_input_close(input);
	fclose(file);
}

TEST(trace_dat_too_many_options)
{
	struct trace_input *input;
	char reason[128] = "";
	FILE *file = tmpfile();

	dat_image_repeated7(&image, 4096);
	ck_assert_uint_eq(fwrite(image.bytes, 1, image.size, file), image.size);
	ck_assert_int_eq(fflush(file), 0);
	ck_assert_int_eq(trace_input_open_fd(&input, fileno(file), keep_reason,
					     reason),
			 -EBADMSG);
	ck_assert_str_eq(reason, "malformed options");
	fclose(file);
}

#ifdef TOOL_HAS_ZSTD

/* Pages of a chunk, and blocks of zstd that each repeat a byte. */
#define CHUNK_SIZE (UINT32_C(16) << 20)
#define BLOCK_SIZE (UINT32_C(128) << 10)
#define LARGE_CHUNKS 96
/* ThreadSanitizer has four more bytes for each. */
#ifdef __SANITIZE_THREAD__
#define SHADOW 5
#else
#define SHADOW 1
#endif
/* The limit of all pages, and the overhead of a sanitizer. */
#define PAGES_LIMIT (UINT32_C(512) << 20)
#define PAGES_MEMORY (SHADOW * ((size_t)640 << 20))

static void set32(struct image *to, size_t at, uint32_t value)
{
	image_set16(to, at, (uint16_t)value);
	image_set16(to, at + 2, (uint16_t)(value >> 16));
}

static void put_block(struct image *to, uint32_t size, bool repeats, bool last)
{
	const uint32_t head = size << 3 | (uint32_t)repeats << 1 | last;

	image_u16(to, (uint16_t)head);
	image_bytes(to, &(uint8_t){ (uint8_t)(head >> 16) }, 1);
}

/* A chunk of zeros, behind a record for even processors. */
static void large_chunk(struct image *to, unsigned int cpu)
{
	uint32_t left = CHUNK_SIZE - DAT_IMAGE_PAGE, size;
	size_t begin;

	image_u32(to, 1);
	begin = to->size;
	image_zeros(to, 4);
	image_u32(to, CHUNK_SIZE);
	/* One segment, with its size. */
	image_bytes(to, "\x28\xb5\x2f\xfd\xa0", 5);
	image_u32(to, CHUNK_SIZE);
	put_block(to, DAT_IMAGE_PAGE, false, false);
	dat_image_page(to, 1000 + cpu);
	if (cpu % 2 == 0)
		dat_image_entry(to, 0, 7, cpu);
	dat_image_page_end(to, 0);
	for (; left; left -= size) {
		size = left < BLOCK_SIZE ? left : BLOCK_SIZE;
		put_block(to, size, true, left == size);
		image_zeros(to, 1);
	}
	set32(to, begin, (uint32_t)(to->size - begin - 8));
}

static void name_compression(void)
{
	memcpy(memmem(image.bytes, image.size, "none", 5), "zstd", 5);
}

/* Writes a file whose pages are chunks. */
static void write_chunks(unsigned int cpus,
			 void (*pages)(struct image *image, unsigned int cpu))
{
	size_t section, at, i;

	dat_image_file7(&image, false, cpus, pages);
	name_compression();
	/* Flags of the section */
	section = (size_t)uev_get64(image.bytes + dat_image_table - 27, false);
	image_set16(&image, section + 2, 1);
	/* The number of chunks is not counted. */
	for (i = 0; i < cpus; i++) {
		at = dat_image_table + i * 20 + 8;
		image_set64(&image, at, uev_get64(image.bytes + at, false) - 4);
	}
}

/* A small file does not make the reader hold all that it stands for. */
TEST(trace_dat_large_chunks)
{
	size_t before = peak_memory();
	unsigned long records, problems;

	write_chunks(LARGE_CHUNKS, large_chunk);
	/* Page size */
	set32(&image, dat_image_table - 12, 1U << 20);
	ck_assert_uint_lt(image.size, UINT32_C(128) << 10);
	records = decode_fuzz_to(&sink_text, image.bytes, image.size, out,
				 &problems);
	/* Those of processors without records take none. */
	ck_assert_uint_eq(records, PAGES_LIMIT / CHUNK_SIZE);
	ck_assert_uint_gt(problems, 0);
	ck_assert_uint_lt(peak_memory() - before, PAGES_MEMORY);
}

/* A section whose size of compressed data is a number and a part of a name */
TEST(trace_dat_bad_section)
{
	struct trace_input *input;
	char reason[128] = "";
	uint8_t *name;
	FILE *file;

	dat_image_file7(&image, false, 1, one_processor);
	name_compression();
	name = memmem(image.bytes, image.size, "user_events", 12);
	image_set16(&image, (size_t)(name - image.bytes) - 4 - 14, 1);
	input = opened(&file, keep_reason, reason);
	ck_assert_str_eq(reason, "invalid size of compressed data");
	trace_input_close(input);
	fclose(file);
}

/* One chunk with one page, whose compression repeats no byte */
static void small_chunk(struct image *to, unsigned int cpu)
{
	size_t begin;

	image_u32(to, 1);
	begin = to->size;
	image_zeros(to, 4);
	image_u32(to, DAT_IMAGE_PAGE);
	image_bytes(to, "\x28\xb5\x2f\xfd\xa0", 5);
	image_u32(to, DAT_IMAGE_PAGE);
	put_block(to, DAT_IMAGE_PAGE, false, true);
	dat_image_page(to, 1000);
	dat_image_entry(to, 0, 7, cpu);
	dat_image_page_end(to, 0);
	set32(to, begin, (uint32_t)(to->size - begin - 8));
}

/* What a 32-bit number of a chunk is changed to, or how long its data are */
static const struct {
	size_t at;
	uint32_t value;
	size_t left;
	const char *reason;
} chunks[] = {
	{ 0, 1, 0, NULL },
	{ 4, (16U << 20) + 1, 0, "invalid size of compressed data" },
	{ 4, DAT_IMAGE_PAGE + 100, 0, "truncated compressed data" },
	{ 8, 0, 0, "invalid size of compressed data" },
	{ 8, DAT_IMAGE_PAGE + 1, 0, "invalid size of compressed data" },
	{ 8, (16U << 20) + DAT_IMAGE_PAGE, 0,
	  "invalid size of compressed data" },
	{ 8, 2 * DAT_IMAGE_PAGE, 0, "cannot decompress data" },
	{ 12, 1, 0, "cannot decompress data" },
	{ 0, 1, 11, "truncated compressed data" },
	{ 0, 1, 3, "truncated data" },
};

TEST_LOOP(trace_dat_bad_chunks, ARRAY_SIZE(chunks))
{
	struct format_record record;
	struct trace_input *input;
	char reason[128] = "";
	size_t begin;
	FILE *file;

	write_chunks(1, small_chunk);
	begin = (size_t)uev_get64(image.bytes + dat_image_table, false);
	set32(&image, begin + chunks[_i].at, chunks[_i].value);
	if (chunks[_i].left > 4)
		image_set64(&image, dat_image_table + 8, chunks[_i].left - 4);
	else if (chunks[_i].left)
		image.size = begin + chunks[_i].left;
	input = opened(&file, keep_reason, reason);
	ck_assert_int_eq(trace_input_next(input, &record), !chunks[_i].reason);
	ck_assert_int_eq(trace_input_next(input, &record), 0);
	ck_assert_str_eq(reason, chunks[_i].reason ? chunks[_i].reason : "");
	trace_input_close(input);
	fclose(file);
}

#endif

/* A truncated file is decoded up to its end, or rejected. */
TEST_LOOP(truncated, 3)
{
	size_t size;

	if (_i == 0)
		dat_image_file(&image, false, 8, 2, two_processors);
	else if (_i == 1)
		dat_image_file7(&image, false, 2, two_processors);
	else
		image_file(&image, false, 8, two_samples);
	size = image.size;
	for (image.size = 0; image.size < size; image.size += 7)
		decode_fuzz_turn(image.bytes, image.size, image.size);
}

/* Each byte changed in turn. */
TEST_LOOP(any_byte_changed, 2)
{
	size_t i;

	if (_i == 0)
		dat_image_file(&image, false, 8, 2, two_processors);
	else
		dat_image_file7(&image, true, 2, two_processors);
	for (i = 0; i < image.size; i += i < 1200 ? 1 : 5) {
		image.bytes[i] ^= 0xff;
		decode_fuzz_turn(image.bytes, image.size, i);
		image.bytes[i] ^= 0xff;
	}
}

/* ---- EventHeader ---- */

#define EVENTHEADER(name)                                                \
	"name: " name "\n"                                               \
	"ID: 77\n" COMMON_FIELDS                                         \
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n" \
	"\n"

static struct uev_schema *schema;
static struct uev_decoder *decoder;
static struct sink sink;
static struct uev_source source = { .system = "user_events", .name = "P_L4K1" };

/* Which activity it is of those that have one. */
static const char *activity;

/* The name of the thread of records, and their processor. */
static const char *comm;
static uint32_t cpu;

static uint8_t level;

static void begin_with(const struct sink_ops *format,
		       const struct sink_options *options)
{
	static const char text[] = EVENTHEADER("P_L4K1");

	ck_assert(!uev_schema_parse(&schema, "user_events", text, strlen(text),
				    0, NULL));
	decoder = new_decoder();
	ck_assert(!sink_open(&sink, format, options));
	if (format->begin_part)
		format->begin_part(sink.data, "file");
	activity = "0123456789abcdef";
	comm = "five";
	cpu = 0;
	level = UEV_LEVEL_INFORMATION;
}

static void begin_records(const struct sink_ops *format)
{
	const struct sink_options options = { .path = out };

	begin_with(format, &options);
}

/* Bytes of the header from the flags on, and the rest; "4 opcode level" */
static int add_record(const struct sink_ops *format, uint64_t time,
		      uint32_t tid, uint8_t opcode, bool has_activity,
		      const char *metadata, size_t metadata_size,
		      const char *payload, size_t payload_size)
{
	struct uev_sample sample = {
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID,
		.time = time,
		.cpu = cpu,
		.pid = 5,
		.tid = tid,
		.raw = image.bytes,
	};
	struct format_record record = {
		.sample = &sample,
		.schema = schema,
		.comm = comm,
	};
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	image.size = 0;
	image.big = big;
	image_zeros(&image, 8);
	image_u8(&image, big ? 5 : 7);
	image_zeros(&image, 5);
	image_u8(&image, opcode);
	image_u8(&image, level);
	if (has_activity) {
		image_u16(&image, 16);
		image_u16(&image, 0x8002);
		image_bytes(&image, activity, UEV_ACTIVITY_SIZE);
	}
	image_u16(&image, (uint16_t)metadata_size);
	image_u16(&image, 1);
	image_bytes(&image, metadata, metadata_size);
	image_bytes(&image, payload, payload_size);
	sample.raw_size = (uint32_t)image.size;

	return format->record(sink.data, decoder, &record);
}

/* NUL-terminated texts. */
#define ADD(format, time, tid, opcode, has_activity, metadata, payload) \
	add_record(format, time, tid, opcode, has_activity, metadata,   \
		   sizeof(metadata) - 1, payload, sizeof(payload) - 1)

static void end_records(const struct sink_ops *format)
{
	if (format->end_part)
		format->end_part(sink.data);
	ck_assert(!pipe_end_sink(&sink, true));
	uev_decoder_free(decoder);
	uev_schema_free(schema);
}

/* Removes the texts of the fields, which chrome_details() tests. */
static void remove_details(char *text)
{
	static const char key[] = ",\"detail\":\"";
	char *from = text, *to = text, *found, *stop = text + strlen(text);
	size_t size;

	/* strstr() would take the length of the rest each time under ASan. */
	while ((found = memmem(from, stop - from, key, strlen(key)))) {
		size = found - from;
		memmove(to, from, size);
		to += size;
		for (from = found + strlen(key); *from != '"'; from++)
			from += *from == '\\';
		from++;
	}
	memmove(to, from, stop - from + 1);
}

/* Checks that the output is these events, one per line. */
static void check_events(const char *const *events, size_t count)
{
	size_t size, i;
	char *text = decode_fuzz_read(out, &size);
	char *at = strchr(text, '\n');

	ck_assert_ptr_nonnull(at);
	remove_details(at);
	for (i = 0; i < count; i++) {
		at = strtok(i ? NULL : at, "\n");
		ck_assert_ptr_nonnull(at);
		if (i + 1 < count)
			at[strlen(at) - 1] = '\0';
		ck_assert_str_eq(at, events[i]);
	}
	ck_assert_str_eq(strtok(NULL, ""), "]}\n");
	free(text);
}

#define CHECK_EVENTS(...)                                             \
	do {                                                          \
		static const char *const events_[] = { __VA_ARGS__ }; \
		check_events(events_, ARRAY_SIZE(events_));           \
	} while (0)

/* An event of the common thread, or of another. */
#define EVENT_OF(tid, provider, phase, ts, name, more)                      \
	"{\"ph\":\"" phase "\",\"ts\":" ts ",\"pid\":5,\"tid\":" tid        \
	",\"name\":\"" provider ":" name "\",\"cat\":\"" provider "\"" more \
	"}"
#define EVENT(phase, ts, name, more) EVENT_OF("5", "P", phase, ts, name, more)
#define COMM(kind, tid)                                     \
	"{\"ph\":\"M\",\"ts\":0.000,\"pid\":5,\"tid\":" tid \
	",\"name\":\"" kind "\",\"args\":{\"name\":\"five\"}}"

/* The fields of a record, with its opcode and its activity. */
#define SAYS_OF(provider, name, opcode, more)                   \
	"{\"n\":\"" provider ":" name "\",\"meta\":{\"cpu\":0," \
	"\"level\":4,\"keyword\":\"0x1\",\"opcode\":" opcode more "}}"
#define ARGS_OF(provider, name, opcode, more) \
	",\"args\":{\"data\":" SAYS_OF(provider, name, opcode, more) "}"
#define ARGS(name, opcode, more) ARGS_OF("P", name, opcode, more)
#define STOP_ARGS(name, more) \
	",\"args\":{\"stop\":" SAYS_OF("P", name, "2", more) "}"
/* A complete slice, without a stop and with one. */
#define DURATION(duration, args) \
	",\"dur\":" duration ",\"args\":{\"data\":{" args "}}"
#define STARTED(name)                               \
	"\"n\":\"P:" name "\",\"meta\":{\"cpu\":0," \
	"\"level\":4,\"keyword\":\"0x1\",\"opcode\":1}"
#define STOPPED(name, stop_name) \
	STARTED(name) ",\"stop\":" SAYS_OF("P", stop_name, "2", "")
#define INSTANT(name, opcode, more) ",\"s\":\"t\"" ARGS(name, opcode, more)

/* The activity, and another. */
#define ID ",\"id\":\"0x30313233343536373839616263646566\""
#define ACTIVITY ",\"activity\":\"30313233-3435-3637-3839-616263646566\""
#define OTHER_ID ",\"id\":\"0x30313233343536373839616263646567\""
#define OTHER_ACTIVITY ",\"activity\":\"30313233-3435-3637-3839-616263646567\""

/*
 * Slices nest in their thread; a stop without a start is an instant, and an
 * open slice ends with the trace.
 */
TEST(chrome_nests)
{
	const struct sink_ops *format = &sink_chrome;

	begin_records(format);
	ADD(format, 1001, 5, 2, false, "Stop\0", "");
	ADD(format, 2002, 5, 1, false, "A\0", "");
	ADD(format, 3003, 5, 1, false, "B\0", "");
	ADD(format, 4004, 6, 2, false, "Stop\0", "");
	ADD(format, 5005, 5, 2, false, "Stop\0", "");
	end_records(format);
	CHECK_EVENTS(COMM("process_name", "5"), COMM("thread_name", "5"),
		     EVENT("i", "1.001", "Stop", INSTANT("Stop", "2", "")),
		     COMM("thread_name", "6"),
		     EVENT_OF("6", "P", "i", "4.004", "Stop",
			      INSTANT("Stop", "2", "")),
		     EVENT("X", "3.003", "B",
			   DURATION("2.002", STOPPED("B", "Stop"))),
		     EVENT("X", "2.002", "A", DURATION("3.003", STARTED("A"))));
}

/* Those of an activity find each other by that, in whichever thread. */
TEST(chrome_activities)
{
	const struct sink_ops *format = &sink_chrome;

	begin_records(format);
	ADD(format, 1001, 5, 2, true, "Stop\0", "");
	ADD(format, 2000, 5, 1, true, "A\0", "");
	ADD(format, 3000, 5, 1, true, "B\0", "");
	activity = "0123456789abcdeg";
	ADD(format, 4000, 5, 1, true, "C\0", "");
	activity = "0123456789abcdef";
	ADD(format, 5000, 6, 2, true, "Stop\0", "");
	ADD(format, 6000, 5, 2, true, "Stop\0", "");
	ADD(format, 7000, 5, 2, false, "Stop\0", "");
	end_records(format);
	CHECK_EVENTS(COMM("process_name", "5"), COMM("thread_name", "5"),
		     EVENT("i", "1.001", "Stop",
			   INSTANT("Stop", "2", ACTIVITY)),
		     EVENT("b", "2.000", "A", ID ARGS("A", "1", ACTIVITY)),
		     EVENT("b", "3.000", "B", ID ARGS("B", "1", ACTIVITY)),
		     EVENT("b", "4.000", "C",
			   OTHER_ID ARGS("C", "1", OTHER_ACTIVITY)),
		     COMM("thread_name", "6"),
		     EVENT_OF("6", "P", "e", "5.000", "B",
			      ID STOP_ARGS("Stop", ACTIVITY)),
		     EVENT("e", "6.000", "A", ID STOP_ARGS("Stop", ACTIVITY)),
		     EVENT("i", "7.000", "Stop", INSTANT("Stop", "2", "")),
		     EVENT("e", "7.000", "C", OTHER_ID));
}

/* From here on records are of another tracepoint; until end_others(). */
static struct uev_schema *begin_others(const char *name)
{
	struct uev_schema *own = schema;
	char other[512];

	ck_assert_int_lt(snprintf(other, sizeof(other), EVENTHEADER("%s"),
				  name),
			 sizeof(other));

	ck_assert(!uev_schema_parse(&schema, "user_events", other,
				    strlen(other), 0, NULL));

	return own;
}

static void end_others(struct uev_schema *own)
{
	uev_schema_free(schema);
	schema = own;
}

/* A stop of another thread, or one older than the start, is an instant. */
TEST_LOOP(chrome_stops, 2)
{
	const struct sink_ops *format = &sink_chrome;
	struct uev_schema *own;

	begin_records(format);
	ADD(format, 2000, 5, 1, _i, "A\0", "");
	ADD(format, 1000, 5, 2, _i, "Old\0", "");
	own = begin_others("Q_L4K1");
	ADD(format, 3000, 5, 2, _i, "Other\0", "");
	end_others(own);
	end_records(format);
	if (_i)
		CHECK_EVENTS(
			COMM("process_name", "5"), COMM("thread_name", "5"),
			EVENT("b", "2.000", "A", ID ARGS("A", "1", ACTIVITY)),
			EVENT("i", "1.000", "Old",
			      INSTANT("Old", "2", ACTIVITY)),
			EVENT_OF("5", "Q", "i", "3.000", "Other",
				 ",\"s\":\"t\"" ARGS_OF("Q", "Other", "2",
							ACTIVITY)),
			EVENT("e", "3.000", "A", ID));
	else
		CHECK_EVENTS(
			COMM("process_name", "5"), COMM("thread_name", "5"),

			EVENT("i", "1.000", "Old", INSTANT("Old", "2", "")),
			EVENT_OF("5", "Q", "i", "3.000", "Other",
				 ",\"s\":\"t\"" ARGS_OF("Q", "Other", "2", "")),
			EVENT("X", "2.000", "A",
			      DURATION("1.000", STARTED("A"))));
}

/* Two providers in the same activity have separate slices. */
TEST(chrome_shared_activity)
{
	const struct sink_ops *format = &sink_chrome;
	struct uev_schema *own;

	begin_records(format);
	ADD(format, 1000, 5, 1, true, "A\0", "");
	own = begin_others("Q_L4K1");
	ADD(format, 2000, 5, 1, true, "B\0", "");
	end_others(own);
	ADD(format, 3000, 5, 2, true, "Stop\0", "");
	end_records(format);
	CHECK_EVENTS(COMM("process_name", "5"), COMM("thread_name", "5"),
		     EVENT("b", "1.000", "A", ID ARGS("A", "1", ACTIVITY)),
		     EVENT_OF("5", "Q", "b", "2.000", "B",
			      ID ARGS_OF("Q", "B", "1", ACTIVITY)),
		     EVENT("e", "3.000", "A", ID STOP_ARGS("Stop", ACTIVITY)),
		     EVENT_OF("5", "Q", "e", "3.000", "B", ID));
}

/*
 * A stop in an activity that many providers share must search only the slices
 * of its provider. In one common list, the newest would end first.
 */
TEST(chrome_lists_of_providers)
{
	const struct sink_ops *format = &sink_chrome;
	const char *at, *const key = "{\"ph\":\"e\"";
	const char *const name = "\"name\":\"";
	const size_t count = 26;
	size_t size, i, ends = 0, newest_first = 0;
	char provider[] = "A_L4K1";
	struct uev_schema *own;
	char *text;

	begin_records(format);
	for (i = 0; i < count; i++, provider[0]++) {
		own = begin_others(provider);
		ADD(format, 1000, 5, 1, true, "A\0", "");
		end_others(own);
	}
	end_records(format);
	text = decode_fuzz_read(out, &size);
	for (at = text; (at = strstr(at, key)); at++) {
		at = strstr(at, name);
		ck_assert_ptr_nonnull(at);
		ends++;
		if (at[strlen(name)] == (char)('A' + count - ends))
			newest_first++;
	}
	ck_assert_uint_eq(ends, count);
	ck_assert_uint_lt(newest_first, ends);
	free(text);
}

/* Some of so many activities have one list, in which a stop finds its own. */
TEST(chrome_lists_of_activities)
{
	const struct sink_ops *format = &sink_chrome;
	char own[UEV_ACTIVITY_SIZE + 1];
	const size_t count = 5000;
	size_t size, i;
	char *text;

	begin_records(format);
	activity = own;
	for (i = 0; i < 2 * count; i++) {
		snprintf(own, sizeof(own), "%016zu", i % count);
		ADD(format, 1000 + i, 5, 1 + i / count, true, "A\0", "");
	}
	end_records(format);
	text = decode_fuzz_read(out, &size);
	ck_assert_uint_eq(count_text(text, "{\"ph\":\"b\""), count);
	ck_assert_uint_eq(count_text(text, "{\"ph\":\"e\""), count);
	ck_assert_uint_eq(count_text(text, "{\"ph\":\"i\""), 0);
	free(text);
}

/* A start that is not kept is an instant, and has no stop. */
TEST(chrome_full)
{
	const struct sink_ops *format = &sink_chrome;
	static char payload[60001];
	const size_t count = 400;
	size_t size, i;
	char *text;

	memset(payload, 'x', sizeof(payload) - 2);
	begin_records(format);
	for (i = 0; i < count; i++)
		ADD(format, 1000 + i, 5, 1, false, "A\0s\0\7", payload);
	for (i = 0; i < count; i++)
		ADD(format, 2000, 5, 2, false, "B\0", "");
	end_records(format);
	text = decode_fuzz_read(out, &size);
	/* 16 MiB of slices. */
	ck_assert_uint_eq(count_text(text, "{\"ph\":\"X\""), 274);
	ck_assert_uint_eq(count_text(text, "\"stop\":{"), 274);
	ck_assert_uint_eq(count_text(text, "{\"ph\":\"i\""), 2 * (count - 274));
	free(text);
}

/*
 * Firefox Profiler shows only this member, of an object that it knows. A field
 * of its name remains the only one.
 */
TEST(chrome_details)
{
	const struct sink_ops *format = &sink_chrome;
	static char payload[2001];
	size_t size;
	char *text;

	memset(payload, 'x', sizeof(payload) - 2);
	begin_records(format);
	ADD(format, 1000, 5, 0, false, "A\0a\0\2b\0\7", "\1b\"\0");
	ADD(format, 2000, 5, 0, false, "B\0detail\0\2", "\1");
	ADD(format, 3000, 5, 0, false, "C\0s\0\7", payload);
	end_records(format);
	text = decode_fuzz_read(out, &size);
	ck_assert_ptr_nonnull(
		strstr(text, "\"args\":{\"data\":{\"n\":\"P:A\",\"a\":1,"));
	ck_assert_ptr_nonnull(strstr(text,
				     ",\"detail\":\"a=1 b=\\\"b\\\\\\\"\\\" "
				     "{level=information keyword=0x1}\"}}}"));
	ck_assert_ptr_nonnull(strstr(text, "{\"n\":\"P:B\",\"detail\":1,"));
	ck_assert_uint_eq(count_text(text, "\"detail\":"), 3);
	/* A long one is shortened. */
	ck_assert_ptr_nonnull(strstr(text, "xxx" UEV_SHORTENED "\"}}}"));
	free(text);
}

/* The stop of a start that had no room is not that of the one around it. */
TEST(chrome_full_inside)
{
	const struct sink_ops *format = &sink_chrome;
	static char payload[60001];
	size_t size, i;
	char *text;

	memset(payload, 'x', sizeof(payload) - 2);
	begin_records(format);
	ADD(format, 1000, 5, 1, false, "Outer\0", "");
	for (i = 0; i < 400; i++)
		ADD(format, 1500, 6, 1, false, "Fill\0s\0\7", payload);
	ADD(format, 2000, 5, 1, false, "Big\0s\0\7", payload);
	/* For this there would be room. */
	ADD(format, 3000, 5, 1, false, "Small\0", "");
	ADD(format, 4000, 5, 2, false, "StopSmall\0", "");
	ADD(format, 5000, 5, 2, false, "StopBig\0", "");
	ADD(format, 6000, 5, 1, false, "Next\0", "");
	ADD(format, 7000, 5, 2, false, "StopNext\0", "");
	ADD(format, 8000, 5, 2, false, "StopOuter\0", "");
	end_records(format);
	text = decode_fuzz_read(out, &size);
	remove_details(text);
	ck_assert_ptr_nonnull(strstr(text, EVENT("i", "3.000", "Small",
						 INSTANT("Small", "1", ""))));
	ck_assert_ptr_nonnull(
		strstr(text, EVENT("i", "4.000", "StopSmall",
				   INSTANT("StopSmall", "2", ""))));
	ck_assert_ptr_nonnull(strstr(text, EVENT("i", "5.000", "StopBig",
						 INSTANT("StopBig", "2", ""))));
	ck_assert_ptr_nonnull(strstr(
		text, EVENT("X", "6.000", "Next",
			    DURATION("1.000", STOPPED("Next", "StopNext")))));
	ck_assert_ptr_nonnull(strstr(
		text, EVENT("X", "1.000", "Outer",
			    DURATION("7.000", STOPPED("Outer", "StopOuter")))));
	free(text);
}

/* A record that the decoder cannot finish is one object in a line, too. */
TEST(json_of_too_many_elements)
{
	const struct sink_options options = {
		.path = out,
		.lines = true,
		.is_live = true,
	};
	size_t size;
	char *text;

	begin_with(&sink_json, &options);
	/* An array of structs without members */
	ck_assert_int_eq(ADD(&sink_json, 1, 5, 0, false, "E\0a\0\2s\0\xc1\1",
			     "\5\377\377"),
			 -E2BIG);
	end_records(&sink_json);
	text = decode_fuzz_read(out, &size);
	ck_assert_ptr_nonnull(strstr(text, "\"a\":5,"));
	ck_assert_ptr_nonnull(strstr(text, "\"error\":{"));
	ck_assert_ptr_null(strstr(text, "record too long"));
	ck_assert_ptr_eq(strchr(text, '\n'), text + size - 1);
	free(text);
}

/* Readers of a session see that there was a record, which files leave out. */
TEST_LOOP(json_of_long_records, 2)
{
	const struct sink_options options = {
		.path = out,
		.lines = true,
		.is_live = _i,
	};
	static char metadata[6 + 500 + 2] = "E\0s\0\301\1";
	static char payload[2 + 40000] = "\x40\x9c";
	size_t size;
	char *text;

	memset(metadata + 6, 'm', 500);
	metadata[sizeof(metadata) - 1] = 2;
	begin_with(&sink_json, &options);
	ck_assert_int_eq(add_record(&sink_json, 1, 5, 0, false, metadata,
				    sizeof(metadata), payload, sizeof(payload)),
			 -E2BIG);
	end_records(&sink_json);
	text = decode_fuzz_read(out, &size);
	ck_assert_str_eq(text,
			 _i ? "{\"error\":{\"reason\":\"record too long\"}}\n"
			    : "");
	free(text);
}

/* A class of events for each shape, with names that CTF can have. */
TEST(ctf_classes)
{
	const struct sink_ops *format = &sink_ctf;
	struct uev_schema *own;
	char path[80];
	size_t size;
	char *text;

	begin_records(format);
	ADD(format, 1, 5, 0, false, "E\0a\0\2int x\0\2int-x\0\2", "\1\2\3");
	ADD(format, 2, 5, 0, false, "E\0a\0\2int x\0\2int-x\0\2", "\4\5\6");
	ADD(format, 3, 5, 0, false, "E\0s\0\201\1a\0\7", "x\0");
	/* Two are of those that are true or false, and all are numbers. */
	ADD(format, 4, 5, 0, false, "E\0n\0\xa2\7\3\0", "\1\0\7");
	ADD(format, 5, 5, 0, false, "E\0t\0\7", "x");
	/* One is true, and one is no truth but a number: both become texts. */
	ADD(format, 6, 5, 0, false, "E\0m\0\xa4\7\2\0", "\1\0\0\0\5\0\0\0");
	own = begin_others("P_L0K1");
	level = 0;
	ADD(format, 7, 5, 0, false, "Z\0", "");
	end_others(own);
	end_records(format);
	snprintf(path, sizeof(path), "%s/metadata", out);
	text = decode_fuzz_read(path, &size);
	ck_assert_ptr_nonnull(strstr(
		text, "name = \"P:E\";\n\tstream_id = 0;\n\tloglevel = 6;\n"));
	ck_assert_ptr_nonnull(strstr(
		text, "name = \"P:Z\";\n\tstream_id = 0;\n\tloglevel = 14;\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "fields := struct { uint64_t _a; uint64_t _int_x; "
			     "uint64_t _int_x_2; };"));
	ck_assert_ptr_nonnull(strstr(
		text, "fields := struct { struct { string _a; } _s; };"));
	ck_assert_ptr_nonnull(strstr(text,
				     "fields := struct { uint32_t __n_length; "
				     "uint64_t _n[__n_length]; };"));
	ck_assert_ptr_nonnull(strstr(text,
				     "fields := struct { uint32_t __m_length; "
				     "string _m[__m_length]; };"));
	ck_assert_ptr_nonnull(strstr(text, "\tid = 4;"));
	ck_assert_ptr_null(strstr(text, "\tid = 6;"));
	free(text);
	unlink(path);
	snprintf(path, sizeof(path), "%s/stream_0", out);
	text = decode_fuzz_read(path, &size);
	/* The one that is bad has JSON. */
	ck_assert_ptr_nonnull(memmem(text, size, "five\0", 5));
	ck_assert_ptr_nonnull(memmem(text, size, "\"error\":{", 9));
	ck_assert_ptr_nonnull(memmem(text, size, "\2\0\0\0true\0005\0", 11));
	free(text);
	unlink(path);
	ck_assert(!rmdir(out));
}

/* Names that are not UTF-8 are converted: of a thread, and of an event. */
TEST(ctf_names)
{
	const struct sink_ops *format = &sink_ctf;
	char path[80];
	size_t size;
	char *text;

	begin_records(format);
	comm = "caf\xe9";
	ADD(format, 1, 5, 0, false, "E\0a\0\2", "\1");
	/* A record without a class has its name as a field. */
	ADD(format, 2, 5, 0, false, "E\xe9\0t\0\7", "x");
	end_records(format);
	snprintf(path, sizeof(path), "%s/metadata", out);
	unlink(path);
	snprintf(path, sizeof(path), "%s/stream_0", out);
	text = decode_fuzz_read(path, &size);
	ck_assert_ptr_nonnull(memmem(text, size, "caf\u00e9", 6));
	ck_assert_ptr_nonnull(memmem(text, size, "P:E\u00e9", 6));
	ck_assert_ptr_null(memmem(text, size, "\xe9", 1));
	free(text);
	unlink(path);
	ck_assert(!rmdir(out));
}

/* An array of structs, of which one has a value missing, and bytes of all. */
TEST(ctf_array_of_structs)
{
	/* Two of: a; b; c, and how many; d */
	static const char bytes[] = "\2\0\0\0"
				    "\1\0\0\0\0\0\0\0"
				    "x\0"
				    "\1\0\0\0"
				    "z\0"
				    "\0"
				    "\2\0\0\0\0\0\0\0"
				    "yy\0"
				    "\0\0\0\0"
				    "1.2.3.4\0";
	const struct sink_ops *format = &sink_ctf;
	char path[80];
	size_t size;
	char *text;

	begin_records(format);
	/* a: a number; b: text; c: an array of texts; d: an address or not */
	ck_assert(!ADD(format, 1, 5, 0, false,
		       "E\0s\0\301\4a\0\2b\0\7c\0\107d\0\215\21",
		       "\2\0"
		       "\1x\0\1\0z\0\0\0"
		       "\2yy\0\0\0\4\0\1\2\3\4"));
	end_records(format);
	snprintf(path, sizeof(path), "%s/metadata", out);
	text = decode_fuzz_read(path, &size);
	ck_assert_ptr_nonnull(strstr(
		text,
		"fields := struct { uint32_t __s_length; struct { "
		"uint64_t _a; string _b; uint32_t __c_length; "
		"string _c[__c_length]; string _d; } _s[__s_length]; };"));
	free(text);
	unlink(path);
	snprintf(path, sizeof(path), "%s/stream_0", out);
	text = decode_fuzz_read(path, &size);
	ck_assert_ptr_nonnull(memmem(text, size, bytes, sizeof(bytes) - 1));
	free(text);
	unlink(path);
	ck_assert(!rmdir(out));
}

/* Reads a file of the directory and removes it. */
static char *take_file(const char *name, size_t *size)
{
	char path[80], *text;

	snprintf(path, sizeof(path), "%s/%s", out, name);
	text = decode_fuzz_read(path, size);
	unlink(path);

	return text;
}

static void ck_bytes(const char *text, size_t size, const char *part)
{
	ck_assert_msg(memmem(text, size, part, strlen(part)) != NULL, "%s",
		      part);
}

/* Records that have no type in CTF, as JSON, and values without a type */
TEST(ctf_without_types)
{
	const struct sink_ops *format = &sink_ctf;
	struct uev_output large = UEV_OUTPUT_INIT;
	size_t size, i;
	char *text;

	begin_records(format);
	/* In an array of structs, an array that is empty at first */
	ADD(format, 1, 5, 0, false, "A\0s\0\301\1c\0\102", "\2\0\0\0\1\0\7");
	/* Structs whose member is not described: in an array, and one */
	ADD(format, 2, 5, 0, false, "B\0s\0\301\1", "\2\0");
	ADD(format, 3, 5, 0, false, "C\0s\0\201\1", "");
	/* A missing value, and an array whose element type is not known */
	ADD(format, 4, 5, 0, false, "D\0n\0\215\21a\0\102", "\0\0\0\0");
	/* As many fields as a shape cannot have */
	tool_append(&large, "E", 2);
	for (i = 0; i < 1024; i++)
		tool_append(&large, "f\0\2", 3);
	ck_assert_int_eq(add_record(format, 5, 5, 0, false, large.text,
				    large.size, large.text, 1024),
			 0);
	uev_output_release(&large);
	end_records(format);
	text = take_file("metadata", &size);
	ck_bytes(text, size, "\tid = 1;\n\tname = \"P:C\";");
	ck_bytes(text, size, "fields := struct { };");
	ck_bytes(text, size, "\tid = 2;\n\tname = \"P:D\";");
	ck_bytes(text, size,
		 "fields := struct { uint32_t __a_length; "
		 "string _a[__a_length]; };");
	ck_assert_ptr_null(strstr(text, "\tid = 3;"));
	free(text);
	text = take_file("stream_0", &size);
	ck_bytes(text, size, "\"s\":[{\"c\":[]},{\"c\":[7]}]");
	ck_bytes(text, size, "\"s\":[{},{}]");
	ck_bytes(text, size, "{\"n\":\"P:E\",\"f\":69,");
	ck_assert_ptr_null(memmem(text, size, "P:C", 3));
	ck_assert_ptr_null(memmem(text, size, "P:D", 3));
	free(text);
	ck_assert(!rmdir(out));
}

/* Texts end with a NUL, and names are quoted and have no control characters. */
TEST(ctf_quotes)
{
	const struct sink_ops *format = &sink_ctf;
	const struct sink_options options = { .path = tool_print("%s//", out) };
	size_t size;
	char *text;

	begin_with(format, &options);
	ADD(format, 1, 5, 0, false, "\"\\\1E\0t\0\12", "\3\0a\0b");
	end_records(format);
	text = take_file("metadata", &size);
	ck_bytes(text, size, "\tname = \"P:\\\"\\\\?E\";\n");
	free(text);
	text = take_file("stream_0", &size);
	ck_bytes(text, size, "a\\u0000b");
	free(text);
	ck_assert(!rmdir(out));
	free((char *)options.path);
}

/* Packets of a stream, of which the first has as many events as fit. */
TEST(ctf_packets)
{
	static char payload[30001];
	uint64_t head[6];
	size_t size, at;
	char *bytes;

	memset(payload, 'x', sizeof(payload) - 2);
	begin_records(&sink_ctf);
	ADD(&sink_ctf, 10, 5, 0, false, "E\0s\0\7", payload);
	ADD(&sink_ctf, 20, 5, 0, false, "F\0", "");
	ADD(&sink_ctf, 30, 5, 0, false, "E\0s\0\7", payload);
	end_records(&sink_ctf);
	bytes = take_file("stream_0", &size);
	memcpy(head, bytes + 8, sizeof(head));
	ck_assert_uint_eq(head[0], 10);
	ck_assert_uint_eq(head[1], 20);
	ck_assert_uint_eq(head[4], 0);
	at = head[2] / 8;
	ck_assert_uint_lt(at, size);
	memcpy(head, bytes + at + 8, sizeof(head));
	ck_assert_uint_eq(head[0], 30);
	ck_assert_uint_eq(head[1], 30);
	ck_assert_uint_eq(head[2], head[3]);
	ck_assert_uint_eq(head[4], 1);
	ck_assert_uint_eq(at + head[2] / 8, size);
	free(bytes);
	free(take_file("metadata", &size));
	ck_assert(!rmdir(out));
}

/* Beyond their limit, classes are JSON, and processors have one stream. */
TEST(ctf_limits)
{
	char name[32], *text;
	size_t size, i;

	begin_records(&sink_ctf);
	for (i = 0; i < 8192; i++) {
		cpu = (uint32_t)i % 2050;
		snprintf(name, sizeof(name), "E%zu", i);
		add_record(&sink_ctf, i, 5, 0, false, name, strlen(name) + 1,
			   "", 0);
	}
	end_records(&sink_ctf);
	text = take_file("metadata", &size);
	ck_bytes(text, size, "\tid = 8191;\n\tname = \"P:E8190\";");
	ck_assert_ptr_null(strstr(text, "8191\";"));
	free(text);
	text = take_file("stream", &size);
	/* The records of the two last processors */
	ck_assert_uint_eq(size, 60 + 6 * 42);
	free(text);
	for (i = 0; i < 2048; i++) {
		snprintf(name, sizeof(name), "stream_%zu", i);
		text = take_file(name, &size);
		if (i == 8191 % 2050)
			ck_bytes(text, size, "P:E8191");
		free(text);
	}
	ck_assert(!rmdir(out));
}

/* Readers want the time of a stream not to go back. */
TEST(ctf_time)
{
	const struct sink_ops *format = &sink_ctf;
	uint64_t times[2];
	char path[80];
	size_t size;
	char *bytes;

	begin_records(format);
	ADD(format, 10, 5, 0, false, "E\0", "");
	ADD(format, 5, 5, 0, false, "E\0", "");
	end_records(format);
	snprintf(path, sizeof(path), "%s/stream_0", out);
	bytes = decode_fuzz_read(path, &size);
	ck_assert_uint_gt(size, 60);
	memcpy(times, bytes + 8, sizeof(times));
	ck_assert_uint_eq(times[0], 10);
	ck_assert_uint_eq(times[1], 10);
	free(bytes);
	unlink(path);
	snprintf(path, sizeof(path), "%s/metadata", out);
	unlink(path);
	ck_assert(!rmdir(out));
}

/* Losses are between two packets of a stream, the first of which may be empty. */
TEST(ctf_losses)
{
	unsigned long problems;
	uint64_t discarded, bits;
	char path[80];
	size_t size, at, packets = 0;
	char *bytes;

	dat_image_file(&image, false, 8, 1, losses);
	ck_assert_uint_eq(decode_fuzz_to(&sink_ctf, image.bytes, image.size,
					 out, &problems),
			  2);
	snprintf(path, sizeof(path), "%s/stream_0", out);
	bytes = decode_fuzz_read(path, &size);
	for (at = 0; at < size; at += bits / 8) {
		ck_assert_uint_ge(size - at, 60);
		memcpy(&bits, bytes + at + 32, 8);
		memcpy(&discarded, bytes + at + 48, 8);
		ck_assert_uint_eq(discarded, packets++ ? 12 : 0);
	}
	ck_assert_uint_eq(packets, 2);
	free(bytes);
	unlink(path);
	snprintf(path, sizeof(path), "%s/metadata", out);
	unlink(path);
	ck_assert(!rmdir(out));
}

/* An existing directory is not changed. */
TEST(ctf_does_not_overwrite)
{
	struct sink_options options = { .path = directory };

	ck_assert_int_eq(sink_open(&sink, &sink_ctf, &options), -EEXIST);
}

static const struct sink_ops *const formats[] = {
	&sink_text, &sink_json,	    &sink_chrome,
	&sink_ctf,  &sink_perfetto, &sink_folded
};

/* The final path exists only after completion. */
TEST_LOOP(discarded, ARRAY_SIZE(formats))
{
	begin_records(formats[_i]);
	ck_assert_int_eq(ADD(formats[_i], 1, 5, 1, false, "E\0", ""), 0);
	ck_assert_int_ne(access(out, F_OK), 0);
	ck_assert_int_eq(pipe_end_sink(&sink, false), TOOL_OK);
	ck_assert_int_ne(access(out, F_OK), 0);
	uev_decoder_free(decoder);
	uev_schema_free(schema);
}

/* ---- Corpus of the fuzzer ---- */

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Turns a line into bytes where it is. Return: how many */
static size_t bytes_of_line(char *line)
{
	uint8_t *bytes = (uint8_t *)line;
	size_t size;

	for (size = 0; line[2 * size] > ' '; size++)
		bytes[size] = (uint8_t)(digit(line[2 * size]) << 4 |
					digit(line[2 * size + 1]));

	return size;
}

/* Runs each line of a corpus, whose first @skip bytes are options. */
static void check_corpus(const char *path, size_t skip)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0, size;
	int inputs = 0;

	ck_assert_ptr_nonnull(file);
	while (getline(&line, &room, file) > 0) {
		if (*line == '#')
			continue;
		size = bytes_of_line(line);
		if (size < skip)
			continue;
		decode_fuzz_one((const uint8_t *)line + skip, size - skip);
		inputs++;
	}
	free(line);
	fclose(file);
	ck_assert_int_gt(inputs, 10);
}

TEST(corpus_perf_data)
{
	check_corpus("tests/fuzz/corpus/perf_data", 1);
}

TEST(corpus_decode)
{
	check_corpus("tests/fuzz/corpus/decode", 0);
}
