// SPDX-License-Identifier: MIT
#include "util/options.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

bool uev_is_zero(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		if (at[i])
			return false;

	return true;
}

int uev_options_copy(void *to, size_t size, const void *from)
{
	size_t given;

	if (!from)
		return 0;
	memcpy(&given, from, sizeof(given));
	if (given < sizeof(given))
		return -EINVAL;
	if (given > size &&
	    !uev_is_zero((const uint8_t *)from + size, given - size))
		return -EINVAL;

	memcpy((uint8_t *)to + sizeof(given),
	       (const uint8_t *)from + sizeof(given),
	       (given < size ? given : size) - sizeof(given));

	return 0;
}
