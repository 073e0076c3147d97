// SPDX-License-Identifier: MIT
/*
 * The driver: calls of sources and sinks in their order, limits, losses, exit
 * statuses; and sinks that so far only a session of a kernel has filled.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "lib/decode_formats.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "pipe/pipe.h"
#include "sink/formats.h"
#include "sink/perf_data.h"
#include "source/live.h"
#include "tool.h"

#define TEXT_MAX_SIZE 4096
#define NUMBER 301
#define NANOSECONDS UINT64_C(1000000000)

/* ---- A source of numbers ---- */

/*
 * @turns: number of waits of a part, each with @each records; @left: of the part
 * @last: records that only the drain gives
 * @time: of the next record
 * @found: losses, whose times ended at @ends, of which @given were taken
 * @end_status: of each part; @open_status: of the first one
 */
static struct {
	struct source source;
	int turns;
	int each;
	int last;
	int turns_left;
	int ready;
	int last_left;
	uint64_t time;
	size_t found;
	size_t given;
	uint64_t ends[4];
	int open_status;
	int end_status;
	int status;
} numbers;

static char calls[TEXT_MAX_SIZE], errors[TEXT_MAX_SIZE], errors_path[96];

static void note(const char *call)
{
	ck_assert_uint_lt(strlen(calls) + strlen(call) + 2, sizeof(calls));
	if (*calls)
		strcat(calls, " ");
	strcat(calls, call);
}

static int open_part(struct source *source, size_t part)
{
	note("open");
	source->name = part ? "second" : "first";
	numbers.turns_left = numbers.turns;
	numbers.last_left = numbers.last;
	numbers.ready = 0;

	return part ? TOOL_OK : numbers.open_status;
}

static int start(struct source *source)
{
	(void)source;
	note("start");

	return TOOL_OK;
}

static bool wait_for(struct source *source, int timeout)
{
	(void)source;
	(void)timeout;
	/* Longer than the interval of a tick. */
	usleep(2000);

	return numbers.turns_left-- > 0;
}

static ssize_t read_numbers(struct source *source, unsigned int flags)
{
	(void)source;
	numbers.ready = flags & UEV_READ_DRAIN ? numbers.last_left
					       : numbers.each;
	if (flags & UEV_READ_DRAIN)
		numbers.last_left = 0;

	return numbers.ready;
}

static bool next(struct source *source, struct format_record *record)
{
	static const struct uev_source event = { .system = "user_events",
						 .name = "number" };
	static uint32_t raw[] = { NUMBER, 7, 5 };
	static struct uev_sample sample = {
		.source = &event,
		.flags = UEV_HAS_TIME | UEV_HAS_TID | UEV_HAS_CPU,
		.raw = raw,
		.raw_size = sizeof(raw),
		.cpu = 3,
	};

	(void)source;
	if (!numbers.ready)
		return false;
	numbers.ready--;
	sample.time = numbers.time++;
	*record = (struct format_record){ .sample = &sample };

	return true;
}

static void find_losses(struct source *source)
{
	(void)source;
	note("find");
}

static bool next_loss(struct source *source, uint64_t until,
		      struct format_loss *loss)
{
	static const struct uev_source event = { .system = "user_events",
						 .name = "number" };

	(void)source;
	if (numbers.given == numbers.found ||
	    numbers.ends[numbers.given] > until)
		return false;
	*loss = (struct format_loss){
		.loss.source = &event,
		.loss.count = 3,
		.loss.to = numbers.ends[numbers.given++],
		.loss.flags = UEV_HAS_TIME,
		.loss.reason = "perf_too_large",
	};

	return true;
}

static void bad_record(struct source *source,
		       const struct format_record *record,
		       const struct uev_decoder *decoder, int error)
{
	(void)source;
	(void)record;
	(void)decoder;
	ck_assert_int_eq(error, -EBADMSG);
	note("bad");
}

static int stop(struct source *source)
{
	(void)source;
	note("stop");

	return TOOL_OK;
}

static int count(struct source *source)
{
	(void)source;

	return TOOL_OK;
}

