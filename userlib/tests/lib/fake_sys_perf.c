// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "fake_sys_perf.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/sys_perf.h"

#define PAGE 4096
#define EPOLL_FD 9999

/* The numbers of events in records are not their numbers here. */
#define FIRST_ID 1000

/*
 * Unlike that of libcheck it does not allocate, because allocations can be made
 * to fail.
 */
#define MUST(condition)                                         \
	do {                                                    \
		if (!(condition))                               \
			ck_abort_msg("not so: %s", #condition); \
	} while (0)

struct fake_perf fake_perf;

void fake_perf_begin(void)
{
	memset(&fake_perf, 0, sizeof(fake_perf));
	fake_perf.offline = -1;
	/* Tests of failures make it thousands of times, so not on a disk. */
	sprintf(fake_perf.root, "%s/fake_perf.XXXXXX",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	MUST(mkdtemp(fake_perf.root));
}

static int remove_one(const char *path, const struct stat *stat_of, int type,
		      struct FTW *where)
{
	(void)stat_of;
	(void)type;
	(void)where;

	return remove(path);
}

void fake_perf_end(void)
{
	nftw(fake_perf.root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Maps a path to the directory of the test. */
static const char *here(const char *path, char *buffer, size_t size)
{
	if (strncmp(path, "/sys/", 5) && strncmp(path, "/proc/", 6) &&
	    strcmp(path, "/proc"))
		return path;
	snprintf(buffer, size, "%s%s", fake_perf.root, path);

	return buffer;
}

void fake_perf_file(const char *path, const char *text)
{
	char whole[512];
	char *slash;
	int fd;

	snprintf(whole, sizeof(whole), "%s%s", fake_perf.root, path);
	for (slash = strchr(whole + strlen(fake_perf.root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		MUST(!mkdir(whole, 0700) || errno == EEXIST);
		*slash = '/';
	}
	/* A stream would need memory, of which there may be none just now. */
	fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

void fake_perf_remove(const char *path)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "%s%s", fake_perf.root, path);
	nftw(whole, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void fake_perf_time_namespace(const char *offsets, bool is_own)
{
	char own[256], other[512];

	fake_perf_file("/proc/self/timens_offsets", offsets);
	fake_perf_file("/proc/self/ns/time", "");
	if (!is_own) {
		fake_perf_file("/proc/self/ns/time_for_children", "");
		return;
	}
	snprintf(own, sizeof(own), "%s/proc/self/ns/time", fake_perf.root);
	snprintf(other, sizeof(other), "%s_for_children", own);
	MUST(!link(own, other));
}

void fake_perf_tracepoint(const char *system, const char *name, uint32_t id)
{
	char path[256];
	char text[256];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/id",
		 system, name);
	snprintf(text, sizeof(text), "%u\n", id);
	fake_perf_file(path, text);
	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/format",
		 system, name);
	snprintf(text, sizeof(text), "name: %s\nID: %u\nformat:\n", name, id);
	fake_perf_file(path, text);
}

int fake_perf_open_events(uint32_t type, uint64_t config)
{
	const struct fake_event *event;
	int count = 0;
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		event = &fake_perf.events[i];
		count += event->open && event->attr.type == type &&
			 event->attr.config == config;
	}

	return count;
}

static struct fake_event *find(uint32_t type, uint64_t config, int cpu)
{
	struct fake_event *event;
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		event = &fake_perf.events[i];
		if (event->open && event->attr.type == type &&
		    event->attr.config == config && event->cpu == cpu)
			return event;
	}

	return NULL;
}

struct fake_event *fake_perf_find(uint64_t config, int cpu)
{
	return find(PERF_TYPE_TRACEPOINT, config, cpu);
}

struct fake_event *fake_perf_owner(int cpu)
{
	return find(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, cpu);
}

struct fake_event *fake_perf_names(int cpu)
{
	struct fake_event *event;
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		event = &fake_perf.events[i];
		if (event->open && event->attr.comm && event->cpu == cpu)
			return event;
	}

	return NULL;
}

uint64_t fake_perf_id(const struct fake_event *event)
{
	return FIRST_ID + (uint64_t)(event - fake_perf.events);
}

static struct perf_event_mmap_page *page_of(const struct fake_event *owner)
{
	return (struct perf_event_mmap_page *)owner->map;
}

static void put(struct fake_event *owner, uint64_t position, const void *record,
		size_t size)
{
	size_t ring = owner->map_size - PAGE;
	const uint8_t *bytes = record;
	size_t i;

	for (i = 0; i < size; i++)
		owner->map[PAGE + (position + i) % ring] = bytes[i];
}

/* The reader may be another thread, as it is another program for the kernel. */
bool fake_perf_write(struct fake_event *owner, const void *record, size_t size)
{
	struct perf_event_mmap_page *page = page_of(owner);
	uint64_t head = page->data_head;
	uint64_t tail = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE);

	if (owner->paused)
		return false;
	if (owner->attr.write_backward) {
		head -= size;
		put(owner, head, record, size);
	} else {
		if (head + size - tail > owner->map_size - PAGE)
			return false;
		put(owner, head, record, size);
		head += size;
	}
	__atomic_store_n(&page->data_head, head, __ATOMIC_RELEASE);

	return true;
}

/* Writes the members of sample_type in their order. */
static size_t make_sample(const struct fake_event *event, uint64_t time,
			  const void *raw, uint32_t size, uint64_t *record)
{
	struct perf_event_header *header = (void *)record;
	uint32_t padded = (size + 4 + 7) / 8 * 8 - 4;
	uint32_t pair[2] = { 100, 101 };
	uint8_t *at = (uint8_t *)(record + 5);

	if (event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		record[5] = 2;
		record[6] = (uint64_t)PERF_CONTEXT_USER;
		record[7] = FAKE_ADDRESS;
		at += 3 * sizeof(*record);
	}
	record[1] = fake_perf_id(event);
	memcpy(&record[2], pair, sizeof(pair));
	record[3] = time;
	pair[0] = (uint32_t)event->cpu;
	pair[1] = 0;
	memcpy(&record[4], pair, sizeof(pair));
	memcpy(at, &padded, sizeof(padded));
	memset(at + 4, 0, padded);
	memcpy(at + 4, raw, size);
	*header = (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE,
		.size = (uint16_t)(at - (uint8_t *)record + 4 + padded),
	};

	return header->size;
}

/* As soon as it fits, as in the kernel. */
static void say_lost(struct fake_event *owner)
{
	uint64_t record[7] = { 0 };
	struct perf_event_header header = {
		.type = PERF_RECORD_LOST,
		.size = sizeof(record),
	};

	memcpy(record, &header, sizeof(header));
	record[2] = owner->unsaid;
	if (owner->unsaid && fake_perf_write(owner, record, sizeof(record)))
		owner->unsaid = 0;
}

static bool deliver(struct fake_event *event, uint64_t time, const void *raw,
		    uint32_t size)
{
	struct fake_event *owner = event->output;
	uint64_t record[64];
	size_t length;

	MUST(owner);
	MUST(size <= sizeof(record) - 48);
	event->hits++;
	length = make_sample(event, time, raw, size, record);
	say_lost(owner);
	if (!owner->unsaid && fake_perf_write(owner, record, length))
		return true;
	event->lost++;
	owner->unsaid++;

	return false;
}

bool fake_perf_emit(uint64_t config, int cpu, uint64_t time, const void *raw,
		    uint32_t size)
{
	struct fake_event *event;
	bool delivered = false;
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		event = &fake_perf.events[i];
		if (event->open && event->enabled && event->cpu == cpu &&
		    event->attr.type == PERF_TYPE_TRACEPOINT &&
		    event->attr.config == config)
			delivered |= deliver(event, time, raw, size);
	}

	return delivered;
}

