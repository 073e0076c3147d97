/* SPDX-License-Identifier: MIT */
/*
 * <sys/sdt.h> of programs that are built with this directory in the search path.
 */
#ifdef UEV_SDT_NEXT_
#include_next <sys/sdt.h>
#else
#include <userevents/sdt.h>
#endif