static int end(struct source *source)
{
	(void)source;
	note("end");

	return numbers.end_status;
}

static int report(struct source *source)
{
	(void)source;
	note("report");

	return TOOL_OK;
}

static int close_source(struct source *source, int status)
{
	(void)source;
	note("close");

	return status;
}

static const struct source_ops number_ops = {
	.open = open_part,
	.start = start,
	.wait = wait_for,
	.read = read_numbers,
	.next = next,
	.next_loss = next_loss,
	.bad_record = bad_record,
	.stop = stop,
	.count = count,
	.end = end,
	.report = report,
	.close = close_source,
};

static struct source_ops finding;

/* ---- A sink that notes its calls ---- */

/*
 * @full_at, @over_at: number of records after which it is full, or ends the
 * session
 * @bad: error of each record
 * @error: error of the output, from the first record on
 */
static struct {
	struct sink sink;
	int records;
	int full_at;
	int over_at;
	int bad;
	int error;
	int ticks;
	bool refuses;
	int finish_status;
} noted;

static void begin_part(void *data, const char *name)
{
	(void)data;
	note(name);
}

static bool poll_sink(void *data)
{
	(void)data;

	return !noted.refuses;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	(void)data;
	(void)decoder;
	(void)record;
	note("record");
	noted.records++;
	noted.sink.is_full = noted.records == noted.full_at;
	noted.sink.is_over = noted.records == noted.over_at;
	noted.sink.error = noted.error;

	return noted.bad;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	char text[64];

	(void)data;
	snprintf(text, sizeof(text), "lost=%u/%s",
		 (unsigned int)loss->loss.count, loss->loss.reason);
	if (loss->loss.flags & UEV_HAS_CPU)
		ck_assert_uint_eq(loss->loss.cpu, 3);
	note(text);
}

static void tick(void *data)
{
	(void)data;
	noted.ticks++;
}

static void drain(void *data)
{
	(void)data;
	note("drain");
}

static void end_part(void *data)
{
	(void)data;
	note("end_part");
}

static int finish(void *data)
{
	(void)data;
	note("finish");

	return noted.finish_status;
}

static void discard(void *data)
{
	(void)data;
	note("discard");
}

static const struct sink_ops noting = {
	.begin_part = begin_part,
	.poll = poll_sink,
	.record = take_record,
	.tick = tick,
	.drain = drain,
	.end_part = end_part,
	.finish = finish,
	.discard = discard,
};
static struct sink_ops noting_losses;

static struct pipe the_pipe;

static void set_up(void)
{
	fake_perf_begin();
	snprintf(errors_path, sizeof(errors_path), "%s/errors", fake_perf.root);
	ck_assert_ptr_nonnull(freopen(errors_path, "w+", stderr));
	memset(&numbers, 0, sizeof(numbers));
	memset(&noted, 0, sizeof(noted));
	numbers.source.ops = &number_ops;
	numbers.source.parts = 1;
	numbers.turns = 1;
	numbers.each = 2;
	noted.sink.ops = &noting;
	noting_losses = noting;
	noting_losses.loss = take_loss;
	finding = number_ops;
	finding.find_losses = find_losses;
	the_pipe = (struct pipe){ .source = &numbers.source };
	pipe_add(&the_pipe, &noted.sink);
	*calls = '\0';
}

static void tear_down(void)
{
	fake_perf_end();
}

static const char *printed(void)
{
	size_t size;

	fflush(stderr);
	rewind(stderr);
	size = fread(errors, 1, sizeof(errors) - 1, stderr);
	errors[size] = '\0';

	return errors;
}

TEST_FIXTURE(set_up, tear_down);

TEST(calls_in_order)
{
	numbers.last = 1;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_str_eq(calls, "open first start record "
				"record stop drain "
				"record end_part end finish report close");
	ck_assert(the_pipe.has_result);
	ck_assert_uint_eq(the_pipe.records, 3);
	ck_assert_uint_eq(the_pipe.bytes, 36);
	ck_assert_str_eq(printed(), "");
}

