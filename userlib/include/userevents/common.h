/* SPDX-License-Identifier: MIT */
/* Macros of the headers of both libraries. Not an API. */
#ifndef USEREVENTS_COMMON_H
#define USEREVENTS_COMMON_H

#include <userevents/version.h>

#ifdef __cplusplus
#define UEV_BEGIN_DECLS extern "C" {
#define UEV_END_DECLS }
#else
#define UEV_BEGIN_DECLS
#define UEV_END_DECLS
#endif

/* Everything without it stays inside the library. */
#define UEV_API __attribute__((__visibility__("default")))

/*
 * Functions of the headers. The library compiles them, too, for bindings of
 * other languages; see src/core/inline.c.
 */
#ifndef UEV_INLINE
#define UEV_INLINE static inline
#endif

/* printf-like: the format is parameter number @text, its first value @first. */
#define UEV_PRINTF(text, first) \
	__attribute__((__format__(__printf__, text, first)))

#endif
