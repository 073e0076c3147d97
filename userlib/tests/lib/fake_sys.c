// SPDX-License-Identifier: MIT
#include "fake_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/user_events.h>

#include "core/sys.h"

#define MAX_EVENTS 64
#define MAX_ENABLERS 256
#define MAX_FILES 1024
#define PAGE 4096
#define PATH 256

/* Most pieces of a payload */
#define FAKE_PIECES 66

/* USER_EVENT_REG_MULTI_FORMAT */
#define MULTI_FORMAT 2

enum kind {
	CLOSED,
	DATA,
	STATUS,
	MOUNTS,
	OTHER
};

struct file {
	enum kind kind;
	int access;
	size_t position;
	/* Index to event, one more; shared between duplicates by @table. */
	int table;
};

/* @name: "" once it was deleted; "NAME.N" with several formats */
struct event {
	char name[300];
	char command[512];
	unsigned int flags;
	bool is_enabled;
};

struct enabler {
	uint8_t *address;
	unsigned int size;
	unsigned int bit;
	int event;
};

static struct {
	enum fake_abi abi;
	char directory[PATH];
	bool is_mounted;
	bool is_loaded;
	bool is_asking;
	bool enables_new;
	unsigned int header;
	bool is_rt;
	const char *mounts;
	char denied[PATH];
	int denied_error;
	uint64_t now;
	struct {
		unsigned int made;
		unsigned int after;
		unsigned int times;
		int error;
	} calls[FAKE_CALLS];
	struct file files[MAX_FILES];
	int tables[MAX_FILES][MAX_EVENTS];
	int table_sizes[MAX_FILES];
	bool is_marked[MAX_FILES];
	int table_count;
	struct event events[MAX_EVENTS];
	int event_count;
	unsigned int format_count;
	struct enabler enablers[MAX_ENABLERS];
	unsigned int enabler_count;
	const void *unmapped;
	size_t unmapped_size;
	int broker_error;
	bool has_broker;
	unsigned int maps;
	unsigned int records;
	struct fake_record record;
	char last_open[PATH];
	int last_flags;
} fake;

