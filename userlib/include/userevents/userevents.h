/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: registration and writing of user_events.
 *
 * An event is a structure of the program. Once it is registered, its state
 * tells whether a tracer has enabled it. The kernel updates the state, or the
 * library where the kernel has only the status page. While an event is
 * disabled, uev_enabled() is its only cost.
 *
 * Without user_events, registration succeeds nevertheless. The event is
 * pending: it is disabled, and is registered once user_events becomes
 * available, see uev_register_pending().
 *
 * A program that defines UEV_DISABLE before it includes the headers needs no
 * library: macros compile to nothing, and all events stay pending. Define it for
 * all files of a program.
 *
 * Functions return 0 or a negative errno. They are thread-safe. Those that test
 * or write an event wait for no lock and are async-signal-safe; the others are
 * not.
 */
#ifndef USEREVENTS_USEREVENTS_H
#define USEREVENTS_USEREVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <userevents/common.h>

UEV_BEGIN_DECLS

/* Bits of uev_event.state. */
/* The event is enabled. Set by the kernel. */
#define UEV_ENABLED (1U << 0)
/* The status page tells whether the event is enabled. Set by the library. */
#define UEV_CHECK_STATUS_PAGE (1U << 1)

/*
 * Flags of a registration. Only the enabler interface (Linux 6.4) has the first
 * two, and UEV_MULTI_FORMAT requires Linux 6.9.
 */
#define UEV_PERSIST (1U << 0) /* persists without a process; privileged */
#define UEV_MULTI_FORMAT (1U << 1) /* several formats share the name */
/* As UEV_MULTI_FORMAT, only if an event of that name has other fields. */
#define UEV_SHARE_NAME (1U << 2)
/*
 * Writing fails if no tracer takes the record. Without the module, writing fails
 * only if the event is disabled.
 */
#define UEV_REPORT (1U << 3)

/* Maximum length of the command that describes an event, without its NUL. */
#define UEV_COMMAND_MAX 511

/*
 * Limits of the payload in bytes, with pages of 4 KiB. A record larger than
 * UEV_PAYLOAD_MAX exceeds the limit of all tracers. One up to
 * UEV_PAYLOAD_FTRACE_MAX fits ftrace on all kernels: Linux 6.8 and later have room
 * for 4064, earlier ones for 8 less, and larger common fields take 4. While the
 * event has a trigger with a condition, a record can need 4 bytes more.
 */
#define UEV_PAYLOAD_MAX 8184
#define UEV_PAYLOAD_FTRACE_MAX 4052

/**
 * enum uev_type - Types of fields
 * @UEV_TYPE_S8: an integer of 8 bits
 * @UEV_TYPE_U8: an unsigned integer of 8 bits
 * @UEV_TYPE_CHAR: a character of 8 bits
 * @UEV_TYPE_S16: an integer of 16 bits
 * @UEV_TYPE_U16: an unsigned integer of 16 bits
 * @UEV_TYPE_S32: an integer of 32 bits
 * @UEV_TYPE_U32: an unsigned integer of 32 bits
 * @UEV_TYPE_S64: an integer of 64 bits
 * @UEV_TYPE_U64: an unsigned integer of 64 bits
 * @UEV_TYPE_STRING: NUL-terminated text of any length
 * @UEV_TYPE_BYTES: any number of bytes
 * @UEV_TYPE_F32: a float, recorded as text
 * @UEV_TYPE_F64: a double, recorded as text
 * @UEV_TYPE_UUID: a UUID, recorded as text
 */
enum uev_type {
	UEV_TYPE_S8 = 1,
	UEV_TYPE_U8,
	UEV_TYPE_CHAR,
	UEV_TYPE_S16,
	UEV_TYPE_U16,
	UEV_TYPE_S32,
	UEV_TYPE_U32,
	UEV_TYPE_S64,
	UEV_TYPE_U64,
	UEV_TYPE_STRING,
	UEV_TYPE_BYTES,
	UEV_TYPE_F32,
	UEV_TYPE_F64,
	UEV_TYPE_UUID,
};

/* First character of a command of the macros. Only the library reads those. */
#define UEV_DESCRIBED '\1'

