/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: events that are registered with the object they are in.
 *
 * The addresses of such events lie in a section of the program or shared object
 * and are registered before main(), or when dlopen() has brought the object, and
 * unregistered after main(), or when dlclose() takes it away. For C; constructors
 * of C++ do it without.
 */
#ifndef USEREVENTS_TABLE_H
#define USEREVENTS_TABLE_H

#include <userevents/userevents.h>

UEV_BEGIN_DECLS

/* Some linkers throw away what only the names of a section's ends refer to. */
#if __has_attribute(__retain__)
#define UEV_RETAIN_ __attribute__((__retain__))
#else
#define UEV_RETAIN_
#endif

/*
 * UEV_TABLE_ENTRY() - has an event registered with the object
 * @entry: a name that nothing else in this place has
 * @event: address of a struct uev_event with static storage
 *
 * At file scope or inside of a function. An event may be in several entries.
 */
#define UEV_TABLE_ENTRY(entry, event)                                \
	static struct uev_event *entry                               \
		__attribute__((__section__("uev_events"), __used__)) \
		UEV_RETAIN_ = (event)

/* Where the linker says that the section begins and ends. */
extern struct uev_event *__start_uev_events[] UEV_INTERNAL_;
extern struct uev_event *__stop_uev_events[] UEV_INTERNAL_;

#define UEV_CONSTRUCTOR_ UEV_INTERNAL_ __attribute__((__constructor__))
#define UEV_DESTRUCTOR_ UEV_INTERNAL_ __attribute__((__destructor__))

/* The linker keeps one of each for the object, and calls it once or more. */
UEV_CONSTRUCTOR_ void uev_table_register(void);
UEV_CONSTRUCTOR_ void uev_table_register(void)
{
	(void)uev_events_register(__start_uev_events, __stop_uev_events);
}

UEV_DESTRUCTOR_ void uev_table_unregister(void);
UEV_DESTRUCTOR_ void uev_table_unregister(void)
{
	uev_events_unregister(__start_uev_events, __stop_uev_events);
}

UEV_END_DECLS

#endif
