// SPDX-License-Identifier: MIT
/* Commands that read a file and write another one. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <userevents/session.h>

#include "files.h"
#include "lib/dat_image.h"
#include "lib/decode_formats.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

#define ARGUMENTS_MAX 16
/* The memory of a reader grows. */
#define RECORDS 300

static char *input;

/* Of each file */
static size_t record_count = RECORDS;

/* Writes a file of records that lack @lacks bytes at their end. */
static void write_records(const char *path, size_t lacks)
{
	static const char format[] =
		"name: number\nID: 77\n" COMMON_FIELDS
		"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"%u\", REC->number\n";
	static const struct uev_source source = {
		.system = "user_events",
		.name = "number",
		.format = format,
		.format_size = sizeof(format) - 1,
		.id = 77,
	};
	const struct {
		uint32_t id;
		int32_t pid;
		uint32_t number;
	} raw = { .id = 77, .number = 5 };
	struct uev_perf_writer *writer;
	size_t i;

	ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), 0);
	for (i = 0; i < record_count; i++) {
		const struct uev_sample sample = {
			.source = &source,
			.raw = &raw,
			.raw_size = sizeof(raw) - lacks,
			.flags = UEV_HAS_TIME,
			.time = 1000000 + i,
		};

		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void set_up(void)
{
	fake_perf_begin();
	input = tool_print("%s/input", fake_perf.root);
	write_records(input, 0);
}

static void tear_down(void)
{
	free(input);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Runs a command in the directory of the input, and returns its exit status. */
static int run(const struct tool_command *command, const char *words)
{
	char *copy = tool_copy(words), *rest = copy;
	char *arguments[ARGUMENTS_MAX] = { (char *)command->name };
	int count = 1, status;

	ck_assert_int_eq(chdir(fake_perf.root), 0);
	while ((arguments[count] = strsep(&rest, " ")))
		count++;
	/* Also resets the position in a group of letters. */
	optind = 0;
	status = command->run(count, arguments);
	ck_assert_int_eq(chdir("/"), 0);
	free(copy);

	return status;
}

static char *read_file(const char *path, size_t *size)
{
	char *text;

	ck_assert_int_eq(files_read(path, &text, size), 0);

	return text;
}

/* The options before the output */
static const struct {
	const struct tool_command *command;
	const char *options;
} outputs[] = {
	{ &command_decode, "input -o" },
	{ &command_decode, "--merge other input -o" },
	{ &command_decode, "--format=perfetto input -o" },
	{ &command_decode, "- -o" },
	{ &command_report, "input -o" },
	{ &command_export, "--read other --read input --textfile" },
};

static const char *const names[] = { "input", "link", "hard" };

/* Neither under its own name nor another one */
TEST_LOOP(never_replaces_an_input, ARRAY_SIZE(outputs) * ARRAY_SIZE(names))
{
	_cleanup_free_ char *before = NULL;
	_cleanup_free_ char *after = NULL;
	_cleanup_free_ char *words = NULL;
	size_t row = (size_t)_i / ARRAY_SIZE(names), size, new_size;

	before = read_file(input, &size);
	words = tool_print("%s %s", outputs[row].options,
			   names[(size_t)_i % ARRAY_SIZE(names)]);
	ck_assert_int_eq(chdir(fake_perf.root), 0);
	ck_assert_int_eq(link("input", "other"), 0);
	ck_assert_int_eq(link("input", "hard"), 0);
	ck_assert_int_eq(symlink("input", "link"), 0);
	ck_assert_ptr_nonnull(freopen(input, "r", stdin));
	ck_assert_int_eq(run(outputs[row].command, words), TOOL_FAILED);
	after = read_file(input, &new_size);
	ck_assert_uint_eq(new_size, size);
	ck_assert_mem_eq(after, before, size);
}

/* Another file, an existing one, too, and devices that are both */
TEST(writes_other_files)
{
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_int_eq(run(&command_report, "input"), TOOL_OK);
	ck_assert_int_eq(run(&command_export, "--read input --textfile out"),
			 TOOL_OK);
	ck_assert_ptr_nonnull(freopen("/dev/null", "r", stdin));
	ck_assert_int_eq(run(&command_decode, "input - -o /dev/null"),
			 TOOL_INCOMPLETE);
}

static mode_t mode_of(const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/%s", fake_perf.root, name);
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);

	return status.st_mode & 07777;
}

static void set_mode(const char *name, mode_t mode)
{
	_cleanup_free_ char *path = tool_print("%s/%s", fake_perf.root, name);

	ck_assert_int_eq(chmod(path, mode), 0);
}

static const char *const names_to_keep[] = { "out", "link" };
static const mode_t modes[] = { 0600, 0640, 0644, 0666, 0400 };

/* Of a file and the target of a link, as programs that read it expect */
TEST_LOOP(keeps_the_mode_of_a_file, ARRAY_SIZE(modes))
{
	static const struct {
		const struct tool_command *command;
		const char *words;
	} runs[] = {
		{ &command_decode, "input -o" },
		{ &command_decode, "input --format=perfetto -o" },
		{ &command_report, "input -o" },
		{ &command_export, "--read input --textfile" },
	};
	size_t i, j;

	umask(022);
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_uint_eq(mode_of("out"), 0644);
	ck_assert_int_eq(chdir(fake_perf.root), 0);
	ck_assert_int_eq(symlink("out", "link"), 0);
	set_mode("out", modes[_i]);
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		for (j = 0; j < ARRAY_SIZE(names_to_keep); j++) {
			_cleanup_free_ char *words = tool_print(
				"%s %s", runs[i].words, names_to_keep[j]);

			ck_assert_int_eq(run(runs[i].command, words), TOOL_OK);
			ck_assert_uint_eq(mode_of("out"), modes[_i]);
		}
	}
}

