// SPDX-License-Identifier: MIT
/* Events of <userevents/sdt.h> in C++. */
#include <cstdio>
#include <cstring>
#include <userevents/sdt.h>

extern "C" {
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/sdt_probes.h"
#define NULL_TYPE (sizeof(NULL) == 8 ? "s64" : "s32")
#include "lib/sdt_tests.h"
}

int main()
{
	return run_sdt_tests("sdt in C++");
}
