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
 * when user_events has come, see uev_retry().
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
#define UEV_LISTENED (1U << 0) /* somebody listens; the kernel's to set */
#define UEV_ASK (1U << 1) /* the status page knows; the library's to set */

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
 * struct uev_event - an event as a process sees it
 * @state: UEV_LISTENED, UEV_ASK; 0 while nobody listens
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
 * uev_event_asks() - whether somebody listens, where the status page says so
 * @event: an event, registered or not
 *
 * What uev_enabled() calls on kernels that have no better way.
 */
UEV_API bool uev_event_asks(const struct uev_event *event);

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
	       ((state & UEV_LISTENED) || uev_event_asks(event));
}

/*
 * uev_event_register() - registers an event
 * @event: initialised, not registered
 * @flags: UEV_PERSIST, UEV_MULTI_FORMAT
 *
 * Return: 0, also if the event is only pending because there is no user_events
 * yet, or it may not be used: see uev_event_status(). -EALREADY if it is
 * registered, -EINVAL if the command is not one, and what the kernel says
 * otherwise; the event is not registered then.
 */
UEV_API int uev_event_register(struct uev_event *event, unsigned int flags);

/*
 * uev_event_unregister() - ends a registration
 * @event: an event
 *
 * A write that another thread has begun may still be recorded; when this has
 * returned nothing touches the event any more, unless a thread calls something
 * with it.
 *
 * Return: 0, or -ENOENT if it was not registered.
 */
UEV_API int uev_event_unregister(struct uev_event *event);

/*
 * uev_event_writev() - writes a record
 * @event: an event
 * @vector: the first element is for the library, which fills it; the payload
 *	    begins at the second
 * @count: number of elements, at least 1
 *
 * Return: 0 if the record was written or nobody listens; -E2BIG if it is larger
 * than anybody can take, -EINVAL if it is smaller than the fields, -EFAULT if
 * it cannot be read or a string reaches beyond it.
 */
UEV_API int uev_event_writev(struct uev_event *event, struct iovec *vector,
			     int count);

/*
 * uev_events_register() - registers all events of a table
 * @begin: the first
 * @end: behind the last
 *
 * What is registered already and what is NULL is left out.
 *
 * Return: 0, or the first error; the others are registered all the same.
 */
UEV_API int uev_events_register(struct uev_event **begin,
				struct uev_event **end);

/* uev_events_unregister() - ends what uev_events_register() has begun */
UEV_API void uev_events_unregister(struct uev_event **begin,
				   struct uev_event **end);

/*
 * UEV_TABLE_ENTRY() - has an event registered with the object it is linked into
 * @entry: a name that nothing else in this file has
 * @event: address of a struct uev_event with static storage
 *
 * The event is registered before main() or when dlopen() brings the object, and
 * unregistered after main() or when dlclose() takes it away. At file scope, or
 * inside of a function. The object also needs UEV_TABLE, once or more often.
 */
#define UEV_TABLE_ENTRY(entry, event)                                        \
	static struct uev_event *entry __attribute__((__section__("uev_"     \
								  "events"), \
						      __used__)) = (event)

#define UEV_INTERNAL_ __attribute__((__weak__, __visibility__("hidden")))

/*
 * UEV_TABLE - what registers and unregisters the table, in every file that has
 * entries; the linker keeps one of each object.
 */
#define UEV_TABLE                                                               \
	UEV_BEGIN_DECLS                                                         \
	extern struct uev_event *__start_uev_events[] UEV_INTERNAL_;            \
	extern struct uev_event *__stop_uev_events[] UEV_INTERNAL_;             \
	UEV_INTERNAL_ __attribute__((__constructor__)) void uev_table_register( \
		void);                                                          \
	UEV_INTERNAL_ __attribute__((__constructor__)) void uev_table_register( \
		void)                                                           \
	{                                                                       \
		(void)uev_events_register(__start_uev_events,                   \
					  __stop_uev_events);                   \
	}                                                                       \
	UEV_INTERNAL_ __attribute__((__destructor__)) void                      \
	uev_table_unregister(void);                                             \
	UEV_INTERNAL_ __attribute__((__destructor__)) void                      \
	uev_table_unregister(void)                                              \
	{                                                                       \
		uev_events_unregister(__start_uev_events, __stop_uev_events);   \
	}                                                                       \
	UEV_END_DECLS

UEV_END_DECLS

#endif