/* The mode of the input, the umask, and the mode of the page */
static const mode_t pages[][3] = {
	{ 0600, 022, 0600 },
	{ 0640, 022, 0640 },
	{ 0644, 022, 0644 },
	{ 0644, 077, 0600 },
};

/* Nobody has chosen a name for it. */
TEST_LOOP(a_page_is_as_private_as_its_input, ARRAY_SIZE(pages))
{
	set_mode("input", pages[_i][0]);
	umask(pages[_i][1]);
	ck_assert_int_eq(run(&command_report, "input"), TOOL_OK);
	ck_assert_uint_eq(mode_of("input.html"), pages[_i][2]);
	/* The user's decision is kept. */
	set_mode("input.html", 0604);
	ck_assert_int_eq(run(&command_report, "input"), TOOL_OK);
	ck_assert_uint_eq(mode_of("input.html"), 0604);
	ck_assert_int_eq(run(&command_report, "input -o page"), TOOL_OK);
	ck_assert_uint_eq(mode_of("page"), 0666 & ~pages[_i][1]);
}

#define USER 65533
#define GROUP 65532

/* As root, and as a user that the group must not gain from, if this is root */
TEST_LOOP(keeps_the_owner_if_possible, 2)
{
	_cleanup_free_ char *path = tool_print("%s/out", fake_perf.root);
	struct stat status;

	if (geteuid())
		return;
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	set_mode("out", 0654);
	set_mode("input", 0644);
	set_mode(".", 0777);
	ck_assert_int_eq(chown(path, USER, GROUP), 0);
	if (_i) {
		ck_assert_int_eq(setgroups(0, NULL), 0);
		ck_assert_int_eq(seteuid(USER + 1), 0);
	}
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_uint_eq(status.st_uid, _i ? USER + 1 : USER);
	ck_assert_uint_eq(status.st_gid, _i ? getegid() : GROUP);
	ck_assert_uint_eq(status.st_mode & 0777, _i ? 0644 : 0654);
	ck_assert_int_eq(seteuid(0), 0);
}

