// SPDX-License-Identifier: MIT
/*
 * Events of a process, and their registrations.
 *
 * Writers reach their data without a lock: event->registration points to a
 * struct registration, which is the kernel's event in this process. Events of
 * the program with the same command share one. A writer that is interrupted
 * while the event is unregistered continues with the same data: a registration
 * without events is retired, and reused for another command only after the
 * writers that could have found it have left. Its memory is a registration
 * until uev_shutdown(), because tests of the status page are not counted as
 * writers.
 */
#include "core/event.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/userevents.h>

#include "core/command.h"
#include "core/failures.h"
#include "core/hash.h"
#include "core/process.h"
#include "core/retry_thread.h"
#include "core/sys.h"
#include "core/writers.h"
#include "util/alloc.h"
#include "util/common.h"

#define KNOWN_FLAGS (UEV_PERSIST | UEV_MULTI_FORMAT)

/* Route while the kernel does not have the event. */
#define NO_ROUTE UINT64_MAX

/* Maximum bytes of payload of a record that is written in one piece. */
#define COPY_MAX 512

/* Maximum size of a cache line of supported machines (s390x). */
#define CACHE_LINE 256

/*
 * Maximum number of retired registrations that keep their counters, for events
 * that are registered again.
 */
#define RETIRED_MAX 32

/* Result of a record that no tracer has enabled. */
#define SKIPPED 1

/*
 * struct attachment - An event of the program
 * @by_event: entry of the table by address
 * @next: next one of the same registration
 * @link: pointer to this one
 * @event: the event
 * @error: 0 if the kernel has it, otherwise the reason; while user_events is
 *         not open, the reason is that of the process
 * @failure: the same for the program's handler, only errors of the kernel
 */
struct attachment {
	struct uev_hash_entry by_event;
	struct attachment *next;
	struct attachment **link;
	struct uev_event *event;
	int error;
	struct uev_failure failure;
};

/* Counters of writers. */
struct counts {
	uint64_t written;
	uint64_t skipped;
	uint64_t oversize;
	uint64_t large;
	uint64_t failed;
	uint64_t missed;
};

/*
 * struct registration - An event of the kernel
 * @by_command: entry of the table by command; lock
 * @next: next registration; lock
 * @attachments: events of the program; lock
 * @next_retired: next retired registration; lock
 * @link_retired: pointer to this one, NULL while it is used; lock
 * @grace: writers since it was retired; lock
 * @flags: changed only without writers, as is @command
 * @route: descriptor in the upper half, index in the lower half, because
 *        writers must read both at once
 * @status: byte of the status page, NULL without a status page
 * @mask: bit in @status; set before @status
 * @is_missing: records are missed, since the module is about to be replaced and
 *        the event was enabled
 * @before, @after: keep the counters, which all writers change, away from
 *        what all writers read, in this structure and the next one in memory
 * @counts: counters of all writers
 * @command: owned
 */
struct registration {
	struct uev_hash_entry by_command;
	struct registration *next;
	struct attachment *attachments;
	struct registration *next_retired;
	struct registration **link_retired;
	struct uev_grace grace;
	unsigned int flags;
	uint64_t route;
	const uint8_t *status;
	uint8_t mask;
	bool is_missing;
	char before[CACHE_LINE];
	struct counts counts;
	char after[CACHE_LINE];
	char *command;
};

/*
 * Protected by the lock, except @is_reported.
 * @first: all registrations
 * @retired: registrations without events, the longest retired first
 * @last_retired: the pointer to which the next one is added
 * @retired_count: number of @retired
 * @past: counters of registrations that were reused
 * @by_command: all registrations
 * @by_event: all attachments
 * @pending: number of events that the kernel does not have
 * @registered: number of events that the kernel has
 * @is_closed: the program has closed user_events_data
 * @is_reported: a writer has found it closed
 */
