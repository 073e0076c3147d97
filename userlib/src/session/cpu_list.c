// SPDX-License-Identifier: MIT
#include "session/cpu_list.h"

#include <errno.h>
#include <stdlib.h>

#include "util/text_file.h"

#define ONLINE "/sys/devices/system/cpu/online"

/* Maximum of Linux configurations. */
#define CPUS_MAX 65536

#define FIRST_ROOM 64

void uev_cpu_list_free(struct uev_cpu_list *list)
{
	free(list->cpus);
	*list = (struct uev_cpu_list){ 0 };
}

static int add(struct uev_cpu_list *list, unsigned int cpu)
{
	size_t room = list->room ? list->room * 2 : FIRST_ROOM;
	unsigned int *cpus;

	if (list->count && list->cpus[list->count - 1] >= cpu)
		return -EBADMSG;
	if (list->count == list->room) {
		cpus = realloc(list->cpus, room * sizeof(*cpus));
		if (!cpus)
			return -ENOMEM;
		list->cpus = cpus;
		list->room = room;
	}
	list->cpus[list->count++] = cpu;

	return 0;
}

/* Return: whether there was a number */
static bool read_number(const char **text, unsigned long *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;

	return *number < CPUS_MAX;
}

static int read_range(struct uev_cpu_list *list, const char **text)
{
	unsigned long first;
	unsigned long last;
	int ret = 0;

	if (!read_number(text, &first))
		return -EBADMSG;
	last = first;
	if (**text == '-') {
		(*text)++;
		if (!read_number(text, &last) || last < first)
			return -EBADMSG;
	}
	for (; first <= last && !ret; first++)
		ret = add(list, (unsigned int)first);

	return ret;
}

static int read_ranges(struct uev_cpu_list *list, const char *text)
{
	int ret;

	if (!*text || *text == '\n')
		return 0;

	for (;; text++) {
		ret = read_range(list, &text);
		if (ret)
			return ret;
		if (*text != ',')
			break;
	}
	if (*text == '\n')
		text++;

	return *text ? -EBADMSG : 0;
}

int uev_cpu_list_parse(struct uev_cpu_list *list, const char *text)
{
	int ret = read_ranges(list, text);

	if (ret)
		uev_cpu_list_free(list);

	return ret;
}

int uev_cpu_list_online(struct uev_cpu_list *list)
{
	char *text;
	int ret;

	ret = uev_text_file_read(ONLINE, &text, NULL);
	if (ret)
		return ret;
	ret = uev_cpu_list_parse(list, text);
	free(text);

	return ret;
}

bool uev_cpu_list_has(const struct uev_cpu_list *list, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->cpus[i] == cpu)
			return true;

	return false;
}
