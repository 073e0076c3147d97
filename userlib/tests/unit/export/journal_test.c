// SPDX-License-Identifier: MIT
/* Entries of the journal, as a socket receives them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "export/journal.h"
#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"

#define TEXT_SIZE 256

static const char format[] =
	"name: test\nID: 77\n" COMMON_FIELDS
	"\tfield:u32 PRIORITY;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u16 list[2];\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:char a_text[256];\toffset:16;\tsize:256;\tsigned:0;\n\n"
	"print fmt: \"%u\", REC->PRIORITY\n";

static char path[108];
static int receiver;
static struct export_journal journal;
static struct uev_decoder *decoder;
static struct uev_schema *schema;
static char entry[2 * EXPORT_ENTRY_MAX];
static size_t entry_size;

static void set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	fake_perf_begin();
	snprintf(path, sizeof(path), "%s/socket", fake_perf.root);
	strcpy(address.sun_path, path);
	receiver = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	ck_assert_int_eq(bind(receiver, (struct sockaddr *)&address,
			      sizeof(address)),
			 0);
	journal = (struct export_journal){ 0 };
	ck_assert_int_eq(export_journal_open(&journal, path), 0);
	decoder = new_decoder();
	schema = schema_of("user_events", format);
}

static void tear_down(void)
{
	export_journal_close(&journal);
	uev_decoder_free(decoder);
	uev_schema_free(schema);
	close(receiver);
	unlink(path);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Sends a record that lacks @lacks bytes. Return: as export_journal_take() */
static int send_part(const char *text, const char *comm, uint32_t lacks)
{
	const struct uev_source source = { .system = "user_events",
					   .name = "test" };
	struct {
		uint32_t common[2];
		uint32_t priority;
		uint16_t list[2];
		char text[TEXT_SIZE];
	} raw = { { 77, 7 }, 3, { 1, 2 }, "" };
	const struct uev_sample sample = {
		.source = &source,
		.raw = &raw,
		.raw_size = sizeof(raw) - lacks,
		.flags = UEV_HAS_TIME | UEV_HAS_TID | UEV_HAS_CPU,
		.time = 1500000000,
		.pid = 7,
		.tid = 8,
		.cpu = 1,
	};
	const struct format_record record = { .sample = &sample,
					      .schema = schema,
					      .comm = comm };

	strncpy(raw.text, text, sizeof(raw.text) - 1);

	return export_journal_take(&journal, decoder, &record);
}

static void send_record(const char *text, const char *comm)
{
	ck_assert_int_eq(send_part(text, comm, 0), 0);
}

/* Return: whether there was an entry */
static bool receive(void)
{
	ssize_t size = recv(receiver, entry, sizeof(entry), 0);

	entry_size = size > 0 ? (size_t)size : 0;

	return size > 0;
}

/*
 * Finds a field as the journal reads an entry: NAME, a newline, the size in 8
 * bytes, the value, and a newline. Return: number of fields of this name; @value
 * is that of the last
 */
static unsigned int find(const char *name, const char **value, size_t *size)
{
	const char *at = entry, *end = entry + entry_size, *newline;
	unsigned int count = 0;
	size_t bytes, i;

	while (at < end) {
		newline = memchr(at, '\n', (size_t)(end - at));
		ck_assert(newline && end - newline > 9);
		ck_assert_ptr_null(memchr(at, '=', (size_t)(newline - at)));
		for (bytes = 0, i = 8; i; i--)
			bytes = bytes << 8 | (unsigned char)newline[i];
		ck_assert_uint_lt(bytes, (size_t)(end - newline - 9));
		ck_assert(newline[9 + bytes] == '\n');
		if (strlen(name) == (size_t)(newline - at) &&
		    memcmp(name, at, strlen(name)) == 0) {
			*value = newline + 9;
			*size = bytes;
			count++;
		}
		at = newline + 9 + bytes + 1;
	}

	return count;
}

static void check_field(const char *name, const char *wanted)
{
	const char *value = NULL;
	size_t size = 0;

	ck_assert_msg(find(name, &value, &size) == 1, "%s", name);
	ck_assert_msg(size == strlen(wanted) &&
			      memcmp(value, wanted, size) == 0,
		      "%s: %.*s instead of %s", name, (int)size, value, wanted);
}