static struct {
	struct registration *first;
	struct registration *retired;
	struct registration **last_retired;
	size_t retired_count;
	struct uev_stats past;
	struct uev_hash by_command;
	struct uev_hash by_event;
	uint32_t pending;
	uint32_t registered;
	bool is_closed;
	bool is_reported;
} events = { .last_retired = &events.retired };

uint32_t uev_events_pending(void)
{
	return events.pending;
}

uint32_t uev_events_registered(void)
{
	return events.registered;
}

/* Call it after every change of pending events or of the open file. */
static void wake_retry_thread(void)
{
	if (events.pending || events.is_closed)
		uev_retry_thread_wake();
}

/*
 * --- Registration with the kernel ------------------------------------------
 */

static uint64_t route_of(int fd, uint32_t index)
{
	return (uint64_t)(uint32_t)fd << 32 | index;
}

static int route_fd(uint64_t route)
{
	return (int)(route >> 32);
}

/* Registers one event of the program with the kernel. */
static int register_one(struct registration *registration,
			struct uev_event *event)
{
	const struct uev_kernel *kernel = uev_process_kernel();
	struct uev_word word = {
		.address = &event->state,
		.command = registration->command,
		.flags = registration->flags,
	};
	int err = uev_kernel_register(kernel, &word);

	if (err)
		return err;
	if (kernel->abi == UEV_ABI_STATUS) {
		__atomic_store_n(&registration->mask,
				 (uint8_t)(1U << word.bit % 8),
				 __ATOMIC_RELAXED);
		__atomic_store_n(&registration->status,
				 kernel->page + word.bit / 8, __ATOMIC_RELEASE);
		__atomic_store_n(&event->state, UEV_CHECK_STATUS_PAGE,
				 __ATOMIC_RELEASE);
	}
	__atomic_store_n(&registration->route, route_of(kernel->fd, word.index),
			 __ATOMIC_RELEASE);

	return 0;
}

/* Registers the event of an attachment, and remembers a failure. */
static void register_attachment(struct registration *registration,
				struct attachment *attachment)
{
	struct uev_event *event = attachment->event;

	attachment->error = register_one(registration, event);
	/* After the kernel has written the word, or will not. */
	__atomic_store_n(&registration->is_missing, false, __ATOMIC_RELAXED);
	/* It can be set for the records that the event missed. */
	if (attachment->error)
		__atomic_store_n(&event->state, 0, __ATOMIC_RELAXED);
	uev_failure_set(&attachment->failure, registration->command,
			attachment->error);
}

/* Calls @function with each attachment and its registration. */
static void each_attachment(void (*function)(struct registration *registration,
					     struct attachment *attachment))
{
	struct registration *registration;
	struct attachment *attachment;

	for (registration = events.first; registration;
	     registration = registration->next)
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			function(registration, attachment);
}

static void register_pending(struct registration *registration,
			     struct attachment *attachment)
{
	if (!attachment->error)
		return;
	register_attachment(registration, attachment);
	if (attachment->error)
		return;
	events.pending--;
	events.registered++;
}

/*
 * Registers everything again through a new open file, which has no
 * registrations.
 */
static void reregister(struct registration *registration,
		       struct attachment *attachment)
{
	struct uev_event *event = attachment->event;

	if (attachment->error)
		return;
	(void)uev_kernel_unregister(uev_process_kernel(), &event->state);
	register_attachment(registration, attachment);
	if (!attachment->error)
		return;
	events.registered--;
	events.pending++;
}

static void clear_routes(void)
{
	struct registration *registration;

	for (registration = events.first; registration;
	     registration = registration->next)
		__atomic_store_n(&registration->route, NO_ROUTE,
				 __ATOMIC_RELEASE);
}

/*
 * Makes an event pending. The word of an enabled event stays set, so that the
 * program counts the records that it misses.
 */
static void detach(struct registration *registration,
		   struct attachment *attachment)
{
	struct uev_event *event = attachment->event;
	uint32_t enabled;

