// SPDX-License-Identifier: GPL-2.0-only
/* Generation and mutation of programs. */
#include <errno.h>
#include <linux/user_events.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/command.h"
#include "../lib/harness.h"
#include "../lib/random.h"
#include "execute.h"
#include "generate.h"

/* --- numbers -------------------------------------------------------------- */

static uint64_t random_number(void)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		7,
		8,
		31,
		32,
		63,
		64,
		127,
		255,
		256,
		4095,
		4096,
		65535,
		65536,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x100000000,
		0x7fffffffffffffff,
		~0ULL,
		DIAG_IOCSREG,
		DIAG_IOCSDEL,
		DIAG_IOCSUNREG,
		DIAG_IOCSBATCH,
		DIAG_IOCSWRITE,
		DIAG_IOCGCOOKIE,
		DIAG_IOCQHEADER,
		DIAG_IOCSREGLIST,
		DIAG_IOCSPREFIX,
	};

	if (chance(60))
		return PICK(edges);

	return random_bits() >> random_below(64);
}

static uint64_t area_address(void)
{
	uint64_t area = chance(45) ? random_below(3) : random_below(AREA_COUNT);
	uint64_t page = chance(70) ? 0 : random_below(AREA_PAGES);

	return AREAS + area * AREA_SIZE + page * PAGE_4K;
}

static uint64_t random_address(void)
{
	static const uint64_t edges[] = {
		4,
		8,
		0x1000,
		0xffff8,
		SCRATCH,
		SCRATCH + 2 * PAGE_4K - 4,
		0x7ffffffff000,
		0x7fffffffeff8,
		0x800000000000,
		0xffff888000000000,
		0xffffffff81000000,
		0xffffffffff600000,
		0xfffffffffffffffc,
		0xfffffffffffffff8,
	};
	static const unsigned int offsets[] = { 0, 4,	 8,    12,   16,
						1, 4088, 4092, 4094, 4095 };

	if (chance(6))
		return PICK(edges);

	return area_address() +
	       offsets[random_below(chance(85) ? 5 : ARRAY_SIZE(offsets))];
}

static uint64_t random_place(void)
{
	if (chance(88))
		return PLACE_PLAIN;
	if (chance(60))
		return random_below(PLACE_END);

	return random_address();
}

static uint64_t random_length(void)
{
	static const unsigned int lengths[] = {
		0,    1,    3,	  4,	8,    12,    16,    20,	   24,	 28,
		36,   64,   100,  104,	496,  504,   508,   512,   1020, 4064,
		4065, 4068, 4096, 8184, 8185, 16384, 65527, 80000,
	};

	if (chance(85))
		return lengths[random_below(chance(75) ? 12 : 28)];

	return random_below(200);
}

static uint64_t random_size(unsigned int right)
{
	static const unsigned int sizes[] = { 0,   1,	 2,    3,    4,	  8,
					      15,  16,	 17,   19,   20,  21,
					      24,  27,	 28,   29,   32,  64,
					      128, 4095, 4096, 4097, 8192 };

	if (chance(90))
		return right == 4 && chance(25) ? 8 : right;

	return chance(85) ? PICK(sizes) : random_number();
}

static uint64_t random_bit(void)
{
	static const unsigned int bits[] = { 0, 31, 1, 30, 32, 63, 64, 255 };

	return bits[random_below(chance(90) ? 4 : 8)];
}

static uint64_t random_index(void)
{
	return chance(92) ? random_below(3) : random_number();
}

static uint64_t random_pages(void)
{
	static const unsigned int pages[] = { 1, 1, 1, 2, 16, 0, 512 };

	return chance(90) ? PICK(pages) : random_below(20);
}

/* Slots are few and 0 is preferred, so that operations use the same objects. */
static uint64_t random_slot(unsigned int count)
{
	return chance(80) ? 0 : random_below(count);
}