void fake_perf_restart(int cpu, uint64_t nanoseconds)
{
	struct fake_event *event;
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		event = &fake_perf.events[i];
		if (!event->open || event->cpu != cpu || event->pid != -1)
			continue;
		event->enabled = false;
		event->removed = fake_perf.time;
	}
	fake_perf.time += nanoseconds;
}

/* The trailer has the time, which is all of sample_type. */
static bool write_name(int cpu, uint64_t time, uint64_t *record, size_t words,
		       uint32_t type)
{
	struct fake_event *event = fake_perf_names(cpu);
	struct perf_event_header header = {
		.type = type,
		.size = (uint16_t)((words + 1) * sizeof(*record)),
	};

	if (!event || !event->enabled || !event->map)
		return false;
	MUST(event->attr.sample_type == PERF_SAMPLE_TIME);
	MUST(event->attr.sample_id_all && event->attr.task);
	memcpy(record, &header, sizeof(header));
	record[words] = time;

	return fake_perf_write(event, record, header.size);
}

bool fake_perf_comm(int cpu, uint64_t time, uint32_t tid, const char *name)
{
	uint64_t record[5] = { 0 };
	uint32_t ids[2] = { 100, tid };

	memcpy(&record[1], ids, sizeof(ids));
	strncpy((char *)&record[2], name, 15);

	return write_name(cpu, time, record, 4, PERF_RECORD_COMM);
}

