/* SPDX-License-Identifier: MIT */
/* user-events: a recording in several files, of which the newest are kept. */
#ifndef USER_EVENTS_CAPTURE_ROTATION_H
#define USER_EVENTS_CAPTURE_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool.h"

/*
 * struct capture_rotation - When the next file starts; initialized to zeros,
 * released with capture_rotation_release()
 * @is_on: there are several files
 * @size: bytes of a file, @interval: milliseconds; 0: none
 * @due: end of @interval
 * @files_max: maximum number of files; 0: none. The oldest are removed.
 * @names: the newest @name_count files
 * @file_count: number of completed files
 */
struct capture_rotation {
	bool is_on;
	uint64_t size;
	uint64_t interval;
	uint64_t due;
	uint64_t files_max;
	char **names;
	size_t name_count;
	uint64_t file_count;
};

/*
 * capture_rotation_parse() - Parses when the next file starts
 * @text: a size with the unit K, M or G; a time with ms, s, m, h or d; "signal"
 * Return: whether it is valid
 */
bool capture_rotation_parse(struct capture_rotation *rotation,
			    const char *text);

/* The value of an option, a struct capture_rotation. Without argument: signal */
int capture_take_rotation(void *rotation, const struct tool_argument *argument);

/* capture_rotation_begin() - Starts @interval at @now */
void capture_rotation_begin(struct capture_rotation *rotation, uint64_t now);

/* Tests whether a file of @size bytes is complete. */
bool capture_rotation_is_due(const struct capture_rotation *rotation,
			     uint64_t size, uint64_t now);

/*
 * capture_rotation_name() - Makes a name that no file has
 * Return: the path with the current time, for free()
 */
char *capture_rotation_name(const char *path);

/*
 * capture_rotation_adopt() - Adds the files of earlier recordings
 * @path: the same path as theirs
 */
void capture_rotation_adopt(struct capture_rotation *rotation,
			    const char *path);

/*
 * capture_rotation_add() - Adds a completed file, and removes the oldest one
 * @name: its path; owned by the rotation from then on
 */
void capture_rotation_add(struct capture_rotation *rotation, char *name);

void capture_rotation_release(struct capture_rotation *rotation);

#endif
