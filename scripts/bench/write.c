// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what one record costs a program, by its size and its tracers, beside
 * a system call that does nothing, /dev/null, trace_marker and a uprobe.
 *
 *	write [OPERATION]
 *	write -t THREADS [OPERATION]
 *
 * Prints lines "operation size result" with nanoseconds per operation, which are
 * instructions if the clock counts instructions. The size is "-" if the
 * operation has only one. With an argument, only runs that operation, for
 * scripts/bench/profile. With -t, prints the lines of times.h.
 */
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../selftests/lib/user_events.h"
#include "median.h"
#include "profile.h"
#include "times.h"

#define PAYLOAD_MAX RECORD_SIZE_MAX
#define RECORDS_MAX 64
#define PERF_PAGES 64
#define PERF_CPUS_MAX 1024

#define EVENT PREFIX "write"
#define TEXT_EVENT PREFIX "write_text"
#define SIZES_EVENT PREFIX "write_sizes"
#define PROBE PREFIX "write_probe"

/* Largest records that ftrace and, before Linux 6.9, trace_marker accept */
#define FTRACE_MAX 4000
#define MARKER_MAX 1000

static int data;
static int null;
static bool has_batches;

/* The only operation to run, if not NULL */
static const char *profiled;

/* Threads that run an operation at the same time; 0: count instructions */
static unsigned int threads;

static struct {
	uint32_t index;
	unsigned char payload[PAYLOAD_MAX];
} record;

/* Used where the kernel has no status page */
static volatile uint32_t words[3];

/* Arguments and result of the operations */
static int file;
static size_t size;
static unsigned int batched = RECORDS_MAX;
static ssize_t expected;

static void do_getppid(void)
{
	syscall(SYS_getppid);
}

static void do_write(void)
{
	if (write(file, &record, sizeof(record.index) + size) != expected)
		FAIL("write: %s", harness_errno(errno));
}

/* The result depends on the release of the in-kernel user_events. */
static void do_write_disabled(void)
{
	if (write(file, &record, sizeof(record.index) + size) == 0)
		FAIL("write: wrote nothing");
}

static void do_writev(void)
{
	const struct iovec vector[] = {
		{ &record.index, sizeof(record.index) },
		{ record.payload, size },
	};

	if (writev(file, vector, ARRAY_SIZE(vector)) != expected)
		FAIL("writev: %s", harness_errno(errno));
}

/* Each record by itself where the kernel has no batches. */
static void do_batch(void)
{
	static __thread struct user_record records[RECORDS_MAX];
	const struct user_batch batch = {
		.size = sizeof(batch),
		.count = has_batches ? batched : 0,
		.records = (uintptr_t)records,
	};
	unsigned int i;

	for (i = 0; i < batched; i++) {
		records[i].write_index = record.index;
		records[i].size = (uint32_t)size;
		records[i].payload = (uintptr_t)record.payload;
		if (!has_batches)
			do_write();
	}
	if (has_batches && ioctl(file, DIAG_IOCSBATCH, &batch) != (int)batched)
		FAIL("batch: %s", harness_errno(errno));
}

/*
 * A USDT probe is an instruction without effect. Its arguments are in registers
 * or memory, which a note of the program names.
 */
extern const char probe[];

static __attribute__((noinline)) void do_probe(void)
{
	const uint64_t *field = (const void *)record.payload;

	/* bpftrace only accepts functions that have a size. */
	__asm__ volatile(
		".globl probe\n.type probe, %%function\nprobe:\n\tnop\n"
		".size probe, . - probe"
		:
		: "D"(field[0]), "S"(field[1]), "d"(field[2]));
}

static void profile(void (*run)(void))
{
	unsigned int i;

	for (i = 0; i < BATCHES; i++) {
		profile_start();
		run();
		profile_stop();
	}
}

/*
 * Prints the cost of one operation without that of the loop, or of one record
 * of an operation that writes several.
 */
static void measure_records(const char *name, const char *bytes,
			    void (*run)(void), unsigned int records)
{
	/* The first operations are slower. */
	run();
	if (profiled && strcmp(name, profiled))
		return;
	if (threads) {
		print_times(name, run, threads, records);
		return;
	}
	if (profiled) {
		profile(run);
		return;
	}
	printf("%s %s %llu\n", name, bytes,
	       (unsigned long long)median_cost(run) / records);
	fflush(stdout);
}

static void measure(const char *name, void (*run)(void))
{
	measure_records(name, "-", run, 1);
}

static void set_size(size_t bytes)
{
	size = bytes;
	expected = sizeof(record.index) + size;
}

static void measure_write(const char *name, size_t bytes)
{
	set_size(bytes);
	measure(name, do_write);
}

/* Measures an operation with records of up to @max bytes. */
static void measure_sizes(const char *name, void (*run)(void),
			  unsigned int records, size_t max)
{
	size_t i;

	for (i = 0; i < SIZES && record_sizes[i] <= max; i++) {
		set_size(record_sizes[i]);
		measure_records(name, text("%zu", record_sizes[i]), run,
				records);
	}
}

