// SPDX-License-Identifier: GPL-2.0-only
/* Prints what the kernel reports about events. */
#include <ctype.h>
#include <dirent.h>

#include "differential.h"

/* Prints the format without the common fields and the event's ID. */
static void show_format(int subject, const char *dir, const char *name)
{
	char *format = tfs_read("events/%s/%s/format", dir, name);
	char *fields, *print;

	if (!format) {
		line_of_subject(subject, "format", harness_errno(errno));
		return;
	}
	fields = strstr(format, "\n\n");
	fields = fields ? fields + 2 : format;
	print = strstr(fields, "\nprint fmt: ");
	if (print)
		*print++ = '\0';
	line_of_subject(subject, "format", fields);
	line_of_subject(subject, "print", print ?: "");
	free(format);
}

static bool has_base_name(const char *name, const char *entry)
{
	size_t length = strlen(name);

	return !strncmp(name, entry, length) && entry[length] == '.';
}

/*
 * The numbers of multi-format events keep growing, so only their order is used.
 */
static void show_multi(int subject)
{
	const char *name = subjects[subject].name;
	unsigned long numbers[16], swap;
	unsigned int count = 0, i, j;
	struct dirent *entry;
	DIR *dir;

	dir = opendir(text("%s/events/" USER_EVENTS_MULTI_SYSTEM, tracefs()));
	while (dir && (entry = readdir(dir)))
		if (has_base_name(name, entry->d_name) &&
		    count < ARRAY_SIZE(numbers))
			numbers[count++] = strtoul(
				entry->d_name + strlen(name) + 1, NULL, 16);
	if (dir)
		closedir(dir);
	for (i = 0; i < count; i++)
		for (j = i + 1; j < count; j++)
			if (numbers[j] < numbers[i]) {
				swap = numbers[i];
				numbers[i] = numbers[j];
				numbers[j] = swap;
			}
	for (i = 0; i < count; i++)
		show_format(subject, USER_EVENTS_MULTI_SYSTEM,
			    text("%s.%lx", name, numbers[i]));
}

static void show_lines(int subject, const char *what, const char *list,
		       const char *name)
{
	size_t length = strlen(name), size;
	char *out;
	FILE *stream = open_memstream(&out, &size);

	while (list && *list) {
		const char *end = strchrnul(list, '\n');
		const char *at = list;

		/* The leading number might belong to another test. */
		if (!strcmp(what, "status") && isdigit(*at))
			at += strspn(at, "0123456789") + 1;
		if (at < end && !strncmp(at, name, length) &&
		    strchr(" \n", at[length]))
			fprintf(stream, "%.*s\n", (int)(end - at), at);
		list = *end ? end + 1 : end;
	}
	fclose(stream);
	line_of_subject(subject, what, out);
	free(out);
}

void do_show(unsigned int subject)
{
	const char *name = subjects[subject].name;
	char *list = tfs_read("dynamic_events"),
	     *status = tfs_read("user_events_status");

	start_operation(subject, "show");
	if (name_is_path_safe(name))
		show_format(subject, USER_EVENTS_SYSTEM, name);
	if (generation == GENERATION_ENABLER)
		show_multi(subject);
	show_lines(subject, "listed", list,
		   text(USER_EVENTS_PREFIX "%s", name));
	show_lines(subject, "status", status, name);
	free(list);
	free(status);
}

/* Removes the numbers from multi-format names, since they keep growing. */
static void hide_numbers(char *list, const char *name)
{
	size_t length = strlen(name), digits;
	char *at = length ? strstr(list, name) : NULL;

	for (; at; at = strstr(at, name)) {
		at += length;
		if (*at != '.')
			continue;
		digits = strspn(++at, "0123456789abcdef");
		memmove(at, at + digits, strlen(at + digits) + 1);
	}
}

/* The name in a line of user_events_status, with or without a number before. */
static const char *name_in(const char *line)
{
	const char *end = line + strspn(line, "0123456789");

	return *end == ':' ? end + 1 : line;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(name_in(*(char *const *)a), name_in(*(char *const *)b));
}

/*
 * Sorts the events of user_events_status: the in-kernel user_events lists them
 * by the hash of their name, the module by their number.
 */
static void sort_events(char *list)
{
	char *lines[1024] = { 0 }, *copy = strdup(list), *at = copy, *to = list;
	size_t count = 0, i;

	while (count < ARRAY_SIZE(lines) && *at && *at != '\n') {
		lines[count++] = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
	}
	qsort(lines, count, sizeof(*lines), compare_names);
	for (i = 0; i < count; i++)
		to += sprintf(to, "%s\n", lines[i]);
	*to = *at;
	free(copy);
}

void do_show_all(void)
{
	char *list = tfs_read("dynamic_events"),
	     *status = tfs_read("user_events_status");

	unsigned int i;

	start_operation(-1, "show all");
	for (i = 0; generation == GENERATION_ENABLER && tried_name(i); i++)
		hide_numbers(status, tried_name(i));
	if (status)
		sort_events(status);
	result("all listed", list);
	result("all status", status);
	free(list);
	free(status);
}
