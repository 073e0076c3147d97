// SPDX-License-Identifier: MIT
#include "fake_alloc.h"

#include <errno.h>
#include <malloc.h>

#include "leaks.h"

/* An errno that no call sets. */
#define PROGRAMS_ERRNO EXDEV

/* Those left until one fails; 0: none will. */
static unsigned int countdown;
static bool has_failed;
static bool has_kept_errno;

static bool fails(void)
{
	unsigned int left = __atomic_load_n(&countdown, __ATOMIC_RELAXED);

	if (!left)
		return false;
	__atomic_store_n(&countdown, left - 1, __ATOMIC_RELAXED);
	has_failed = left == 1;
	if (has_failed)
		errno = ENOMEM;

	return has_failed;
}

void fake_alloc_fail(unsigned int after)
{
	has_failed = false;
	__atomic_store_n(&countdown, after + 1, __ATOMIC_RELAXED);
	errno = PROGRAMS_ERRNO;
}

bool fake_alloc_end(void)
{
	has_kept_errno = errno == PROGRAMS_ERRNO;
	__atomic_store_n(&countdown, 0, __ATOMIC_RELAXED);

	return has_failed;
}

bool fake_alloc_kept_errno(void)
{
	return has_kept_errno;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument)
{
	return fails() ? EAGAIN
		       : __real_pthread_create(thread, attributes, function,
					       argument);
}

/*
 * What the C library keeps would take a search for leaks in each test: variables,
 * and the buffer of an output stream that was opened again.
 */
int __wrap_setenv(const char *name, const char *value, int overwrite)
{
	int result;

	leaks_pause();
	result = __real_setenv(name, value, overwrite);
	leaks_resume();

	return result;
}

FILE *__wrap_freopen64(const char *path, const char *mode, FILE *stream)
{
	static char buffers[2][BUFSIZ];

	stream = __real_freopen64(path, mode, stream);
	if (stream && (stream == stdout || stream == stderr))
		setvbuf(stream, buffers[stream == stderr], _IOFBF, BUFSIZ);

	return stream;
}

size_t fake_alloc_bytes(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return __sanitizer_get_current_allocated_bytes();
#else
	return mallinfo2().uordblks;
#endif
}
