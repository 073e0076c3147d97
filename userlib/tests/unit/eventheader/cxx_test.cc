// SPDX-License-Identifier: MIT
// The tests of EventHeader, as a program in C++ writes them.
#include "eventheader_test.c"
