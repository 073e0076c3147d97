/* SPDX-License-Identifier: MIT */
/*
 * Work of the library and the tool: basic blocks that the calling thread has
 * executed in them. The compiler calls a function in each
 * (-fsanitize-coverage=trace-pc), so that loops over hostile input are counted
 * rather than timed.
 */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called by the compiler for each basic block. Can run in a signal handler. */
void __sanitizer_cov_trace_pc(void);

/* Returns the work of the thread so far. */
uint64_t work_count(void);

/*
 * Tests whether the work since a count is proportional to the size of an input:
 * at most @per_byte basic blocks per byte, and a constant for an empty input.
 */
bool work_is_bounded(uint64_t before, size_t size, unsigned int per_byte);

#endif
