// SPDX-License-Identifier: MIT
/*
 * Descriptions of errors and of the state of user_events.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <userevents/userevents.h>

#include "util/common.h"
#include "core/event.h"
#include "core/failures.h"
#include "core/process.h"
#include "core/registration.h"
#include "core/sys.h"

/*
 * Descriptions of errors of both libraries, and how to fix those that make
 * user_events unusable. Both are lower case without a full stop. Each error
 * has one meaning, so the missing of user_events is not that of a file.
 */
static const struct {
	int error;
	const char *meaning;
	const char *advice;
} errors[] = {
	{ 0, "no error", NULL },
	{ ENXIO, "no tracefs is mounted",
	  "mount -t tracefs nodev /sys/kernel/tracing; in a container, mount "
	  "it or user_events_data from the host, or set USER_EVENTS_SOCKET to "
	  "the socket of user-events serve" },
	{ ENOPKG, "the kernel has no user_events",
	  "load the module with modprobe user_events, or boot a kernel with "
	  "CONFIG_USER_EVENTS=y" },
	{ EACCES, "permission denied",
	  "give a group of the program permission: mount tracefs with the "
	  "option gid=, make user_events_data writable for the group, and on "
	  "kernels before 6.4 make user_events_status readable. If other events "
	  "work, the mode of this one in dynamic_events excludes the program" },
	{ EPERM,
	  "CAP_PERFMON or CAP_SYS_ADMIN required, or the kernel is locked "
	  "down, or the file has a prefix",
	  "run the program with CAP_PERFMON or without UEV_PERSIST; the "
	  "lockdown mode confidentiality disables tracing; user-events serve "
	  "can permit only names with a prefix" },
	{ EROFS, "user_events_data is on a read-only file system",
	  "mount tracefs for writing; the option ProtectKernelTunables= of a "
	  "service makes it read-only" },
	{ ENOSPC, "no space left",
	  "delete unused events; /sys/kernel/tracing/user_events_status lists "
	  "them" },
	{ EMFILE, "too many open files or events",
	  "raise the limit of open files (ulimit -n) or of events "
	  "(/proc/sys/kernel/user_events_max), or delete unused events" },
	{ ENFILE, "too many open files in the system",
	  "raise /proc/sys/fs/file-max" },
	{ EADDRINUSE, "event exists with other fields",
	  "rename the event, or stop the programs of the existing one and "
	  "delete it; /sys/kernel/tracing/dynamic_events lists it. The module "
	  "and Linux 6.9 can have both" },
	{ ENOMEM, "out of memory", "free memory" },
	{ ENODEV, "no trace event IDs left in the kernel",
	  "delete unused events" },
	{ ENOTTY,
	  "not user_events_data, or a 32-bit program on a 64-bit kernel",
	  "pass user_events_data to the library, and use a 64-bit program on a "
	  "64-bit kernel" },
	{ ENOSYS, "no system call for it",
	  "run the program without an emulator such as qemu-user, or permit "
	  "ioctl in its filter of system calls" },
	{ ENOENT, "not found", NULL },
	{ ENOTSUP, "not supported", NULL },
	{ EBADMSG, "malformed data", NULL },
	{ EINVAL, "invalid description or parameter", NULL },
	{ E2BIG, "too large", NULL },
	{ EBADF, "file closed by the program",
	  "close only file descriptors that the program has opened" },
	{ EFAULT, "record not readable, or unterminated string", NULL },
	{ EALREADY, "event already registered", NULL },
	{ ENOTCONN, "event not registered", NULL },
	{ EBUSY, "in use", NULL },
	{ ESRCH, "event registered by another thread", NULL },
	{ EPROTONOSUPPORT, "not supported by the kernel's user_events", NULL },
	{ ENAMETOOLONG, "path too long", NULL },
	{ EAGAIN, "resource temporarily unavailable", NULL },
	{ ERANGE, "value does not fit the field", NULL },
	{ ECONNREFUSED, "no broker passes user_events_data",
	  "start user-events serve, or unset USER_EVENTS_SOCKET" },
	{ ETIMEDOUT, "the broker did not answer in time",
	  "see the log of user-events serve" },
	{ ESHUTDOWN, "user_events is about to be replaced",
	  "wait for \"user-events reload\", or run chmod -t "
	  "/sys/kernel/tracing/user_events_data" },
};

static const char *const abi_texts[] = {
	[UEV_ABI_NONE] = "nothing",
	[UEV_ABI_ENABLER] = "the interface of Linux 6.4 and later",
	[UEV_ABI_STATUS] = "the status page of Linux 6.1 to 6.3",
};

/* Returns the row of an error, or ARRAY_SIZE(errors) if it is unknown. */
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

	return row < ARRAY_SIZE(errors) ? errors[row].meaning : "unknown error";
}

/*
 * A text in a buffer of @size bytes. @length includes text that does not fit.
 */
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

	append(text, ": %s (error %d)\n", uev_strerror(err), -err);
	if (row < ARRAY_SIZE(errors) && errors[row].advice)
		append(text, "  %s\n", errors[row].advice);
}

size_t uev_diagnose(char *buffer, size_t size)
{
	struct text text = { buffer, size, 0 };
	const struct uev_kernel *kernel;
	struct uev_stats stats;
	const char *shared;
	uint32_t pending;
	int err;

	uev_lock();
	err = uev_events_register_pending();
	kernel = uev_process_kernel();
	pending = uev_events_pending();
	append(&text, "%s: ", kernel->path[0] ? kernel->path : "user_events");
	if (kernel->abi != UEV_ABI_NONE &&
	    uev_process_state() != UEV_KERNEL_CLOSED) {
		append(&text, "usable through %s\n", abi_texts[kernel->abi]);
	} else {
		append(&text, kernel->abi == UEV_ABI_NONE
				      ? "cannot be used"
				      : "closed by the program, and cannot be "
					"opened again");
		append_advice(&text, err);
	}
	append(&text, "events of this program: %u registered, %u pending",
	       uev_events_registered(), pending);
	if (pending && kernel->abi != UEV_ABI_NONE) {
		append(&text, "\nfirst pending event, %s",
		       uev_events_first_pending(&err));
		append_advice(&text, err);
		/* The text ends without a newline. */
		text.length--;
		if (text.length < text.size)
			text.buffer[text.length] = '\0';
	}
	if (!uev_kernel_header())
		append(&text,
		       "\ntexts are recorded as __rel_loc, which bpftrace, event "
		       "probes and old tools cannot read, because %s",
		       uev_sys_is_rt()
			       ? "entries of PREEMPT_RT kernels differ"
			       : "the module is older than the library");
	shared = uev_events_first_shared();
	if (shared)
		append(&text,
		       "\nrecorded in user_events_multi, because an event of "
		       "that name has other fields: %s",
		       shared);
	uev_registrations_sum_counts(&stats);
	uev_unlock();
	uev_failures_report();
	if (stats.lost)
		append(&text,
		       "\nrecords that no tracer took, because its buffer has no "
		       "room or is off, or they are too large: %llu",
		       (unsigned long long)stats.lost);

	return text.length;
}
