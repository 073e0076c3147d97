/* SPDX-License-Identifier: MIT */
/* Version of the headers. uev_version() returns that of the library. */
#ifndef USEREVENTS_VERSION_H
#define USEREVENTS_VERSION_H

#define UEV_VERSION_MAJOR 0
#define UEV_VERSION_MINOR 10
#define UEV_VERSION_PATCH 0

/* A version as a number that can be compared. */
#define UEV_VERSION_OF(major, minor, patch) \
	((major) << 16 | (minor) << 8 | (patch))

#define UEV_VERSION \
	UEV_VERSION_OF(UEV_VERSION_MAJOR, UEV_VERSION_MINOR, UEV_VERSION_PATCH)

#endif
