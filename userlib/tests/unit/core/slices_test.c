// SPDX-License-Identifier: MIT
/* UEV_SLICE_BEGIN() and others in C */
#include <string.h>

#include "lib/slice_tests.h"
