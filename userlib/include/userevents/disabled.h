/* SPDX-License-Identifier: MIT */
/*
 * libuserevents without the library, for programs that define UEV_DISABLE.
 * Included by <userevents/userevents.h>.
 *
 * All events stay pending, as on a system without user_events: functions that
 * register or write return 0, and those that return the state of a registration
 * return -EOPNOTSUPP.
 */
#ifndef USEREVENTS_DISABLED_H
#define USEREVENTS_DISABLED_H

#include <userevents/userevents.h>

#ifdef UEV_DISABLE

#include <errno.h>
#include <string.h>

UEV_BEGIN_DECLS

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct uev_batch;
struct uev_builder;
struct uev_eh_provider;
struct uev_field;
struct uev_dynamic_provider;
struct uev_record;
struct uev_event_set;
struct uev_tracepoint;
struct uev_value;

/* userlib/exported.awk reads UEV_API in headers that declare functions. */
#define UEV_DISABLED_API_ UEV_API

/* An object that is all 0, for functions that return or set a pointer */
UEV_DISABLED_API_ void *uev_disabled_object_(void)
{
	static uint64_t object[16];

	return object;
}

#define UEV_DISABLED_TEXT_ "user_events is disabled in this program"

#define UEV_DISABLED_(type, result, function, ...)   \
	UEV_DISABLED_API_ type function(__VA_ARGS__) \
	{                                            \
		return result;                       \
	}

#define UEV_DISABLED_VOID_(function, ...)            \
	UEV_DISABLED_API_ void function(__VA_ARGS__) \
	{                                            \
	}

#define UEV_DISABLED_POINTER_(type, function, ...)                \
	UEV_DISABLED_API_ type *function(__VA_ARGS__)             \
	{                                                         \
		return UEV_CAST_(type *, uev_disabled_object_()); \
	}

/* Sets the pointer @object. */
#define UEV_DISABLED_NEW_(type, object, function, ...)                 \
	UEV_DISABLED_API_ int function(__VA_ARGS__)                    \
	{                                                              \
		*(object) = UEV_CAST_(type *, uev_disabled_object_()); \
		return 0;                                              \
	}

/* Functions of <userevents/userevents.h> */
UEV_DISABLED_(bool, false, uev_status_page_enabled,
	      const struct uev_event *event)
UEV_DISABLED_(int, 0, uev_event_register, struct uev_event *event,
	      unsigned int flags)
UEV_DISABLED_(int, 0, uev_event_unregister, struct uev_event *event)
UEV_DISABLED_(int, -EOPNOTSUPP, uev_command_parse, char *normalized,
	      const char *command, size_t *error_offset, const char **reason)
UEV_DISABLED_(int, -EOPNOTSUPP, uev_event_status, const struct uev_event *event)
UEV_DISABLED_(int, -EOPNOTSUPP, uev_name_status, const char *name)
UEV_DISABLED_(int, 0, uev_event_writev, struct uev_event *event,
	      const struct iovec *vector, int count)
UEV_DISABLED_(int, 0, uev_events_register, struct uev_event **begin,
	      struct uev_event **end)
UEV_DISABLED_VOID_(uev_events_unregister, struct uev_event **begin,
		   struct uev_event **end)
UEV_DISABLED_(int, -EOPNOTSUPP, uev_register_pending, void)
UEV_DISABLED_(int, 0, uev_set_retry_interval, unsigned int seconds)
UEV_DISABLED_VOID_(uev_set_failure_handler, uev_failure_handler *handler,
		   void *data)
UEV_DISABLED_(int, 0, uev_set_path, const char *path)
UEV_DISABLED_(int, 0, uev_set_files, int data_fd, int status_fd)
UEV_DISABLED_(int, 0, uev_shutdown, void)
UEV_DISABLED_(uint32_t, UEV_VERSION, uev_version, void)
UEV_DISABLED_(const char *, error ? UEV_DISABLED_TEXT_ : "Success",
	      uev_strerror, int error)

UEV_DISABLED_API_ void uev_process_stats(struct uev_stats *stats, size_t size)
{
	memset(UEV_CAST_(void *, stats), 0, size);
}

UEV_DISABLED_API_ int uev_event_stats(const struct uev_event *event,
				      struct uev_stats *stats, size_t size)
{
	memset(UEV_CAST_(void *, stats), 0, size);
	return 0;
}

UEV_DISABLED_VOID_(uev_event_count, struct uev_event *event,
		   enum uev_counter counter)
UEV_DISABLED_(size_t, length, uev_shorten, const char *text, size_t length,
	      size_t limit)

UEV_DISABLED_API_ size_t uev_diagnose(char *buffer, size_t size)
{
	static const char text[] = UEV_DISABLED_TEXT_ ": UEV_DISABLE\n";
	size_t length = size < sizeof(text) ? size : sizeof(text);

	if (length) {
		memcpy(buffer, text, length - 1);
		buffer[length - 1] = '\0';
	}
	return sizeof(text) - 1;
}

/* Functions of <userevents/batch.h> */
UEV_DISABLED_NEW_(struct uev_batch, batch, uev_batch_new,
		  struct uev_batch **batch, size_t size)
UEV_DISABLED_(int, 0, uev_batch_add, struct uev_batch *batch,
	      struct uev_event *event, const struct iovec *vector, int count)
UEV_DISABLED_(int, 0, uev_batch_write, struct uev_batch *batch)
UEV_DISABLED_VOID_(uev_batch_free, struct uev_batch *batch)

/* Functions of <userevents/tracepoint.h> and tracepoint-dynamic.h */
UEV_DISABLED_(int, 0, uev_tracepoint_write, struct uev_event *event,
	      const struct uev_value *values, size_t count)
