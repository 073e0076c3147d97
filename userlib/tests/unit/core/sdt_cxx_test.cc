// SPDX-License-Identifier: MIT
/* Events of <userevents/sdt.h> in C++. */
#include <cstdio>
#include <cstring>
#include <string>
#include <userevents/sdt.h>

extern "C" {
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/sdt_probes.h"
#include "lib/sdt_tests.h"
}

/* Temporary objects of the arguments exist until the event is written. */
TEST(temporaries)
{
	const std::string text(1000, 'x');

	fake_enable("sdt_temporaries", true);
	DTRACE_PROBE2(sdt, temporaries, 5,
		      UEV_SDT_STRING(std::string(text).c_str()));
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_mem_eq(fake_record()->payload + 12, text.c_str(), 1001);
}
