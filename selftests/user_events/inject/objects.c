// SPDX-License-Identifier: GPL-2.0-only
/* The objects of the operations. */
#include <linux/user_events.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

const char *event, *command, *instance;
int file = -1, helper = -1, control = -1;
int result_fd = -1;
unsigned int index_of_event;
struct user_reg_status registered;
volatile uint32_t *words;
char buffer[65536];

void name_event(void)
{
	event = uniq("e");
	command = text("%s u32 a; char[16] b; __data_loc char[] c", event);
}

void *new_words(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(page != MAP_FAILED);
	memset(page, 0, PAGE);

	return page;
}

const char *system_of(const char *name)
{
	return strstr(name, ".") ? USER_EVENTS_MULTI_SYSTEM
				 : USER_EVENTS_SYSTEM;
}

void check_directory(const char *parent, const char *name)
{
	static const char *const files[] = { "enable", "filter", "format", "id",
					     "trigger" };
	const char *system = text("%sevents/%s", parent, system_of(name));
	const char *dir = text("%s/%s", system, name);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (!tfs_exists("%s/%s", dir, files[i]))
			FAIL("%s/%s does not exist", dir, files[i]);
	/* The system has the first two as well. */
	for (i = 0; i < 2; i++)
		if (!tfs_exists("%s/%s", system, files[i]))
			FAIL("%s/%s does not exist", system, files[i]);
	if (has_hist() && !tfs_exists("%s/hist", dir))
		FAIL("%s/hist does not exist", dir);
}

/*
 * Since Linux 6.6 (eventfs), the kernel reports a failure only if it created
 * none of an event's directories. With an instance it creates more than one.
 */
static bool directories_are_expected(void)
{
	return !succeeded_despite_fault || !instance ||
	       !kernel_has("eventfs_create_events_dir");
}

void check_complete(const char *name)
{
	EXPECT_TRUE(status_line(name));
	if (!directories_are_expected())
		return;

	EXPECT_CONTAINS(tfs_read("available_events"),
			text("%s:%s\n", system_of(name), name));
	check_directory("", name);
	if (instance)
		check_directory(text("instances/%s/", instance), name);
	EXPECT_CONTAINS(tfs_read("events/%s/%s/format", system_of(name), name),
			"field:u32 a;");
}

void close_file(void)
{
	close(file);
	file = -1;
}

void open_file(void)
{
	file = data_open();
}
