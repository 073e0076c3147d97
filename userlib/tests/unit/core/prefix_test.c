// SPDX-License-Identifier: MIT
/* UEV_PREFIX in C */
#include <errno.h>

#include "lib/prefix_tests.h"
