/* SPDX-License-Identifier: MIT */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stdint.h>

#define PLUGIN_API __attribute__((__visibility__("default")))

PLUGIN_API void plugin_work(int number);

/* How many events the library knows that the plugin is linked with. */
PLUGIN_API uint64_t plugin_events(void);

/* Shuts down the library of the plugin; -EBUSY while events are registered. */
PLUGIN_API int plugin_end(void);

#endif