static uint64_t random_argument(const struct argument *argument)
{
	switch (argument->domain) {
	case FILE_SLOT:
		return random_slot(FILES);
	case PERF_SLOT:
		return random_slot(PERFS);
	case EVENT:
		return chance(50) ? random_below(2) : random_below(EVENTS + 5);
	case INSTANCE:
		return random_slot(INSTANCES);
	case ADDRESS:
		return random_address();
	case AREA:
		return area_address();
	case PLACE:
		return random_place();
	case LENGTH:
		return random_length();
	case PAGES:
		return random_pages();
	case SIZE:
		return random_size(argument->count);
	case BIT:
		return random_bit();
	case INDEX:
		return random_index();
	case CHOICE:
		return chance(40) ? 0 : random_below(argument->count);
	default:
		return random_number();
	}
}

/* --- texts ---------------------------------------------------------------- */

static const char *const plain_commands[EVENTS] = {
	"st_0 u32 f0",
	"st_1 char[16] f0; u64 f1; s8 f2",
	"st_2 __data_loc char[] f0",
	"st_3 __rel_loc char[] f0; u8 f1; __data_loc u8[] f2",
	"st_4",
	"st_5 struct my_s f0 20; unsigned int f1",
};

static void random_name(char *name)
{
	static const char *const names[EVENTS] = { "st_0", "st_1", "st_2",
						   "st_3", "st_4", "st_5" };

	make_name(name,
		  names[chance(50) ? random_below(2) : random_below(EVENTS)]);
}

static void random_command(char *text)
{
	char name[COMMAND_MAX];
	struct command unused;

	if (chance(70)) {
		strcpy(text, plain_commands[chance(50) ? random_below(2)
						       : random_below(EVENTS)]);
		if (chance(10))
			respell_command(text);
		if (chance(10))
			alter_command(text);
		return;
	}
	random_name(name);
	if (chance(50))
		make_valid_command(&unused, text, name);
	else
		make_command(text, name);
}

static void random_line(char *text)
{
	static const char *const lines[] = {
		"-:st_0",
		"-:user_events/st_1",
		"!u:st_0",
		"!u:user_events/st_1",
		"!u:user_events_multi/st_2",
		"-:user_events/",
		"!u:",
		"!",
		"-:",
		"-:st_0 u32 f0",
		"!u:st_1 char[16] f0; u64 f1; s8 f2",
		"!u:st_1 u32 f0",
		"p:st_k vfs_fallocate",
		"-:st_k",
		"e:st_e user_events.st_0 x=$f0",
		"e:st_e user_events.st_1 x=$f1",
		"e:st_e user_events/st_2 x=+0($f0):string",
		"-:st_e",
		"-:eprobes/st_e",
		"s:st_s u32 a; u64 b",
		"s:st_s",
		"-:st_s",
		"!s:st_s",
		"u:st_0 u32 f0\nu:st_1\n-:st_1\n",
		"# nothing\nu:st_4",
		"u:",
		"u",
		"u:   st_0   u32   f0",
		"u:user_events/st_0 u32 f0",
	};
	char command[COMMAND_MAX];

	if (chance(55)) {
		strcpy(text, PICK(lines));
		return;
	}
	random_command(command);
	sprintf(text, "%s%s",
		chance(60)   ? "u:"
		: chance(50) ? "-:"
			     : "!u:",
		command);
}

static void random_filter(char *text)
{
	static const char *const filters[] = {
		"f0 == 1",
		"f0 > 3",
		"f0 & 1",
		"f0 == \"abc\"",
		"f0 ~ \"a*\"",
		"f0 ~ \"*b*\" && f1 != 0",
		"f1 < 10 || f2 == 3",
		"!(f0 == 0)",
		"common_pid != 0",
		"f2 >= -1",
		"f0 == ",
		"(f0 == 1",
		"nothing == 1",
		"0",
		"1",
		"",
		"f0.cpus & 1",
		"CPU == 0",
		"comm == \"x\"",
	};

	strcpy(text, PICK(filters));
}

static void random_trigger(char *text)
{
	static const char *const triggers[] = {
		"traceon",
		"traceoff",
		"traceoff:3",
		"snapshot",
		"stacktrace",
		"stacktrace:2 if f0 == 1",
		"enable_event:user_events:st_0",
		"enable_event:user_events:st_1:2",
		"disable_event:user_events:st_0",
		"disable_event:user_events:st_1 if f0 > 1",
		"hist:keys=f0",
		"hist:keys=f0:vals=f1:sort=f1",
		"hist:keys=common_pid",
		"hist:keys=f0.hex:pause",
		"hist:keys=f0:clear",
		"hist:keys=f0:continue",
		"hist:keys=common_pid:ts0=common_timestamp.usecs",
		"hist:keys=common_pid:x=f0",
		"hist:keys=common_pid:d=f0-$x:onmatch(user_events.st_0).trace(st_s,$d,$d)",
		"hist:keys=common_pid:onmax($x).snapshot()",
		"hist:keys=f0,f1:size=16",
		"hist:name=st_h:keys=f0",
		"hist:",
		"nothing",
		"",
	};

	sprintf(text, "%s%s", chance(30) ? "!" : "", PICK(triggers));
}