/* Registers with the interface that the kernel has. */
static uint32_t register_event(const char *command, unsigned int number)
{
	struct user_reg_status status;
	int index;

	if (!reg(data, command, &status))
		return status.write_index;
	index = reg_word(data, command, &words[number], 0);
	ASSERT_OK(index);

	return index;
}

/* Records to ftrace must arrive: others would be cheaper. */
static void expect_records(const char *event, bool any)
{
	unsigned int count = trace_count(NULL, event);

	if (!!count != any)
		FAIL("%u records of %s in trace", count, event);
	trace_clear();
}

static void measure_ftrace(void)
{
	enable(EVENT, true);
	measure_write("ftrace-24", 24);
	expect_records(EVENT, true);
	measure_write("ftrace-256", 256);
	measure_write("ftrace-2000", 2000);
	set_size(24);
	measure("writev-4+24", do_writev);
	expect_records(EVENT, true);
	for (batched = 1; batched <= RECORDS_MAX; batched *= 2) {
		measure_records(text("batch-%ux24", batched), "-", do_batch,
				batched);
		expect_records(EVENT, true);
	}
	batched = RECORDS_MAX;

	ASSERT_OK(tfs_write("a == 1", "events/user_events/%s/filter", EVENT));
	measure_write("filtered-24", 24);
	expect_records(EVENT, false);
	ASSERT_OK(tfs_write("0", "events/user_events/%s/filter", EVENT));
	enable(EVENT, false);
}

/* A histogram gets the records, and the trace buffer does not. */
static void measure_hist(void)
{
	const char *trigger = "events/user_events/%s/trigger";
	const char *hist;

	if (!has_hist())
		return;
	ASSERT_OK(tfs_write("hist:keys=a", trigger, EVENT));
	measure_write("hist-24", 24);
	expect_records(EVENT, false);
	hist = tfs_read("events/user_events/%s/hist", EVENT);
	ASSERT_TRUE(hist && number_after(hist, "Hits:"));
	ASSERT_OK(tfs_write("!hist:keys=a", trigger, EVENT));
}

/* A word that points at a string after it: size and offset */
static void measure_text(void)
{
	static const char string[16] = "fifteen letters";
	const uint32_t word = sizeof(string) << 16 | 0;
	uint32_t event = record.index;

	record.index = register_event(TEXT_EVENT " __rel_loc char[] text", 1);
	memcpy(record.payload, &word, sizeof(word));
	memcpy(record.payload + sizeof(word), string, sizeof(string));
	enable(TEXT_EVENT, true);
	measure_write("rel-string-16", sizeof(word) + sizeof(string));
	expect_records(TEXT_EVENT, true);
	enable(TEXT_EVENT, false);
	memset(record.payload, 0, sizeof(record.payload));
	record.index = event;
}

/* The kernel overwrites old records of a buffer that is mapped read-only. */
static const struct perf_event_mmap_page *map_perf(const char *event,
						   pid_t task, int cpu, int *fd)
{
	size_t length = (1 + PERF_PAGES) * sysconf(_SC_PAGESIZE);
	const struct perf_event_mmap_page *map;

	*fd = perf_open(event_id(event), task, cpu, 0);
	ASSERT_OK(*fd);
	map = mmap(NULL, length, PROT_READ, MAP_SHARED, *fd, 0);
	ASSERT_TRUE(map != MAP_FAILED);

	return map;
}

/* Buffers of this task, or of each processor if threads write. */
static void measure_perf(void)
{
	const struct perf_event_mmap_page *maps[PERF_CPUS_MAX];
	long i, count = threads ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
	/* At least; a slow machine writes few records in the time. */
	uint64_t batches = threads ?: BATCHES;
	int fds[PERF_CPUS_MAX];
	uint64_t bytes = 0;

	ASSERT_LT(count, PERF_CPUS_MAX + 1);
	for (i = 0; i < count; i++)
		maps[i] = map_perf(EVENT, threads ? -1 : 0, threads ? i : -1,
				   &fds[i]);
	measure_write("perf-24", 24);
	enable(EVENT, true);
	measure_write("both-24", 24);
	expect_records(EVENT, true);
	enable(EVENT, false);
	for (i = 0; i < count; i++) {
		bytes += maps[i]->data_head;
		close(fds[i]);
	}
	ASSERT_TRUE(profiled || bytes > 2 * batches * BATCH * 24);
}

static uint64_t map_value(int map)
{
	uint32_t key = 0;
	uint64_t value = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	ASSERT_OK(bpf(BPF_MAP_LOOKUP_ELEM, &attr));

	return value;
}

/*
 * A program of BPF counts the records, and perf does not get them. The in-kernel
 * user_events do not run programs.
 */