/* Results that do not fit into a pipe at once */
static const struct {
	const struct tool_command *command;
	const char *words;
	int status;
} results[] = {
	{ &command_decode, "input ./input input ./input input ./input",
	  TOOL_OK },
	{ &command_report, "input -o -", TOOL_OK },
	{ &command_export, "--help", TOOL_HELPED },
};

/* A pipe has at least a page. A result has more than PRINTED_MIN bytes. */
#define PIPE_SIZE ((size_t)sysconf(_SC_PAGESIZE))
#define PRINTED_MIN 2048

/* Prints a result to a pipe until that is full, and exits. */
static void print_result(size_t row, const int pipe[2])
{
	size_t printed;
	int status = 0;

	close(pipe[0]);
	dup2(pipe[1], STDOUT_FILENO);
	close(pipe[1]);
	out_wait_for_reader();
	for (printed = 0; printed < PIPE_SIZE; printed += PRINTED_MIN)
		status = run(results[row].command, results[row].words);
	out_flush();
	_exit(status);
}

static char state_of(pid_t pid)
{
	_cleanup_free_ char *path = tool_print("/proc/%d/stat", (int)pid);
	_cleanup_free_ char *text = read_file(path, NULL);

	return strrchr(text, ')')[2];
}

/* Waits until the process sleeps with something in the pipe, or has ended. */
static void wait_until_full(int fd, pid_t pid)
{
	char state = 0;
	int size = 0;

	while (state != 'Z' && (state != 'S' || !size)) {
		usleep(1000);
		ck_assert_int_eq(ioctl(fd, FIONREAD, &size), 0);
		state = state_of(pid);
	}
}

/* Returns the size of a result that is written to a pipe. */
static size_t size_through_pipe(size_t row, int flags)
{
	char text[4096];
	int ends[2], status;
	size_t sum = 0;
	ssize_t size;
	pid_t pid;

	ck_assert_int_eq(pipe2(ends, flags), 0);
	ck_assert_int_eq(fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE),
			 (int)PIPE_SIZE);
	fflush(stdout);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid)
		print_result(row, ends);
	close(ends[1]);
	wait_until_full(ends[0], pid);
	ck_assert_int_eq(fcntl(ends[0], F_SETFL, 0), 0);
	while ((size = read(ends[0], text, sizeof(text))) > 0)
		sum += (size_t)size;
	close(ends[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), results[row].status & 0xff);

	return sum;
}

/* As the pipes of some programs that start others */
TEST_LOOP(waits_for_room_in_standard_output, ARRAY_SIZE(results))
{
	size_t size = size_through_pipe((size_t)_i, 0);

	ck_assert_uint_gt(size, PIPE_SIZE);
	ck_assert_uint_eq(size_through_pipe((size_t)_i, O_NONBLOCK), size);
}

/* Also if the new name is that of a file */
TEST(json_has_all_files_that_are_named_twice)
{
	static const char *const keys[] = {
		"input", "./input", "input#2", "input#3", "input#2#2",
	};
	_cleanup_free_ char *path = tool_print("%s/out", fake_perf.root);
	json_object *files, *records;
	size_t i;

	ck_assert_int_eq(chdir(fake_perf.root), 0);
	ck_assert_int_eq(link("input", "input#2"), 0);
	ck_assert_int_eq(run(&command_decode,
			     "--json -o out input ./input input "
			     "input input#2"),
			 TOOL_OK);
	files = json_object_from_file(path);
	ck_assert_ptr_nonnull(files);
	ck_assert_int_eq(json_object_object_length(files), ARRAY_SIZE(keys));
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		ck_assert(json_object_object_get_ex(files, keys[i], &records));
		ck_assert_uint_eq(json_object_array_length(records), RECORDS);
	}
	json_object_put(files);
}

/* Commands that use a part of each record */
static const struct {
	const struct tool_command *command;
	const char *words;
} readers[] = {
	{ &command_decode, "--json -o out input" },
	{ &command_decode, "--format=folded -o out input" },
	{ &command_export, "--read input --textfile out" },
	{ &command_latency, "-r input" },
	{ &command_stat, "--by event -r input" },
};