/**
 * struct uev_event - An event of a process
 * @state: UEV_ENABLED, UEV_CHECK_STATUS_PAGE; 0 while it is disabled
 * @size: sizeof(struct uev_event) when the program was compiled; with
 *        UEV_HAS_SEMAPHORE it is in a struct uev_probe_event
 * @command: "name type field; type field", not owned
 * @registration: private to the library, NULL while it is not registered
 *
 * Initialized by UEV_EVENT_INIT() or uev_event_init(). The program owns it and
 * must not move or free it while it is registered, because the kernel writes to
 * @state.
 */
struct uev_event {
	uint32_t state;
	uint32_t size;
	const char *command;
	void *registration;
};

/* Flag of the size of an event */
#define UEV_HAS_SEMAPHORE 0x80000000U

/**
 * struct uev_probe_event - An event of a probe with a semaphore
 * @event: the event; its size has UEV_HAS_SEMAPHORE
 * @semaphore: nonzero while the event is enabled, or another tracer uses the probe;
 *        NULL if it has none
 *
 * For <userevents/sdt.h>. The semaphore is in the same object as the event.
 */
struct uev_probe_event {
	struct uev_event event;
	volatile unsigned short *semaphore;
};

#define UEV_EVENT_INIT(command_text)                              \
	{                                                         \
		0, sizeof(struct uev_event), (command_text), NULL \
	}

#define UEV_PROBE_EVENT_INIT(command_text, semaphore_address)      \
	{                                                          \
		{ 0, sizeof(struct uev_event) | UEV_HAS_SEMAPHORE, \
		  (command_text), NULL },                          \
			(semaphore_address)                        \
	}

/**
 * uev_event_init() - Initializes an event
 * @event: the event, which must not be registered
 * @command: "name type field; type field"; must exist until the event is
 *        registered
 */
UEV_INLINE void uev_event_init(struct uev_event *event, const char *command)
{
	event->state = 0;
	event->size = UEV_CAST_(uint32_t, sizeof(*event));
	event->command = command;
	event->registration = NULL;
}

/**
 * uev_status_page_enabled() - Tests whether an event is enabled in the status
 * page
 * @event: the event, registered or not
 *
 * uev_enabled() calls this on kernels that have only the status page.
 *
 * Return: true if the event is enabled.
 */
UEV_API bool uev_status_page_enabled(const struct uev_event *event);

/**
 * uev_enabled() - Tests whether an event is enabled
 * @event: the event, registered or not
 *
 * While the event is disabled, this is one load and one branch. With the status
 * page of the first user_events, it is also a call that reads the page.
 *
 * Return: true if a tracer has enabled the event.
 */
UEV_INLINE bool uev_enabled(const struct uev_event *event)
{
#ifdef UEV_DISABLE
	(void)event;

	return false;
#else
	uint32_t state = __atomic_load_n(&event->state, __ATOMIC_RELAXED);

	return __builtin_expect(state != 0, 0) &&
	       ((state & UEV_ENABLED) || uev_status_page_enabled(event));
#endif
}

/**
 * uev_event_register() - Registers an event
 * @event: an initialized event that is not registered
 * @flags: UEV_PERSIST, UEV_MULTI_FORMAT, UEV_SHARE_NAME, UEV_REPORT
 *
 * Checks the command before the kernel receives it. The command is not used
 * after the call. If user_events is not open, the function looks for it, at
 * most once a second.
 *
 * Return: 0, also if the event is only pending because user_events does not
 * exist or the process has no permission, see uev_event_status(). -EALREADY if
 * the event is registered; -EINVAL if its command or size is invalid or a flag
 * is unknown; -E2BIG if the command is too long or the fields are too large for
 * all tracers; -ENOMEM; -EPROTONOSUPPORT if the kernel does not support
 * UEV_MULTI_FORMAT; -EADDRINUSE if an event of that name has other fields, with
 * UEV_SHARE_NAME only if the kernel does not support UEV_MULTI_FORMAT; -EMFILE
 * if the limit of events is reached; -EPERM if the process lacks the privilege
 * for UEV_PERSIST. On error the event is not registered.
 */
UEV_API int uev_event_register(struct uev_event *event, unsigned int flags);

/**
 * uev_event_unregister() - Unregisters an event
 * @event: the event
 *
 * A write that another thread has already started can still be recorded. The
 * kernel keeps the event as long as the process has user_events_data open.
 *
 * Return: 0, and the program can free the event. -ENOTCONN if it is not
 * registered. -ESRCH if the kernel (6.4 or later) keeps registrations by thread
 * and the calling thread is older than the one that registered; the event is
 * then not registered any more, but its memory must not be freed. After any
 * other error of the kernel, such as -ENOMEM, the event is still registered.
 */
