// SPDX-License-Identifier: MIT
#include "flight/dat.h"

#include <errno.h>
#include <unistd.h>

#include "flight/describe.h"
#include "flight/losses.h"
#include "flight/pages.h"
#include "formats/trace_dat_header.h"
#include "tool.h"

#define COPY_SIZE 65536
#define MICROSECOND 1000

/* struct output - Where the bytes go */
struct output {
	void (*write)(void *data, const void *bytes, size_t size);
	void *data;
};

/* The table has a row for each processor from 0 on. */
static void write_table(const struct flight_pages *pages,
			struct uev_output *text, const struct output *output)
{
	size_t count = pages->cpu_count
			       ? pages->cpus[pages->cpu_count - 1].number + 1
			       : 0;
	_cleanup_free_ uint64_t *sizes =
		tool_alloc((count + 1) * sizeof(*sizes));
	const struct uev_clock *clock = &pages->flight->clock;
	struct trace_dat_header header = {
		.clock = "mono",
		.shift = (int64_t)(clock->wall - clock->clock) / MICROSECOND,
		.page_size = (uint32_t)pages->layout.page_size,
	};
	size_t i;

	for (i = 0; i < pages->cpu_count; i++)
		sizes[pages->cpus[i].number] =
			pages->cpus[i].end - pages->cpus[i].offset;
	trace_dat_table_append(text, &header, sizes, count);
	output->write(output->data, text->text, text->size);
}

/* The pages of all processors follow each other. Return: 0 or -errno */
static int write_pages(const struct flight_pages *pages,
		       const struct output *output)
{
	_cleanup_free_ char *bytes = tool_alloc(COPY_SIZE);
	off_t offset = 0;
	ssize_t got;

	while ((got = pread(pages->fd, bytes, COPY_SIZE, offset)) > 0) {
		output->write(output->data, bytes, (size_t)got);
		offset += got;
	}

	return got < 0 ? -errno : 0;
}

static int write_all(struct flight_pages *pages, const struct output *output)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	int status = flight_description(&text, pages->flight), ret;

	if (!status) {
		ret = flight_pages_move(pages, true);
		if (ret >= 0) {
			write_table(pages, &text, output);
			ret = write_pages(pages, output);
		}
		if (ret)
			status = tool_error_of(ret,
					       "%s: cannot read its records",
					       pages->flight->name);
	}

	return status;
}

int flight_dat_write(const struct flight *flight,
		     void (*write)(void *data, const void *bytes, size_t size),
		     void *data)
{
	const struct output output = { .write = write, .data = data };
	struct flight_pages pages;
	int ret = flight_pages_open(&pages, flight), status;

	if (ret)
		return tool_error_of(ret, "%s: cannot be read", flight->name);
	status = write_all(&pages, &output);
	if (!status)
		status = flight_losses_report(&pages);
	flight_pages_close(&pages);

	return status;
}
