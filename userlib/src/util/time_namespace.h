/* SPDX-License-Identifier: MIT */
/* The difference of clocks between a time namespace and the initial one. */
#ifndef USEREVENTS_UTIL_TIME_NAMESPACE_H
#define USEREVENTS_UTIL_TIME_NAMESPACE_H

#include <stdint.h>
#include <time.h>

/*
 * Gets the nanoseconds by which a clock is ahead in the time namespace of this
 * process. Records have the clock of the initial one.
 * @offset: modulo 2^64; 0 if the clock has none, or if it is not known
 *
 * Return: 0; -EMFILE; -ENOMEM; ...
 */
int uev_time_namespace_offset(clockid_t clock, uint64_t *offset);

#endif
