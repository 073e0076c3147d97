// SPDX-License-Identifier: MIT
/*
 * Walks a file tree and writes one event per file and one per directory. Uses
 * the status page interface without a library.
 *
 *	walk_files [DIRECTORY]
 *
 * While its event is disabled, a file costs a test of one bit. The last line
 * has the numbers of files, directories and written records.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/user_events.h>

#define TRACEFS "/sys/kernel/tracing/"

/* Descriptors that nftw() keeps open; deeper trees are reopened. */
#define OPEN_DIRECTORIES 32

/* Payload of both events before the path. */
struct file_payload {
	uint32_t path; /* DYN_LOC() */
	uint64_t size;
	uint32_t mode;
} __attribute__((__packed__));

struct directory_payload {
	uint32_t path; /* DYN_LOC() */
	uint32_t depth;
} __attribute__((__packed__));

/* An event as registered with the kernel. */
struct event {
	const char *definition;
	uint32_t status_bit;
	uint32_t write_index;
};

static struct event file_event = {
	.definition = "walk_file __data_loc char[] path; u64 size; u32 mode",
};

static struct event directory_event = {
	.definition = "walk_directory __data_loc char[] path; u32 depth",
};

/*
 * __data_loc counts from the start of a record, where the kernel puts its own
 * fields before the payload: 8 bytes on nearly all kernels.
 */
static unsigned int entry_header = 8;

static int data_fd;
static const volatile uint8_t *status;
static unsigned long files, directories, written;

static void fail(const char *what)
{
	fprintf(stderr, "walk_files: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Reads the offset of the first field of an event, with permission to do so. */
static void request_entry_header(void)
{
	FILE *format =
		fopen(TRACEFS "events/user_events/walk_file/format", "r");
	char line[256];
	char *offset;

	while (format && fgets(line, sizeof(line), format)) {
		offset = strstr(line, "offset:");
		if (offset && !strstr(line, "common_")) {
			entry_header = strtoul(offset + 7, NULL, 10);
			break;
		}
	}

	if (format)
		fclose(format);
}

static void register_event(struct event *event)
{
	struct user_reg reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t)event->definition,
	};

	if (ioctl(data_fd, DIAG_IOCSREG, &reg))
		fail(event->definition);

	event->status_bit = reg.status_bit;
	event->write_index = reg.write_index;
}

/* The cost of a disabled event. */
static bool is_enabled(const struct event *event)
{
	return status[event->status_bit / 8] & (1 << (event->status_bit % 8));
}

static void write_event(const struct event *event, void *payload,
			size_t payload_size, const char *path)
{
	size_t path_size = strlen(path) + 1;
	struct iovec record[] = {
		{ (void *)&event->write_index, sizeof(event->write_index) },
		{ payload, payload_size },
		{ (void *)path, path_size },
	};
	uint32_t loc = DYN_LOC(entry_header + payload_size, path_size);

	/* The path is the first field of both payloads. */
	memcpy(payload, &loc, sizeof(loc));

	if (writev(data_fd, record, 3) >= 0)
		written++;
	else if (errno != EBADF) /* the event was disabled in the meantime */
		fail("write");
}

static int visit(const char *path, const struct stat *stat, int type,
		 struct FTW *where)
{
	struct directory_payload directory = { .depth = where->level };
	struct file_payload file = {
		.size = stat->st_size,
		.mode = stat->st_mode,
	};

	if (type == FTW_D || type == FTW_DNR) {
		directories++;
		if (is_enabled(&directory_event))
			write_event(&directory_event, &directory,
				    sizeof(directory), path);
	} else {
		files++;
		if (is_enabled(&file_event))
			write_event(&file_event, &file, sizeof(file), path);
	}

	return 0;
}

static void open_user_events(void)
{
	int fd = open(TRACEFS "user_events_status", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(TRACEFS "user_events_status");

	status =
		mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (status == MAP_FAILED)
		fail("mmap");
	close(fd);

	data_fd = open(TRACEFS "user_events_data", O_WRONLY | O_CLOEXEC);
	if (data_fd < 0)
		fail(TRACEFS "user_events_data");
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		fprintf(stderr, "usage: walk_files [DIRECTORY]\n");
		return 2;
	}

	open_user_events();
	register_event(&file_event);
	register_event(&directory_event);
	request_entry_header();

	/* Stays on this file system, because /proc changes while it is read. */
	if (nftw(argc > 1 ? argv[1] : "/", visit, OPEN_DIRECTORIES,
		 FTW_PHYS | FTW_MOUNT))
		fail("nftw");

	printf("%lu files, %lu directories, %lu records written\n", files,
	       directories, written);

	return 0;
}
