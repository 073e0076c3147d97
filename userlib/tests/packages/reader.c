// SPDX-License-Identifier: MIT
/*
 * A program that uses the reader of perf.data, which needs more libraries than
 * the rest of libuserevents-trace.
 */
#include <errno.h>
#include <stddef.h>

#include <userevents/session.h>

int main(void)
{
	struct uev_perf_reader *reader;

	return uev_perf_reader_open(&reader, "/nonexistent", NULL) != -ENOENT;
}
