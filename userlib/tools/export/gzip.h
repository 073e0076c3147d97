/* SPDX-License-Identifier: MIT */
/* user-events export: compression with zlib. */
#ifndef USER_EVENTS_EXPORT_GZIP_H
#define USER_EVENTS_EXPORT_GZIP_H

#include <stdbool.h>

#include <userevents/decode.h>

/* Return: whether the program was built with zlib */
bool export_has_gzip(void);

/* Replaces the content of @to with @from, compressed as by gzip. */
void export_gzip(struct uev_output *to, const struct uev_output *from);

#endif
