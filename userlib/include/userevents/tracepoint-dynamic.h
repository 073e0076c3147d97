/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: tracepoints of plain fields that are created at run time, for
 * interpreters and other programs that learn the fields at run time.
 *
 * A tracepoint is thread-safe. A record must be used by one thread at a time,
 * and can be written any number of times without allocation.
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

/**
 * struct uev_field - A field
 * @name: a word without spaces, slashes and semicolons
 * @type: of enum uev_type
 * @reserved: 0
 */
struct uev_field {
	const char *name;
	uint32_t type;
	uint32_t reserved;
};

struct uev_tracepoint;
struct uev_record;

/**
 * uev_tracepoint_new() - Creates a tracepoint and registers its event
 * @tracepoint: set to the tracepoint, for uev_tracepoint_free(); NULL on error
 * @name: name of the event
 * @fields: its fields; NULL only if @count is 0
 * @count: number of fields, at most UEV_FIELDS_MAX
 * @flags: as for uev_event_register(); UEV_SHARE_NAME is always set
 *
 * The arguments are copied.
 *
 * Return: 0, or an error of uev_event_register(); -EINVAL if the description is
 * invalid; -E2BIG if it is too long.
 */
UEV_API int uev_tracepoint_new(struct uev_tracepoint **tracepoint,
			       const char *name, const struct uev_field *fields,
			       size_t count, unsigned int flags);

/**
 * uev_tracepoint_free() - Unregisters the event and frees the tracepoint
 * @tracepoint: the tracepoint, whose records must have been freed; or NULL
 *
 * No other thread must use it.
 *
 * Return: 0, or an error of uev_event_unregister(). The tracepoint then still
 * exists and can be freed later; after -ESRCH it can never be freed.
 */
UEV_API int uev_tracepoint_free(struct uev_tracepoint *tracepoint);

/**
 * uev_tracepoint_event() - Gets the event of a tracepoint
 * @tracepoint: the tracepoint
 *
 * For uev_enabled(), uev_event_status() and uev_event_stats().
 *
 * Return: the event, which belongs to the tracepoint.
 */
UEV_API struct uev_event *
uev_tracepoint_event(struct uev_tracepoint *tracepoint);

/**
 * uev_tracepoint_field() - Finds a field by name
 * @tracepoint: the tracepoint
 * @name: the name
 *
 * Return: the index of the field, from 0; -ENOENT.
 */
UEV_API int uev_tracepoint_field(const struct uev_tracepoint *tracepoint,
				 const char *name);

/**
 * uev_record_new() - Allocates a record
 * @record: set to the record, for uev_record_free(); NULL on error
 * @tracepoint: the tracepoint, which must exist as long as the record
 *
 * Return: 0; -ENOMEM.
 */
UEV_API int uev_record_new(struct uev_record **record,
			   struct uev_tracepoint *tracepoint);

/**
 * uev_record_free() - Frees a record
 * @record: the record, or NULL
 */
UEV_API void uev_record_free(struct uev_record *record);

/**
 * uev_record_set_signed() - Sets a field to a number
 * uev_record_set_unsigned() - Sets a field to a number
 * @record: the record
 * @field: index of the field
 * @value: its value, which must fit the field
 *
 * Return: 0; -ERANGE if it does not fit; -EINVAL if the field does not exist or
 * is not a number. uev_record_write() returns the first of these errors, too.
 */
UEV_API int uev_record_set_signed(struct uev_record *record, size_t field,
				  int64_t value);
UEV_API int uev_record_set_unsigned(struct uev_record *record, size_t field,
				    uint64_t value);

/**
 * uev_record_set_double() - Sets a field to a floating-point number
 * @record: the record
 * @field: index of the field, of UEV_TYPE_F32 or UEV_TYPE_F64
 * @value: its value, which is rounded to a float for UEV_TYPE_F32
 *
 * Return: as uev_record_set_signed(); -EINVAL if the field has another type.
 */
UEV_API int uev_record_set_double(struct uev_record *record, size_t field,
				  double value);

/**
 * uev_record_set_string() - Sets a field to NUL-terminated text
 * @record: the record
 * @field: index of the field
 * @string: the text, which must exist until the record is written; NULL is
 *        "(null)"
 *
 * Return: as uev_record_set_signed(); -EINVAL if the field is not text.
 */
UEV_API int uev_record_set_string(struct uev_record *record, size_t field,
				  const char *string);

/**
 * uev_record_set_data() - Sets a field to text or bytes of a known length, or to
 * a UUID
 * @record: the record
 * @field: index of the field
 * @data: the bytes, which must exist until the record is written; text needs no
 *        terminator
 * @size: number of bytes; UEV_UUID_SIZE for a UUID
 *
 * Return: as uev_record_set_signed(); -EINVAL if the field is a number, or a
 * UUID of another size.
 */
UEV_API int uev_record_set_data(struct uev_record *record, size_t field,
				const void *data, size_t size);

/**
 * uev_record_write() - Writes a record and clears its fields
 * @record: the record; fields that are not set are 0 or empty
 *
 * Return: as uev_event_writev(); or the first error of the record, and nothing
 * is written.
 */
UEV_API int uev_record_write(struct uev_record *record);

UEV_END_DECLS

#endif
