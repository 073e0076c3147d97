/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks what scripts/bench/profile counts: a plugin of QEMU counts what runs
 * between calls of these two functions. They differ, so that the compiler does
 * not make one of them.
 */
#ifndef SCRIPTS_BENCH_PROFILE_H
#define SCRIPTS_BENCH_PROFILE_H

static __attribute__((noinline)) void profile_start(void)
{
	__asm__ volatile("# start");
}

static __attribute__((noinline)) void profile_stop(void)
{
	__asm__ volatile("# stop");
}

#endif