TEST_LOOP(tells_of_malformed_records, ARRAY_SIZE(readers))
{
	ck_assert_int_eq(run(readers[_i].command, readers[_i].words), TOOL_OK);
	write_records(input, 8);
	ck_assert_int_eq(run(readers[_i].command, readers[_i].words),
			 TOOL_INCOMPLETE);
}

/* Return: exit status of a command of whose allocations one fails; -1: none did */
static int run_without_memory(const struct tool_command *command,
			      const char *words, unsigned int after)
{
	pid_t child = fork();
	int status;

	if (!child) {
		fake_alloc_fail(after);
		status = run(command, words);
		_exit(fake_alloc_end() ? status : UINT8_MAX);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));

	return WEXITSTATUS(status) == UINT8_MAX ? -1 : WEXITSTATUS(status);
}

/* Records of the other file can follow. */
TEST(merges_all_or_tells_of_missing_memory)
{
	static const char words[] = "--merge -o out input other";
	_cleanup_free_ char *other = tool_print("%s/other", fake_perf.root);
	_cleanup_free_ char *path = tool_print("%s/out", fake_perf.root);
	_cleanup_free_ char *all = NULL;
	unsigned int after = 0;
	int status;

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	write_records(other, 0);
	ck_assert_int_eq(run(&command_decode, words), TOOL_OK);
	all = read_file(path, NULL);
	do {
		status = run_without_memory(&command_decode, words, after++);
		if (status == TOOL_OK) {
			_cleanup_free_ char *text = read_file(path, NULL);

			ck_assert(strcmp(text, all) == 0);
		}
	} while (status >= 0);
	ck_assert_uint_gt(after, 1);
}

/* Returns what a command prints to standard error. */
static char *messages_of(const struct tool_command *command, const char *words,
			 int status)
{
	printed_begin(stderr);
	ck_assert_int_eq(run(command, words), status);

	return printed_text(stderr);
}

TEST(limits_messages_of_malformed_records)
{
	_cleanup_free_ char *messages = NULL;
	const char *at;
	size_t count = 0;

	record_count = 20 + 3;
	write_records(input, 8);
	messages =
		messages_of(&command_decode, "-o out input", TOOL_INCOMPLETE);
	for (at = messages; (at = strstr(at, "input: at byte ")); at++)
		count++;
	ck_assert_uint_eq(count, 20);
	ck_assert_ptr_nonnull(strstr(messages, "input: 3 more errors\n"));
}

/* After 4096 records, and nothing of it remains. */
TEST(shows_its_progress_on_a_terminal)
{
	char shown[1024] = "";
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	size_t size = 0;
	ssize_t got;

	ck_assert_int_eq(grantpt(terminal), 0);
	ck_assert_int_eq(unlockpt(terminal), 0);
	record_count = 4096;
	write_records(input, 0);
	ck_assert_ptr_nonnull(freopen(ptsname(terminal), "w", stderr));
	ck_assert_int_eq(run(&command_decode, "-o out input"), TOOL_OK);
	ck_assert_int_eq(fflush(stderr), 0);
	while ((got = read(terminal, shown + size, sizeof(shown) - 1 - size)) >
	       0)
		size += (size_t)got;
	ck_assert_ptr_nonnull(strstr(shown, "\rinput: [##########"));
	ck_assert_str_eq(strrchr(shown, '%'), "%\r\033[K");
	close(terminal);
}

static const struct {
	const struct tool_command *command;
	const char *words;
} wrong[] = {
	{ &command_count, "start number" },
	{ &command_count, "list --format=csv" },
	{ &command_export, "--read input" },
	{ &command_report, "-" },
	{ &command_serve, "number" },
	{ &command_stat, "--interval 1s" },
	{ &command_stat, "--by cpu --value number,cpu --read input" },
};

