// SPDX-License-Identifier: MIT
// The tests of TraceLogging, as a program in C++ writes them.
#include "tracelogging_test.c"
