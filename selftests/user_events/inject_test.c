// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault injection. For each operation, the first allocation or copy fails, then
 * the second, and so on, until the operation succeeds without a fault. A failed
 * operation must leave nothing half done and leak nothing, and the same call
 * must succeed afterwards.
 *
 * The kernel counts (fail-nth in /proc), for one task, all allocations of slabs
 * and pages and all copies from and to user space, its own and those of the
 * module. Percpu allocations are not included.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../lib/module.h"
#include "../lib/user_events.h"
#include "inject/faults.h"
#include "inject/objects.h"

/*
 * These messages explain the kernel's warnings about failed allocations to
 * readers of the log. None of the warnings is about the module.
 */
static void log_message(const char *what)
{
	write_file(what, "/dev/kmsg");
}

static void before_test(void)
{
	log_message("selftest: fault injection enabled");
	user_events_hooks.before();
}

/* Loads the module for the next test. */
static unsigned int after_test(void)
{
	unsigned int left;

	if (!is_loaded()) {
		helper = open(module_path(), O_RDONLY | O_CLOEXEC);
		if (call_load())
			harness_note("cannot load the module again: %s",
				     harness_errno(errno));
		close(helper);
	}
	left = user_events_hooks.after();
	log_message("selftest: fault injection disabled");

	return left;
}

static const char *skip_reason(void)
{
	static const char *const needed[] = {
		"/proc/self/fail-nth",
		DEBUGFS "failslab/probability",
		DEBUGFS "fail_page_alloc/probability",
		DEBUGFS "fail_usercopy/probability",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (access(needed[i], W_OK))
			return text("no fault injection: %s is not writable",
				    needed[i]);

	return user_events_hooks.skip_reason();
}

/*
 * Functions in which kernels warn about failed allocations of their own: fields
 * of an event, deletion of such an event (Linux 6.12), and the kernel's address
 * space (Linux 6.1).
 */
static const char *const allowed_warnings[] = {
	"event_define_fields+",
	"event_file_put+",
	"alloc_vmap_area+",
	NULL,
};

int main(int argc, char **argv)
{
	const struct harness_hooks hooks = {
		.skip_reason = skip_reason,
		.before = before_test,
		.after = after_test,
		.allowed_warnings = allowed_warnings,
	};
	int status;

	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (totals == MAP_FAILED)
		return HARNESS_FAIL;

	has_kmemleak = is_kmemleak_enabled();
	status = harness_main(argc, argv, &hooks);
	if (totals->operations)
		harness_note("%u faults in %u operations", totals->faults,
			     totals->operations);

	return status;
}
