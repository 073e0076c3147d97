// SPDX-License-Identifier: GPL-2.0-only
/* Events of another module. */
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

static void load_sample(void)
{
	if (access(sample_path(), R_OK))
		SKIP(SAMPLE ".ko is not beside USER_EVENTS_KO");
	name_event();
	ASSERT_OK(module_load_file(sample_path(), text("name=%s", event)));
	ASSERT_OK(sample_emit("undefine"));
}

static int call_define(void)
{
	return sample_emit("define");
}

static void check_defined(void)
{
	EXPECT_TRUE(status_line(event));
	EXPECT_TRUE(tfs_exists("events/user_events/%s/format", event));
	enable(event, true);
	EXPECT_OK(sample_emit("array"));
	EXPECT_EQ(trace_count(NULL, text(" %s: number=", event)), 1);
	trace_clear();
	enable(event, false);
}

static void undefine(void)
{
	sample_emit("undefine");
}

TEST(define_in_module_survives_faults)
{
	SWEEP(.setup = load_sample, .call = call_define, .check = check_defined,
	      .undo = undefine);
	EXPECT_OK(sample_unload());
}