	if (attachment->error)
		return;
	enabled = __atomic_load_n(&event->state, __ATOMIC_RELAXED) &
		  UEV_ENABLED;
	(void)uev_kernel_unregister(uev_process_kernel(), &event->state);
	attachment->error = -ESHUTDOWN;
	events.registered--;
	events.pending++;
	if (!enabled)
		return;
	__atomic_store_n(&registration->is_missing, true, __ATOMIC_RELAXED);
	__atomic_store_n(&event->state, UEV_ENABLED, __ATOMIC_RELAXED);
}

/* Lets go of the module, which is about to be replaced. */
static int let_go(void)
{
	clear_routes();
	each_attachment(detach);
	uev_process_close();
	wake_retry_thread();

	return -ESHUTDOWN;
}

/*
 * Opens the file again if the program has closed it, and closes it if the
 * administrator asks for that.
 */
static int reopen(void)
{
	enum uev_kernel_state state = uev_process_state();
	int err;

	__atomic_store_n(&events.is_reported, false, __ATOMIC_RELAXED);
	if (state == UEV_KERNEL_MUST_CLOSE)
		return let_go();
	events.is_closed = state == UEV_KERNEL_CLOSED;
	if (!events.is_closed)
		return 0;
	err = uev_process_reopen();
	if (err)
		return err;
	events.is_closed = false;
	if (uev_process_state() == UEV_KERNEL_MUST_CLOSE)
		return let_go();
	clear_routes();
	each_attachment(reregister);
	wake_retry_thread();

	return 0;
}

/* Locates user_events and registers pending events. */
static int locate(void)
{
	bool was_open = uev_process_kernel()->abi != UEV_ABI_NONE;
	int err = uev_process_locate();

	if (err)
		return err;
	if (!was_open)
		each_attachment(register_pending);

	return reopen();
}

/*
 * --- Registration ----------------------------------------------------------
 */

static struct registration *find_registration(uint64_t key, const char *command,
					      unsigned int flags)
{
	struct uev_hash_entry *entry = uev_hash_first(&events.by_command, key);
	struct registration *registration;

	for (; entry; entry = uev_hash_next(entry)) {
		registration =
			container_of(entry, struct registration, by_command);
		if (registration->flags == flags &&
		    !strcmp(registration->command, command))
			return registration;
	}

	return NULL;
}

static void add_counts(struct uev_stats *to, struct registration *registration)
{
	struct counts *counts = &registration->counts;

	to->written += __atomic_load_n(&counts->written, __ATOMIC_RELAXED);
	to->skipped += __atomic_load_n(&counts->skipped, __ATOMIC_RELAXED);
	to->oversize += __atomic_load_n(&counts->oversize, __ATOMIC_RELAXED);
	to->large += __atomic_load_n(&counts->large, __ATOMIC_RELAXED);
	to->failed += __atomic_load_n(&counts->failed, __ATOMIC_RELAXED);
	to->missed += __atomic_load_n(&counts->missed, __ATOMIC_RELAXED);
}

/* Retires a registration without events. */
static void retire(struct registration *registration)
{
	if (registration->attachments || registration->link_retired)
		return;
	uev_grace_start(&registration->grace);
	registration->next_retired = NULL;
	registration->link_retired = events.last_retired;
	*events.last_retired = registration;
	events.last_retired = &registration->next_retired;
	events.retired_count++;
}

static void use_again(struct registration *registration)
{
	if (!registration->link_retired)
		return;
	*registration->link_retired = registration->next_retired;
	if (registration->next_retired)
		registration->next_retired->link_retired =
			registration->link_retired;
	else
		events.last_retired = registration->link_retired;
	registration->link_retired = NULL;
	events.retired_count--;
}

/*
 * Returns a registration that has no command; NULL if out of memory. It takes
 * the one that was retired first, if no writer uses that any more.
 */
static struct registration *new_registration(void)
{
	struct registration *registration = events.retired;