static void random_set_event(char *text)
{
	static const char *const lines[] = {
		"user_events:st_0",
		"!user_events:st_0",
		"user_events:*",
		"!user_events:*",
		"st_1",
		"!st_1",
		"user_events:",
		"user_events:st_?",
		"*:st_*",
		"!*:st_*",
		"nothing:nothing",
		"user_events_multi:*",
		"user_events:st_9",
	};

	strcpy(text, PICK(lines));
}

static void random_parameters(char *text)
{
	static const char *const parameters[] = {
		"",
		"",
		"status_pages=2",
		"max_events=3",
		"status_pages=0",
		"status_pages=100000",
		"data_mode=0666 status_mode=0444",
		"data_mode=07777",
		"uid=65534 gid=65534",
		"max_events=x",
		"uid=4294967295",
	};

	strcpy(text, PICK(parameters));
}

static char *random_text(enum text kind)
{
	/* Room for the prefix and for the longest name from make_name(). */
	char text[COMMAND_MAX + 64] = "";

	switch (kind) {
	case COMMAND:
		random_command(text);
		break;
	case NAME:
		random_name(text);
		break;
	case LINE:
		random_line(text);
		break;
	case FILTER:
		random_filter(text);
		break;
	case TRIGGER:
		random_trigger(text);
		break;
	case SET_EVENT:
		random_set_event(text);
		break;
	case PARAMETERS:
		random_parameters(text);
		break;
	default:
		return NULL;
	}

	return strdup(text);
}

/* --- operations ----------------------------------------------------------- */

static unsigned int random_kind(bool serial)
{
	static unsigned int total;
	unsigned int kind, at;

	if (!total)
		for (kind = 0; kind < kinds_count; kind++)
			total += kinds[kind].weight;
	do {
		at = random_below(total);
		for (kind = 0; at >= kinds[kind].weight; kind++)
			at -= kinds[kind].weight;
	} while (serial && kinds[kind].is_concurrent);

	return kind;
}

static struct operation random_operation(unsigned int kind)
{
	struct operation operation = { .kind = kind, .times = 1 };
	unsigned int i;

	for (i = 0; i < ARGUMENTS && kinds[kind].arguments[i].domain; i++)
		operation.arguments[i] =
			random_argument(&kinds[kind].arguments[i]);
	operation.text = random_text(kinds[kind].text);

	return operation;
}

static unsigned int kind_by_name(const char *name)
{
	unsigned int kind = 0;

	while (strcmp(kinds[kind].name, name))
		kind++;

	return kind;
}

static void add(struct program *program, struct operation operation)
{
	program_insert(program, program->count, operation);
}

/*
 * Names a registered enabler, since an unregistration that matches none does
 * little.
 */
static void find_enabler(struct operation *unregister,
			 const struct program *program)
{
	unsigned int enabler = kind_by_name("register_enabler"), i;

	for (i = 0; i < program->count; i++) {
		const struct operation *one = &program->operations[i];

		if (one->kind != enabler || chance(30))
			continue;
		unregister->arguments[3] = one->arguments[4];
		unregister->arguments[4] = one->arguments[7];
		return;
	}
}

/* Programs without open files need other operations: only they can unload. */
static unsigned int kind_without_files(bool serial)
{
	static const char *const names[] = { "unload", "unload", "load",
					     "close",  "open",	 "line" };

	return chance(50) ? kind_by_name(PICK(names)) : random_kind(serial);
}

