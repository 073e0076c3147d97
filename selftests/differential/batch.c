// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches of operations. There are three kinds: command strings, records, and a
 * mix of all operations on several events.
 */
#include <sys/mman.h>

#include "differential.h"

#define PAYLOAD_MAX 4200

/* Number of enable bits that the batch has used, each of them once. */
static unsigned int slots;

/*
 * Set in batches with several files and tracers: one of two events with the
 * same name might be deleted while the other remains, and the order is
 * unpredictable.
 */
static bool single_event_per_name;

void batch_name(unsigned long long batch)
{
	unsigned int i;

	for (i = 0; i < SUBJECTS; i++)
		strcpy(subjects[i].name, text("st_%llu_%c", batch, 'a' + i));
	make_name(subjects[0].name, text("st_%llu_a", batch));
}

/* --- registration --- */

static void next_slot(struct reg_shape *shape)
{
	shape->word = slots % WORDS;
	shape->bit = slots / WORDS % 32;
	slots++;
}

static void make_invalid_status_shape(struct reg_shape *shape)
{
	static const unsigned int sizes[] = { 0,  4,  19, 21,	22,   24, 24,
					      28, 32, 64, 4096, 4097, ~0U };

	shape->size = PICK(sizes);
	shape->tail = chance(40);
}

static void make_invalid_enabler_shape(struct reg_shape *shape)
{
	static const unsigned int sizes[] = { 0,  4,  19, 20,	24,   27,
					      29, 32, 64, 4096, 4097, ~0U };
	static const unsigned int widths[] = { 0, 1, 2, 3, 5, 8, 16, 255 };
	static const unsigned int bits[] = { 31, 32, 63, 64, 255 };
	static const unsigned int odd_flags[] = { 4, 8, 0x4000, 0xffff, 7 };

	switch (random_below(6)) {
	case 0:
		shape->size = PICK(sizes);
		shape->tail = chance(40);
		break;
	case 1:
		shape->enable_size = PICK(widths);
		break;
	case 2:
		shape->bit = PICK(bits);
		break;
	case 3:
		shape->flags = PICK(odd_flags);
		break;
	default:
		shape->word = WORDS + random_below(WORD_END - WORDS);
	}
}

static void make_shape(struct reg_shape *shape, unsigned int odd)
{
	shape_plain(shape);
	if (generation == GENERATION_ENABLER) {
		next_slot(shape);
		if (chance(15))
			shape->enable_size = 8;
		if (chance(12))
			shape->flags = USER_EVENT_REG_PERSIST;
		if (chance(8))
			shape->flags |= USER_EVENT_REG_MULTI_FORMAT;
	}
	if (!chance(odd))
		return;
	if (chance(30)) {
		shape->unprivileged = true;
		return;
	}
	if (generation == GENERATION_ENABLER)
		make_invalid_enabler_shape(shape);
	else
		make_invalid_status_shape(shape);
}

static void register_shaped(unsigned int subject, unsigned int file,
			    const char *command, unsigned int odd)
{
	struct reg_shape shape;

	make_shape(&shape, odd);
	if (single_event_per_name && generation == GENERATION_ENABLER) {
		shape.flags &= ~USER_EVENT_REG_MULTI_FORMAT;
		if (subject == SUBJECTS - 1)
			shape.flags |= USER_EVENT_REG_MULTI_FORMAT;
	}
	do_register(subject, file, command, &shape);
	/*
	 * Objects that a failed registration leaves would show up much later.
	 */
	if (shape.word >= WORDS)
		do_close(file);
}

/* The kernel reports only the first error of several lines, so use one line. */
static void join_lines(char *line, const char *command)
{
	strcpy(line, command);
	while ((line = strchr(line, '\n')))
		*line = ' ';
}

static void create_line(unsigned int subject, const char *command)
{
	static const char *const lines[] = {
		"u: %s", "u:%s # x", " u:%s", "U:%s",	  "u:%s\n",
		"u%s",	 "u:\t%s",   "u:%s#", "u:%s\n\n", "# u:%s",
	};
	char line[COMMAND_MAX + 16], one[COMMAND_MAX];

	join_lines(one, command);
	snprintf(line, sizeof(line), chance(75) ? "u:%s" : PICK(lines), one);
	do_line(subject, line);
}

/* --- deletion --- */

static const char *arguments_of(const char *command)
{
	const char *at = strchr(command, ' ');

	return at ? at + 1 : "";
}

static void delete_line(unsigned int subject, const char *command)
{
	static const char *const starts[] = {
		"-:%s",
		"!u:%s",
		"-:user_events/%s",
		"!u:user_events/%s",
	};
	static const char *const invalid_starts[] = {
		"-:user_events_multi/%s",
		"-:other/%s",
		"!zz:%s",
		"-%s",
		"!%s",
		"-u:%s",
		"!u: %s",
		"- :%s",
		"-:user_events/%s/",
		"!u:user_events.%s",
	};
	char line[2 * COMMAND_MAX + 32], other[COMMAND_MAX];

	snprintf(line, COMMAND_MAX + 32,
		 chance(85) ? PICK(starts) : PICK(invalid_starts),
		 subjects[subject].name);
	if (chance(60)) {
		join_lines(other, command);
		if (chance(40))
			respell_command(other);
		if (chance(15))
			alter_command(other);
		strcat(line, " ");
		strcat(line, arguments_of(other));
	}
	do_line(subject, line);
}

