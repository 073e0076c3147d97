// SPDX-License-Identifier: MIT
/* user-events flight: the start of a trace.dat, which the reader reads. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/trace_dat.h"
#include "formats/trace_dat_header.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"
#include "util/bytes.h"

#define PAGE 4096
#define ID 77

static struct uev_output text;
static struct trace_dat *dat;
static int fd = -1;

static void set_up(void)
{
	file_tree_begin();
	file_tree_file("/events/header_page",
		       "\tfield: local_t commit;\toffset:8;\tsize:8;\n");
	file_tree_file("/events/header_event", "# entry\n");
	file_tree_file("/events/one/first/format", "name: first\nID: 76\n");
	file_tree_file("/events/one/second/format", "name: second\nID: 77\n");
	file_tree_file("/events/two/third/format", "name: third\nID: 78\n");
	file_tree_file("/saved_cmdlines", "123 writer\n");
}

static void tear_down(void)
{
	trace_dat_close(dat);
	if (fd >= 0)
		close(fd);
	uev_output_release(&text);
	file_tree_end();
}

TEST_FIXTURE(set_up, tear_down);

static void problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	ck_abort_msg("%s", reason);
}

/* A page with a record of ID and thread 123 at 5 µs */
static void put_page(struct uev_output *to)
{
	const uint64_t head[] = { 5000, 12 };
	const uint32_t entry = uev_host_is_big() ? 2U << 27 : 2;
	const uint16_t common[] = { ID, 0 };
	const uint32_t tid = 123;
	uint8_t page[PAGE] = { 0 };

	memcpy(page, head, sizeof(head));
	memcpy(page + 16, &entry, sizeof(entry));
	memcpy(page + 20, common, sizeof(common));
	memcpy(page + 24, &tid, sizeof(tid));
	tool_append(to, page, sizeof(page));
}

static void write_all(struct trace_dat_header *header, const uint64_t *sizes,
		      size_t count)
{
	header->tracefs = file_tree_root();
	header->clock = "mono";
	header->page_size = PAGE;
	header->long_size = 8;
	ck_assert_int_eq(trace_dat_header_append(&text, header), 0);
	trace_dat_table_append(&text, header, sizes, count);
}

static void open_all(void)
{
	fd = memfd_create("test", MFD_CLOEXEC);
	ck_assert_int_eq(write(fd, text.text, text.size), (ssize_t)text.size);
	ck_assert_int_eq(trace_dat_open(&dat, fd, problem, NULL), 0);
}

TEST(reader_finds_events_threads_and_pages)
{
	char *events[] = { "none", "one:first", "one:gone", "one:second",
			   "two:third" };
	struct trace_dat_header header = {
		.events = events,
		.event_count = ARRAY_SIZE(events),
		.shift = 1000000,
	};
	const uint64_t sizes[] = { 0, PAGE };
	const struct uev_sample *sample;

	write_all(&header, sizes, ARRAY_SIZE(sizes));
	ck_assert_uint_eq(text.size % PAGE, 0);
	put_page(&text);
	open_all();
	ck_assert_int_eq(trace_dat_next(dat, &sample), 1);
	ck_assert_str_eq(sample->source->system, "one");
	ck_assert_str_eq(sample->source->name, "second");
	ck_assert_uint_eq(sample->cpu, 1);
	ck_assert_uint_eq(sample->time, 1000000000 + 5000);
	ck_assert_str_eq(trace_dat_comm(dat, sample->tid), "writer");
	ck_assert_int_eq(trace_dat_next(dat, &sample), 0);
	ck_assert_str_eq(trace_dat_info(dat)->clock, "mono");
	ck_assert(trace_dat_info(dat)->is_wall);
}

static void add_name(void *data, const struct uev_source *source)
{
	tool_list_add(data, "%s:%s %u", source->system, source->name,
		      source->id);
}

TEST(sources_are_known_before_records)
{
	char *events[] = { "one:first", "one:second", "two:third" };
	struct trace_dat_header header = {
		.events = events,
		.event_count = ARRAY_SIZE(events),
	};
	struct uev_output names = UEV_OUTPUT_INIT;

	write_all(&header, NULL, 0);
	open_all();
	trace_dat_sources(dat, add_name, &names);
	ck_assert_str_eq(names.text,
			 "two:third 78, one:second 77, one:first 76");
	uev_output_release(&names);
}

TEST(pages_can_follow_later)
{
	char *events[] = { "one:second" };
	struct trace_dat_header header = {
		.events = events,
		.event_count = ARRAY_SIZE(events),
	};
	struct uev_output page = UEV_OUTPUT_INIT;
	const struct uev_sample *sample;
	int pages = memfd_create("test", MFD_CLOEXEC), i;

	write_all(&header, NULL, 0);
	open_all();
	ck_assert_int_eq(trace_dat_next(dat, &sample), 0);
	put_page(&page);
	ck_assert_int_eq(write(pages, page.text, page.size), PAGE);
	for (i = 0; i < 3; i++) {
		trace_dat_set_pages(dat, 0, pages, 0, PAGE, PAGE);
		trace_dat_set_pages(dat, 1, pages, 0, PAGE, PAGE);
		ck_assert_int_eq(trace_dat_next(dat, &sample), 1);
		ck_assert_uint_eq(sample->time, 5000);
		ck_assert_int_eq(trace_dat_next(dat, &sample), 1);
		ck_assert_int_eq(trace_dat_next(dat, &sample), 0);
	}
	close(pages);
	uev_output_release(&page);
}

TEST(names_of_threads_can_be_replaced)
{
	struct trace_dat_header header = { .event_count = 0 };

	write_all(&header, NULL, 0);
	open_all();
	ck_assert_str_eq(trace_dat_comm(dat, 123), "writer");
	trace_dat_set_comms(dat, strdup("124 other name\n7 first\n\nbad\n"));
	ck_assert_ptr_null(trace_dat_comm(dat, 123));
	ck_assert_str_eq(trace_dat_comm(dat, 124), "other name");
	ck_assert_str_eq(trace_dat_comm(dat, 7), "first");
	trace_dat_set_comms(dat, strdup(""));
	ck_assert_ptr_null(trace_dat_comm(dat, 124));
}

/* A kernel without tracers has none. */
TEST(names_of_threads_can_be_missing)
{
	struct trace_dat_header header = { .event_count = 0 };
	const uint64_t size = PAGE;

	file_tree_remove("/saved_cmdlines");
	write_all(&header, &size, 1);
	put_page(&text);
	open_all();
	ck_assert_ptr_null(trace_dat_comm(dat, 123));
	ck_assert_uint_eq(trace_dat_info(dat)->long_size, 8);
	ck_assert_str_eq(trace_dat_info(dat)->clock, "mono");
}

TEST(kernel_without_layout_of_pages_is_an_error)
{
	struct trace_dat_header header = { .tracefs = file_tree_root() };

	file_tree_remove("/events/header_page");
	ck_assert_int_eq(trace_dat_header_append(&text, &header), -ENOENT);
}