static void measure_bpf(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = 1,
	};
	int map = bpf(BPF_MAP_CREATE, &attr);
	const struct bpf_insn program[] = {
		/* *(u32 *)(r10 - 4) = 0; r2 = r10 - 4 */
		BPF_INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		BPF_INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		/* r0 = bpf_map_lookup_elem(map, r2) */
		BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0,
			 map),
		BPF_INSN(0, 0, 0, 0, 0),
		BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		/* if (r0) (*(u64 *)r0)++; return 0 */
		BPF_INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 1),
		BPF_INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	int loaded = bpf_load(program, ARRAY_SIZE(program), NULL, 0);
	int fd = perf_open(event_id(EVENT), 0, -1, 0);

	ASSERT_OK(map);
	ASSERT_OK(loaded);
	ASSERT_OK(fd);
	ASSERT_OK(ioctl(fd, PERF_EVENT_IOC_SET_BPF, loaded));
	set_size(24);
	do_write();
	if (map_value(map))
		measure_write("bpf-24", 24);
	else
		ASSERT_TRUE(!has_batches);
	close(fd);
	close(loaded);
	close(map);
}

/* Stores the offset of the probe in the file of the program. */
static int find_probe(struct dl_phdr_info *info, size_t size_of_info,
		      void *offset)
{
	uintptr_t address = (uintptr_t)probe - info->dlpi_addr;
	const ElfW(Phdr) * part;
	int i;

	(void)size_of_info;
	for (i = 0; i < info->dlpi_phnum; i++) {
		part = &info->dlpi_phdr[i];
		if (part->p_type != PT_LOAD || address < part->p_vaddr ||
		    address - part->p_vaddr >= part->p_filesz)
			continue;
		*(uintptr_t *)offset = address - part->p_vaddr + part->p_offset;
		return 1;
	}

	return 0;
}

static void measure_uprobe(void)
{
	const char *enable_file = "events/" PREFIX "bench/" PROBE "/enable";
	const char *fields = "a=%di:u64 b=%si:u64 c=%dx:u64";
	char path[256] = "";
	uintptr_t offset;

	ASSERT_LT(readlink("/proc/self/exe", path, sizeof(path) - 1),
		  (ssize_t)sizeof(path) - 1);
	ASSERT_TRUE(dl_iterate_phdr(find_probe, &offset));
	measure("probe-disabled", do_probe);
	ASSERT_OK(tfs_write(text("p:" PREFIX "bench/" PROBE " %s:0x%lx %s",
				 path, offset, fields),
			    "uprobe_events"));
	ASSERT_OK(tfs_write("1", "%s", enable_file));
	measure("uprobe-24", do_probe);
	expect_records(PROBE, true);
	ASSERT_OK(tfs_write("0", "%s", enable_file));
	ASSERT_OK(tfs_write("-:" PREFIX "bench/" PROBE, "uprobe_events"));
}

/* Without an index, which other records have in addition to their size. */
static void do_marker(void)
{
	if (write(file, record.payload, size) != (ssize_t)size)
		FAIL("trace_marker: %s", harness_errno(errno));
}

static void measure_marker(void)
{
	file = tfs_open(O_WRONLY, "trace_marker");
	ASSERT_OK(file);
	set_size(24);
	measure("trace-marker-24", do_marker);
	close(file);
}

/* Perf accepts 8,192 bytes with the common fields, and 2,048 before Linux 5.16. */
static size_t perf_payload_max(const struct perf_event_mmap_page *map)
{
	uint64_t before = map->data_head;

	set_size(PAYLOAD_MAX);
	(void)!write(data, &record, sizeof(record.index) + size);

	return map->data_head - before > size ? size : 2000;
}

/* An event without fields accepts records of any size. */
static void measure_all_sizes(void)
{
	const struct perf_event_mmap_page *map;
	int fd;

	record.index = register_event(SIZES_EVENT, 2);
	file = null;
	measure_sizes("null", do_write, 1, PAYLOAD_MAX);
	file = data;
	enable(SIZES_EVENT, true);
	measure_sizes("ftrace", do_write, 1, FTRACE_MAX);
	expect_records(SIZES_EVENT, true);
	measure_sizes("batch-64", do_batch, RECORDS_MAX, FTRACE_MAX);
	expect_records(SIZES_EVENT, true);
	enable(SIZES_EVENT, false);
	map = map_perf(SIZES_EVENT, 0, -1, &fd);
	measure_sizes("perf", do_write, 1, perf_payload_max(map));
	close(fd);
	file = tfs_open(O_WRONLY, "trace_marker");
	ASSERT_OK(file);
	measure_sizes("trace-marker", do_marker, 1, MARKER_MAX);
	close(file);
}

int main(int argc, char **argv)
{
	const struct user_batch none = { .size = sizeof(none) };
	const char *fields = EVENT " u64 a; u64 b; u64 c";

	threads = time_option(&argc, &argv);
	profiled = argc > 1 ? argv[1] : NULL;
	tfs_write("0", "options/record-cmd");
	data = data_open();
	has_batches = !ioctl(data, DIAG_IOCSBATCH, &none);
	record.index = register_event(fields, 0);

	measure("getppid", do_getppid);
	null = open("/dev/null", O_WRONLY);
	ASSERT_OK(null);
	file = null;
	measure_write("null-24", 24);

	file = data;
	size = 24;
	measure("disabled-24", do_write_disabled);
	measure_ftrace();
	measure_hist();
	measure_text();
	measure_perf();
	measure_bpf();
	measure_marker();
	measure_uprobe();
	if (!profiled && !threads)
		measure_all_sizes();

	return 0;
}
