/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: tracepoints of plain fields that are not known before the
 * program runs. For scripting languages and what lies between others.
 *
 * A tracepoint may be used by any thread. A record is for one at a time, and
 * for as many writes as one likes, which allocate nothing.
 */
#ifndef USEREVENTS_TRACEPOINT_DYNAMIC_H
#define USEREVENTS_TRACEPOINT_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/common.h>
#include <userevents/tracepoint.h>
#include <userevents/userevents.h>

UEV_BEGIN_DECLS

/*
 * struct uev_field - a field
 * @name: a word without space, slash and semicolon
 * @type: one of enum uev_type
 */
struct uev_field {
	const char *name;
	enum uev_type type;
};

struct uev_tracepoint;
struct uev_record;

/*
 * uev_tracepoint_new() - makes a tracepoint and registers its event
 * @tracepoint: receives it, for uev_tracepoint_free(); NULL if there is none
 * @name: of the event
 * @fields: its fields; may be NULL if there are none
 * @count: how many, at most UEV_FIELDS_MAX
 * @flags: as for uev_event_register()
 *
 * Nothing of what is given has to stay.
 *
 * Return: 0, or an error as from uev_event_register(); a description that is not
 * valid is -EINVAL, or -E2BIG if it is too long.
 */
UEV_API int uev_tracepoint_new(struct uev_tracepoint **tracepoint,
			       const char *name, const struct uev_field *fields,
			       size_t count, unsigned int flags);

/*
 * uev_tracepoint_free() - unregisters the event and frees the tracepoint
 * @tracepoint: whose records are free; may be NULL
 *
 * No other thread may be using it.
 *
 * Return: 0, or an error as from uev_event_unregister(). The tracepoint is still
 * there then, and can be freed later; after -ESRCH it never can, and is the
 * kernel's.
 */
UEV_API int uev_tracepoint_free(struct uev_tracepoint *tracepoint);

/*
 * uev_tracepoint_event() - the event of a tracepoint
 * @tracepoint: the tracepoint
 *
 * For uev_enabled(), uev_event_status() and uev_event_stats().
 *
 * Return: the event, which is the tracepoint's.
 */
UEV_API struct uev_event *
uev_tracepoint_event(struct uev_tracepoint *tracepoint);

/*
 * uev_tracepoint_field() - which field has a name
 * @tracepoint: the tracepoint
 * @name: the name
 *
 * Return: the number of the field, from 0; -ENOENT.
 */
UEV_API int uev_tracepoint_field(const struct uev_tracepoint *tracepoint,
				 const char *name);

/*
 * uev_record_new() - makes a record
 * @record: receives it, for uev_record_free(); NULL if there is none
 * @tracepoint: what it is a record of, which has to stay
 *
 * Return: 0, -ENOMEM.
 */
UEV_API int uev_record_new(struct uev_record **record,
			   struct uev_tracepoint *tracepoint);

/*
 * uev_record_free() - frees a record
 * @record: may be NULL
 */
UEV_API void uev_record_free(struct uev_record *record);

/*
 * uev_record_set_signed() - gives a field a value
 * uev_record_set_unsigned()
 * @record: the record
 * @field: the number of the field
 * @value: its value; signed or not, it has to fit the field
 *
 * Return: 0, -ERANGE if it does not fit, -EINVAL if there is no such field or it
 * is no number. The first error of a record is also that of
 * uev_record_write().
 */
UEV_API int uev_record_set_signed(struct uev_record *record, size_t field,
				  int64_t value);
UEV_API int uev_record_set_unsigned(struct uev_record *record, size_t field,
				    uint64_t value);

/*
 * uev_record_set_string() - gives a field text that ends with a NUL
 * @record: the record
 * @field: the number of the field
 * @string: the text, which has to stay until the record is written; NULL is
 *	    "(null)"
 *
 * Return: as uev_record_set_signed(), -EINVAL if the field is no text.
 */
UEV_API int uev_record_set_string(struct uev_record *record, size_t field,
				  const char *string);

/*
 * uev_record_set_data() - gives a field text or bytes of a known length
 * @record: the record
 * @field: the number of the field
 * @data: the bytes, which have to stay until the record is written; text needs
 *	  no end
 * @size: how many they are
 *
 * Return: as uev_record_set_signed(), -EINVAL if the field is a number.
 */
UEV_API int uev_record_set_data(struct uev_record *record, size_t field,
				const void *data, size_t size);

/*
 * uev_record_write() - writes a record, and begins it anew
 * @record: the record; fields that have no value are 0, or empty
 *
 * Return: as uev_event_writev(); or the first error of the record, and nothing
 * was written.
 */
UEV_API int uev_record_write(struct uev_record *record);

UEV_END_DECLS

#endif