static void delete_event(unsigned int subject, const char *command)
{
	switch (random_below(6)) {
	case 0:
		do_delete(subject, 1, subjects[subject].name, chance(30));
		break;
	case 1:
		do_delete(subject, 1, command, false);
		break;
	default:
		delete_line(subject, command);
	}
}

/* --- command strings --- */

static void create_event(unsigned int subject, const char *command)
{
	if (chance(25))
		create_line(subject, command);
	else
		register_shaped(subject, 0, command, 4);
}

/* Tries a command, its variations, and a way to delete the event. */
static void try_command(void)
{
	char command[COMMAND_MAX], other[COMMAND_MAX];

	make_command(command, subjects[0].name);
	create_event(0, command);
	do_show(0);
	while (chance(55)) {
		strcpy(other, command);
		if (chance(85))
			respell_command(other);
		if (chance(15))
			alter_command(other);
		create_event(0, other);
	}
	if (chance(20))
		do_show_all();
	if (chance(50)) {
		do_close(0);
		delete_event(0, command);
		if (chance(50))
			do_show(0);
	}
	do_reset(0);
}

static void command_batch(void)
{
	unsigned int count = 3 + random_below(5);

	while (count--)
		try_command();
}

/* --- records --- */

static void random_bytes(unsigned char *bytes, size_t size)
{
	static const unsigned char common_bytes[] = { 0,    1,	  'a',	'Z',
						      ' ',  '\n', 0x7f, 0x80,
						      0xff, '%' };

	while (size--)
		*bytes++ = chance(50) ? PICK(common_bytes) : random_bits();
}

/*
 * Makes a location that points to the end of the record or close to it. The
 * common fields and the bytes in front of them differ between kernels, so only
 * the end of a string can be there.
 */
static void make_location(const struct field *field, unsigned char *payload,
			  size_t *used)
{
	size_t base = field->kind == KIND_DATA_LOC
			      ? common_fields_size()
			      : -(size_t)(field->offset + sizeof(uint32_t));
	size_t size = random_below(12), start = *used;
	unsigned char *data = payload + start;
	uint32_t word;

	random_bytes(data, size);
	if (field->string && size && chance(90))
		data[size - 1] = '\0';
	*used += size;
	switch (random_below(24)) {
	case 0:
		size++;
		break;
	case 1:
		start++;
		break;
	case 2:
		size = 0;
		break;
	case 3:
		size = 0xffff;
		break;
	case 4:
		start = field->offset + field->size;
		break;
	case 5:
		start = 0xffff - 16;
		break;
	}
	word = DYN_LOC(base + start, size);
	if (chance(4) && field->string)
		word = DYN_LOC(random_below(5), random_below(5));
	memcpy(payload + field->offset, &word, sizeof(word));
}

static size_t make_payload(const struct command *command,
			   unsigned char *payload)
{
	size_t used = command->size;
	unsigned int i;

	random_bytes(payload, used);
	for (i = 0; i < command->count; i++) {
		const struct field *field = &command->fields[i];

		if (field->kind == KIND_DATA_LOC || field->kind == KIND_REL_LOC)
			make_location(field, payload, &used);
		else if (field->kind == KIND_ARRAY && chance(80))
			memcpy(payload + field->offset, "some text",
			       field->size < 10 ? field->size : 10);
		else if (field->kind == KIND_NUMBER && chance(40))
			memset(payload + field->offset, 0, field->size),
				payload[field->offset] = random_below(4);
	}
	if (chance(12)) {
		random_bytes(payload + used, 16);
		used += 1 + random_below(15);
	}
	if (chance(2)) {
		memset(payload + used, 'x', PAYLOAD_MAX - used);
		used = chance(50) ? PAYLOAD_MAX : 1000 + random_below(3000);
	}
	if (chance(7) && used)
		used -= 1 + random_below(used < 8 ? used : 8);
	if (chance(2))
		used = 0;

	return used;
}

static void write_record(unsigned int subject, unsigned int file,
			 const struct command *command)
{
	static const long indices[] = {
		-1, 1, 2, 100, 0x7fffffff, -0x80000000L
	};
	static unsigned char payload[2 * PAYLOAD_MAX];
	enum write_method how = chance(70) ? random_below(2)
					   : random_below(WRITE_METHODS);
	size_t size;

	memset(payload, 0, sizeof(payload));
	size = make_payload(command, payload);
	do_write(subject, file, chance(4) ? PICK(indices) : 0, how, payload,
		 size);
}

