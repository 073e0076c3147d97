// SPDX-License-Identifier: MIT
/* Probes of a program that passes buffers, which are not text. */
#define UEV_SDT_ADDRESSES
#include <stdint.h>
#include <userevents/sdt.h>

#include "util/common.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

START_TEST(writes_address_of_buffer)
{
	const char *type = sizeof(void *) == 8 ? "buffer_read u64 arg1"
					       : "buffer_read u32 arg1";
	const char *buffer = (const char *)(uintptr_t)0x1234;
	uintptr_t expected = 0x1234;

	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_str_eq(fake_command("buffer_read"), type);
	fake_enable("buffer_read", true);
	DTRACE_PROBE1(buffer, read, buffer);
	ck_assert_uint_eq(fake_record()->size, sizeof(expected));
	ck_assert_mem_eq(fake_record()->payload, &expected, sizeof(expected));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sdt with addresses");
	TCase *tcase = tcase_create("sdt with addresses");

	tcase_add_test(tcase, writes_address_of_buffer);
	suite_add_tcase(suite, tcase);

	return run_suite(suite);
}