UEV_DISABLED_(int, 0, uev_tracepoint_write_shortened, struct uev_event *event,
	      const struct uev_value *values, size_t count)
UEV_DISABLED_NEW_(struct uev_tracepoint, tracepoint, uev_tracepoint_new,
		  struct uev_tracepoint **tracepoint, const char *name,
		  const struct uev_field *fields, size_t count,
		  unsigned int flags)
UEV_DISABLED_(int, 0, uev_tracepoint_free, struct uev_tracepoint *tracepoint)
UEV_DISABLED_POINTER_(struct uev_event, uev_tracepoint_event,
		      struct uev_tracepoint *tracepoint)
UEV_DISABLED_(int, 0, uev_tracepoint_field,
	      const struct uev_tracepoint *tracepoint, const char *name)
UEV_DISABLED_NEW_(struct uev_record, record, uev_record_new,
		  struct uev_record **record, struct uev_tracepoint *tracepoint)
UEV_DISABLED_VOID_(uev_record_free, struct uev_record *record)
UEV_DISABLED_(int, 0, uev_record_set_signed, struct uev_record *record,
	      size_t field, int64_t value)
UEV_DISABLED_(int, 0, uev_record_set_unsigned, struct uev_record *record,
	      size_t field, uint64_t value)
UEV_DISABLED_(int, 0, uev_record_set_double, struct uev_record *record,
	      size_t field, double value)
UEV_DISABLED_(int, 0, uev_record_set_string, struct uev_record *record,
	      size_t field, const char *string)
UEV_DISABLED_(int, 0, uev_record_set_data, struct uev_record *record,
	      size_t field, const void *data, size_t size)
UEV_DISABLED_(int, 0, uev_record_write, struct uev_record *record)

/* Functions of <userevents/eventheader.h> and eventheader-dynamic.h */
UEV_DISABLED_(int, 0, uev_eh_provider_load, struct uev_eh_provider *provider)
UEV_DISABLED_VOID_(uev_eh_provider_unload, struct uev_eh_provider *provider)
UEV_DISABLED_(int, -EOPNOTSUPP, uev_eh_provider_status,
	      const struct uev_eh_provider *provider)
UEV_DISABLED_(int, 0, uev_eh_activity, struct iovec *vector, uint8_t *front,
	      const void *fixed, size_t size, const void *activity,
	      const void *related)
UEV_DISABLED_NEW_(struct uev_dynamic_provider, provider,
		  uev_dynamic_provider_new,
		  struct uev_dynamic_provider **provider, const char *name,
		  const char *group)
UEV_DISABLED_VOID_(uev_dynamic_provider_free,
		   struct uev_dynamic_provider *provider)
UEV_DISABLED_(const char *, "", uev_dynamic_provider_name,
	      const struct uev_dynamic_provider *provider)
UEV_DISABLED_(const char *, "", uev_dynamic_provider_group,
	      const struct uev_dynamic_provider *provider)
UEV_DISABLED_NEW_(struct uev_event_set, set, uev_dynamic_provider_event_set,
		  struct uev_dynamic_provider *provider, unsigned int level,
		  uint64_t keyword, struct uev_event_set **set)
UEV_DISABLED_POINTER_(struct uev_event_set, uev_dynamic_provider_find_set,
		      struct uev_dynamic_provider *provider, unsigned int level,
		      uint64_t keyword)
UEV_DISABLED_NEW_(struct uev_builder, builder, uev_builder_new,
		  struct uev_builder **builder)
UEV_DISABLED_VOID_(uev_builder_free, struct uev_builder *builder)
UEV_DISABLED_(int, 0, uev_builder_begin, struct uev_builder *builder,
	      const char *name, uint16_t tag)
UEV_DISABLED_(int, 0, uev_builder_id, struct uev_builder *builder, uint16_t id,
	      uint8_t version)
UEV_DISABLED_(int, 0, uev_builder_opcode, struct uev_builder *builder,
	      uint8_t opcode)
UEV_DISABLED_(int, 0, uev_builder_shorten, struct uev_builder *builder,
	      size_t limit)
UEV_DISABLED_(int, 0, uev_builder_error, const struct uev_builder *builder)
UEV_DISABLED_(int, 0, uev_builder_write, struct uev_builder *builder,
	      struct uev_event_set *set, const void *activity,
	      const void *related)
UEV_DISABLED_(int, 0, uev_add, struct uev_builder *builder, const char *name,
	      unsigned int encoding, unsigned int format, uint16_t tag,
	      const void *data, size_t count)
UEV_DISABLED_(int, 0, uev_add_meta, struct uev_builder *builder,
	      const char *name, unsigned int encoding, unsigned int format,
	      uint16_t tag, size_t count)
UEV_DISABLED_(int, 0, uev_add_data, struct uev_builder *builder,
	      const void *data, size_t size)
UEV_DISABLED_(int, 0, uev_add_struct, struct uev_builder *builder,
	      const char *name, unsigned int members, uint16_t tag,
	      size_t *bookmark)
UEV_DISABLED_(int, 0, uev_add_struct_array, struct uev_builder *builder,
	      const char *name, unsigned int members, uint16_t tag,
	      size_t count)
UEV_DISABLED_(int, 0, uev_set_members, struct uev_builder *builder,
	      size_t bookmark, unsigned int members)
UEV_DISABLED_(int, 0, uev_begin_struct, struct uev_builder *builder,
	      const char *name, uint16_t tag)
UEV_DISABLED_(int, 0, uev_end_struct, struct uev_builder *builder)

#pragma GCC diagnostic pop

UEV_END_DECLS

#endif /* UEV_DISABLE */

#endif