TEST(sends_fields_and_metadata)
{
	send_record("hello", "svc");
	ck_assert(receive());
	check_field("MESSAGE", "user_events:test PRIORITY=3 list=[1 2] "
			       "a_text=\"hello\"");
	check_field("PRIORITY", "6");
	check_field("SYSLOG_IDENTIFIER", "svc");
	check_field("USER_EVENTS_EVENT", "user_events:test");
	check_field("USER_EVENTS_PID", "7");
	check_field("USER_EVENTS_TID", "8");
	check_field("USER_EVENTS_CPU", "1");
	check_field("USER_EVENTS_TIME", "1.500000000");
	check_field("UE_PRIORITY", "3");
	check_field("UE_LIST", "[1,2]");
	check_field("UE_A_TEXT", "hello");
	ck_assert_uint_eq(journal.sent, 1);
	ck_assert_uint_eq(journal.cut, 0);
}

/* A value cannot start another field. */
TEST(values_can_have_newlines)
{
	send_record("a\nPRIORITY=0\nMESSAGE=b\n", "c\nPRIORITY=0");
	ck_assert(receive());
	check_field("PRIORITY", "6");
	check_field("UE_A_TEXT", "a\nPRIORITY=0\nMESSAGE=b\n");
	check_field("SYSLOG_IDENTIFIER", "c\nPRIORITY=0");
	send_record("", NULL);
	ck_assert(receive());
	check_field("SYSLOG_IDENTIFIER", "user-events");
	check_field("UE_A_TEXT", "");
}

TEST(counts_dropped_records)
{
	size_t received = 0, i;

	/* Nothing is read until the queue is full. */
	for (i = 0; i < 100000 && !journal.dropped; i++)
		send_record("x", NULL);
	ck_assert_uint_eq(journal.dropped, 1);
	ck_assert_int_eq(journal.last_error, -EAGAIN);
	/* It waits only once: this would take a quarter of an hour. */
	for (i = 0; i < 1000; i++)
		send_record("x", NULL);
	ck_assert_uint_eq(journal.dropped, 1 + i);
	while (receive())
		received++;
	ck_assert_uint_eq(received, journal.sent);
	send_record("x", NULL);
	ck_assert_uint_eq(journal.sent, received + 1);
	/* A journal that is started again has another socket. */
	close(receiver);
	unlink(path);
	send_record("x", NULL);
	ck_assert_uint_eq(journal.dropped, i + 2);
	ck_assert_int_eq(journal.last_error, -ENOENT);
}

TEST(needs_a_socket)
{
	struct export_journal other = { 0 };

	ck_assert_int_eq(export_journal_open(&other, "/nosuch/socket"),
			 -ENOENT);
	export_journal_close(&other);
}

/* Lost records are a warning with their event, number and reason. */
TEST(sends_losses)
{
	static const struct uev_source source = { .system = "user_events",
						  .name = "test" };
	static const struct format_loss loss = {
		.loss.source = &source,
		.loss.count = 70000000000,
		.loss.from = 1000000000,
		.loss.to = 2000000000,
		.loss.flags = UEV_HAS_TIME | UEV_HAS_CPU,
		.loss.cpu = 3,
		.loss.reason = "perf_buffer",
	};

	export_journal_loss(&journal, &loss);
	receive();
	check_field("PRIORITY", "4");
	check_field("SYSLOG_IDENTIFIER", "user-events");
	check_field("USER_EVENTS_EVENT", "user_events:test");
	check_field("USER_EVENTS_LOST", "70000000000");
	check_field("USER_EVENTS_REASON", "perf_buffer");
	check_field("USER_EVENTS_CPU", "3");
	check_field("USER_EVENTS_TIME", "2.000000000");
	check_field("USER_EVENTS_SINCE", "1.000000000");
	check_field("MESSAGE",
		    "70000000000 records of user_events:test lost: for a "
		    "buffer of perf that was full (perf_buffer)");
	ck_assert_uint_eq(journal.sent, 1);
}

/* The command ends with another status, and the journal has what is known. */
TEST(returns_the_error_of_malformed_records)
{
	ck_assert_int_lt(send_part("text", "svc", 8), 0);
	ck_assert_uint_eq(journal.sent, 1);
	ck_assert(receive());
	ck_assert_str_ne(uev_decoder_error(decoder, NULL), "");
}