UEV_API int uev_event_unregister(struct uev_event *event);

/**
 * uev_command_parse() - Parses the description of an event
 * @normalized: receives the description in the form that the kernel receives,
 *        with single spaces and without empty fields: UEV_COMMAND_MAX + 1
 *        bytes; or NULL
 * @command: "name type field; type field", or what the macros write into a
 *        program, which starts with UEV_DESCRIBED
 * @error_offset: set to the offset of the first invalid byte of @command, on
 *        error; or NULL
 * @reason: set to a static string that describes the error; or NULL
 *
 * Works without user_events. Texts that a macro describes are __data_loc, or
 * __rel_loc if this process declares them so.
 *
 * Return: 0; -E2BIG if the description is too long or the fields are too large
 * for all tracers; -EINVAL if it is invalid.
 */
UEV_API int uev_command_parse(char *normalized, const char *command,
			      size_t *error_offset, const char **reason);

/**
 * uev_event_status() - Gets the state of a registration
 * @event: the event
 *
 * Return: 0 if the kernel has the event; -ENOTCONN if it is not registered;
 * otherwise the reason why it is pending, see uev_strerror().
 */
UEV_API int uev_event_status(const struct uev_event *event);

/**
 * uev_name_status() - Gets the state of all events of a name
 * @name: name of the event
 *
 * Two places of a program that use one name with different fields are two
 * events. A kernel without UEV_MULTI_FORMAT has only one of them.
 *
 * Return: 0 if the kernel has all events of that name; -ENOTCONN if none is
 * registered; otherwise the reason why one is pending: -EADDRINUSE if an event
 * of that name has other fields.
 */
UEV_API int uev_name_status(const char *name);

/**
 * uev_event_writev() - Writes a record
 * @event: the event
 * @vector: the payload, which is written without gaps between elements; not
 *        changed. NULL if @count is 0
 * @count: number of elements
 *
 * The payload must be readable: the library copies one of several elements if it
 * has up to 512 bytes or more than 66 elements.
 *
 * Return: 0 if the record was passed to the kernel or the event is disabled;
 * -E2BIG if the payload is larger than UEV_PAYLOAD_MAX; -EINVAL if @count is
 * negative or the payload is smaller than the fields; -EFAULT if a payload that
 * the library does not copy is not readable, or a string is unterminated or
 * exceeds the payload; -EBADF if the program has closed user_events_data and it
 * cannot be opened again. All results are counted, see uev_event_stats().
 *
 * With UEV_REPORT also -E2BIG if the record is too large for all tracers, and
 * -ENOSPC if the buffers of trace instances have no room, or are off: it counts as
 * lost. -EAGAIN if the event is disabled. Only the module tells the first two. A tracer that does
 * not want the record, such as because of a filter, is no error.
 */
UEV_API int uev_event_writev(struct uev_event *event,
			     const struct iovec *vector, int count);

/**
 * uev_events_register() - Registers the events of an array
 * @begin: the first element
 * @end: the element after the last
 *
 * Skips elements that are NULL or already registered. The flag is
 * UEV_SHARE_NAME. Unlike with uev_event_register(), an event that the kernel
 * rejects stays pending, and uev_event_status() returns the error.
 *
 * Return: 0, or the first error; the other events are registered nevertheless.
 */
UEV_API int uev_events_register(struct uev_event **begin,
				struct uev_event **end);

/**
 * uev_events_unregister() - Unregisters the events of an array
 * @begin: the first element
 * @end: the element after the last
 *
 * The program can free the events. If the kernel cannot be reached, such as
 * because the program has closed user_events_data and it cannot be opened again,
 * the library tells the kernel later. Until then, the kernel still writes
 * UEV_ENABLED of the freed events when tracers enable or disable them.
 */
UEV_API void uev_events_unregister(struct uev_event **begin,
				   struct uev_event **end);