static uint8_t status_page[PAGE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void release_lock(void)
{
	pthread_mutex_unlock(&lock);
}

static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

void fake_reset(enum fake_abi abi)
{
	memset(&fake, 0, sizeof(fake));
	memset(status_page, 0, sizeof(status_page));
	fake.abi = abi;
	fake.is_loaded = true;
	fake.header = 8;
	fake_mount("/sys/kernel/tracing");
}

void fake_mount(const char *directory)
{
	fake.is_mounted = directory;
	copy_text(fake.directory, sizeof(fake.directory),
		  directory ? directory : "");
}

void fake_ask(bool is_asking)
{
	take_lock();
	fake.is_asking = is_asking;
	release_lock();
}

void fake_broker(int error)
{
	fake.has_broker = true;
	fake.broker_error = error;
}

void fake_header(unsigned int size)
{
	fake.header = size;
}

void fake_rt(bool is_rt)
{
	fake.is_rt = is_rt;
}

void fake_load(bool is_loaded)
{
	take_lock();
	fake.is_loaded = is_loaded;
	release_lock();
}

void fake_mounts(const char *text)
{
	fake.mounts = text;
}

void fake_deny(const char *path, int error)
{
	copy_text(fake.denied, sizeof(fake.denied), path);
	fake.denied_error = error;
}

void fake_fail(enum fake_call call, unsigned int after, unsigned int times,
	       int error)
{
	take_lock();
	fake.calls[call].after = fake.calls[call].made + after;
	fake.calls[call].times = times;
	fake.calls[call].error = error;
	release_lock();
}

unsigned int fake_calls(enum fake_call call)
{
	unsigned int made;

	take_lock();
	made = fake.calls[call].made;
	release_lock();

	return made;
}

void fake_pass(uint64_t milliseconds)
{
	__atomic_fetch_add(&fake.now, milliseconds, __ATOMIC_RELAXED);
}

static bool is_module(void)
{
	return fake.abi == FAKE_BOTH || fake.abi == FAKE_OLD_MODULE;
}

/* Counts a call; 0, or the error that it is to have. */
static int enter(enum fake_call call)
{
	unsigned int number = fake.calls[call].made++;

	if (number < fake.calls[call].after || !fake.calls[call].times)
		return 0;
	fake.calls[call].times--;

	return fake.calls[call].error;
}

static size_t name_length(const char *command)
{
	return strcspn(command, " ");
}

static int find_event(const char *name, size_t length)
{
	int i;

	for (i = 0; i < fake.event_count; i++)
		if (strlen(fake.events[i].name) == length &&
		    !memcmp(fake.events[i].name, name, length))
			return i;

	return -1;
}

/* Returns the event of a command with UEV_MULTI_FORMAT, or -1. */
static int find_format(const char *command)
{
	int i;

	for (i = 0; i < fake.event_count; i++)
		if (fake.events[i].flags & MULTI_FORMAT &&
		    *fake.events[i].name &&
		    !strcmp(fake.events[i].command, command))
			return i;

	return -1;
}

/* Tests whether the kernel can write to a word. */
static bool is_mapped(const uint8_t *address)
{
	return (uintptr_t)address - (uintptr_t)fake.unmapped >=
	       fake.unmapped_size;
}

static void write_bit(const struct enabler *enabler, bool is_enabled)
{
	unsigned int byte = enabler->bit / 8, bit = 1U << enabler->bit % 8;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		byte = enabler->size - 1 - byte;
	if (is_enabled)
		__atomic_fetch_or(enabler->address + byte, bit,
				  __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(enabler->address + byte, ~bit,
				   __ATOMIC_RELAXED);
}

static void show(int event)
{
	bool is_enabled = fake.events[event].is_enabled;
	unsigned int i;

	for (i = 0; i < fake.enabler_count; i++) {
		const struct enabler *enabler = &fake.enablers[i];

		if (enabler->event == event && is_mapped(enabler->address))
			write_bit(enabler, is_enabled);
	}
	/* Bit 0 is not used. */
	event++;
	if (is_enabled)
		__atomic_fetch_or(&status_page[event / 8], 1U << event % 8,
				  __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&status_page[event / 8], ~(1U << event % 8),
				   __ATOMIC_RELAXED);
}

void fake_enable(const char *name, bool is_listening)
{
	int event;

	take_lock();
	event = find_event(name, strlen(name));
	if (event < 0) {
		fprintf(stderr, "%s: no such event\n", name);
		abort();
	}
	fake.events[event].is_enabled = is_listening;
	show(event);
	release_lock();
}

void fake_enable_new(void)
{
	fake.enables_new = true;
}

const char *fake_command(const char *name)
{
	int event = find_event(name, strlen(name));

	return event < 0 ? NULL : fake.events[event].command;
}

unsigned int fake_flags(const char *name)
{
	return fake.events[find_event(name, strlen(name))].flags;
}

void fake_delete(const char *name)
{
	take_lock();
	fake.events[find_event(name, strlen(name))].name[0] = '\0';
	release_lock();
}

void fake_unmap(const void *memory, size_t size)
{
	fake.unmapped = memory;
	fake.unmapped_size = memory ? size : 0;
}

unsigned int fake_enablers(void)
{
	return fake.enabler_count;
}

/* Registered before the library's handlers, so that its lock is taken first. */
__attribute__((__constructor__(101))) static void begin(void)
{
	pthread_atfork(take_lock, release_lock, release_lock);
}

void fake_drop_enablers(void)
{
	fake.enabler_count = 0;
}

unsigned int fake_open_files(void)
{
	unsigned int count = 0;
	int i;

	take_lock();
	for (i = 0; i < MAX_FILES; i++)
		count += fake.files[i].kind != CLOSED;
	release_lock();

	return count;
}

static int new_file(enum kind kind, int access, int table, int lowest)
{
	int fd;

	for (fd = lowest > 3 ? lowest : 3; fd < MAX_FILES; fd++) {
		if (fake.files[fd].kind != CLOSED)
			continue;
		fake.files[fd] = (struct file){ .kind = kind,
						.access = access,
						.table = table };
		return fd;
	}

	return -EMFILE;
}

int fake_open_data(int flags)
{
	return new_file(DATA, flags & O_ACCMODE, fake.table_count++, 0);
}

void fake_open_other(int fd)
{
	fake.files[fd] = (struct file){ .kind = OTHER,
					.access = O_RDWR,
					.table = fake.table_count++ };
}

int fake_open_status(void)
{
	return new_file(STATUS, O_RDONLY, fake.table_count++, 0);
}

void fake_close_all(void)
{
	take_lock();
	memset(fake.files, 0, sizeof(fake.files));
	release_lock();
}

const char *fake_last_open(void)
{
	return fake.last_open;
}

int fake_last_flags(void)
{
	return fake.last_flags;
}

bool fake_mapped(void)
{
	return fake.maps;
}

unsigned int fake_records(void)
{
	return __atomic_load_n(&fake.records, __ATOMIC_RELAXED);
}

const struct fake_record *fake_record(void)
{
	return &fake.record;
}

/* Returns the file of a path. */
static int open_kind(const char *path, enum kind *kind)
{
	size_t length = strlen(fake.directory);
	const char *name = path + length;

	if (fake.has_broker && !strcmp(path, FAKE_BROKER))
		return -ENXIO;
	if (!strcmp(path, "/proc/mounts")) {
		*kind = MOUNTS;
		return fake.mounts ? 0 : -ENOENT;
	}
	if (!fake.is_mounted || strncmp(path, fake.directory, length) != 0)
		return -ENOENT;
	if (!*name)
		return -EISDIR;
	if (!fake.is_loaded)
		return -ENOENT;
	*kind = DATA;
	if (!strcmp(name, "/user_events_data"))
		return 0;
	if (!strncmp(name, "/user_events_data/", 18))
		return -ENOTDIR;
	*kind = STATUS;
	if (!strcmp(name, "/user_events_status"))
		return 0;

	return -ENOENT;
}

static int do_open(const char *path, int flags)
{
	enum kind kind = OTHER;
	int err = enter(FAKE_OPEN);

	if (!err && fake.denied_error && !strcmp(path, fake.denied))
		err = fake.denied_error;
	if (!err)
		err = open_kind(path, &kind);
	if (err)
		return err;
	copy_text(fake.last_open, sizeof(fake.last_open), path);
	fake.last_flags = flags;

	return new_file(kind, flags & O_ACCMODE, fake.table_count++, 0);
}

int uev_sys_open(const char *path, int flags)
{
	int fd;

	pthread_testcancel();
	take_lock();
	fd = do_open(path, flags);
	release_lock();

	return fd;
}

int uev_sys_receive(const char *path)
{
	int fd = fake.broker_error;

	take_lock();
	/* It has waited. */
	if (fd == -ETIMEDOUT)
		fake.now += 1000;
	if (!fake.has_broker || strcmp(path, FAKE_BROKER) != 0)
		fd = -ECONNREFUSED;
	else if (!fd)
		fd = new_file(DATA, O_WRONLY, fake.table_count++, 0);
	release_lock();

	return fd;
}

static struct file *file_of(int fd)
{
	if (fd < 0 || fd >= MAX_FILES || fake.files[fd].kind == CLOSED)
		return NULL;

	return &fake.files[fd];
}

int uev_sys_close(int fd)
{
	struct file *file;

	pthread_testcancel();
	take_lock();
	file = file_of(fd);
	if (file)
		file->kind = CLOSED;
	release_lock();
	if (!file) {
		fprintf(stderr, "close(%d): not open\n", fd);
		abort();
	}

	return 0;
}

ssize_t uev_sys_read(int fd, void *buffer, size_t size)
{
	struct file *file = file_of(fd);
	int err = enter(FAKE_READ);
	size_t left;

	pthread_testcancel();
	if (err)
		return err;
	if (!file || file->kind != MOUNTS)
		return -EBADF;
	left = strlen(fake.mounts + file->position);
	/* Less than was asked for, as files of /proc do. */
	if (size > 100)
		size = 100;
	if (size > left)
		size = left;
	memcpy(buffer, fake.mounts + file->position, size);
	file->position += size;

	return (ssize_t)size;
}

static int table_add(int table, int event)
{
	int i;

	for (i = 0; i < fake.table_sizes[table]; i++)
		if (fake.tables[table][i] == event)
			return i;
	fake.tables[table][i] = event;
	fake.table_sizes[table]++;

	return i;
}

static int new_event(const char *command, unsigned int flags)
{
	struct event *event = &fake.events[fake.event_count];
	size_t length = name_length(command);

	if (fake.event_count == MAX_EVENTS)
		return -EMFILE;
	copy_text(event->command, sizeof(event->command), command);
	if (flags & MULTI_FORMAT)
		snprintf(event->name, sizeof(event->name), "%.*s.%x",
			 (int)length, command, fake.format_count++);
	else
		snprintf(event->name, sizeof(event->name), "%.*s", (int)length,
			 command);
	event->flags = flags;
	event->is_enabled = fake.enables_new;

	return fake.event_count++;
}

/*
 * Returns the event of a command, which is created if necessary. Events with
 * UEV_MULTI_FORMAT and others never match each other.
 */
static int event_of(const char *command, unsigned int flags)
{
	int event;

	if (flags & MULTI_FORMAT) {
		event = find_format(command);
		return event >= 0 ? event : new_event(command, flags);
	}
	event = find_event(command, name_length(command));
	if (event < 0)
		return new_event(command, flags);

	return strcmp(fake.events[event].command, command) ? -EADDRINUSE
							   : event;
}

static int do_enabler(struct file *file, struct user_reg_enabler *reg)
{
	uint8_t *address = (uint8_t *)(uintptr_t)reg->enable_addr;
	unsigned int i;
	int event;

	if ((reg->enable_size != 4 && reg->enable_size != sizeof(long)) ||
	    reg->enable_bit >= reg->enable_size * 8 ||
	    reg->enable_addr % reg->enable_size)
		return -EINVAL;
	for (i = 0; i < fake.enabler_count; i++)
		if (fake.enablers[i].address == address &&
		    fake.enablers[i].bit == reg->enable_bit)
			return -EADDRINUSE;
	if (!reg->name_args || !is_mapped(address))
		return -EFAULT;
	if (reg->flags & MULTI_FORMAT && !is_module())
		return -EINVAL;
	event = event_of((const char *)(uintptr_t)reg->name_args, reg->flags);
	if (event < 0)
		return event;
	fake.events[event].flags = reg->flags;
	reg->write_index = (uint32_t)table_add(file->table, event);
	fake.enablers[fake.enabler_count++] =
		(struct enabler){ address, reg->enable_size, reg->enable_bit,
				  event };
	show(event);

	return 0;
}

static int do_status(struct file *file, struct user_reg_status *reg)
{
	int event = event_of((const char *)(uintptr_t)reg->name_args, 0);

	if (event < 0)
		return event;
	reg->write_index = (uint32_t)table_add(file->table, event);
	reg->status_bit = (uint32_t)event + 1;

	return 0;
}

/*
 * A kernel with a smaller structure requires zeros in the rest, and has the
 * name at another offset.
 */
static int do_status_with_more(const unsigned char *reg)
{
	size_t i;

	for (i = sizeof(struct user_reg_status);
	     i < sizeof(struct user_reg_enabler); i++)
		if (reg[i])
			return -E2BIG;

	return -EFAULT;
}

static int do_register(struct file *file, void *argument)
{
	uint32_t size;

	memcpy(&size, argument, sizeof(size));
	if (size == sizeof(struct user_reg_status))
		return fake.abi == FAKE_ENABLER ? -EINVAL
						: do_status(file, argument);
	if (size != sizeof(struct user_reg_enabler))
		return -EINVAL;

	return fake.abi == FAKE_STATUS ? do_status_with_more(argument)
				       : do_enabler(file, argument);
}

static int do_unregister(const struct user_unreg *unreg)
{
	unsigned int i;

	for (i = 0; i < fake.enabler_count; i++) {
		const struct enabler enabler = fake.enablers[i];

		if ((uintptr_t)enabler.address != unreg->disable_addr ||
		    enabler.bit != unreg->disable_bit)
			continue;
		fake.enablers[i] = fake.enablers[--fake.enabler_count];
		if (!is_mapped(enabler.address))
			return -EFAULT;
		write_bit(&enabler, false);
		return 0;
	}

	return -ENOENT;
}

static uint64_t cookie_of(const struct file *file)
{
	return 0x123456789abc0000U + (unsigned int)file->table;
}

static int do_entry(struct file *file, const struct user_reg_entry *entry,
		    uint32_t flags)
{
	struct user_unreg unreg = {
		.disable_bit = entry->enable_bit,
		.disable_addr = entry->enable_addr,
	};
	struct user_reg_enabler reg = {
		.size = sizeof(reg),
		.enable_bit = entry->enable_bit,
		.enable_size = entry->enable_size,
		.flags = entry->flags,
		.enable_addr = entry->enable_addr,
		.name_args = entry->name_args,
	};
	int err;

	if (flags & USER_REG_LIST_REMOVE)
		return do_unregister(&unreg);
	err = do_enabler(file, &reg);

	return err ? err : (int)reg.write_index;
}

/* Returns the index of the first that has failed. */
static int do_list(struct file *file, const struct user_reg_list *list)
{
	struct user_reg_entry *entries = (void *)(uintptr_t)list->entries;
	int failed = -1;
	uint32_t i;

	for (i = 0; i < list->count; i++) {
		entries[i].result = do_entry(file, &entries[i], list->flags);
		if (entries[i].result < 0 && failed < 0)
			failed = (int)i;
	}

	return failed < 0 ? (int)list->count : failed;
}

/* What the library asks of a file when it adopts it, besides the interface */
static bool is_question(unsigned long request, const void *argument)
{
	return request == DIAG_IOCGCOOKIE || request == DIAG_IOCQHEADER ||
	       (request == DIAG_IOCSBATCH && !argument);
}

static int do_ioctl(int fd, unsigned long request, void *argument)
{
	struct file *file = file_of(fd);
	int err = is_question(request, argument) ? 0 : enter(FAKE_IOCTL);

	if (err == FAKE_SUCCESS)
		return 0;
	if (err)
		return err;
	if (!file)
		return -EBADF;
	if (file->kind != DATA)
		return -ENOTTY;
	if (request == DIAG_IOCSREG)
		return do_register(file, argument);
	if (request == DIAG_IOCSUNREG && fake.abi != FAKE_STATUS)
		return do_unregister(argument);
	if (request == DIAG_IOCGCOOKIE && fake.abi == FAKE_BOTH) {
		*(uint64_t *)argument = cookie_of(file);
		return 0;
	}
	if (request == DIAG_IOCSREGLIST && fake.abi == FAKE_BOTH)
		return do_list(file, argument);
	if (request == DIAG_IOCQHEADER && fake.abi == FAKE_BOTH && fake.header)
		return (int)fake.header;
	if (request == DIAG_IOCSBATCH && fake.abi == FAKE_BOTH && !argument)
		return -EFAULT;

	return -ENOTTY;
}

int uev_sys_ioctl(int fd, unsigned long request, void *argument)
{
	int result;

	take_lock();
	result = do_ioctl(fd, request, argument);
	release_lock();

	return result;
}

int uev_sys_mark(int fd)
{
	struct file *file;
	int err;

	take_lock();
	file = file_of(fd);
	err = enter(FAKE_MARK);
	if (!err)
		fake.is_marked[file->table] = true;
	release_lock();

	return err;
}

static ssize_t do_record(int fd, const struct iovec *vector, int count)
{
	struct fake_record *record = &fake.record;
	struct file *file = file_of(fd);
	uint32_t index;
	int event, i;

	if (!file || !fake.is_marked[file->table])
		return -ESTALE;
	if (vector[0].iov_len != sizeof(index))
		return -EFAULT;
	memcpy(&index, vector[0].iov_base, sizeof(index));
	if (index >= (uint32_t)fake.table_sizes[file->table])
		return -ENOENT;
	event = fake.tables[file->table][index];
	if (!fake.events[event].is_enabled)
		return -EBADF;

	copy_text(record->name, sizeof(record->name), fake.events[event].name);
	record->size = 0;
	record->pieces = count;
	record->fd = fd;
	for (i = 1; i < count; i++) {
		if (vector[i].iov_len > sizeof(record->payload) - record->size)
			return -EFAULT;
		if (vector[i].iov_len)
			memcpy(record->payload + record->size,
			       vector[i].iov_base, vector[i].iov_len);
		record->size += vector[i].iov_len;
	}
	__atomic_fetch_add(&fake.records, 1, __ATOMIC_RELAXED);

	return (ssize_t)(sizeof(index) + record->size);
}

static ssize_t do_writev(int fd, const struct iovec *vector, int count)
{
	int err = enter(FAKE_WRITE);

	return err ? err : do_record(fd, vector, count);
}

static int do_records(int fd, const struct user_record *records, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct iovec vector[] = {
			{ (void *)&records[i].write_index, sizeof(uint32_t) },
			{ (void *)(uintptr_t)records[i].payload,
			  records[i].size },
		};
		ssize_t result = do_record(fd, vector, 2);

		if (result < 0)
			return i ? (int)i : (int)result;
	}

	return (int)i;
}

static int do_batch(int fd, const struct user_batch *batch)
{
	struct file *file = file_of(fd);
	int err = enter(FAKE_BATCH);

	if (err)
		return err;
	if (!file || !fake.is_marked[file->table])
		return -ESTALE;
	if (!is_module())
		return -ENOTTY;

	return do_records(fd,
			  (const struct user_record *)(uintptr_t)batch->records,
			  batch->count);
}

static int do_own_record(int fd, const struct user_write *own)
{
	const struct user_piece *pieces =
		(const struct user_piece *)(uintptr_t)own->payload;
	uint32_t index = own->write_index & ~USER_EVENT_INDEX_REPORT;
	struct iovec vector[FAKE_PIECES + 1] = {
		{ &index, sizeof(index) },
		{ (void *)(uintptr_t)own->payload, own->payload_size },
	};
	ssize_t result;
	int i;

	if (own->pieces > FAKE_PIECES)
		return -EINVAL;
	for (i = 0; i < own->pieces; i++) {
		vector[1 + i].iov_base = (void *)(uintptr_t)pieces[i].address;
		vector[1 + i].iov_len = (size_t)pieces[i].size;
	}
	result = do_record(fd, vector, own->pieces ? 1 + own->pieces : 2);
	if (result < 0)
		return result == -EBADF ? -EAGAIN : (int)result;

	return fake.record.size == own->payload_size ? 0 : -EINVAL;
}

static int do_own(int fd, const struct user_write *own)
{
	const bool is_batch = own->flags & USER_WRITE_BATCH;
	const struct file *file = file_of(fd);
	int err = enter(is_batch ? FAKE_BATCH : FAKE_WRITE);

	if (err)
		return err;
	if (!file || file->kind != DATA || own->cookie != cookie_of(file))
		return -ESTALE;
	if (own->size != sizeof(*own) || fake.abi != FAKE_BOTH)
		return -EINVAL;

	return is_batch ? do_records(fd,
				     (const struct user_record *)(uintptr_t)
					     own->payload,
				     own->payload_size)
			: do_own_record(fd, own);
}

int uev_sys_record(int fd, const struct user_write *record)
{
	int result;

	take_lock();
	result = do_own(fd, record);
	release_lock();

	return result;
}

int uev_sys_batch(int fd, const struct user_batch *batch)
{
	int result;

	take_lock();
	result = do_batch(fd, batch);
	release_lock();

	return result;
}

ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count)
{
	ssize_t result;

	take_lock();
	result = do_writev(fd, vector, count);
	release_lock();

	return result;
}