	if (events.retired_count > RETIRED_MAX &&
	    uev_grace_is_over(&registration->grace)) {
		use_again(registration);
		uev_hash_remove(&events.by_command, &registration->by_command);
		add_counts(&events.past, registration);
		memset(&registration->counts, 0, sizeof(registration->counts));
		__atomic_store_n(&registration->status, NULL, __ATOMIC_RELAXED);
		__atomic_store_n(&registration->is_missing, false,
				 __ATOMIC_RELAXED);
		free(registration->command);
		registration->command = NULL;
		return registration;
	}
	registration = uev_calloc(1, sizeof(*registration));
	if (!registration)
		return NULL;
	registration->next = events.first;
	events.first = registration;

	return registration;
}

/*
 * Returns the registration for a command, which is checked; NULL if out of
 * memory.
 */
static struct registration *get_registration(const char *command,
					     unsigned int flags)
{
	size_t size = strlen(command) + 1;
	uint64_t key = uev_hash_bytes(command, size);
	struct registration *registration =
		find_registration(key, command, flags);
	char *copy;

	if (registration) {
		use_again(registration);
		return registration;
	}
	copy = uev_strdup(command);
	registration = copy ? new_registration() : NULL;
	if (!registration) {
		free(copy);
		return NULL;
	}
	registration->flags = flags;
	__atomic_store_n(&registration->route, NO_ROUTE, __ATOMIC_RELAXED);
	registration->command = copy;
	uev_hash_add(&events.by_command, &registration->by_command, key);

	return registration;
}

static void link_attachment(struct registration *registration,
			    struct attachment *attachment)
{
	attachment->link = &registration->attachments;
	attachment->next = registration->attachments;
	if (attachment->next)
		attachment->next->link = &attachment->next;
	registration->attachments = attachment;
	uev_hash_add(&events.by_event, &attachment->by_event,
		     uev_hash_address(attachment->event));
}

static void unlink_attachment(struct attachment *attachment)
{
	*attachment->link = attachment->next;
	if (attachment->next)
		attachment->next->link = attachment->link;
	uev_hash_remove(&events.by_event, &attachment->by_event);
}

static void free_attachment(struct attachment *attachment)
{
	uev_failure_set(&attachment->failure, NULL, 0);
	free(attachment);
}

/*
 * Adds an event; with @keep_pending it stays pending if the kernel rejects it.
 */
static int attach(struct uev_event *event, struct registration *registration,
		  bool keep_pending)
{
	struct attachment *attachment = uev_calloc(1, sizeof(*attachment));
	int err;

	if (!attachment)
		return -ENOMEM;
	attachment->event = event;
	attachment->error = locate();
	if (!attachment->error) {
		register_attachment(registration, attachment);
		err = attachment->error;
		if (err && !keep_pending) {
			free_attachment(attachment);
			return err;
		}
	}
	if (attachment->error)
		events.pending++;
	else
		events.registered++;
	link_attachment(registration, attachment);
	wake_retry_thread();
	__atomic_store_n(&event->registration, registration, __ATOMIC_RELEASE);

	return 0;
}

static int register_event(struct uev_event *event, unsigned int flags,
			  bool keep_pending)
{
	struct uev_command command;
	struct registration *registration;
	int err;

	if (event->size < sizeof(*event) || (flags & ~KNOWN_FLAGS))
		return -EINVAL;
	err = uev_command_check(&command, event->command);
	if (err)
		return err;

	uev_lock();
	registration = get_registration(command.text, flags);
	if (event->registration)
		err = -EALREADY;
	else if (!registration)
		err = -ENOMEM;
	else
		err = attach(event, registration, keep_pending);
	if (registration)
		retire(registration);
	uev_unlock();
	uev_failures_report();

	return err;
}

int uev_event_register(struct uev_event *event, unsigned int flags)
{
	return register_event(event, flags, false);
}

int uev_events_register(struct uev_event **begin, struct uev_event **end)
{
	int err, first = 0;

	for (; begin < end; begin++) {
		if (!*begin)
			continue;
		err = register_event(*begin, 0, true);
		if (err != -EALREADY && !first)
			first = err;
	}

	return first;
}