TEST_LOOP(refuses_arguments, ARRAY_SIZE(wrong))
{
	_cleanup_free_ char *messages =
		messages_of(wrong[_i].command, wrong[_i].words, TOOL_USAGE);

	ck_assert_ptr_nonnull(strstr(messages, "user-events: "));
}

/* Accepts all requests, one by connection, after their first part. */
static void serve(int server)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
				     "Content-Length: 2\r\n\r\n{}";
	char request[65536];
	int fd;

	for (;;) {
		fd = accept(server, NULL, NULL);
		while (recv(fd, request, sizeof(request), 0) == sizeof(request))
			;
		send(fd, answer, sizeof(answer) - 1, MSG_NOSIGNAL);
		shutdown(fd, SHUT_WR);
		while (recv(fd, request, sizeof(request), 0) > 0)
			;
		close(fd);
	}
}

TEST(tells_a_collector_of_malformed_records)
{
	_cleanup_free_ char *words = NULL;
	_cleanup_free_ char *text = NULL;
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	pid_t collector;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(server, (struct sockaddr *)&address, size), 0);
	ck_assert_int_eq(listen(server, 5), 0);
	ck_assert_int_eq(
		getsockname(server, (struct sockaddr *)&address, &size), 0);
	collector = fork();
	if (!collector)
		serve(server);
	close(server);
	words = tool_print("--read input --otlp http://127.0.0.1:%u",
			   ntohs(address.sin_port));
	ck_assert_int_eq(run(&command_export, words), TOOL_OK);
	write_records(input, 8);
	text = messages_of(&command_export, words, TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(text, "user_events:number: at byte 4 of "
					   "the record: "));
	kill(collector, SIGKILL);
	waitpid(collector, NULL, 0);
}

TEST(serves_numbers_of_records_only)
{
	_cleanup_free_ char *text = messages_of(
		&command_export, "--prometheus 0 --read other", TOOL_FAILED);

	ck_assert_str_eq(text,
			 "user-events: other: No such file or directory\n");
}

/* 0 would be a value. */
TEST(groups_without_numbers_have_no_average)
{
	_cleanup_free_ char *text = NULL;

	printed_begin(stdout);
	ck_assert_int_eq(run(&command_stat, "--json --by event --value none "
					    "-r input"),
			 TOOL_NOT_FOUND);
	text = printed_text(stdout);
	ck_assert_ptr_nonnull(strstr(text, "\"values\":0"));
	ck_assert_ptr_nonnull(strstr(text, "\"avg\":null"));
	ck_assert_ptr_nonnull(strstr(text, "\"max\":null"));
}

static void two_records(struct image *to, unsigned int cpu)
{
	(void)cpu;
	dat_image_page(to, 3);
	dat_image_entry(to, 0, 7, 1);
	dat_image_entry(to, 1, 7, 2);
	dat_image_page_end(to, 0);
}

/* Writes trace.dat with a clock. @microseconds: as for dat_image_dates() */
static void write_dat(const char *name, const char *microseconds,
		      const char *clock)
{
	_cleanup_free_ char *path = tool_print("%s/%s", fake_perf.root, name);
	static struct image image;
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	dat_image_dates(&image, microseconds, clock, two_records);
	ck_assert_uint_eq(fwrite(image.bytes, 1, image.size, file), image.size);
	ck_assert_int_eq(fclose(file), 0);
}

#define COUNTS(file, clock)                                               \
	"user-events: " file ": times are counts of the clock " clock     \
	", shown as if they were nanoseconds\n"                           \
	"  record with a clock in nanoseconds, such as trace-cmd record " \
	"-C mono\n"