/**
 * uev_register_pending() - Registers pending events
 *
 * For programs that might start before user_events is available: call it from
 * time to time. It costs two or three system calls while no event is pending, and
 * otherwise looks for user_events at most once a second. A call at the start of
 * main() opens user_events before the program creates threads or drops
 * privileges.
 *
 * If the program has closed user_events_data, as daemons do, the function opens
 * it again and registers all events again. The next record does so, too.
 *
 * If the administrator is about to replace the module ("user-events reload"),
 * the function unregisters all events and closes user_events_data. The events
 * are pending until the new module is loaded. uev_enabled() remains true for
 * those that were enabled, and their records count as missed.
 *
 * Return: 0 if user_events is open and no event is pending; otherwise the
 * reason as a negative errno.
 */
UEV_API int uev_register_pending(void);

/**
 * uev_set_retry_interval() - Starts a thread that calls uev_register_pending()
 * @seconds: interval in seconds; 0 stops the thread
 *
 * For programs without a main loop. The thread blocks all signals. A child
 * process after fork() does not have the thread, and can call this function
 * itself.
 *
 * Return: 0; -EAGAIN if the thread cannot be created.
 */
UEV_API int uev_set_retry_interval(unsigned int seconds);

/**
 * uev_failure_handler - Called when the kernel has rejected an event
 * @name: its name
 * @command: its description, "name type field; type field"
 * @error: negative errno, such as -EADDRINUSE if an event of that name has other
 *        fields and the kernel does not support UEV_MULTI_FORMAT
 * @data: from uev_set_failure_handler()
 *
 * The texts are valid during the call. The thread is the one whose call of the
 * library has registered the event: one that starts the program or loads a
 * shared object, or the thread of uev_set_retry_interval(), which blocks all
 * signals. It holds no lock of the library, so the handler can call every
 * function of the library. Several threads can call the handler at once. It is
 * never called while an event is tested or written.
 */
typedef void uev_failure_handler(const char *name, const char *command,
				 int error, void *data);

/**
 * uev_set_failure_handler() - Sets a function for events that the kernel rejects
 * @handler: the function, or NULL for none; it and @data must exist until
 *        another one is set and the calls that other threads have started are
 *        finished
 * @data: passed to the function
 *
 * The handler is called once for each event that stays pending because the
 * kernel has rejected it, and again when the reason changes. It is not called
 * if uev_event_register() returns the error, or because user_events is not
 * available, see uev_register_pending(). For events that were rejected before,
 * such as those of UEV_TRACE() before main(), this function calls it at once.
 */
UEV_API void uev_set_failure_handler(uev_failure_handler *handler, void *data);

/**
 * uev_set_path() - Sets the path of user_events
 * @path: a directory, the path of user_events_data, or the socket of
 *        user-events-serve(1); copied. NULL for the default: the socket in the
 *        environment variable USER_EVENTS_SOCKET if it is set, otherwise
 *        /sys/kernel/tracing, /sys/kernel/debug/tracing and the mount points in
 *        /proc/mounts
 *
 * Call it before the first registration or while all events are pending.
 * Pending events are then registered at once.
 *
 * Return: 0; -EBUSY if user_events is open; -ENAMETOOLONG; -ENOMEM.
 */
UEV_API int uev_set_path(const char *path);

/**
 * uev_set_files() - Passes open files to the library
 * @data_fd: user_events_data, opened for writing by this process or another;
 *        duplicated, and still owned by the caller
 * @status_fd: user_events_status, opened for reading, or -1; duplicated. Only
 *        kernels that have only the status page need it; they open it if it is
 *        -1
 *
 * Call it as uev_set_path().
 *
 * Return: 0; -EBUSY if user_events is open; -ENOTTY if @data_fd is another
 * file; -EBADF if it is not open; -EACCES if it is not open for writing;
 * -EMFILE.
 */
UEV_API int uev_set_files(int data_fd, int status_fd);

/**
 * uev_shutdown() - Frees all resources of the library
 *
 * For programs that unload code with the static library, and for leak checkers.
 * No other thread must call the library until this function returns. Afterwards
 * the library can be used again.
 *
 * Return: 0; -EBUSY if an event is registered, or the kernel still has one after
 * uev_events_unregister().
 */
UEV_API int uev_shutdown(void);

