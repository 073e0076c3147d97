/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: registering and writing user_events.
 *
 * An event is a structure of the program. Once it is registered, the kernel
 * (or, where the kernel has only the status page, the library) says through
 * its state whether anybody listens, and uev_enabled() is all that it costs
 * while nobody does.
 *
 * Where there is no user_events yet, registering succeeds all the same: the
 * event is pending, costs what it costs while nobody listens, and becomes real
 * when user_events has come, see uev_register_pending().
 *
 * Functions return 0, or a negative errno. They may be called by any thread at
 * any time; those that write take no lock and may be called by a signal
 * handler too, the others may not.
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
/* A tracer is attached; set by the kernel. */
#define UEV_ENABLED (1U << 0)
/* The status page says whether one is; set by the library. */
#define UEV_CHECK_STATUS_PAGE (1U << 1)

/* Flags of a registration. Only the enabler interface (Linux 6.4) has them. */
#define UEV_PERSIST (1U << 0) /* stays without a process; privileged */
#define UEV_MULTI_FORMAT (1U << 1) /* several formats share the name */

/* Characters of the command that describes an event to the kernel. */
#define UEV_COMMAND_MAX 511

/*
 * Bytes of payload that readers can take, with pages of 4 KiB. A record that is
 * larger than UEV_PAYLOAD_MAX reaches nobody; one that is larger than
 * UEV_PAYLOAD_FTRACE_MAX reaches perf, but ftrace only with larger buffers.
 */
#define UEV_PAYLOAD_MAX 8184
#define UEV_PAYLOAD_FTRACE_MAX 4064

/*
 * enum uev_type - types of fields
 * @UEV_TYPE_STRING: text that ends with a NUL, of any length
 * @UEV_TYPE_BYTES: bytes, any number of them
 *
 * The others are numbers of the size that their names say.
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
};

/* What a command of the macros begins with, which only the library reads. */
#define UEV_DESCRIBED '\1'

/*
 * struct uev_event - an event as a process sees it
 * @state: UEV_ENABLED, UEV_CHECK_STATUS_PAGE; 0 while nobody listens
 * @size: sizeof this structure, as the program was compiled with
 * @command: "name type field; type field", not owned
 * @registration: the library's, NULL while it is not registered
 *
 * Statically initialised with UEV_EVENT_INIT(), or by uev_event_init(). It is
 * the program's and must not move nor go while it is registered, since the
 * kernel writes to @state.
 */
struct uev_event {
	uint32_t state;
	uint32_t size;
	const char *command;
	void *registration;
};

#define UEV_EVENT_INIT(command_text)                              \
	{                                                         \
		0, sizeof(struct uev_event), (command_text), NULL \
	}

/*
 * uev_event_init() - begins an event that is not initialised statically
 * @event: the event, which must not be registered
 * @command: "name type field; type field"; must stay until the event has been
 *	     registered
 */
static inline void uev_event_init(struct uev_event *event, const char *command)
{
	event->state = 0;
	event->size = (uint32_t)sizeof(*event);
	event->command = command;
	event->registration = NULL;
}

/*
 * uev_status_page_enabled() - whether an event is enabled in the status page
 * @event: an event, registered or not
 *
 * What uev_enabled() calls on kernels that have no better way.
 */
UEV_API bool uev_status_page_enabled(const struct uev_event *event);

/*
 * uev_enabled() - whether somebody listens to an event
 * @event: an event, registered or not
 *
 * One load and one branch while nobody listens.
 */
static inline bool uev_enabled(const struct uev_event *event)
{
	uint32_t state = __atomic_load_n(&event->state, __ATOMIC_RELAXED);

	return __builtin_expect(state != 0, 0) &&
	       ((state & UEV_ENABLED) || uev_status_page_enabled(event));
}

