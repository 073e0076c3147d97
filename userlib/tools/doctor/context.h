/* SPDX-License-Identifier: MIT */
/* user-events: the machine and the caller that doctor examines. */
#ifndef USER_EVENTS_DOCTOR_CONTEXT_H
#define USER_EVENTS_DOCTOR_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tool.h"

struct mntent;

/*
 * struct doctor_context - The machine and the caller to examine
 * @root: prefix of every path, "" for this machine
 * @release: release of the running kernel, or of the next one
 * @is_next: of a kernel that is not running
 * @program: path of the program user-events
 * @uid: effective user ID of the caller
 * @groups: all groups of the caller
 * @capabilities: bitmap of effective capabilities
 */
struct doctor_context {
	const char *root;
	const char *release;
	bool is_next;
	const char *program;
	unsigned int uid;
	const gid_t *groups;
	size_t group_count;
	uint64_t capabilities;
};

/* context_read() - Describes this machine and the caller */
void context_read(struct doctor_context *context);

/* Describes an installed kernel instead, as one that is not running. */
void context_set_next(struct doctor_context *context, const char *release);

void context_release(struct doctor_context *context);

/* Returns a path, as for printf(), with the prefix; for free(). */
#define context_path(context, format, ...) \
	tool_print("%s" format, (context)->root, ##__VA_ARGS__)

bool context_has(const struct doctor_context *context, const char *path);

/*
 * Returns the first line or all text of a file, for free(); NULL without one.
 */
char *context_line(const struct doctor_context *context, const char *path);
char *context_text(const struct doctor_context *context, const char *path);

/* Opens the table of mounts, for getmntent() and endmntent(); NULL without it. */
FILE *context_mounts(const struct doctor_context *context);

/* Tests whether a mount has the option "ro". */
bool context_is_read_only(const struct mntent *entry);

/* Tests whether the first line of a file equals a text. */
bool context_line_is(const struct doctor_context *context, const char *path,
		     const char *text);

/* Tests whether the first line that starts with @line is @line; @text or NULL */
bool context_has_line(const char *text, const char *line);

#endif
