/* SPDX-License-Identifier: MIT */
/*
 * <sys/sdt.h> of programs that are built with this directory in the search path.
 */
#ifdef UEV_SDT_NEXT_
/* Programs that are compiled with -pedantic -Werror, too. */
#pragma GCC system_header
#include_next <sys/sdt.h>
#else
#include <userevents/sdt.h>
#endif