/*
 * uev_event_register() - registers an event
 * @event: initialised, not registered
 * @flags: UEV_PERSIST, UEV_MULTI_FORMAT
 *
 * The command is checked before the kernel sees it, and not needed any more
 * when this returns. If user_events was not there before, it is looked for, at
 * most once a second.
 *
 * Return: 0, also if the event is only pending because user_events is not there
 * or may not be used, see uev_event_status(); -EALREADY if it is registered;
 * -EINVAL if its command or size is not valid or a flag is not known; -E2BIG if
 * the command is too long, or the fields are too large for any reader; -ENOMEM;
 * -EPROTONOSUPPORT if the kernel's interface has no UEV_MULTI_FORMAT; or what the
 * kernel says: -EADDRINUSE if an event of that name has other fields, -EMFILE if
 * there are too many, -EPERM if UEV_PERSIST is not for this process. If it is
 * not 0, the event is not registered.
 */
UEV_API int uev_event_register(struct uev_event *event, unsigned int flags);

/*
 * uev_event_unregister() - ends a registration
 * @event: an event
 *
 * A write that another thread has begun may still be recorded. The kernel keeps
 * the event itself as long as the process has its user_events_data open.
 *
 * Return: 0, and the memory of the event is the program's again; -ENOENT if it
 * was not registered. -ESRCH: the kernel, 6.4 or later, knows registrations by
 * thread, and the calling thread is older than the one that registered; the
 * event is not registered any more, but its memory must stay. Anything else,
 * such as -ENOMEM, is what the kernel says, and the event stays registered.
 */
UEV_API int uev_event_unregister(struct uev_event *event);

/*
 * uev_command_parse() - parses the description of an event, as registering does
 * @normalized: receives the description as the kernel is given it, with single
 *		spaces and without what is empty: UEV_COMMAND_MAX + 1 bytes;
 *		or NULL
 * @command: "name type field; type field"
 * @error_offset: set to the byte of @command from which on it is not valid,
 *		  which may be its end, where there is an error; or NULL
 * @reason: set to a few words about that, which are always there; or NULL
 *
 * Needs no user_events.
 *
 * Return: 0; -E2BIG if it is too long for the kernel or the fields are for any
 * reader, -EINVAL if it says anything that the kernel does not know.
 */
UEV_API int uev_command_parse(char *normalized, const char *command,
			      size_t *error_offset, const char **reason);

/*
 * uev_event_status() - what became of a registration
 * @event: an event
 *
 * Return: 0 if the kernel has it; -ENOTCONN if it is not registered; otherwise
 * it is pending, and this is why, see uev_strerror().
 */
UEV_API int uev_event_status(const struct uev_event *event);

/*
 * uev_event_writev() - writes a record
 * @event: an event
 * @vector: the first element is for the library, which fills it; the payload
 *	    begins at the second
 * @count: number of elements, at least 1
 *
 * Return: 0 if the record was handed over, or nobody listens (any more);
 * -E2BIG if the payload is larger than UEV_PAYLOAD_MAX, and nothing was
 * written; -EINVAL if @count is not valid or the payload smaller than the
 * fields; -EFAULT if it cannot be read, or a string in it reaches beyond it or
 * has no end; -EBADF if the program has closed user_events_data, and it cannot
 * be opened again. Everything is counted, see uev_event_stats().
 */
UEV_API int uev_event_writev(struct uev_event *event, struct iovec *vector,
			     int count);

/*
 * uev_events_register() - registers all events of a table
 * @begin: the first
 * @end: behind the last
 *
 * What is registered already and what is NULL is left out. Unlike with
 * uev_event_register(), what the kernel refuses stays pending, so that
 * uev_event_status() can tell why.
 *
 * Return: 0, or the first error; the others are registered all the same.
 */
UEV_API int uev_events_register(struct uev_event **begin,
				struct uev_event **end);

/*
 * uev_events_unregister() - ends what uev_events_register() has begun
 * @begin: the first
 * @end: behind the last
 */
UEV_API void uev_events_unregister(struct uev_event **begin,
				   struct uev_event **end);

/*
 * uev_register_pending() - registers pending events, if that is possible by now
 *
 * For programs that may be started before user_events is there: call it now and
 * then. It costs one load while nothing is pending, and otherwise looks at most
 * once a second. Called early in main() it finds user_events before there are
 * threads or the program gives up privileges.
 *
 * Return: 0 if user_events is there and nothing is pending; otherwise why not.
 */
