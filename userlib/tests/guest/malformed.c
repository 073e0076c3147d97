// SPDX-License-Identifier: MIT
/* A record of EventHeader, and one that ends in its metadata, for readers. */
#include "guest.h"

#include <userevents/tracepoint.h>

static struct uev_event event = UEV_EVENT_INIT(
	"Broken_L4K1Ggroup u8 eventheader_flags; u8 version; u16 id; "
	"u16 tag; u8 opcode; u8 level");

/* Little-endian; an extension of 13 bytes, the metadata; and number=7 */
static char record[] = "\7\0\0\0\0\0\0\4"
		       "\15\0\1\0Good\0number\0\4"
		       "\7\0\0\0";

#define IN_METADATA 20

static void write_part(size_t size)
{
	const struct iovec vector = { record, size };

	check(uev_event_writev(&event, &vector, 1), event.command);
}

void write_malformed(void)
{
	check(uev_event_register(&event, 0), event.command);
	write_part(sizeof(record) - 1);
	write_part(IN_METADATA);
	check(uev_event_unregister(&event), event.command);
}