bool fake_perf_fork(int cpu, uint64_t time, uint32_t tid, uint32_t maker)
{
	uint64_t record[5] = { 0 };
	uint32_t ids[4] = { 100, 100, tid, maker };

	memcpy(&record[1], ids, sizeof(ids));
	record[3] = time;

	return write_name(cpu, time, record, 4, PERF_RECORD_FORK);
}

/* Whether it is the turn of this call to fail. */
static bool fails(void)
{
	fake_perf.calls++;

	return fake_perf.calls == fake_perf.fail_at;
}

static int opened(int fd)
{
	if (fd < 0)
		return -errno;
	fake_perf.open_fds++;

	return fd;
}

static struct fake_event *event_of(int fd)
{
	struct fake_event *event;

	MUST(fd >= FAKE_FD);
	event = &fake_perf.events[fd - FAKE_FD];
	MUST(event->open);

	return event;
}

int uev_sys_perf_event(struct perf_event_attr *attr, pid_t pid, int cpu,
		       unsigned long flags)
{
	struct fake_event *event = &fake_perf.events[fake_perf.event_count];

	if (fails())
		return fake_perf.fail_with;
	usleep(fake_perf.wait_us);
	if (cpu == fake_perf.offline)
		return -ENODEV;
	if (fake_perf.no_lost && attr->read_format & PERF_FORMAT_LOST)
		return -EINVAL;
	if (attr->type == PERF_TYPE_TRACEPOINT &&
	    attr->config == fake_perf.missing)
		return -EINVAL;
	if (attr->type == PERF_TYPE_TRACEPOINT && fake_perf.denied)
		return fake_perf.denied;
	if (attr->comm && fake_perf.no_comms)
		return -EACCES;
	if (flags & PERF_FLAG_PID_CGROUP && fake_perf.no_cgroup)
		return -ENOENT;

	MUST(fake_perf.event_count < FAKE_EVENTS);
	*event = (struct fake_event){
		.open = true,
		.enabled = !attr->disabled,
		.attr = *attr,
		.pid = pid,
		.cpu = cpu,
		.flags = flags,
	};
	fake_perf.open_fds++;

	return FAKE_FD + fake_perf.event_count++;
}

/* The kernel lets no event write to the ring of another processor. */
static int set_output(struct fake_event *event, struct fake_event *output)
{
	if (event->cpu != output->cpu ||
	    event->attr.write_backward != output->attr.write_backward ||
	    event->attr.use_clockid != output->attr.use_clockid ||
	    event->attr.clockid != output->attr.clockid || !output->map)
		return -EINVAL;
	event->output = output;

	return 0;
}

