// SPDX-License-Identifier: MIT
#include "session/state.h"

struct perf_event_attr uev_session_attr(const struct uev_session *session)
{
	const struct uev_session_options *options = &session->options;
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
		.disabled = 1,
		.watermark = 1,
		.wakeup_watermark = options->watermark,
		.sample_id_all = 1,
	};

	if (options->flags & UEV_SESSION_ALL_STACKS) {
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr.exclude_callchain_kernel =
			!(options->flags & UEV_SESSION_KERNEL_STACKS);
		attr.exclude_callchain_user =
			!(options->flags & UEV_SESSION_STACKS);
		attr.sample_max_stack = options->stack_max;
	}
	if (options->flags & UEV_SESSION_OVERWRITE)
		attr.write_backward = 1;
	if (options->clockid != UEV_CLOCK_PERF) {
		attr.use_clockid = 1;
		attr.clockid = options->clockid;
	}

	return attr;
}
