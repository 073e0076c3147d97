/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail, threads that cannot be made, and functions that
 * allocate for the C library. The linker has programs call these instead of the
 * functions of the C library (--wrap).
 */
#ifndef FAKE_ALLOC_H
#define FAKE_ALLOC_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * fake_alloc_fail() - Makes one allocation fail, after @after successful ones
 */
void fake_alloc_fail(unsigned int after);

/*
 * fake_alloc_end() - all succeed again
 *
 * Return: whether one has failed since fake_alloc_fail().
 */
bool fake_alloc_end(void);

/*
 * fake_alloc_kept_errno() - whether errno did not change between these calls.
 * An allocation that fails changes it.
 */
bool fake_alloc_kept_errno(void);

/* Returns the number of allocated bytes. */
size_t fake_alloc_bytes(void);

/* Of the sanitizers, which replace malloc() */
size_t __sanitizer_get_current_allocated_bytes(void);

/* Functions that the linker substitutes. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument);

int __real_setenv(const char *name, const char *value, int overwrite);
FILE *__real_freopen64(const char *path, const char *mode, FILE *stream);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument);
int __wrap_setenv(const char *name, const char *value, int overwrite);
FILE *__wrap_freopen64(const char *path, const char *mode, FILE *stream);

#endif