/* The content of trace_clock, and the message. in_ns of the kernel's clocks */
static const struct {
	const char *clock;
	const char *said;
} clocks[] = {
	{ "[local] global counter uptime perf mono x86-tsc", "" },
	{ "local [global] counter", "" },
	{ "local [perf] counter", "" },
	{ "local [mono] counter", "" },
	{ "local [mono_raw] counter", "" },
	{ "local [boot] counter", "" },
	{ "local [tai] counter", "" },
	{ "local global [counter] uptime", COUNTS("dat", "counter") },
	{ "local global counter [uptime]", COUNTS("dat", "uptime") },
	{ "local global [x86-tsc]", COUNTS("dat", "x86-tsc") },
	{ "local global [ppc-tb]", COUNTS("dat", "ppc-tb") },
	{ "local global [s390-tod]", COUNTS("dat", "s390-tod") },
};

TEST_LOOP(tells_of_clocks_without_nanoseconds, ARRAY_SIZE(clocks))
{
	_cleanup_free_ char *times = NULL;
	_cleanup_free_ char *dates = NULL;

	write_dat("dat", NULL, clocks[_i].clock);
	times = messages_of(&command_decode, "-o out dat", TOOL_OK);
	ck_assert_str_eq(times, clocks[_i].said);
	write_dat("dat", "1000", clocks[_i].clock);
	dates = messages_of(&command_decode, "-o out dat", TOOL_OK);
	ck_assert_str_eq(dates, clocks[_i].said);
}

/* Records of a trace.dat as of trace-cmd record --date, and options of decode */
static const struct {
	const char *clock;
	const char *words;
	const char *time;
} dats_with_dates[] = {
	{ "local [mono]", "-o out dat", "2023-11-14T22:13:20.000000003" },
	{ "local [mono]", "--since 2023-11-14T22:13Z -o out dat",
	  "2023-11-14T22:13:20.000000003" },
	{ "local [mono]", "--merge -o out dat dat",
	  "2023-11-14T22:13:20.000000003" },
	{ "local [mono]", "--json --lines -o out dat",
	  "\"time\":\"2023-11-14T22:13:20.000000003" },
	{ "local [mono]", "--time=clock -o out dat", "1700000000.000000003" },
	{ "local [counter]", "-o out dat", "1700000000.000000003" },
};

TEST_LOOP(trace_dat_has_dates, ARRAY_SIZE(dats_with_dates))
{
	_cleanup_free_ char *path = tool_print("%s/out", fake_perf.root);
	_cleanup_free_ char *output = NULL;

	write_dat("dat", "1700000000000000", dats_with_dates[_i].clock);
	ck_assert_int_eq(run(&command_decode, dats_with_dates[_i].words),
			 TOOL_OK);
	output = read_file(path, NULL);
	ck_assert_ptr_nonnull(strstr(output, dats_with_dates[_i].time));
}

/* All that present counts as times */
static const struct {
	const struct tool_command *command;
	const char *words;
	const char *said;
} counters[] = {
	{ &command_decode, "--format=chrome -o out dat",
	  COUNTS("dat", "counter") },
	{ &command_decode, "--format=perfetto -o out dat",
	  COUNTS("dat", "counter") },
	{ &command_decode, "--format=ctf -o out dat",
	  COUNTS("dat", "counter") },
	{ &command_decode, "-o out dat input dat",
	  COUNTS("dat", "counter") COUNTS("dat", "counter") },
	{ &command_decode, "--merge -o out dat other",
	  COUNTS("dat", "counter") COUNTS("other", "counter") },
	{ &command_stat, "--by event -r dat", COUNTS("dat", "counter") },
	{ &command_report, "-o out dat",
	  COUNTS("dat", "counter") "user-events: out: 2 events, 0 lost\n" },
	{ &command_export, "--read dat --textfile out",
	  COUNTS("dat", "counter") },
};

TEST_LOOP(tells_of_counters_in_all_formats, ARRAY_SIZE(counters))
{
	_cleanup_free_ char *said = NULL;

	write_dat("dat", NULL, "local [counter]");
	write_dat("other", NULL, "local [counter]");
	said = messages_of(counters[_i].command, counters[_i].words, TOOL_OK);
	ck_assert_str_eq(said, counters[_i].said);
}