/* Returns the attachment of an event, or NULL; a copy of an event has none. */
static struct attachment *find_attachment(const struct uev_event *event)
{
	struct uev_hash_entry *entry =
		uev_hash_first(&events.by_event, uev_hash_address(event));

	/* Different addresses have different keys. */
	return entry ? container_of(entry, struct attachment, by_event) : NULL;
}

static int remove_event(struct uev_event *event)
{
	struct registration *registration = event->registration;
	struct attachment *attachment;
	int err = 0;

	if (!registration)
		return -ENOTCONN;
	attachment = find_attachment(event);
	if (!attachment)
		return -ENOTCONN;
	if (!attachment->error)
		err = reopen();
	/* Unless it has let go, the open file can be another one. */
	if (err && !attachment->error)
		return err;
	err = 0;
	if (attachment->error) {
		events.pending--;
	} else {
		err = uev_kernel_unregister(uev_process_kernel(),
					    &event->state);
		if (err && err != -ENOENT && err != -EFAULT)
			return err;
		events.registered--;
	}
	__atomic_store_n(&event->registration, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&event->state, 0, __ATOMIC_RELAXED);
	unlink_attachment(attachment);
	free_attachment(attachment);
	retire(registration);
	wake_retry_thread();

	/* -EFAULT: not registered, and its memory was unmapped before. */
	return err == -ENOENT ? -ESRCH : 0;
}

int uev_event_unregister(struct uev_event *event)
{
	int err;

	uev_lock();
	err = remove_event(event);
	uev_unlock();
	uev_failures_report();

	return err;
}

void uev_events_unregister(struct uev_event **begin, struct uev_event **end)
{
	for (; begin < end; begin++)
		if (*begin)
			(void)uev_event_unregister(*begin);
}

int uev_event_status(const struct uev_event *event)
{
	struct attachment *attachment = NULL;
	int err = -ENOTCONN;

	uev_lock();
	if (event->registration)
		attachment = find_attachment(event);
	if (attachment)
		err = attachment->error;
	if (attachment && err && uev_process_error())
		err = uev_process_error();
	uev_unlock();

	return err;
}

static bool has_name(const struct registration *registration, const char *name,
		     size_t length)
{
	return !strncmp(registration->command, name, length) &&
	       (!registration->command[length] ||
		registration->command[length] == ' ');
}

int uev_name_status(const char *name)
{
	size_t length = strlen(name);
	struct registration *registration;
	struct attachment *attachment;
	int err = -ENOTCONN;

	uev_lock();
	for (registration = events.first; registration;
	     registration = registration->next) {
		if (!has_name(registration, name, length))
			continue;
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			if (err == -ENOTCONN || !err)
				err = attachment->error;
	}
	if (err && err != -ENOTCONN && uev_process_error())
		err = uev_process_error();
	uev_unlock();

	return err;
}

/*
 * --- Pending events --------------------------------------------------------
 */

const char *uev_events_first_pending(int *err)
{
	struct registration *registration;
	struct attachment *attachment;

	for (registration = events.first; registration;
	     registration = registration->next)
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			if (attachment->error) {
				*err = attachment->error;
				return registration->command;
			}

	return NULL;
}

int uev_events_register_pending(void)
{
	bool was_open = uev_process_kernel()->abi != UEV_ABI_NONE;
	int err = locate();

	/* The kernel might accept by now what it has rejected before. */
	if (!err && was_open && events.pending && uev_process_retry_allowed())
		each_attachment(register_pending);
	wake_retry_thread();

	if (!err)
		(void)uev_events_first_pending(&err);

	return err;
}

