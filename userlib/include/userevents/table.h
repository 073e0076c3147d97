/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: events that are registered together with the object they are
 * in.
 *
 * The addresses of such events are in a section of the program or shared
 * object. They are registered before main() or by dlopen(), and unregistered
 * after main() or by dlclose(). For C; C++ uses constructors instead.
 */
#ifndef USEREVENTS_TABLE_H
#define USEREVENTS_TABLE_H

#include <userevents/userevents.h>

UEV_BEGIN_DECLS

/*
 * Some linkers discard a section that only its start and end symbols refer to.
 */
#if __has_attribute(__retain__)
#define UEV_RETAIN_ __attribute__((__retain__))
#else
#define UEV_RETAIN_
#endif

/**
 * UEV_TABLE_ENTRY() - Registers an event together with its object
 * @entry: identifier that is unique in its scope
 * @event: address of a struct uev_event with static storage
 *
 * Used at file scope or inside a function. An event can have several entries.
 */
#ifdef UEV_DISABLE
#define UEV_TABLE_ENTRY(entry, event) \
	static struct uev_event *entry __attribute__((__unused__)) = (event)
#else
#define UEV_TABLE_ENTRY(entry, event)                                \
	static struct uev_event *entry                               \
		__attribute__((__section__("uev_events"), __used__)) \
		UEV_RETAIN_ = (event)
#endif

#ifndef UEV_DISABLE
/* Start and end of the section, defined by the linker. */
extern struct uev_event *__start_uev_events[] UEV_INTERNAL_;
extern struct uev_event *__stop_uev_events[] UEV_INTERNAL_;

#define UEV_CONSTRUCTOR_ UEV_INTERNAL_ __attribute__((__constructor__))
#define UEV_DESTRUCTOR_ UEV_INTERNAL_ __attribute__((__destructor__))

/*
 * The linker keeps one of each per object, and calls the functions once for
 * each file.
 */
extern bool uev_table_is_registered_;
UEV_INTERNAL_ bool uev_table_is_registered_;

UEV_CONSTRUCTOR_ void uev_table_register(void);
UEV_CONSTRUCTOR_ void uev_table_register(void)
{
	if (uev_table_is_registered_)
		return;
	uev_table_is_registered_ = true;
	(void)uev_events_register(__start_uev_events, __stop_uev_events);
}

UEV_DESTRUCTOR_ void uev_table_unregister(void);
UEV_DESTRUCTOR_ void uev_table_unregister(void)
{
	if (!uev_table_is_registered_)
		return;
	uev_table_is_registered_ = false;
	uev_events_unregister(__start_uev_events, __stop_uev_events);
}
#endif

UEV_END_DECLS

#endif
