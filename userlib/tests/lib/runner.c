// SPDX-License-Identifier: MIT
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>

int run_suite(struct Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int run, failed;

	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	printf("%d passed, %d failed, 0 skipped\n", run - failed, failed);

	return run && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
