// SPDX-License-Identifier: MIT
#include "export/gzip.h"

#include <errno.h>
#include <stdint.h>

#include "tool.h"

#ifdef TOOL_HAS_ZLIB
#include <zlib.h>

/* The largest window, and a header of gzip */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8

bool export_has_gzip(void)
{
	return true;
}

void export_gzip(struct uev_output *to, const struct uev_output *from)
{
	z_stream stream = { .next_in = (Bytef *)from->text,
			    .avail_in = (uInt)from->size };
	uint8_t part[16384];
	int ret;

	to->size = 0;
	ret = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			   WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	/* A message is much smaller than the limit of zlib. */
	tool_need(ret == Z_OK ? 0 : -ENOMEM);
	do {
		stream.next_out = part;
		stream.avail_out = sizeof(part);
		ret = deflate(&stream, Z_FINISH);
		tool_append(to, (const char *)part,
			    sizeof(part) - stream.avail_out);
	} while (ret == Z_OK);
	deflateEnd(&stream);
}

#else

bool export_has_gzip(void)
{
	return false;
}

void export_gzip(struct uev_output *to, const struct uev_output *from)
{
	to->size = 0;
	tool_append(to, from->text, from->size);
}
#endif
