/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: registering and writing user_events.
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

/*
 * struct uev_event - an event as a process sees it
 * @state: UEV_LISTENED, UEV_ASK; 0 while nobody listens
 * @size: sizeof this structure, as the program was compiled with
 * @command: "name type field; type field", not owned
 * @registration: the library's, NULL while it is not registered
 *
 * Statically initialised with UEV_EVENT_INIT(), or zero and uev_event_init().
 */
struct uev_event {
	uint32_t state;
	uint32_t size;
	const char *command;
	void *registration;
};

#define UEV_EVENT_INIT(command_text) \
	{ 0, sizeof(struct uev_event), (command_text), NULL }

UEV_API bool uev_event_asks(const struct uev_event *event);
UEV_API int uev_event_register(struct uev_event *event, unsigned int flags);
UEV_API int uev_event_unregister(struct uev_event *event);
UEV_API int uev_event_writev(struct uev_event *event, struct iovec *vector,
			     int count);

static inline bool uev_enabled(const struct uev_event *event)
{
	uint32_t state = __atomic_load_n(&event->state, __ATOMIC_RELAXED);

	return __builtin_expect(state != 0, 0) &&
	       ((state & UEV_LISTENED) || uev_event_asks(event));
}

UEV_END_DECLS

#endif