/* A sink that is full gets no record more, one that ends the session does. */
TEST(stops_at_limits)
{
	numbers.turns = 9;
	numbers.last = 1;
	noted.full_at = 3;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_int_eq(noted.records, 3);
	noted.records = 0;
	noted.full_at = 0;
	noted.sink.is_full = false;
	noted.over_at = 4;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_int_eq(noted.records, 5);
}

TEST(leaves_records_that_no_sink_wants)
{
	noted.refuses = true;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_int_eq(noted.records, 0);
}

TEST(ticks)
{
	numbers.turns = 3;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_int_eq(noted.ticks, 0);
	the_pipe.interval = 1;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_int_eq(noted.ticks, 3);
}

/* Only a session can lose records while it is read. */
TEST(accounts_for_losses)
{
	numbers.source.is_live = true;
	numbers.source.ops = &finding;
	numbers.source.counts.lost = 5;
	numbers.found = 1;
	numbers.ends[0] = 9;
	noted.sink.ops = &noting_losses;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_INCOMPLETE);
	ck_assert_str_eq(calls, "open first start find record "
				"record lost=3/perf_too_large stop "
				"drain find lost=2/perf_buffer end_part end "
				"finish report close");
	ck_assert_str_eq(printed(),
			 "user-events: 3 records lost: user_events:number: too "
			 "large for perf and BPF (perf_too_large)\n"
			 "user-events: 2 records lost: for a buffer of perf "
			 "that was full (perf_buffer)\n");
	ck_assert_uint_eq(the_pipe.lost, 5);

	/* A number alone needs no reason. */
	numbers.source.ops = &number_ops;
	noted.sink.ops = &noting;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(printed(), "user-events: 5 lost\n"));

	the_pipe.has_own_losses = true;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
}

/* Those that are no hits, and those that the source reports. */
TEST(accounts_for_unseen_records)
{
	numbers.source.is_live = true;
	numbers.source.counts.unseen = 2;
	numbers.source.missing = 1;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_INCOMPLETE);
	ck_assert_str_eq(printed(), "user-events: 2 lost\n");
	ck_assert_uint_eq(the_pipe.lost, 3);
}

/* Each is before the first record that is newer. */
TEST_LOOP(losses_are_among_records, 2)
{
	numbers.source.is_live = _i;
	numbers.each = 3;
	numbers.found = 3;
	numbers.ends[0] = 1;
	numbers.ends[1] = 1;
	numbers.ends[2] = 2;
	noted.sink.ops = &noting_losses;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_str_eq(calls, "open first start record lost=3/perf_too_large "
				"lost=3/perf_too_large record "
				"lost=3/perf_too_large record stop drain "
				"end_part end finish report close");
}

/* What is behind the last record that a limit allows was not read. */
TEST_LOOP(losses_after_a_limit, 2)
{
	numbers.source.is_live = _i;
	numbers.each = 3;
	numbers.found = 1;
	numbers.ends[0] = 2;
	noted.full_at = 1;
	noted.sink.ops = &noting_losses;
	pipe_run(&the_pipe);
	ck_assert_uint_eq(the_pipe.lost, _i ? 3 : 0);
}

/* The lost records of files were printed by the source. */
TEST(adds_the_losses_of_files)
{
	numbers.source.parts = 2;
	numbers.source.counts.lost = 5;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_uint_eq(the_pipe.lost, 10);
	ck_assert_str_eq(printed(), "");
}

TEST(reports_malformed_records)
{
	numbers.each = 1;
	noted.bad = -EBADMSG;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_OK);
	ck_assert_uint_eq(the_pipe.bad, 1);
	ck_assert_ptr_nonnull(strstr(calls, "record bad stop"));
}

TEST(has_a_result_if_a_part_fails)
{
	numbers.source.parts = 2;
	numbers.open_status = TOOL_FAILED;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_INCOMPLETE);
	ck_assert_str_eq(calls, "open open second start record "
				"record stop "
				"drain end_part end finish report close");

	*calls = '\0';
	the_pipe.has_result = false;
	numbers.source.parts = 1;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_FAILED);
	ck_assert_str_eq(calls, "open discard close");
}

