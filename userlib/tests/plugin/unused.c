// SPDX-License-Identifier: MIT
/* A shared object that never calls the library that it is linked with. */
#include <userevents/userevents.h>

#include "plugin.h"

PLUGIN_API int unused_register(struct uev_event *event);

int unused_register(struct uev_event *event)
{
	return uev_event_register(event, 0);
}
