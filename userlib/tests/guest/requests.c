// SPDX-License-Identifier: MIT
/* A program that writes its first record right after it has registered it. */
#include "guest.h"

#include <stdlib.h>
#include <userevents/tracepoint.h>

static void write_request(int status, const char *path, int bytes)
{
	UEV_TRACE(request, status, status, path, path, bytes, bytes);
}

void write_one_request(char **values)
{
	write_request(atoi(values[0]), values[1], atoi(values[2]));
}

void write_requests(const char *count)
{
	int i, end = atoi(count);

	for (i = 0; i < end; i++)
		write_request(i, "/", 0);
}
