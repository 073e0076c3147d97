/* SPDX-License-Identifier: MIT */
/*
 * <userevents/TraceLoggingProvider.h> for programs that include
 * <eventheader/TraceLoggingProvider.h>: their include path starts with the
 * directory above this one.
 */
#include <userevents/TraceLoggingProvider.h>
