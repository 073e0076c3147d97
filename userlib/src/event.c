// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <linux/user_events.h>
#include <userevents/userevents.h>

#include "sys.h"

#define DATA_FILE "/sys/kernel/tracing/user_events_data"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data_fd = -1;

struct registration {
	uint32_t write_index;
};

bool uev_event_asks(const struct uev_event *event)
{
	(void)event;
	return false;
}

static int open_data(void)
{
	int fd;

	if (data_fd >= 0)
		return 0;
	fd = uev_sys_open(DATA_FILE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fd;
	data_fd = fd;

	return 0;
}

int uev_event_register(struct uev_event *event, unsigned int flags)
{
	struct user_reg_enabler reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(event->state),
		.flags = (uint16_t)flags,
		.enable_addr = (uintptr_t)&event->state,
		.name_args = (uintptr_t)event->command,
	};
	struct registration *registration;
	int err;

	pthread_mutex_lock(&lock);
	err = event->registration ? -EALREADY : open_data();
	if (!err)
		err = uev_sys_ioctl(data_fd, DIAG_IOCSREG, &reg);
	if (!err) {
		registration = malloc(sizeof(*registration));
		registration->write_index = reg.write_index;
		__atomic_store_n(&event->registration, registration,
				 __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);

	return err;
}

int uev_event_unregister(struct uev_event *event)
{
	struct user_unreg unreg = {
		.size = sizeof(unreg),
		.disable_addr = (uintptr_t)&event->state,
	};
	int err = -ENOENT;

	pthread_mutex_lock(&lock);
	if (event->registration) {
		err = uev_sys_ioctl(data_fd, DIAG_IOCSUNREG, &unreg);
		event->registration = NULL;
		event->state = 0;
	}
	pthread_mutex_unlock(&lock);

	return err;
}

int uev_event_writev(struct uev_event *event, struct iovec *vector, int count)
{
	struct registration *registration;
	ssize_t result;

	registration = __atomic_load_n(&event->registration, __ATOMIC_ACQUIRE);
	if (!registration)
		return 0;
	if (count < 1)
		return -EINVAL;
	vector[0].iov_base = &registration->write_index;
	vector[0].iov_len = sizeof(registration->write_index);
	do {
		result = uev_sys_writev(data_fd, vector, count);
	} while (result == -EINTR);

	return result >= 0 || result == -EBADF ? 0 : (int)result;
}

int uev_events_register(struct uev_event **begin, struct uev_event **end)
{
	int err, first = 0;

	for (; begin < end; begin++) {
		if (!*begin)
			continue;
		err = uev_event_register(*begin, 0);
		if (err && err != -EALREADY && !first)
			first = err;
	}

	return first;
}

void uev_events_unregister(struct uev_event **begin, struct uev_event **end)
{
	for (; begin < end; begin++)
		if (*begin)
			(void)uev_event_unregister(*begin);
}