TEST(discards_output_after_an_error)
{
	numbers.source.parts = 2;
	noted.error = -ENOSPC;
	noted.sink.path = "out";
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_FAILED);
	ck_assert_str_eq(calls, "open first start record discard close");
	ck_assert_str_eq(printed(), "user-events: out: cannot write: No space "
				    "left on device\n");
}

/* The reader has what it wants. */
TEST(is_silent_about_a_closed_pipe)
{
	noted.error = -EPIPE;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_FAILED);
	ck_assert_str_eq(printed(), "");
}

static const struct {
	int a;
	int b;
	int worse;
} statuses[] = {
	{ TOOL_OK, TOOL_OK, TOOL_OK },
	{ TOOL_OK, TOOL_INCOMPLETE, TOOL_INCOMPLETE },
	{ TOOL_INCOMPLETE, TOOL_NOT_FOUND, TOOL_NOT_FOUND },
	{ TOOL_NOT_FOUND, TOOL_FAILED, TOOL_FAILED },
	{ TOOL_INCOMPLETE, TOOL_USAGE, TOOL_USAGE },
	{ TOOL_FAILED, TOOL_OK, TOOL_FAILED },
	/* That of a command */
	{ 126, TOOL_INCOMPLETE, 126 },
};

TEST_LOOP(combines_statuses, ARRAY_SIZE(statuses))
{
	ck_assert_int_eq(pipe_worse(statuses[_i].a, statuses[_i].b),
			 statuses[_i].worse);
	ck_assert_int_eq(pipe_worse(statuses[_i].b, statuses[_i].a),
			 statuses[_i].worse);
}

TEST(combines_the_statuses_of_a_run)
{
	numbers.end_status = TOOL_INCOMPLETE;
	noted.finish_status = TOOL_NOT_FOUND;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_NOT_FOUND);
	noted.finish_status = TOOL_OK;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_INCOMPLETE);
	noted.finish_status = -ENOSPC;
	ck_assert_int_eq(pipe_run(&the_pipe), TOOL_FAILED);
	ck_assert_ptr_nonnull(strstr(printed(), "standard output: cannot"));
}

/* ---- A session ---- */

static struct capture_options options;
static const char *const all[] = { "*" };
static char out[96];

/* struct emitter - A sink in whose session @count records occur */
struct emitter {
	struct sink sink;
	int count;
};

/* Before the first read, all records occur, and the session ends. */
static bool emit(void *data)
{
	static const uint32_t raw[] = { NUMBER, 7, 5 };
	struct emitter *emitter = data;
	int i;

	for (i = 1; i <= emitter->count && !emitter->sink.is_over; i++)
		ck_assert(fake_perf_emit(NUMBER, 0, (uint64_t)i, raw,
					 sizeof(raw)));
	emitter->sink.is_over = true;

	return true;
}

static const struct sink_ops emitting = { .poll = emit };

static struct source_live *new_session(void)
{
	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "number", NUMBER);
	snprintf(out, sizeof(out), "%s/out", fake_perf.root);
	options = (struct capture_options)CAPTURE_OPTIONS_INIT;
	options.is_default = true;
	options.patterns = all;
	options.pattern_count = 1;

	return source_live_new(&options);
}

/* Runs a pipe with a sink, in whose session @count records occur. */
static int run_session(struct source_live *live, struct sink *sink, int count)
{
	struct emitter emitter = {
		.sink = { .ops = &emitting, .data = &emitter },
		.count = count,
	};
	struct pipe pipe = { .source = &live->source, .has_own_losses = true };
	int status;

	pipe_add(&pipe, &emitter.sink);
	pipe_add(&pipe, sink);
	status = pipe_run(&pipe);
	capture_options_release(&options);

	return status;
}

static uint64_t count_records(const char *path)
{
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	uint64_t records = 0;

	ck_assert_int_eq(uev_perf_reader_open(&reader, path, NULL), 0);
	while (uev_perf_reader_next(reader, &record) > 0)
		records++;
	uev_perf_reader_close(reader);

	return records;
}