static void filter_record(unsigned int subject, const struct command *command)
{
	static const char *const filters[] = {
		"%s == 1",
		"%s != 0",
		"%s > 1",
		"%s < 2 || %s == 3",
		"%s & 1",
		"!(%s == 1)",
		"%s == -1",
		"%s == \"some text\"",
		"%s ~ \"some*\"",
		"%s != \"x\"",
		"%s == 'a'",
		"%s >= 0x2",
		"%s",
		"%s ==",
		"%s === 1",
		"(%s == 1",
		"%s ~ 1",
		"%s == x",
		"%s & x",
		"%s == 1 && common_pid != 0",
	};
	static const char *const others[] = {
		"0", "none == 1", "common_pid != 0",
		"",  "\n",	  "common_pid == 0",
		"0", "0",
	};
	unsigned int number = command->count ? random_below(command->count) : 0;
	const char *name = command->fields[number].name;
	char filter[256];

	if (!command->count || chance(20))
		snprintf(filter, sizeof(filter), "%s", PICK(others));
	else
		snprintf(filter, sizeof(filter), PICK(filters), name, name);
	do_filter(subject, filter);
}

static void record_batch(void)
{
	unsigned int count = 4 + random_below(8);
	struct command command;
	char line[COMMAND_MAX];
	bool path_safe = name_is_path_safe(subjects[0].name);

	make_valid_command(&command, line, subjects[0].name);
	register_shaped(0, 0, line, 0);
	do_show(0);
	if (path_safe && chance(75))
		do_enable(0, true);
	if (path_safe && chance(50))
		do_perf(0, true);
	do_bits(0);
	do_show(0);
	while (count--) {
		if (path_safe && chance(12))
			filter_record(0, &command);
		write_record(0, 0, &command);
		if (path_safe && chance(5))
			do_enable(0, chance(50));
		if (path_safe && chance(4))
			do_perf(0, chance(50));
	}
	if (chance(30)) {
		do_enable(0, false);
		do_bits(0);
		write_record(0, 0, &command);
	}
	do_show_all();
	if (chance(50)) {
		do_close(0);
		delete_event(0, line);
	}
	do_reset(0);
}

/* --- all operations --- */

struct mix {
	struct command commands[SUBJECTS];
	char lines[SUBJECTS][COMMAND_MAX];
};

static void mixed_step(struct mix *mix)
{
	unsigned int subject = random_below(SUBJECTS);
	unsigned int file = random_below(FILES);
	const char *line = mix->lines[subject];
	bool path_safe = name_is_path_safe(subjects[subject].name);
	char other[COMMAND_MAX];
	struct reg_shape shape;

	switch (random_below(20)) {
	case 0 ... 3:
		register_shaped(subject, file, line, 5);
		break;
	case 4:
		strcpy(other, line);
		respell_command(other);
		register_shaped(subject, file, other, 2);
		break;
	case 5:
		create_line(subject, line);
		break;
	case 6:
		do_close(file);
		break;
	case 7:
		do_delete(subject, file, subjects[subject].name, chance(15));
		break;
	case 8:
		delete_line(subject, line);
		break;
	case 9 ... 10:
		if (path_safe)
			do_enable(subject, chance(60));
		break;
	case 11:
		if (path_safe)
			do_perf(subject, chance(60));
		break;
	case 12 ... 14:
		write_record(subject, file, &mix->commands[subject]);
		break;
	case 15:
		do_bits(subject);
		break;
	case 16:
		do_show_all();
		break;
	case 17:
		if (generation == GENERATION_ENABLER) {
			make_shape(&shape, 0);
			if (chance(80) && slots > 1)
				slots -= 1 + random_below(slots - 1);
			make_shape(&shape, 0);
			do_unregister(file, shape.word,
				      chance(95) ? shape.bit : 200,
				      chance(90) ? 16 : random_below(40),
				      chance(5));
		} else {
			do_map(chance(60) ? 4096 : 1 + random_below(9000),
			       chance(80) ? PROT_READ : PROT_READ | PROT_WRITE);
		}
		break;
	case 18:
		if (chance(15))
			do_truncate();
		break;
	default:
		do_show(subject);
	}
	if (chance(15))
		do_bits(subject);
}

static void mixed_batch(void)
{
	unsigned int count = 12 + random_below(20);
	static struct mix mix;
	unsigned int i;

	for (i = 0; i < SUBJECTS; i++)
		make_valid_command(&mix.commands[i], mix.lines[i],
				   subjects[i].name);
	while (count--)
		mixed_step(&mix);
	do_show_all();
	for (i = 0; i < SUBJECTS; i++)
		do_reset(i);
}

void batch_run(unsigned long long batch)
{
	slots = 0;
	single_event_per_name = batch % 10 == 9;
	switch (batch % 10) {
	case 0 ... 6:
		command_batch();
		break;
	case 7 ... 8:
		record_batch();
		break;
	default:
		mixed_batch();
	}
}
