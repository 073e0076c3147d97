// SPDX-License-Identifier: MIT
/* UEV_PREFIX in C++ */
#include <cerrno>

#include "lib/prefix_tests.h"