int uev_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument)
{
	struct fake_event *event = event_of(fd);

	if (fails())
		return fake_perf.fail_with;

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		event->enabled = true;
		break;
	case PERF_EVENT_IOC_DISABLE:
		event->enabled = false;
		break;
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)argument = fake_perf_id(event);
		break;
	case PERF_EVENT_IOC_SET_OUTPUT:
		return set_output(event, event_of((int)argument));
	case PERF_EVENT_IOC_SET_FILTER:
		if (strstr((const char *)argument, "bad"))
			return -EINVAL;
		snprintf(event->filter, sizeof(event->filter), "%s",
			 (const char *)argument);
		break;
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		MUST(event->map);
		event->paused = argument;
		break;
	default:
		ck_abort_msg("ioctl %lx", request);
	}

	return 0;
}

int uev_sys_perf_map(int fd, size_t size, bool writable, void **address)
{
	struct fake_event *event = event_of(fd);
	size_t pages = size / PAGE - 1;

	if (fails())
		return fake_perf.fail_with;
	MUST(size % PAGE == 0 && pages && !(pages & (pages - 1)));
	event->map = aligned_alloc(PAGE, size);
	MUST(event->map);
	memset(event->map, 0, size);
	event->map_size = size;
	event->writable = writable;
	fake_perf.maps++;
	*address = event->map;

	return 0;
}

void uev_sys_perf_unmap(void *address, size_t size)
{
	int i;

	for (i = 0; i < fake_perf.event_count; i++) {
		if (fake_perf.events[i].map != address)
			continue;
		MUST(fake_perf.events[i].map_size == size);
		fake_perf.events[i].map = NULL;
		free(address);
		fake_perf.maps--;
		return;
	}
	ck_abort_msg("this was not mapped");
}

int uev_sys_perf_epoll(void)
{
	if (fails())
		return fake_perf.fail_with;
	fake_perf.open_fds++;

	return EPOLL_FD;
}

int uev_sys_perf_epoll_add(int epoll, int fd)
{
	MUST(epoll == EPOLL_FD);
	event_of(fd);
	if (fails())
		return fake_perf.fail_with;
	fake_perf.waits++;

	return 0;
}

int uev_sys_perf_open(const char *path, int flags)
{
	char buffer[512];

	if (fails())
		return fake_perf.fail_with;

	return opened(open(here(path, buffer, sizeof(buffer)),
			   flags | O_CLOEXEC, 0600));
}

void uev_sys_perf_close(int fd)
{
	fake_perf.open_fds--;
	if (fd >= FAKE_FD) {
		event_of(fd)->open = false;
		return;
	}
	if (fd != EPOLL_FD)
		MUST(!close(fd));
}

static size_t at_most(size_t size)
{
	return fake_perf.at_most && size > fake_perf.at_most ? fake_perf.at_most
							     : size;
}

static ssize_t read_event(int fd, void *to, size_t size)
{
	const struct fake_event *event = event_of(fd);
	uint64_t values[2] = { event->hits, event->lost };
	size_t known = event->attr.read_format ? 16 : 8;

	if (event->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) {
		fake_perf.time += fake_perf.pause;
		fake_perf.pause = 0;
		values[1] = event->removed ? event->removed : fake_perf.time;
	}
	MUST(size >= known);
	memcpy(to, values, known);

	return (ssize_t)known;
}

static ssize_t count_read(ssize_t got)
{
	if (got < 0)
		return -errno;
	fake_perf.bytes_read += (uint64_t)got;

	return got;
}

ssize_t uev_sys_perf_read(int fd, void *to, size_t size)
{
	ssize_t got;

	if (fails())
		return fake_perf.fail_with;
	if (fd >= FAKE_FD) {
		usleep(fake_perf.wait_us);
		return read_event(fd, to, size);
	}
	got = read(fd, to, at_most(size));

	return count_read(got);
}

ssize_t uev_sys_perf_pread(int fd, void *to, size_t size, uint64_t offset)
{
	ssize_t got;

	if (fails())
		return fake_perf.fail_with;
	got = pread(fd, to, at_most(size), (off_t)offset);

	return count_read(got);
}

