/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_H
#define RUNNER_H

#include <check.h>

/*
 * run_suite() - Runs a suite and reports in TAP
 * @suite: the suite, which is freed
 *
 * The last line is "N passed, N failed, N skipped". CK_FORK=no in the
 * environment runs everything in one process, for a debugger.
 *
 * Return: the return value of main().
 */
int run_suite(struct Suite *suite);

#endif
