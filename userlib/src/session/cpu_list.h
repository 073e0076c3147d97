/* SPDX-License-Identifier: MIT */
/* Lists of processors in the format of sysfs: "0-3,8,10-11". */
#ifndef USEREVENTS_SESSION_CPU_LIST_H
#define USEREVENTS_SESSION_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Sorted and unique. Zeros are an empty list. */
struct uev_cpu_list {
	unsigned int *cpus;
	size_t count;
	size_t room;
};

void uev_cpu_list_free(struct uev_cpu_list *list);

/*
 * Parses a text; @list is empty before.
 *
 * Return: 0; -EBADMSG for invalid text; -ENOMEM; on error @list is empty
 */
int uev_cpu_list_parse(struct uev_cpu_list *list, const char *text);

/* The processors that are online. Return: 0 or a negative errno */
int uev_cpu_list_online(struct uev_cpu_list *list);

bool uev_cpu_list_has(const struct uev_cpu_list *list, unsigned int cpu);

#endif
