// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of other modules: definition and removal.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "common.h"
#include "api/api.h"
#include "event/register.h"
#include "event/source.h"
#include "event/trace_call.h"
#include "event/user_event.h"
#include "include/user_events/kernel.h"
#include "internals/call.h"

/* The registry; set once by ue_api_init(). */
static struct user_event_group *api_group;

/* Rights of an event whose definition has none. */
#define MODE_DEFAULT 0600

/**
 * user_event_cmd_init - Starts the text of fields
 * @cmd: the text
 * @text: memory for it, which must stay until the event is defined; or NULL if it
 *	  could not be allocated
 * @size: bytes of @text
 *
 * Context: Any.
 */
void user_event_cmd_init(struct user_event_cmd *cmd, char *text, size_t size)
{
	*cmd = (struct user_event_cmd){ .text = text, .size = size };
	if (!text)
		cmd->error = -ENOMEM;
	else if (size)
		text[0] = '\0';
	else
		cmd->error = -E2BIG;
}
EXPORT_SYMBOL_GPL(user_event_cmd_init);

/* A ';' would start another field. */
static bool is_valid_field(const struct user_event_field *field)
{
	return field->type && field->name && !strchr(field->type, ';') &&
	       !strpbrk(field->name, "; ");
}

/**
 * user_event_cmd_add_field - Appends a field
 * @cmd: the text
 * @field: the field
 *
 * An error is reported by user_event_cmd_text(), or by the definition.
 *
 * Context: Any.
 */
void user_event_cmd_add_field(struct user_event_cmd *cmd,
			      const struct user_event_field *field)
{
	size_t room = cmd->size - cmd->length;
	char size[16] = "";
	int added;

	if (cmd->error)
		return;

	if (!is_valid_field(field)) {
		cmd->error = -EINVAL;
		return;
	}

	if (field->size)
		snprintf(size, sizeof(size), " %u", field->size);
	added = snprintf(cmd->text + cmd->length, room, "%s%s %s%s",
			 cmd->length ? "; " : "", field->type, field->name,
			 size);
	if (added >= room)
		cmd->error = -E2BIG;
	else
		cmd->length += added;
}
EXPORT_SYMBOL_GPL(user_event_cmd_add_field);

/**
 * user_event_cmd_text - Returns the text of the fields
 * @cmd: the text
 *
 * Context: Any.
 * Return: the text, for &struct user_event_definition.text; or as ERR_PTR
 *	   -EINVAL: a field has no type or no name, or one with separators;
 *	   -E2BIG: the text does not fit into its memory;
 *	   -ENOMEM: it has no memory.
 */
const char *user_event_cmd_text(const struct user_event_cmd *cmd)
{
	return cmd->error ? ERR_PTR(cmd->error) : cmd->text;
}
EXPORT_SYMBOL_GPL(user_event_cmd_text);

/* Spaces, and the separator of each field. */
#define FIELD_ROOM 16

/* Prints the fields of an array. Return: a text for kfree(), or ERR_PTR. */
static char *print_fields(const struct user_event_definition *definition)
{
	const struct user_event_field *field = definition->fields;
	const struct user_event_field *end = field + definition->nr_fields;
	struct user_event_cmd cmd;
	size_t size = 1;

	for (; field < end; field++)
		size += strlen(field->type ?: "") + strlen(field->name ?: "") +
			FIELD_ROOM;
	user_event_cmd_init(&cmd, kmalloc(size, GFP_KERNEL), size);
	for (field = definition->fields; field < end; field++)
		user_event_cmd_add_field(&cmd, field);
	if (!cmd.error)
		return cmd.text;

	kfree(cmd.text);
	return ERR_PTR(cmd.error);
}

/* Return: a command for kfree(), or ERR_PTR. */
static char *print_command(const struct user_event_definition *definition)
{
	umode_t mode = definition->mode ?: MODE_DEFAULT;
	char *fields = NULL, *command;

	/* Rights and fields would follow. */
	if (!definition->name || strpbrk(definition->name, ": "))
		return ERR_PTR(-EINVAL);

	if (IS_ERR(definition->text))
		return ERR_CAST(definition->text);

	if (!definition->text) {
		fields = print_fields(definition);
		if (IS_ERR(fields))
			return fields;
	}

	command = kasprintf(GFP_KERNEL, "%s:uid=0,gid=0,mode=%04o %s",
			    definition->name, mode, fields ?: definition->text);
	kfree(fields);
	return command ?: ERR_PTR(-ENOMEM);
}

/*
 * The event is root's, whichever task calls the module. Its memory is charged to
 * the memory cgroup of that task.
 */
static struct user_event *register_command(char *command)
{
	const struct cred *caller = override_creds(ue_trace_call_cred());
	struct user_event *event;
	bool persist;

	event = user_event_register(api_group, command, REGISTER_MODULE,
				    &persist);
	revert_creds(caller);
	return event;
}