static const struct {
	uint64_t count;
	uint64_t max_size;
	uint64_t records;
	const char *message;
} limits[] = {
	{ 3, 0, 3, "stopped at --count\n" },
	{ 0, 1, 6, "stopped at --max-size\n" },
	{ 0, 0, 6, "out: 6 events" },
};

TEST_LOOP(records_up_to_a_limit, ARRAY_SIZE(limits))
{
	struct source_live *live = new_session();
	struct sink_perf_data file = {
		.path = out,
		.count = limits[_i].count,
		.max_size = limits[_i].max_size,
		.live = live,
		.sink = { .ops = &sink_perf_data, .data = &file },
	};

	ck_assert_int_eq(run_session(live, &file.sink, 6), TOOL_OK);
	sink_perf_data_release(&file);
	ck_assert_uint_eq(count_records(out), limits[_i].records);
	ck_assert_msg(strstr(printed(), limits[_i].message) != NULL, "%s",
		      errors);
}

/* The date of now by a clock of records */
static uint64_t date_of(const struct uev_clock *clock)
{
	return uev_clock_wall(clock, capture_clock_time(clock->clockid));
}

static int take_date(void *date, struct uev_decoder *decoder,
		     const struct format_record *record)
{
	(void)decoder;
	*(uint64_t *)date = date_of(record->clock);

	return 0;
}

static const struct sink_ops dating = { .record = take_date };

/* The session has read the fake clocks, which are decades behind. */
TEST(dates_follow_the_wall_clock)
{
	uint64_t before = capture_clock_time(CLOCK_REALTIME), date = 0;
	struct sink sink = { .ops = &dating, .data = &date };

	ck_assert_int_eq(run_session(new_session(), &sink, 1), TOOL_OK);
	ck_assert_uint_ge(date + NANOSECONDS, before);
}

TEST(files_have_the_dates_of_their_start)
{
	uint64_t before = capture_clock_time(CLOCK_REALTIME);
	struct source_live *live = new_session();
	struct sink_perf_data file = {
		.path = out,
		.live = live,
		.sink = { .ops = &sink_perf_data, .data = &file },
	};
	struct uev_perf_reader *reader;

	ck_assert_int_eq(run_session(live, &file.sink, 1), TOOL_OK);
	sink_perf_data_release(&file);
	ck_assert_int_eq(uev_perf_reader_open(&reader, out, NULL), 0);
	ck_assert_uint_ge(date_of(&uev_perf_reader_info(reader)->clock) +
				  NANOSECONDS,
			  before);
	uev_perf_reader_close(reader);
}

/* Reads the output file. */
static const char *output(void)
{
	static char text[TEXT_MAX_SIZE];
	FILE *file = fopen(out, "r");

	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);

	return text;
}

static const struct {
	const char *format;
	const char *text;
} formats[] = {
	{ "text", "user_events:number" },
	{ "json", "{\"n\":\"user_events:number\"," },
	{ "csv", "time,cpu,pid,tid,comm,event,fields\n" },
	{ "logfmt", "event=user_events:number" },
	{ "chrome", "{\"ph\":\"i\",\"ts\":0.001," },
};

/* Each format of files is one of a session. */
TEST_LOOP(prints_a_session, ARRAY_SIZE(formats))
{
	struct source_live *live = new_session();
	const struct tool_argument argument = { .command = &command_watch,
						.text = formats[_i].format };
	struct sink_output written = SINK_OUTPUT_INIT;
	struct sink sink;

	written.options.is_live = true;
	written.options.path = out;
	ck_assert_int_eq(sink_take_format(&written.format, &argument), TOOL_OK);
	ck_assert_int_eq(sink_output_check(&written, &command_watch, 1),
			 TOOL_OK);
	ck_assert_int_eq(sink_output_open(&written, &sink), TOOL_OK);
	ck_assert_int_eq(run_session(live, &sink, 1), TOOL_OK);
	ck_assert_msg(strstr(output(), formats[_i].text) != NULL, "%s",
		      output());
	sink_output_release(&written);
}
