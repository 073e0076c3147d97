// SPDX-License-Identifier: GPL-2.0-only
/* Events of perf. */
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

static unsigned int id;

static void setup_perf(void)
{
	setup_enable();
	id = event_id(event);
}

static int call_perf_open(void)
{
	return result_fd = perf_open(id, 0, -1, 0);
}

static void check_perf_open(void)
{
	wait_value(words, 1);
	EXPECT_CONTAINS(status_line(event), "Used by perf");
}

static void undo_perf_open(void)
{
	close(result_fd);
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(perf_open_survives_faults)
{
	SWEEP(.setup = setup_perf, .call = call_perf_open,
	      .check = check_perf_open, .undo = undo_perf_open);
}

static void arrange_perf(void)
{
	ASSERT_OK(call_perf_open());
}

static int call_perf_mmap(void)
{
	mapping = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       result_fd, 0);

	return mapping == MAP_FAILED ? -1 : 0;
}

static void undo_perf_mmap(void)
{
	ASSERT_OK(munmap(mapping, 3 * PAGE));
	undo_perf_open();
}

TEST(perf_mmap_survives_faults)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_mmap, .check = check_perf_open,
	      .undo = undo_perf_mmap);
}

static int call_perf_close(void)
{
	return close(result_fd);
}

TEST(perf_close_survives_faults)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_close, .check = check_disabled, .once = true);
}