/**
 * struct uev_stats - Counters of records and events
 * @written: records passed to the kernel
 * @skipped: records not written because the event is disabled or pending
 * @oversize: records not written because they exceed UEV_PAYLOAD_MAX
 * @large: records written that exceed UEV_PAYLOAD_FTRACE_MAX, which ftrace of
 *        some kernels loses
 * @failed: records not written because of another error
 * @registered: events that the kernel has
 * @pending: events that wait for user_events
 * @missed: records of enabled events that were not written while the module was
 *        replaced
 * @shortened: records with a text that was shortened, see
 *        uev_builder_shorten(), except those in @oversize and @failed
 * @lost: records that no tracer took, because they are too large for all of them,
 *        or because the buffers have no room or are off. Only the module tells;
 *        elsewhere, and in batches without UEV_REPORT, such records are in
 *        @written
 */
struct uev_stats {
	uint64_t written;
	uint64_t skipped;
	uint64_t oversize;
	uint64_t large;
	uint64_t failed;
	uint64_t registered;
	uint64_t pending;
	uint64_t missed;
	uint64_t shortened;
	uint64_t lost;
};

/**
 * uev_process_stats() - Gets the counters of all events since the process
 * started
 * @stats: receives the counters
 * @size: sizeof(struct uev_stats) when the program was compiled
 *
 * Sets counters that this version of the library does not have to 0.
 */
UEV_API void uev_process_stats(struct uev_stats *stats, size_t size);

/**
 * uev_event_stats() - Gets the counters of one event
 * @event: the event; events with the same command and flags share counters
 * @stats: receives the counters
 * @size: sizeof(struct uev_stats)
 *
 * Return: 0; -ENOTCONN if the event is not registered.
 */
UEV_API int uev_event_stats(const struct uev_event *event,
			    struct uev_stats *stats, size_t size);

/**
 * enum uev_counter - Counters of struct uev_stats for uev_event_count()
 * @UEV_COUNTER_OVERSIZE: a record was too large
 * @UEV_COUNTER_FAILED: a record was not written because of another error
 * @UEV_COUNTER_SHORTENED: a text of a record was shortened
 * @UEV_COUNTER_LOST: no tracer took a record
 */
enum uev_counter {
	UEV_COUNTER_OVERSIZE = 1,
	UEV_COUNTER_FAILED,
	UEV_COUNTER_SHORTENED,
	UEV_COUNTER_LOST,
};

/**
 * uev_event_count() - Counts a record that the caller did not write, or has
 * shortened
 * @event: the event, registered or not
 * @counter: the counter
 *
 * For bindings and adapters that build records. Call it only if the event is
 * enabled.
 */
UEV_API void uev_event_count(struct uev_event *event, enum uev_counter counter);

/* Ends a text that was shortened: "..." as one character in UTF-8. */
#define UEV_SHORTENED "\xe2\x80\xa6"

/**
 * uev_shorten() - Gets the length to which a text is shortened
 * @text: the text in UTF-8
 * @length: its bytes
 * @limit: maximum bytes, including UEV_SHORTENED
 *
 * Return: @length if it is at most @limit; otherwise the number of bytes, of
 * whole characters, that the caller keeps and continues with UEV_SHORTENED. If
 * @limit is smaller than UEV_SHORTENED, 0.
 */
UEV_API size_t uev_shorten(const char *text, size_t length, size_t limit);

/**
 * uev_version() - Gets the version of the library
 *
 * A program that was compiled with an older version can use functions and
 * members that the library has. UEV_VERSION is the version of the headers.
 *
 * Return: UEV_VERSION_OF(major, minor, patch).
 */
UEV_API uint32_t uev_version(void);

/**
 * uev_strerror() - Describes an error of this library
 * @error: the return value of a function, negative or positive
 *
 * Return: a static string.
 */
UEV_API const char *uev_strerror(int error);

/**
 * uev_diagnose() - Describes whether user_events is usable, and how to fix it
 * @buffer: receives NUL-terminated lines of text, truncated to @size
 * @size: bytes at @buffer
 *
 * Looks for user_events if it is not open. Tells if texts are declared as __rel_loc,
 * which not all tracers read.
 *
 * Return: the length of the complete text without its NUL, as snprintf() does.
 */
UEV_API size_t uev_diagnose(char *buffer, size_t size);

/* For data that each linked object has once, with hidden visibility. */
#define UEV_INTERNAL_ __attribute__((__weak__, __visibility__("hidden")))

UEV_END_DECLS

#ifdef UEV_DISABLE
#include <userevents/disabled.h>
#endif

#endif
