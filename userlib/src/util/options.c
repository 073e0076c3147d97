// SPDX-License-Identifier: MIT
#include "util/options.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

int uev_options_copy(void *to, size_t size, const void *from)
{
	const uint8_t *bytes = from;
	size_t given;
	size_t i;

	if (!from)
		return 0;
	memcpy(&given, from, sizeof(given));
	if (given < sizeof(given))
		return -EINVAL;
	for (i = size; i < given; i++)
		if (bytes[i])
			return -EINVAL;

	memcpy((uint8_t *)to + sizeof(given), bytes + sizeof(given),
	       (given < size ? given : size) - sizeof(given));

	return 0;
}