/*
 * Adds a source to its event.
 *
 * Return: 0, or -ENODEV if the notifier might have looked for sources of the owner
 *	   already.
 */
static int add_source(struct user_event_source *source)
{
	event_mutex_assert_held();

	if (source->owner && source->owner->state == MODULE_STATE_GOING)
		return -ENODEV;

	ue_source_add(source);
	return 0;
}

/* Registers the event of @source, with a reference. */
static int register_source(struct user_event_source *source, char *command)
{
	int ret;

	source->event = register_command(command);
	if (IS_ERR(source->event))
		return PTR_ERR(source->event);

	event_mutex_lock();
	ret = add_source(source);
	event_mutex_unlock();

	if (ret)
		user_event_release_unlocked(source->event);
	return ret;
}

static int define(struct user_event_source *source,
		  const struct user_event_definition *definition)
{
	char *command = print_command(definition);
	int ret;

	if (IS_ERR(command))
		return PTR_ERR(command);

	ret = register_source(source, command);
	kfree(command);
	return ret;
}

/**
 * __user_event_define - Defines an event
 * @owner: the module that emits the event and has its key
 * @definition: the event; its texts are copied
 *
 * If an event of that name and with these fields exists, such as one that a
 * process has registered, the module joins it, and sets its rights, unless an
 * administrator has set them. The event exists until the module undefines it or is
 * unloaded, and all processes and tracers have left it.
 *
 * If a tracer uses the event already, the key is true before this function returns.
 * An emitter that runs meanwhile passes NULL as the source.
 *
 * Context: Sleeps; without event_mutex. Not in a notifier of modules, nor in a
 *	    callback of CPU hotplug, nor with its lock (cpus_read_lock()) or that of
 *	    static keys.
 * Return: the source, owned by the caller, who passes it to user_event_undefine();
 *	   or as ERR_PTR
 *	   -EINVAL: the name, a field or the mode is not valid;
 *	   -E2BIG: the text of user_event_cmd_text() did not fit, or no record of a
 *		   module has room for the fixed fields;
 *	   -EADDRINUSE: an event of that name has other fields, or is a dynamic
 *			event of another type;
 *	   -EMFILE: the registry is full;
 *	   -ENODEV: the kernel has no event number left, or @owner is being
 *		    unloaded;
 *	   -ENOMEM.
 */
struct user_event_source *
__user_event_define(struct module *owner,
		    const struct user_event_definition *definition)
{
	struct user_event_source *source;
	int ret;

	ret = ue_api_provide_memory();
	if (ret)
		return ERR_PTR(ret);

	source = kzalloc(sizeof(*source), GFP_KERNEL);
	if (!source)
		return ERR_PTR(-ENOMEM);

	source->owner = owner;
	source->key = definition->key;
	ret = define(source, definition);
	if (!ret)
		return source;

	kfree(source);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL_GPL(__user_event_define);

static void source_free(struct user_event_source *source)
{
	user_event_release_unlocked(source->event);
	kfree(source);
}

/**
 * user_event_undefine - Removes the source of a module
 * @source: the source, or NULL; it is freed
 *
 * The key of the module becomes false. The event is removed as soon as no process
 * and no tracer uses it, and cannot be busy for the module. The events of a module
 * that is unloaded are removed the same way.
 *
 * Rights that the definition has set stay, and so do perf counters that are
 * attached.
 *
 * Context: Sleeps; as __user_event_define(). The module emits no record of @source
 *	    any more: it has stopped its threads, timers and interrupts.
 */
void user_event_undefine(struct user_event_source *source)
{
	if (!source)
		return;

	event_mutex_lock();
	ue_source_remove(source);
	event_mutex_unlock();
	source_free(source);
}
EXPORT_SYMBOL_GPL(user_event_undefine);

/* Removes what a module has not. It has run its exit function. */
static int on_module_state(struct notifier_block *block, unsigned long state,
			   void *module)
{
	struct user_event_source *source;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;

	do {
		event_mutex_lock();
		source = ue_source_take_of(module);
		event_mutex_unlock();
		if (source)
			source_free(source);
	} while (source);

	return NOTIFY_DONE;
}

/* Before the kernel forgets the static keys of the module. */
static struct notifier_block module_notifier = {
	.notifier_call = on_module_state,
	.priority = INT_MAX,
};

/**
 * ue_api_init - Lets other modules define events
 * @group: the registry
 *
 * Return: 0 or a negative errno.
 */
int ue_api_init(struct user_event_group *group)
{
	api_group = group;
	return register_module_notifier(&module_notifier);
}

/**
 * ue_api_exit - Undoes ue_api_init()
 *
 * Context: No other module uses the functions: it would hold a reference.
 */
void ue_api_exit(void)
{
	unregister_module_notifier(&module_notifier);
	ue_api_free_memory();
}