UEV_API int uev_register_pending(void);

/*
 * uev_set_retry_interval() - has a thread call uev_register_pending()
 * @seconds: how long the thread sleeps in between; 0 stops it
 *
 * For programs that have no loop of their own. The thread blocks all signals,
 * sleeps without end while nothing is pending, and is not there in the child of
 * a fork(), which may call this again.
 *
 * Return: 0, -EAGAIN if there can be no more threads.
 */
UEV_API int uev_set_retry_interval(unsigned int seconds);

/*
 * uev_set_path() - says where user_events is
 * @path: a directory, or the path of user_events_data; copied. NULL: in the
 *	  usual places, which are /sys/kernel/tracing, /sys/kernel/debug/tracing
 *	   and what /proc/mounts has
 *
 * Before the first registration, or while all are pending: they are tried
 * again at once.
 *
 * Return: 0, -EBUSY if user_events is open, -ENAMETOOLONG, -ENOMEM.
 */
UEV_API int uev_set_path(const char *path);

/*
 * uev_set_files() - gives the library files that are open already
 * @data_fd: user_events_data, opened for writing by this process or another;
 *	     duplicated, and stays the caller's
 * @status_fd: user_events_status, likewise for reading, or -1. Only kernels
 *	       with nothing but the status page need it, and it is looked for on
 *	       those if it is -1
 *
 * As for uev_set_path().
 *
 * Return: 0, -EBUSY if user_events is open, -ENOTTY if it is another file,
 * -EBADF if it is none, -EMFILE.
 */
UEV_API int uev_set_files(int data_fd, int status_fd);

/*
 * uev_shutdown() - gives back all that the library has
 *
 * For programs that unload the code that the library was linked into, and for
 * those that look for leaks. No other thread may be calling the library, or
 * begin to, before this has returned. Everything may begin anew after it.
 *
 * Return: 0, -EBUSY if an event is registered.
 */
UEV_API int uev_shutdown(void);

/*
 * struct uev_stats - what became of records and events
 * @written: records handed to the kernel
 * @skipped: not written since nobody listened any more, or the event is pending
 * @oversize: not written since they were larger than UEV_PAYLOAD_MAX
 * @large: written, but larger than UEV_PAYLOAD_FTRACE_MAX, so that ftrace has
 *	   lost them unless its buffers are larger than is usual
 * @failed: not written for any other error
 * @registered: events that the kernel has
 * @pending: events that it has not got yet
 */
struct uev_stats {
	uint64_t written;
	uint64_t skipped;
	uint64_t oversize;
	uint64_t large;
	uint64_t failed;
	uint64_t registered;
	uint64_t pending;
};

/*
 * uev_process_stats() - counts of all events of this process since it began
 * @stats: receives them
 * @size: sizeof(struct uev_stats), as the program was compiled with
 *
 * A program that is newer than the library finds 0 in what that does not know.
 */
UEV_API void uev_process_stats(struct uev_stats *stats, size_t size);

/*
 * uev_event_stats() - counts of one event
 * @event: an event; those that have the same command and flags are one
 * @stats: receives them
 * @size: sizeof(struct uev_stats)
 *
 * Return: 0, -ENOTCONN if it is not registered.
 */
UEV_API int uev_event_stats(const struct uev_event *event,
			    struct uev_stats *stats, size_t size);

/*
 * uev_strerror() - what an error of this library means, in a few words
 * @error: what a function returned, or a positive errno
 *
 * Return: a text that is always there.
 */
UEV_API const char *uev_strerror(int error);

/*
 * uev_diagnose() - what works, or what a person should do so that it does
 * @buffer: receives a sentence or a few, cut off if they do not fit
 * @size: bytes at @buffer
 *
 * Looks for user_events if it was not found before.
 *
 * Return: the length of the whole text, without its end.
 */
UEV_API size_t uev_diagnose(char *buffer, size_t size);

/* For what each linked object has once, and keeps to itself. */
#define UEV_INTERNAL_ __attribute__((__weak__, __visibility__("hidden")))

UEV_END_DECLS

#endif
