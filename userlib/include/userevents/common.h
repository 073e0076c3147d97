/* SPDX-License-Identifier: MIT */
/*
 * What all headers of libuserevents share. Nothing to call is here.
 */
#ifndef USEREVENTS_COMMON_H
#define USEREVENTS_COMMON_H

#ifdef __cplusplus
#define UEV_BEGIN_DECLS extern "C" {
#define UEV_END_DECLS }
#else
#define UEV_BEGIN_DECLS
#define UEV_END_DECLS
#endif

/* Everything without it stays inside the library. */
#define UEV_API __attribute__((visibility("default")))

/* printf-like: @fmt is parameter number @format, its first value @first. */
#define UEV_PRINTF(format, first) \
	__attribute__((format(printf, format, first)))

#endif