static void add_any(struct program *program, unsigned int threads,
		    bool has_files, bool serial)
{
	unsigned int kind = has_files ? random_kind(serial)
				      : kind_without_files(serial);
	struct operation operation = random_operation(kind);

	if (kind == kind_by_name("unregister"))
		find_enabler(&operation, program);
	operation.thread = random_below(threads);
	if (threads > 1 && chance(25))
		operation.times = 1 + random_below(chance(80) ? 10 : 100);
	add(program, operation);
}

/* Most operations need an open file, and many need an event. */
static void add_setup(struct program *program)
{
	struct operation operation = random_operation(kind_by_name("open"));
	unsigned int i, count;

	memset(operation.arguments, 0, sizeof(operation.arguments));
	add(program, operation);
	if (chance(40)) {
		operation.arguments[0] = 1;
		add(program, operation);
	}
	count = 1 + random_below(3);
	for (i = 0; i < count; i++) {
		operation = random_operation(kind_by_name(
			chance(40) ? "register_status" : "register_enabler"));
		operation.arguments[0] = 0;
		add(program, operation);
	}
	if (chance(60))
		add(program, random_operation(kind_by_name("enable")));
	if (chance(40))
		add(program, random_operation(kind_by_name("perf_open")));
}

void generate(struct program *program, bool serial)
{
	unsigned int threads = 1, count;
	bool has_files;

	program_clear(program);
	if (!serial && chance(45))
		threads += 1 + random_below(THREADS - 1);
	count = 4 + random_below(chance(70) ? 10 : 24);
	has_files = chance(90);
	if (has_files)
		add_setup(program);
	while (count--)
		add_any(program, threads, has_files, serial);
}

/* --- mutations ------------------------------------------------------------ */

static unsigned int count_arguments(const struct kind *kind)
{
	unsigned int count = 0;

	while (count < ARGUMENTS && kind->arguments[count].domain)
		count++;

	return count;
}

static void change_argument(struct operation *operation)
{
	const struct kind *kind = &kinds[operation->kind];
	unsigned int count = count_arguments(kind);
	unsigned int at;

	if (kind->text && (!count || chance(35))) {
		free(operation->text);
		operation->text = random_text(kind->text);
		return;
	}
	if (!count)
		return;
	at = random_below(count);
	if (chance(80))
		operation->arguments[at] =
			random_argument(&kind->arguments[at]);
	else
		operation->arguments[at] += random_below(9) - 4ULL;
}

static struct operation copy_operation(const struct operation *operation)
{
	struct operation copy = *operation;

	if (copy.text)
		copy.text = strdup(copy.text);

	return copy;
}

static void change_order(struct program *program)
{
	struct operation *one =
		&program->operations[random_below(program->count)];
	struct operation *other =
		&program->operations[random_below(program->count)];
	struct operation moved = *one;

	*one = *other;
	*other = moved;
}

/* Inserts consecutive operations of another program. */
static void insert_from(struct program *program, const struct program *other,
			bool serial)
{
	unsigned int from = random_below(other->count);
	unsigned int at = random_below(program->count + 1);
	unsigned int left = 1 + random_below(8);

	for (; left-- && from < other->count; from++) {
		if (serial && kinds[other->operations[from].kind].is_concurrent)
			continue;
		if (!program_insert(program, at++,
				    copy_operation(&other->operations[from])))
			return;
	}
}

static void mutate_once(struct program *program, const struct program *other,
			bool serial)
{
	unsigned int threads = serial ? 1 : program_threads(program);
	unsigned int at = random_below(program->count);
	struct operation *operation = &program->operations[at];
	struct operation new;

	switch (random_below(10)) {
	case 0 ... 3:
		change_argument(operation);
		break;
	case 4 ... 5:
		new = random_operation(random_kind(serial));
		new.thread = random_below(threads);
		program_insert(program, random_below(program->count + 1), new);
		break;
	case 6:
		if (program->count > 1)
			program_remove(program, at);
		break;
	case 7:
		if (other)
			insert_from(program, other, serial);
		break;
	case 8:
		if (chance(50))
			change_order(program);
		else
			program_insert(program, at, copy_operation(operation));
		break;
	default:
		if (serial)
			break;
		if (chance(50))
			operation->thread = random_below(THREADS);
		else
			operation->times = 1 + random_below(TIMES_MAX);
	}
}

void mutate(struct program *program, const struct program *other, bool serial)
{
	do
		mutate_once(program, other, serial);
	while (chance(60));
}
