// SPDX-License-Identifier: MIT
/* Events of <userevents/sdt.h> in C. */
#include <stdio.h>
#include <string.h>
#include <userevents/sdt.h>

#include "util/common.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/sdt_probes.h"
#include "lib/sdt_tests.h"
