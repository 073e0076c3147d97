/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_IOCTL_H
#define USER_EVENTS_IOCTL_H

struct file;

long data_file_ioctl(struct file *file, unsigned int command,
		     unsigned long argument);

/* For 32-bit programs. */
#ifdef CONFIG_COMPAT
long data_file_compat_ioctl(struct file *file, unsigned int command,
			    unsigned long argument);
#else
#define data_file_compat_ioctl NULL
#endif

#endif /* USER_EVENTS_IOCTL_H */
