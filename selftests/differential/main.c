// SPDX-License-Identifier: GPL-2.0-only
/*
 *   differential status|enabler SEED FIRST COUNT
 *
 * Runs COUNT batches of operations on user_events, starting with number FIRST,
 * and prints their results. A batch depends only on the seed and its number,
 * not on other batches or their results.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "differential.h"

/* A batch that times out is a difference and does not stop the run. */
#define BATCH_TIMEOUT_S 120

static void prepare(void)
{
	pin_to_cpu(0);
	tfs_write("0", "options/record-cmd");
	tfs_write("0", "options/context-info");
	tfs_write("1", "tracing_on");
	tfs_write("0", "events/enable");
	write_file("1", "/sys/kernel/rcu_expedited");
	close(tfs_open(O_WRONLY | O_TRUNC, "trace"));
}

static bool run(uint64_t seed, unsigned long long batch)
{
	int status = 0;
	pid_t child;

	random_seed(seed, batch);
	batch_name(batch);
	operations_start(batch);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(BATCH_TIMEOUT_S);
		batch_run(batch);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		return false;
	}
	if (status)
		printf("%llu.exit\t*\tbatch\tstatus\t%#x\n", batch, status);
	if (operations_finish())
		return true;
	fprintf(stderr, "batch %llu left objects behind:\n%s%s", batch,
		tfs_read("dynamic_events"), tfs_read("user_events_status"));

	return false;
}

int main(int argc, char **argv)
{
	unsigned long long seed, first, count, batch;

	if (argc != 5) {
		fprintf(stderr, "usage: %s status|enabler SEED FIRST COUNT\n",
			argv[0]);
		return HARNESS_USAGE;
	}
	generation = strcmp(argv[1], "status") ? GENERATION_ENABLER
					       : GENERATION_STATUS;
	seed = strtoull(argv[2], NULL, 0);
	first = strtoull(argv[3], NULL, 0);
	count = strtoull(argv[4], NULL, 0);

	prepare();
	for (batch = first; batch < first + count; batch++)
		if (!run(seed, batch))
			return HARNESS_FAIL;
	printf("end\n");

	return HARNESS_PASS;
}
