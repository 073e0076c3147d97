/* SPDX-License-Identifier: MIT */
/* user-events: memory, and arrays and texts in it. */
#ifndef USER_EVENTS_MEMORY_H
#define USER_EVENTS_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <userevents/decode.h>

/*
 * Allocations, which never fail: without memory the program prints an error and
 * exits with status 1 after running its atexit() functions.
 */
void *tool_alloc(size_t size); /* initialized to zeros */
void *tool_grow(void *memory, size_t size);
/*
 * tool_room() - Makes room for one more element at the end of an array
 * @count: number of its elements; an empty array is NULL
 * @size: bytes of an element
 *
 * Doubles the array when @count is a power of two, so that appending takes
 * constant time on average.
 */
void *tool_room(void *array, size_t count, size_t size);
/* Appends an element, which is not initialized. Return: a pointer to it */
#define tool_add(array, count)                                     \
	({                                                         \
		(array) = tool_room((array), (count),              \
				    sizeof(__typeof__(*(array)))); \
		&(array)[(count)++];                               \
	})
char *tool_copy(const char *text);

/* As asprintf() and vasprintf(), for free(). */
__attribute__((__format__(__printf__, 1, 2))) char *
tool_print(const char *format, ...);
__attribute__((__format__(__printf__, 1, 0))) char *
tool_vprint(const char *format, va_list arguments);

/*
 * tool_sort(), tool_find() - qsort(3) and bsearch(3) of an array, which is NULL if
 * it is empty
 */
#define tool_sort(array, count, compare)                                \
	tool_sort_sized((array), (count), sizeof(__typeof__(*(array))), \
			(compare))
#define tool_find(key, array, count, compare)                                  \
	tool_find_sized((key), (array), (count), sizeof(__typeof__(*(array))), \
			(compare))
void tool_sort_sized(void *array, size_t count, size_t size,
		     int (*compare)(const void *one, const void *other));
void *tool_find_sized(const void *key, const void *array, size_t count,
		      size_t size,
		      int (*compare)(const void *key, const void *element));
/* Compares elements that are pointers to texts. */
int tool_compare_texts(const void *one, const void *other);
/* Sorts texts, and frees all but one that are equal. Return: the number left */
size_t tool_sort_unique(char **texts, size_t count);

/*
 * Calls function(&variable) at the end of the scope of a variable, which has a
 * value by then. Such variables are declared first: checkpatch takes them for
 * statements.
 */
#define _cleanup_(function) __attribute__((__cleanup__(function)))

/* Frees the memory that a variable points to at the end of its scope. */
#define _cleanup_free_ _cleanup_(memory_free_at)
void memory_free_at(void *variable);

/* Returns such a variable, whose memory has another owner from now on. */
#define memory_pass(variable)                              \
	({                                                 \
		__typeof__(variable) passed_ = (variable); \
		(variable) = NULL;                         \
		passed_;                                   \
	})

/* Exits if @ret, of a function that allocates, is -ENOMEM. */
void tool_need(int ret);

/* Appends bytes for which an output has no room. */
void tool_append_more(struct uev_output *to, const void *bytes, size_t size);

/* Append bytes, and a text, to an output. Each record takes many calls. */
static inline void tool_append(struct uev_output *to, const void *bytes,
			       size_t size)
{
	if (!size || size >= to->room || to->size >= to->room - size) {
		tool_append_more(to, bytes, size);
		return;
	}
	memcpy(to->text + to->size, bytes, size);
	to->size += size;
	to->text[to->size] = '\0';
}

static inline void tool_put(struct uev_output *to, const char *text)
{
	tool_append(to, text, strlen(text));
}

/* Appends a text as a string of JSON; one that is not UTF-8 is converted. */
void tool_put_quoted(struct uev_output *to, const char *text, size_t size);

/* Tests whether a text of @size bytes is a word. */
static inline bool tool_is(const char *text, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(text, word, size) == 0;
}

/* Tests whether a text starts with a prefix. */
static inline bool tool_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Moves @at after a prefix. Return: whether it was there */
static inline bool tool_skip(const char **at, const char *prefix)
{
	if (!tool_starts(*at, prefix))
		return false;
	*at += strlen(prefix);

	return true;
}

/* Returns a text of UTF-8 as a value that points to it. */
static inline struct uev_decoded_value tool_text(const char *text, size_t size)
{
	return (struct uev_decoded_value){
		.type = UEV_DECODED_TEXT,
		.charset = UEV_CHARSET_UTF8,
		.bytes = (const uint8_t *)text,
		.size = size,
	};
}

/* Returns the ID of an activity likewise; @bytes: UEV_ACTIVITY_SIZE of them */
static inline struct uev_decoded_value tool_uuid(const uint8_t *bytes)
{
	return (struct uev_decoded_value){
		.type = UEV_DECODED_UUID,
		.bytes = bytes,
		.size = UEV_ACTIVITY_SIZE,
	};
}

#endif
