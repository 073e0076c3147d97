// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on the memory that contains enable bits and records: it is
 * unmapped, moved, protected, discarded and truncated.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/harness.h"
#include "execute.h"
#include "operations.h"

static const int protections[] = {
	PROT_READ | PROT_WRITE,
	PROT_READ,
	PROT_NONE,
	PROT_READ | PROT_WRITE | PROT_EXEC,
	PROT_WRITE,
};

/* Operations change only the areas, whatever address a program contains. */
static void *page_at(uint64_t address)
{
	uint64_t offset = (address - AREAS) % (AREA_COUNT * AREA_SIZE);

	return (void *)(uintptr_t)(AREAS + (offset & -PAGE_4K));
}

static size_t length_of(uint64_t pages, uint64_t address)
{
	uintptr_t start = (uintptr_t)page_at(address);
	uintptr_t end = AREAS + AREA_COUNT * AREA_SIZE;
	size_t length = (pages % (2 * AREA_SIZE / PAGE_4K + 1)) * PAGE_4K;

	return length < end - start ? length : end - start;
}

/* Arguments: address, pages, protection, flags. */
void do_memory(const struct operation *operation)
{
	static const int flags[] = {
		MAP_PRIVATE | MAP_ANONYMOUS,
		MAP_SHARED | MAP_ANONYMOUS,
		MAP_SHARED,
		MAP_PRIVATE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED,
	};
	const uint64_t *arguments = operation->arguments;
	int how = flags[arguments[3] % ARRAY_SIZE(flags)];

	count_call((long)mmap(
		page_at(arguments[0]), length_of(arguments[1], arguments[0]),
		protections[arguments[2] % ARRAY_SIZE(protections)],
		how | MAP_FIXED, how & MAP_ANONYMOUS ? -1 : FD_MEMORY, 0));
}

void do_unmap(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;

	count_call(munmap(page_at(arguments[0]),
			  length_of(arguments[1], arguments[0])));
}

/* Arguments: address, pages, new pages, new address, flags. */
void do_remap(const struct operation *operation)
{
	static const int flags[] = {
		MREMAP_MAYMOVE | MREMAP_FIXED,
		MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
		0,
	};
	const uint64_t *arguments = operation->arguments;

	count_call((long)mremap(page_at(arguments[0]),
				length_of(arguments[1], arguments[0]),
				length_of(arguments[2], arguments[3]),
				flags[arguments[4] % ARRAY_SIZE(flags)],
				page_at(arguments[3])));
}

void do_protect(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;

	count_call(mprotect(
		page_at(arguments[0]), length_of(arguments[1], arguments[0]),
		protections[arguments[2] % ARRAY_SIZE(protections)]));
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

void do_advise(const struct operation *operation)
{
	static const int advice[] = {
		MADV_DONTNEED,	 MADV_FREE,	  MADV_HUGEPAGE,
		MADV_NOHUGEPAGE, MADV_COLLAPSE,	  MADV_MERGEABLE,
		MADV_DONTFORK,	 MADV_WIPEONFORK, MADV_DOFORK,
		MADV_PAGEOUT,	 MADV_COLD,	  MADV_REMOVE,
		MADV_WILLNEED,	 MADV_KEEPONFORK, MADV_POPULATE_WRITE,
	};
	const uint64_t *arguments = operation->arguments;

	count_call(madvise(page_at(arguments[0]),
			   length_of(arguments[1], arguments[0]),
			   advice[arguments[2] % ARRAY_SIZE(advice)]));
}

void do_touch(const struct operation *operation)
{
	volatile uint32_t *at =
		(uint32_t *)((uintptr_t)page_at(operation->arguments[0]) |
			     (operation->arguments[0] & (PAGE_4K - 4)));

	*at += operation->arguments[1];
}

void do_truncate(const struct operation *operation)
{
	uint64_t pages = operation->arguments[0];

	count_call(ftruncate(FD_MEMORY, (off_t)(pages % AREA_PAGES * PAGE_4K)));
}

/* --- userfaultfd ---------------------------------------------------------- */

static bool open_userfaultfd(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	bool opened = fd >= 0 && !ioctl(fd, UFFDIO_API, &api) &&
		      dup2(fd, FD_USERFAULTFD) >= 0;

	if (fd >= 0)
		close(fd);

	return opened;
}

/* A task that touches this memory blocks until the userfaultfd is closed. */
void do_userfault(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	struct uffdio_register range = {
		.range.start = (uintptr_t)page_at(arguments[0]),
		.range.len = length_of(arguments[1], arguments[0]),
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	if (fcntl(FD_USERFAULTFD, F_GETFD) < 0 && !open_userfaultfd())
		return;
	count_call(ioctl(FD_USERFAULTFD, UFFDIO_REGISTER, &range));
}

void do_userfault_close(const struct operation *operation)
{
	(void)operation;
	count_call(close(FD_USERFAULTFD));
}
