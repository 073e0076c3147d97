/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User events of kernel modules: another module defines an event, asks whether it
 * is enabled, and emits records. Processes, perf, ftrace and BPF use such an event
 * as any other user event. Documentation/kernel.rst has the rules.
 */
#ifndef USER_EVENTS_KERNEL_H
#define USER_EVENTS_KERNEL_H

#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/types.h>

/* An event that a module has defined. */
struct user_event_source;

/**
 * struct user_event_field - a field of an event
 * @type: its type, such as "u32", "char[16]" or "__rel_loc char[]"
 * @name: its name
 * @size: bytes of a "struct NAME"; 0 for all other types
 */
struct user_event_field {
	const char *type;
	const char *name;
	unsigned int size;
};

/**
 * struct user_event_definition - an event to define
 * @name: name of the event
 * @fields: its fields
 * @nr_fields: number of @fields
 * @text: instead of @fields: text of the fields, "TYPE NAME [SIZE]; ...", such as
 *	  that of user_event_cmd_text(); else NULL
 * @mode: rights of processes as in the mode of a line of dynamic_events: 0222
 *	  lets all users register the event and write its records; 0 means 0600.
 *	  Owner and group are root. An administrator who has defined the event with
 *	  other rights has precedence.
 * @key: a static key of the module, or NULL: it is true while a tracer is
 *	 attached. A key belongs to one definition at a time, and is writable (not
 *	 _RO).
 */
struct user_event_definition {
	const char *name;
	const struct user_event_field *fields;
	unsigned int nr_fields;
	const char *text;
	umode_t mode;
	struct static_key_false *key;
};

/**
 * struct user_event_cmd - the text of fields in progress; members are private
 * @text: memory of the caller
 * @size: its size
 * @length: bytes of the text
 * @error: 0 or a negative errno
 */
struct user_event_cmd {
	char *text;
	size_t size;
	size_t length;
	int error;
};

/**
 * struct user_event_value - the value of a field
 * @number: value of a field that is a number
 * @data: value of any other field
 * @size: bytes of @data
 */
struct user_event_value {
	u64 number;
	const void *data;
	size_t size;
};

/**
 * struct user_event_trace - a record in progress; members are private
 * @source: its event
 * @entry: memory of the CPU
 * @length: bytes of the record
 * @next: number of the next field
 * @error: 0 or a negative errno
 */
struct user_event_trace {
	struct user_event_source *source;
	void *entry;
	size_t length;
	unsigned int next;
	int error;
};

void user_event_cmd_init(struct user_event_cmd *cmd, char *text, size_t size);
void user_event_cmd_add_field(struct user_event_cmd *cmd,
			      const struct user_event_field *field);
const char *user_event_cmd_text(const struct user_event_cmd *cmd);

struct user_event_source *
__user_event_define(struct module *owner,
		    const struct user_event_definition *definition);
void user_event_undefine(struct user_event_source *source);

/**
 * user_event_define - Defines an event of the calling module
 * @definition: the event; its texts are copied
 *
 * As __user_event_define() for THIS_MODULE.
 */
#define user_event_define(definition) \
	__user_event_define(THIS_MODULE, definition)

bool user_event_source_enabled(const struct user_event_source *source);
int user_event_trace_array(struct user_event_source *source,
			   const struct user_event_value *values,
			   unsigned int nr_values);
int user_event_trace_bytes(struct user_event_source *source, const void *bytes,
			   size_t size);

int user_event_trace_start(struct user_event_source *source,
			   struct user_event_trace *trace);
void user_event_trace_seek(struct user_event_trace *trace, const char *name);
void user_event_trace_add(struct user_event_trace *trace,
			  const struct user_event_value *value);
int user_event_trace_end(struct user_event_trace *trace);

#endif /* USER_EVENTS_KERNEL_H */