ssize_t uev_sys_perf_pwrite(int fd, const void *from, size_t size,
			    uint64_t offset)
{
	ssize_t got;

	if (fails())
		return fake_perf.fail_with;
	got = pwrite(fd, from, at_most(size), (off_t)offset);

	return got < 0 ? -errno : got;
}

int uev_sys_perf_sync(int fd)
{
	(void)fd;

	return fails() ? fake_perf.fail_with : 0;
}

void uev_sys_perf_truncate(int fd, uint64_t size)
{
	if (ftruncate(fd, (off_t)size))
		abort();
}

int uev_sys_perf_rename(const char *from, const char *to)
{
	if (fails())
		return fake_perf.fail_with;

	return rename(from, to) ? -errno : 0;
}

void uev_sys_perf_unlink(const char *path)
{
	unlink(path);
}

int uev_sys_perf_target(const char *path, char **target)
{
	struct stat stat_of;

	if (stat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode))
		return -EINVAL;
	if (lstat(path, &stat_of) == 0 && S_ISLNK(stat_of.st_mode)) {
		*target = realpath(path, NULL);
		return *target ? 0 : -errno;
	}
	*target = strdup(path);

	return *target ? 0 : -ENOMEM;
}

/* Never fails for the caller, so it is not among the counted calls. */
void uev_sys_perf_random(void *bytes, size_t size)
{
	if (!fake_perf.no_random && getrandom(bytes, size, 0) != (ssize_t)size)
		abort();
}

int64_t uev_sys_perf_size(int fd)
{
	struct stat stat_of;

	if (fails())
		return fake_perf.fail_with;
	if (fstat(fd, &stat_of))
		return -errno;

	return S_ISREG(stat_of.st_mode) ? stat_of.st_size : -ESPIPE;
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
	return strcmp((*one)->d_name, (*other)->d_name);
}

static int is_name(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Sorted by name, so that failures have a fixed order. */
int uev_sys_perf_list(const char *path,
		      int (*each)(void *data, const char *name), void *data)
{
	struct dirent **names;
	char buffer[512];
	int ret = 0;
	int count;
	int i;

	if (fails())
		return fake_perf.fail_with;
	count = scandir(here(path, buffer, sizeof(buffer)), &names, is_name,
			compare_names);
	if (count < 0)
		return -errno;
	for (i = 0; i < count; i++) {
		if (!ret)
			ret = each(data, names[i]->d_name);
		free(names[i]);
	}
	free(names);

	return ret;
}

bool uev_sys_perf_is_same(const char *one, const char *other)
{
	char first[512], second[512];
	struct stat a, b;

	return !stat(here(one, first, sizeof(first)), &a) &&
	       !stat(here(other, second, sizeof(second)), &b) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The wall clock is a million ahead, and each reading advances both clocks. */
int uev_sys_perf_clock(clockid_t clock, uint64_t *nanoseconds)
{
	if (fails())
		return fake_perf.fail_with;
	fake_perf.time += 10;
	*nanoseconds = fake_perf.time + (clock == CLOCK_REALTIME ? 1000000 : 0);

	return 0;
}

void uev_sys_perf_sleep(uint64_t nanoseconds)
{
	fake_perf.time += nanoseconds;
}

int uev_sys_perf_clock_step(clockid_t clock, uint64_t *nanoseconds)
{
	(void)clock;
	*nanoseconds = 1;

	return 0;
}

size_t uev_sys_perf_page_size(void)
{
	return PAGE;
}

pid_t uev_sys_perf_pid(void)
{
	return 4321;
}

int uev_sys_perf_machine(struct utsname *machine)
{
	if (fails())
		return fake_perf.fail_with;
	*machine = (struct utsname){
		.nodename = "fake-host",
		.release = "6.1.0-fake",
		.machine = "x86_64",
	};

	return 0;
}

uint32_t uev_sys_perf_cpus(bool online)
{
	return online ? 3 : 8;
}