static int do_duplicate(int fd, int lowest)
{
	struct file *file = file_of(fd);
	int err = enter(FAKE_DUPLICATE);

	if (err)
		return err;
	if (!file)
		return -EBADF;

	return new_file(file->kind, file->access, file->table, lowest);
}

int uev_sys_duplicate(int fd, int lowest)
{
	int duplicate;

	take_lock();
	duplicate = do_duplicate(fd, lowest);
	release_lock();

	return duplicate;
}

int uev_sys_access(int fd)
{
	struct file *file;
	int access;

	take_lock();
	file = file_of(fd);
	access = file ? file->access : -EBADF;
	release_lock();

	return access;
}

int uev_sys_identify(int fd, struct uev_file_id *id)
{
	struct file *file;

	take_lock();
	file = file_of(fd);
	if (file)
		*id = (struct uev_file_id){
			.device = file->kind,
			.must_close = file->kind == DATA && fake.is_asking,
			.is_marked = fake.is_marked[file->table],
		};
	release_lock();

	return file ? 0 : -EBADF;
}

bool uev_sys_is_tracefs(const char *path)
{
	/* Mounts do not change while there are threads. */
	return fake.is_mounted &&
	       !strncmp(path, fake.directory, strlen(fake.directory));
}

int uev_sys_map(int fd, const void **page)
{
	struct file *file;
	int err;

	take_lock();
	file = file_of(fd);
	err = enter(FAKE_MAP);
	if (!err && (!file || file->kind != STATUS))
		err = -ENODEV;
	if (!err) {
		fake.maps++;
		*page = status_page;
	}
	release_lock();

	return err;
}

void uev_sys_unmap(const void *page)
{
	if (page != status_page || !fake.maps) {
		fprintf(stderr, "unmap: not mapped\n");
		abort();
	}
	fake.maps--;
}

bool uev_sys_is_rt(void)
{
	return fake.is_rt;
}

uint64_t uev_sys_now(void)
{
	return __atomic_load_n(&fake.now, __ATOMIC_RELAXED);
}
