/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_H
#define RUNNER_H

#include <check.h>

/*
 * run_suite() - runs a suite and reports in TAP
 * @suite: given away
 *
 * The last line it prints is "N passed, N failed, N skipped". From the
 * environment: CK_FORK=no keeps everything in one process, for a debugger.
 *
 * Return: what main() returns.
 */
int run_suite(struct Suite *suite);

#endif
