// SPDX-License-Identifier: MIT
/*
 * Sentences for persons.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <userevents/userevents.h>

#include "util/common.h"
#include "core/event.h"
#include "core/process.h"

/*
 * What an error means, and what a person does about it if user_events cannot be
 * used because of it.
 */
static const struct {
	int error;
	const char *meaning;
	const char *advice;
} errors[] = {
	{ 0, "no error", NULL },
	{ ENOTSUP, "no tracefs is mounted",
	  "Mount it: mount -t tracefs nodev /sys/kernel/tracing. In a container, "
	  "have it mounted from outside." },
	{ ENOENT, "the kernel has no user_events",
	  "Load the module with: modprobe user_events. A kernel that is built "
	  "with CONFIG_USER_EVENTS=y needs none." },
	{ EACCES, "user_events may not be used by this user",
	  "Who may write to user_events_data and search the directories above "
	  "it may use user_events: mount tracefs with the option gid= for a "
	  "group of the program's, and give that group the right to write to "
	  "the file, and to read user_events_status if the kernel is older "
	  "than 6.4." },
	{ EPERM, "it needs CAP_PERFMON or CAP_SYS_ADMIN, or is locked down",
	  "Run the program with CAP_PERFMON, or without UEV_PERSIST. If the "
	  "kernel is locked down for confidentiality, there is no tracing." },
	{ ENOSPC, "no space is left",
	  "Delete events that nobody needs; /sys/kernel/tracing/"
	  "user_events_status lists them." },
	{ EMFILE, "there are too many files open, or too many events",
	  "Raise the limit of open files (ulimit -n), or, if there are too "
	  "many events, /proc/sys/kernel/user_events_max, or delete some." },
	{ ENFILE, "the system has too many files open",
	  "Raise /proc/sys/fs/file-max." },
	{ EADDRINUSE, "an event of that name has other fields",
	  "Give the event another name, or delete the one that is there: "
	  "/sys/kernel/tracing/dynamic_events lists it." },
	{ ENOMEM, "there is no memory", "Have the program use less of it." },
	{ ENODEV, "the kernel has no numbers for trace events left",
	  "Delete events that nobody needs." },
	{ ENOTTY,
	  "the file is not user_events_data, or the program has 32 "
	  "bits and the kernel 64",
	  "Give the library user_events_data; on a kernel of 64 bits use a "
	  "program of 64 bits." },
	{ EINVAL, "the description of the event or a parameter is not valid",
	  NULL },
	{ E2BIG, "it is larger than any reader can take", NULL },
	{ EBADF, "the program has closed user_events_data",
	  "Have it spare files that it has not opened when it closes files." },
	{ EFAULT, "the record cannot be read, or a string in it has no end",
	  NULL },
	{ EALREADY, "the event is registered already", NULL },
	{ ENOTCONN, "the event is not registered", NULL },
	{ EBUSY, "user_events is open, or an event is registered", NULL },
	{ ESRCH, "another thread has registered the event", NULL },
	{ EPROTONOSUPPORT, "the kernel's interface is too old for it", NULL },
	{ ENAMETOOLONG, "the path is too long", NULL },
	{ EAGAIN, "there can be no more threads", NULL },
	{ ERANGE, "the value does not fit the field", NULL },
};

static const char *const abi_texts[] = {
	[UEV_ABI_NONE] = "nothing",
	[UEV_ABI_ENABLER] = "the interface of Linux 6.4 and later",
	[UEV_ABI_STATUS] = "the status page of Linux 6.1 to 6.3",
};

/* The row of an error, or one behind the last. */
static size_t find_row(int error)
{
	size_t i;

	if (error < 0 && error > -4096)
		error = -error;
	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i].error == error)
			break;

	return i;
}

const char *uev_strerror(int error)
{
	size_t row = find_row(error);

	return row < ARRAY_SIZE(errors)
		       ? errors[row].meaning
		       : "an error that libuserevents has no words for";
}

/* A text that grows in a buffer that may be too small. */
struct text {
	char *buffer;
	size_t size;
	size_t length;
};

static void append(struct text *text, const char *format, ...) UEV_PRINTF(2, 3);

static void append(struct text *text, const char *format, ...)
{
	bool has_room = text->length < text->size;
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(has_room ? text->buffer + text->length : NULL,
			   has_room ? text->size - text->length : 0, format,
			   values);
	va_end(values);
	if (length > 0)
		text->length += (size_t)length;
}

static void append_advice(struct text *text, int err)
{
	size_t row = find_row(err);

	append(text, ": %s (error %d).", uev_strerror(err), -err);
	if (row < ARRAY_SIZE(errors) && errors[row].advice)
		append(text, " %s", errors[row].advice);
}

size_t uev_diagnose(char *buffer, size_t size)
{
	struct text text = { buffer, size, 0 };
	const struct uev_kernel *kernel;
	uint32_t pending;
	int err;

	uev_lock();
	err = uev_events_register_pending();
	kernel = uev_process_kernel();
	pending = uev_events_pending();
	if (kernel->abi == UEV_ABI_NONE) {
		append(&text, "user_events cannot be used");
		if (kernel->path[0])
			append(&text, " through %s", kernel->path);
		append_advice(&text, err);
	} else {
		append(&text, "user_events is used through %s, with %s.",
		       kernel->path[0] ? kernel->path
				       : "a file of the program's",
		       abi_texts[kernel->abi]);
	}
	append(&text, " Events of this program: %u registered, %u pending.",
	       uev_events_registered(), pending);
	if (pending && kernel->abi != UEV_ABI_NONE) {
		append(&text, " The first that is pending");
		append_advice(&text, err);
	}
	uev_unlock();

	return text.length;
}
