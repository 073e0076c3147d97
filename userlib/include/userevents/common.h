/* SPDX-License-Identifier: MIT */
/* Macros of the headers of both libraries. Not an API. */
#ifndef USEREVENTS_COMMON_H
#define USEREVENTS_COMMON_H

#include <userevents/version.h>

/* Headers declare what <userevents/disabled.h> has defined before. */
#ifdef UEV_DISABLE
#define UEV_PUSH_                      \
	_Pragma("GCC diagnostic push") \
		_Pragma("GCC diagnostic ignored \"-Wredundant-decls\"")
#define UEV_POP_ _Pragma("GCC diagnostic pop")
#else
#define UEV_PUSH_
#define UEV_POP_
#endif

#ifdef __cplusplus
#define UEV_BEGIN_DECLS      \
	UEV_PUSH_ extern "C" \
	{
#define UEV_END_DECLS \
	}             \
	UEV_POP_
#define UEV_CAST_(type, value) static_cast<type>(value)
#else
#define UEV_BEGIN_DECLS UEV_PUSH_
#define UEV_END_DECLS UEV_POP_
#define UEV_CAST_(type, value) ((type)(value))
#endif

/*
 * Functions of libuserevents-trace and libuserevents. Everything else stays
 * inside the library. With UEV_DISABLE, <userevents/disabled.h> defines those of
 * libuserevents.
 */
#define UEV_TRACE_API __attribute__((__visibility__("default")))
#ifdef UEV_DISABLE
#define UEV_API static inline __attribute__((__unused__))
#else
#define UEV_API UEV_TRACE_API
#endif

/*
 * Functions of the headers. The library compiles them, too, for bindings of
 * other languages; see src/core/inline.c.
 */
#ifndef UEV_INLINE
#define UEV_INLINE static inline
#endif

/*
 * A value of which only the type is used, as an operand: an array is a pointer. A
 * bit-field has a type of its own in gcc, and its declared type in clang; in both,
 * it is an int here if int has its values. Neither branch is executed; they differ
 * for -Wduplicated-branches.
 */
#define UEV_OPERAND_(value) (1 ? (value) : (__builtin_trap(), (value)))

/*
 * Prefix of an operand of asm that is printed as a bare number. s390 and RISC-V need
 * none: the former prints %c as a byte, and the latter rejects it.
 */
#if defined(__s390__) || defined(__riscv)
#define UEV_INT_ "%"
#else
#define UEV_INT_ "%c"
#endif

/* printf-like: the format is parameter number @text, its first value @first. */
#define UEV_PRINTF(text, first) \
	__attribute__((__format__(__printf__, text, first)))

#endif