int uev_register_pending(void)
{
	int err;

	uev_lock();
	err = uev_events_register_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

static void retry(void)
{
	/* Events that are still pending wake the thread again. */
	(void)uev_register_pending();
}

int uev_set_retry_interval(unsigned int seconds)
{
	if (seconds)
		return uev_retry_thread_start(retry, seconds);
	uev_retry_thread_stop();

	return 0;
}

/* Registers pending events if user_events is open. */
static void register_all_pending(void)
{
	each_attachment(register_pending);
	wake_retry_thread();
}

int uev_set_path(const char *path)
{
	int err;

	uev_lock();
	err = uev_process_set_path(path);
	if (!err && events.pending)
		(void)uev_events_register_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

int uev_set_files(int data_fd, int status_fd)
{
	int err;

	uev_lock();
	err = uev_process_set_files(data_fd, status_fd);
	if (!err)
		register_all_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

/* Frees everything, when no event and no writer exists. */
static void release_all(void)
{
	struct registration *registration;

	while ((registration = events.first)) {
		events.first = registration->next;
		uev_hash_remove(&events.by_command, &registration->by_command);
		free(registration->command);
		free(registration);
	}
	events.retired = NULL;
	events.last_retired = &events.retired;
	events.retired_count = 0;
	events.past = (struct uev_stats){ 0 };
	uev_hash_release(&events.by_command);
	uev_hash_release(&events.by_event);
	uev_process_release();
}

static bool has_events(void)
{
	return events.pending || events.registered;
}

static bool has_writers(void)
{
	struct registration *registration;

	for (registration = events.retired; registration;
	     registration = registration->next_retired)
		if (!uev_grace_is_over(&registration->grace))
			return true;

	return false;
}

/*
 * Runs after the events of the same object were unregistered, because
 * destructors with a number are the last ones. It is for a shared object with
 * the static library, which can be loaded and unloaded any number of times. When
 * the process exits, other threads can still write or test the status page.
 */
__attribute__((__destructor__(101))) static void unload(void)
{
	uev_lock();
	if (uev_process_kernel()->abi != UEV_ABI_STATUS && !has_events() &&
	    !has_writers())
		release_all();
	uev_unlock();
}

int uev_shutdown(void)
{
	int err = -EBUSY;

	uev_retry_thread_stop();
	uev_lock();
	if (!has_events()) {
		release_all();
		uev_failures_release();
		err = 0;
	}
	uev_unlock();

	return err;
}

/* --- Writing -------------------------------------------------------------- */

static struct registration *registration_of(const struct uev_event *event)
{
	return __atomic_load_n(&event->registration, __ATOMIC_SEQ_CST);
}

bool uev_status_page_enabled(const struct uev_event *event)
{
	const struct registration *registration = registration_of(event);
	const uint8_t *status;

	if (!registration)
		return false;
	status = __atomic_load_n(&registration->status, __ATOMIC_ACQUIRE);

	return status &&
	       (__atomic_load_n(status, __ATOMIC_RELAXED) &
		__atomic_load_n(&registration->mask, __ATOMIC_RELAXED));
}

static void count_one(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* Returns the bytes of payload, or more than UEV_PAYLOAD_MAX. */
static size_t payload_size(const struct iovec *vector, int count)
{
	size_t size = 0;
	int i;

	for (i = 1; i < count && size <= UEV_PAYLOAD_MAX; i++) {
		if (vector[i].iov_len > UEV_PAYLOAD_MAX)
			return UEV_PAYLOAD_MAX + 1;
		size += vector[i].iov_len;
	}

	return size;
}

/*
 * Writes a small record in one piece: importing a vector costs the kernel more
 * than the copy.
 */
static ssize_t write_copy(int fd, uint32_t index, const struct iovec *vector,
			  int count)
{
	unsigned char record[sizeof(index) + COPY_MAX];
	size_t used = sizeof(index);
	int i;

	memcpy(record, &index, sizeof(index));
	for (i = 1; i < count; i++) {
		if (!vector[i].iov_len)
			continue;
		memcpy(record + used, vector[i].iov_base, vector[i].iov_len);
		used += vector[i].iov_len;
	}

	return uev_sys_write(fd, record, used);
}

static ssize_t write_pieces(int fd, uint32_t index, struct iovec *vector,
			    int count)
{
	ssize_t result;

	vector[0].iov_base = &index;
	vector[0].iov_len = sizeof(index);
	result = uev_sys_writev(fd, vector, count);
	/* The index is valid only in this function. */
	vector[0].iov_base = NULL;

	return result;
}

static int write_route(uint64_t route, struct iovec *vector, int count,
		       size_t size)
{
	uint32_t index = (uint32_t)route;
	int fd = route_fd(route);
	ssize_t result;

	do {
		result = size <= COPY_MAX
				 ? write_copy(fd, index, vector, count)
				 : write_pieces(fd, index, vector, count);
	} while (result == -EINTR);

	return result < 0 ? (int)result : 0;
}

/*
 * Makes the next uev_register_pending() open the file again, which a signal
 * handler cannot do.
 */
static void report_closed(void)
{
	if (!__atomic_exchange_n(&events.is_reported, true, __ATOMIC_RELAXED))
		uev_retry_thread_notify();
}

/*
 * Writes a record. If another thread has opened the file again, the record is
 * written again.
 *
 * Return: SKIPPED, or as uev_event_writev().
 */
static int write_record(struct registration *registration, struct iovec *vector,
			int count, size_t size)
{
	uint64_t route =
		__atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
	uint64_t last;
	int err;

	do {
		if (route == NO_ROUTE)
			return SKIPPED;
		err = write_route(route, vector, count, size);
		if (err != -ESTALE)
			return err == -EBADF ? SKIPPED : err;
		last = route;
		route = __atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
	} while (route != last);
	report_closed();

	return -EBADF;
}

/* Writes and counts a record. */
static int write_counted(struct registration *registration,
			 struct iovec *vector, int count)
{
	struct counts *counts = &registration->counts;
	size_t size = payload_size(vector, count);
	int err;

	if (size > UEV_PAYLOAD_MAX) {
		count_one(&counts->oversize);
		return -E2BIG;
	}
	err = count < 1 ? -EINVAL
			: write_record(registration, vector, count, size);
	if (err == SKIPPED) {
		count_one(__atomic_load_n(&registration->is_missing,
					  __ATOMIC_RELAXED)
				  ? &counts->missed
				  : &counts->skipped);
		return 0;
	}
	if (err) {
		count_one(&counts->failed);
		return err;
	}
	count_one(&counts->written);
	if (size > UEV_PAYLOAD_FTRACE_MAX)
		count_one(&counts->large);

	return 0;
}

int uev_event_writev(struct uev_event *event, struct iovec *vector, int count)
{
	struct registration *registration;
	uint32_t *writer;
	int err = 0;

	if (!registration_of(event))
		return 0;
	writer = uev_writer_enter();
	registration = registration_of(event);
	if (registration)
		err = write_counted(registration, vector, count);
	uev_writer_leave(writer);

	return err;
}

/*
 * --- Counters --------------------------------------------------------------
 */

/*
 * Copies to a program that could be compiled with another version.
 */
static void copy_stats(const struct uev_stats *sum, struct uev_stats *stats,
		       size_t size)
{
	memset(stats, 0, size);
	memcpy(stats, sum, size < sizeof(*sum) ? size : sizeof(*sum));
}

void uev_process_stats(struct uev_stats *stats, size_t size)
{
	struct registration *registration;
	struct uev_stats sum;

	uev_lock();
	sum = events.past;
	for (registration = events.first; registration;
	     registration = registration->next)
		add_counts(&sum, registration);
	sum.registered = events.registered;
	sum.pending = events.pending;
	uev_unlock();

	copy_stats(&sum, stats, size);
}

int uev_event_stats(const struct uev_event *event, struct uev_stats *stats,
		    size_t size)
{
	struct registration *registration;
	struct attachment *attachment;
	struct uev_stats sum = { 0 };

	uev_lock();
	registration = event->registration;
	if (registration) {
		add_counts(&sum, registration);
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next) {
			sum.registered += !attachment->error;
			sum.pending += !!attachment->error;
		}
	}
	uev_unlock();

	copy_stats(&sum, stats, size);

	return registration ? 0 : -ENOTCONN;
}
