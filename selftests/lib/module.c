// SPDX-License-Identifier: GPL-2.0-only
/* The module: its file, and copies that do not find certain symbols. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "module.h"
#include "user_events.h"

const char *module_path(void)
{
	return getenv("USER_EVENTS_KO") ?: "";
}

int module_load_file(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error, done;

	if (fd < 0)
		return -1;
	done = syscall(SYS_finit_module, fd, parameters, 0);
	error = errno;
	close(fd);
	errno = error;

	return done;
}

const char *sample_path(void)
{
	const char *module = module_path();
	const char *end = strrchr(module, '/');

	return text("%.*s/" SAMPLE ".ko", end ? (int)(end - module) : 1,
		    end ? module : ".");
}

int sample_unload(void)
{
	return syscall(SYS_delete_module, SAMPLE, O_NONBLOCK);
}

int sample_emit(const char *way)
{
	return write_file(way, "/sys/module/" SAMPLE "/parameters/emit");
}

int module_unload(void)
{
	return syscall(SYS_delete_module, "user_events", O_NONBLOCK);
}

void module_must_unload(void)
{
	long long start = 0;

	while (module_unload()) {
		if (errno == EAGAIN && harness_deadline(&start, WAIT_TIMEOUT_S))
			continue;
		FAIL("cannot unload the module: %s", harness_errno(errno));
		harness_stop();
	}
}

/* Replaces all occurrences of a name that are complete strings. */
static unsigned int replace(char *bytes, size_t size, const char *name,
			    const char *by)
{
	size_t length = strlen(name), i;
	unsigned int count = 0;

	for (i = 1; i + length < size; i++)
		if (!memcmp(bytes + i, name, length + 1) && !bytes[i - 1]) {
			memcpy(bytes + i, by, length);
			count++;
		}

	return count;
}

/* Returns a private copy of the file of the module, for munmap(). */
static char *map_module(size_t *size)
{
	int fd = open(module_path(), O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *bytes;

	ASSERT_OK(fd);
	ASSERT_OK(fstat(fd, &status));
	*size = status.st_size;
	bytes = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ASSERT_TRUE(bytes != MAP_FAILED);
	close(fd);

	return bytes;
}

bool module_has_name(const char *name)
{
	size_t size;
	char *bytes = map_module(&size);
	bool has = replace(bytes, size, name, name);

	munmap(bytes, size);

	return has;
}

const char *module_alter(const char *const *names)
{
	const char *path = text(PREFIX "%d.ko", getpid());
	size_t size;
	char *bytes = map_module(&size);
	int out;

	for (; *names; names += 2)
		if (!replace(bytes, size, names[0], names[1]))
			FAIL("name %s not found in the module", *names);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT_OK(out);
	EXPECT_EQ(write(out, bytes, size), (ssize_t)size);
	close(out);
	munmap(bytes, size);

	return path;
}

/* All kernels have the last one. */
static const char *const ways_to_leave[][2] = {
	{ "dyn_event_create", "dyn_event_creatX" },
	{ "dyn_event_ops_mutex", "dyn_event_ops_muteX" },
	{ "create_dyn_event", "create_dyn_evenX" },
};

const char *module_alter_ways(const char *way)
{
	const char *names[2 * ARRAY_SIZE(ways_to_leave) + 1];
	size_t i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(ways_to_leave); i++) {
		if (!strcmp(ways_to_leave[i][0], way))
			continue;
		names[nr++] = ways_to_leave[i][0];
		names[nr++] = ways_to_leave[i][1];
	}
	names[nr] = NULL;

	return module_alter(names);
}
