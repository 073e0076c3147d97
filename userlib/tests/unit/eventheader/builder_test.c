// SPDX-License-Identifier: MIT
/*
 * Errors of builders and providers of EventHeader, also without memory and
 * without user_events. eventheader_test.c has the bytes.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/eventheader-dynamic.h>

#include "eventheader/name.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/vectors.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static struct uev_dynamic_provider *provider;
static struct uev_event_set *set;
static struct uev_builder *builder;

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 5, 1, &set),
			 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	fake_enable("Prov_L5K1", true);
	ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
}

static void tear_down(void)
{
	uev_builder_free(builder);
	uev_dynamic_provider_free(provider);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_FIXTURE(set_up, tear_down);

/* Checks that @err is the event's error from now on. */
static void refused(int err, int result)
{
	unsigned int before = fake_records();
	size_t bookmark;

	ck_assert_int_eq(result, err);
	ck_assert_int_eq(uev_builder_error(builder), err);
	ck_assert_int_eq(uev_add_u8(builder, "a", 1), err);
	ck_assert_int_eq(uev_add_meta(builder, "a", 99, 99, 0, 0), err);
	ck_assert_int_eq(uev_add_data(builder, NULL, 1), err);
	ck_assert_int_eq(uev_add_struct(builder, "a", 0, 0, NULL), err);
	ck_assert_int_eq(uev_add_struct(builder, "a", 0, 0, &bookmark), err);
	ck_assert_int_eq(uev_set_members(builder, 0, 0), err);
	ck_assert_int_eq(uev_add_struct_array(builder, "a", 0, 0, 0), err);
	ck_assert_int_eq(uev_begin_struct(builder, "a", 0), err);
	ck_assert_int_eq(uev_end_struct(builder), err);
	ck_assert_int_eq(uev_builder_id(builder, 1, 1), err);
	ck_assert_int_eq(uev_builder_opcode(builder, 1), err);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), err);
	ck_assert_int_eq(uev_builder_error(builder), err);
	ck_assert_uint_eq(fake_records(), before);
	/* The next event is independent. */
	ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
	ck_assert_int_eq(uev_builder_error(builder), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), before + 1);
	ck_assert_uint_eq(fake_record()->size, 14);
	uev_builder_begin(builder, "E", 0);
}

/* --- Names ---------------------------------------------------------------- */

static const struct name {
	const char *text;
	int err;
} names[] = {
	{ "a", 0 },
	{ "a;b=", 0 },
	{ "a;b=c", 0 },
	{ "a;b=c=d", 0 },
	{ "a;b=;;", 0 },
	{ "a;b=;;;c=d", 0 },
	{ "a;b=x;;y;c=", 0 },
	{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 0 },
	{ "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf", 0 },
	{ "\xed\x9f\xbf\xee\x80\x80", 0 },
	{ NULL, -EINVAL },
	{ "a;", -EINVAL },
	{ "a;b", -EINVAL },
	{ "a;=", -EINVAL },
	{ "a;=b", -EINVAL },
	{ "a;;b=c", -EINVAL },
	{ "a;b;c=d", -EINVAL },
	{ "a;b=c;", -EINVAL },
	{ "a;b=c;d", -EINVAL },
	{ "a;b=;;;", -EINVAL },
	{ "a\x80", -EILSEQ },
	{ "a\xff", -EILSEQ },
	{ "a\xf8\x88\x80\x80\x80", -EILSEQ },
	{ "a\xc3", -EILSEQ },
	{ "a\xc3(", -EILSEQ },
	{ "a\xe2\x82", -EILSEQ },
	{ "a\xc1\xbf", -EILSEQ },
	{ "a\xe0\x9f\xbf", -EILSEQ },
	{ "a\xf0\x8f\xbf\xbf", -EILSEQ },
	{ "a\xed\xa0\x80", -EILSEQ },
	{ "a\xed\xbf\xbf", -EILSEQ },
	{ "a\xf4\x90\x80\x80", -EILSEQ },
	{ "a;b=\x80", -EILSEQ },
};

TEST_LOOP(name_of_an_event, ARRAY_SIZE(names))
{
	int err = uev_builder_begin(builder, names[_i].text, 0);

	ck_assert_int_eq(err, names[_i].err);
	if (err)
		refused(err, err);
}

TEST_LOOP(name_of_a_field, ARRAY_SIZE(names))
{
	int err = uev_add_u8(builder, names[_i].text, 0);

	ck_assert_int_eq(err, names[_i].err);
	if (err)
		refused(err, err);
}

TEST_LOOP(name_of_a_struct, ARRAY_SIZE(names))
{
	int err = uev_add_struct(builder, names[_i].text, 1, 0, NULL);

	ck_assert_int_eq(err, names[_i].err);
	if (err)
		refused(err, err);
}

/* A field may be without a name. */
TEST(no_name)
{
	ck_assert_int_eq(uev_add_u8(builder, "", 0), 0);
	ck_assert_int_eq(uev_add_u8(builder, ";a=b", 0), 0);
	refused(-EINVAL, uev_builder_begin(builder, "", 0));
	refused(-EINVAL, uev_builder_begin(builder, ";a=b", 0));
}

static const struct provider_name {
	const char *name;
	const char *group;
	int err;
} provider_names[] = {
	{ "A", NULL, 0 },
	{ "a_B9_", "", 0 },
	{ "A", "0az9", 0 },
	{ NULL, NULL, -EINVAL },
	{ "", NULL, -EINVAL },
	{ "a.b", NULL, -EINVAL },
	{ "a b", NULL, -EINVAL },
	{ "a:b", NULL, -EINVAL },
	{ "a/b", NULL, -EINVAL },
	{ "a-b", NULL, -EINVAL },
	{ "\xc3\xa4", NULL, -EINVAL },
	{ "A", "G", -EINVAL },
	{ "A", "a_b", -EINVAL },
};

TEST_LOOP(name_of_a_provider, ARRAY_SIZE(provider_names))
{
	const struct provider_name *row = &provider_names[_i];
	struct uev_dynamic_provider *other = provider;

	ck_assert_int_eq(uev_dynamic_provider_new(&other, row->name,
						  row->group),
			 row->err);
	ck_assert_int_eq(!other, !!row->err);
	if (other) {
		ck_assert_str_eq(uev_dynamic_provider_name(other), row->name);
		ck_assert_str_eq(uev_dynamic_provider_group(other),
				 row->group ? row->group : "");
	}
	uev_dynamic_provider_free(other);
}

/* The longest name that a kernel takes is made of the longest parts. */
TEST(longest_name_of_a_provider)
{
	char name[UEV_EVENTHEADER_PROVIDER_MAX + 2];
	struct uev_dynamic_provider *other;
	struct uev_event_set *last;

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(uev_dynamic_provider_new(&other, name, NULL),
			 -ENAMETOOLONG);
	name[UEV_EVENTHEADER_PROVIDER_MAX - 1] = '\0';
	ck_assert_int_eq(uev_dynamic_provider_new(&other, name, "bb"),
			 -ENAMETOOLONG);
	ck_assert_int_eq(uev_dynamic_provider_new(&other, name, "b"), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(other, 255, UINT64_MAX,
							&last),
			 0);
	ck_assert_int_eq(uev_event_status(&last->event), 0);
	ck_assert_uint_eq(strcspn(last->event.command, " "),
			  UEV_EVENTHEADER_NAME_MAX);
	ck_assert_uint_le(strlen(last->event.command) + 1,
			  EVENTHEADER_COMMAND_SIZE);
	uev_dynamic_provider_free(other);
}

/* --- Sets ----------------------------------------------------------------- */

TEST(sets)
{
	struct uev_event_set *other, *again;

	ck_assert_ptr_eq(uev_dynamic_provider_find_set(provider, 5, 1), set);
	ck_assert_ptr_null(uev_dynamic_provider_find_set(provider, 5, 2));
	ck_assert_ptr_null(uev_dynamic_provider_find_set(provider, 4, 1));
	ck_assert_ptr_null(uev_dynamic_provider_find_set(provider, 256 + 5, 1));
	ck_assert_uint_eq(fake_enablers(), 1);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &other),
			 0);
	ck_assert_ptr_ne(other, set);
	ck_assert_uint_eq(other->level, 4);
	ck_assert_uint_eq(other->keyword, 1);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &again),
			 0);
	ck_assert_ptr_eq(other, again);
	ck_assert_uint_eq(fake_enablers(), 2);
	ck_assert_str_eq(other->event.command,
			 "Prov_L4K1 u8 eventheader_flags; u8 version; u16 id; "
			 "u16 tag; u8 opcode; u8 level");
}

TEST(levels)
{
	struct uev_event_set *other = set;

	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 0, 1, &other),
			 -EINVAL);
	ck_assert_ptr_null(other);
	other = set;
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 256, 1,
							&other),
			 -EINVAL);
	ck_assert_ptr_null(other);
	ck_assert_int_eq(
		uev_dynamic_provider_event_set(provider, 255, 1, &other), 0);
	ck_assert_uint_eq(other->level, 255);
}

/* A failed registration is tried again. */
TEST(rejected_by_the_kernel)
{
	struct uev_event_set *other = set;

	fake_fail(FAKE_IOCTL, 0, 1, -EADDRINUSE);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &other),
			 -EADDRINUSE);
	ck_assert_ptr_null(other);
	ck_assert_ptr_null(uev_dynamic_provider_find_set(provider, 4, 1));
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &other),
			 0);
	ck_assert_ptr_nonnull(other);
}

/* A word that the kernel keeps stays in memory. */
TEST(kept_by_the_kernel)
{
	struct uev_dynamic_provider *other;
	struct uev_event_set *kept;

	ck_assert_int_eq(uev_dynamic_provider_new(&other, "Kept", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(other, 1, 1, &kept), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOENT);
	uev_dynamic_provider_free(other);
	fake_enable("Kept_L1K1", true);
	ck_assert_uint_eq(kept->event.state & UEV_ENABLED, UEV_ENABLED);
	fake_drop_enablers();
}

TEST(write_rejected_by_the_kernel)
{
	fake_fail(FAKE_WRITE, 0, 1, -EFAULT);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EFAULT);
	/* That is not an error of the event. */
	ck_assert_int_eq(uev_builder_error(builder), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
}

TEST(disabled)
{
	fake_enable("Prov_L5K1", false);
	ck_assert(!uev_enabled(&set->event));
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 0);
	/* Errors are returned nevertheless. */
	uev_add(builder, "a", 0, 0, 0, NULL, 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EINVAL);
}

/* For both interfaces. */
TEST_LOOP(interfaces, 3)
{
	static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_STATUS,
					      FAKE_BOTH };

	uev_dynamic_provider_free(provider);
	ck_assert_int_eq(uev_shutdown(), 0);
	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 5, 1, &set),
			 0);
	ck_assert(!uev_enabled(&set->event));
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), 0);
	fake_enable("Prov_L5K1", true);
	ck_assert(uev_enabled(&set->event));
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_record()->size, 14);
}

/* Without user_events a set is pending. */
TEST(pending)
{
	struct uev_event_set *other;

	uev_dynamic_provider_free(provider);
	ck_assert_int_eq(uev_shutdown(), 0);
	fake_reset(FAKE_ENABLER);
	fake_load(false);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 5, 1, &other),
			 0);
	ck_assert_int_eq(uev_event_status(&other->event), -ENOPKG);
	ck_assert_int_eq(uev_builder_write(builder, other, NULL, NULL), 0);
	fake_load(true);
	fake_pass(1000);
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_enable("Prov_L5K1", true);
	ck_assert_int_eq(uev_builder_write(builder, other, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

#define THREADS 4
#define KEYWORDS 8

/* Requests sets, each of which the first thread registers. */
static void *find_sets(void *found)
{
	struct uev_event_set **sets = found;
	struct uev_builder *own;

	if (uev_builder_new(&own))
		return NULL;
	for (int round = 0; round < 20; round++) {
		for (uint64_t keyword = 0; keyword < KEYWORDS; keyword++) {
			if (uev_dynamic_provider_event_set(provider, 5, keyword,
							   &sets[keyword]))
				continue;
			uev_builder_begin(own, "E", 0);
			uev_add_u64(own, "keyword", keyword);
			(void)uev_builder_write(own, sets[keyword], NULL, NULL);
		}
	}
	uev_builder_free(own);
	return own;
}

TEST(threads)
{
	static struct uev_event_set *sets[THREADS][KEYWORDS];
	pthread_t thread[THREADS];
	void *result;
	int i;

	for (i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, find_sets,
						sets[i]),
				 0);
	for (i = 0; i < THREADS; i++) {
		ck_assert_int_eq(pthread_join(thread[i], &result), 0);
		ck_assert_ptr_nonnull(result);
	}
	for (i = 0; i < THREADS; i++)
		ck_assert_mem_eq(sets[i], sets[0], sizeof(sets[0]));
	/* The enabled set is one of them. */
	ck_assert_uint_eq(fake_enablers(), KEYWORDS);
	ck_assert_uint_eq(fake_records(), THREADS * 20);
}

/* Requests sets of the provider whose call is reported, and in a child. */
static void use_provider(const char *name, const char *command, int error,
			 void *data)
{
	struct uev_event_set *found, *again;
	int *calls = data, status;
	pid_t child;

	(void)name;
	(void)command;
	(void)error;
	++*calls;
	alarm(10);
	child = fork();
	ck_assert(uev_dynamic_provider_find_set(provider, 5, 1) == set);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &found),
			 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &again),
			 0);
	ck_assert_ptr_eq(found, again);
	if (!child)
		_exit(0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	alarm(0);
}

/*
 * A set is registered without a lock: other threads, a child of fork() and a
 * handler of failures can request sets meanwhile.
 */
TEST(sets_during_a_registration)
{
	struct uev_event one, other;
	struct uev_event_set *found, *again;
	int calls = 0;

	uev_dynamic_provider_free(provider);
	ck_assert_int_eq(uev_shutdown(), 0);
	fake_reset(FAKE_ENABLER);
	fake_load(false);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 5, 1, &set),
			 0);
	uev_event_init(&one, "n u8 a");
	uev_event_init(&other, "n u32 a");
	ck_assert_int_eq(uev_event_register(&one, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	uev_set_failure_handler(use_provider, &calls);
	fake_load(true);
	fake_pass(1000);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &found),
			 0);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 4, 1, &again),
			 0);
	ck_assert_ptr_eq(found, again);
	uev_set_failure_handler(NULL, NULL);
	ck_assert_int_eq(uev_event_unregister(&one), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

/* --- Fields --------------------------------------------------------------- */

static const char space[0x10000 * 4];

static const struct row {
	unsigned int encoding;
	unsigned int format;
	const void *data;
	size_t count;
	int err;
} fields[] = {
	/* Unknown encodings, and those that are not valid here. */
	{ UEV_ENCODING_INVALID, 0, space, 1, -EINVAL },
	{ UEV_ENCODING_STRUCT, 1, space, 1, -EINVAL },
	{ UEV_ENCODING_END, 0, space, 1, -EINVAL },
	{ UEV_ENCODING_TYPE, 0, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_CHAIN, 0, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_FLAGS, 0, space, 1, -EINVAL },
	{ 0x100 | UEV_ENCODING_VALUE8, 0, space, 1, -EINVAL },
	/* Formats that do not fit; one that is read only; none at all. */
	{ UEV_ENCODING_VALUE8, UEV_FORMAT_ERRNO, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE16, UEV_FORMAT_FLOAT, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE32, UEV_FORMAT_UUID, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE64, UEV_FORMAT_IP_ADDRESS, space, 1, -EINVAL },
	{ UEV_ENCODING_VALUE128, UEV_FORMAT_UNSIGNED, space, 1, -EINVAL },
	{ UEV_ENCODING_ZSTRING8, UEV_FORMAT_UNSIGNED, space, 0, -EINVAL },
	{ UEV_ENCODING_VALUE128, UEV_FORMAT_IP_ADDRESS_OBSOLETE, space, 1,
	  -EINVAL },
	{ UEV_ENCODING_BINARY, UEV_FORMAT_IP_ADDRESS_OBSOLETE, space, 16,
	  -EINVAL },
	{ UEV_ENCODING_BINARY, UEV_FORMAT_END, space, 1, -EINVAL },
	{ UEV_ENCODING_BINARY, UEV_FORMAT_CHAIN, space, 1, -EINVAL },
	{ UEV_ENCODING_BINARY, UINT32_MAX, space, 1, -EINVAL },
	/* Counts. */
	{ UEV_ENCODING_VALUE8, 0, space, 0, -EINVAL },
	{ UEV_ENCODING_VALUE8, 0, space, 2, -EINVAL },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_CARRAY, 0, space, 0, -EINVAL },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_CARRAY, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_VARRAY, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_VARRAY, 0, space, SIZE_MAX,
	  -E2BIG },
	{ UEV_ENCODING_VALUE128 | UEV_ENCODING_VARRAY, 0, space,
	  SIZE_MAX / 16 + 2, -E2BIG },
	{ UEV_ENCODING_BINARY, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_STRING8, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_STRING32, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_STRING32, 0, space, SIZE_MAX / 4 + 2, -E2BIG },
	{ UEV_ENCODING_ZSTRING8, 0, space, 65536, -E2BIG },
	{ UEV_ENCODING_BINARY, 0, NULL, 1, -EINVAL },
	{ UEV_ENCODING_ZSTRING8, 0, NULL, 1, -EINVAL },
	{ UEV_ENCODING_VALUE8, 0, NULL, 1, -EINVAL },
	{ UEV_ENCODING_VALUE8 | UEV_ENCODING_VARRAY, 0, NULL, 1, -EINVAL },
	{ UEV_ENCODING_STRING8 | UEV_ENCODING_VARRAY, 0, NULL, 1, -EINVAL },
	/* A zero before the end of the string. */
	{ UEV_ENCODING_ZSTRING8, 0, "a\0b", 3, -EINVAL },
	{ UEV_ENCODING_ZSTRING8, 0, "ab", 3, -EINVAL },
	{ UEV_ENCODING_ZSTRING16, 0, u"a\0b", 3, -EINVAL },
	{ UEV_ENCODING_ZSTRING32, 0, U"a\0b", 3, -EINVAL },
	{ UEV_ENCODING_ZSTRING8, 0, "abc", 3, 0 },
	{ UEV_ENCODING_ZSTRING16, 0, u"\x6100\x0061\x0100", 3, 0 },
	{ UEV_ENCODING_ZSTRING8, 0, NULL, 0, 0 },
	{ UEV_ENCODING_BINARY, 0, NULL, 0, 0 },
	/* Larger than an event may be, though no count is. */
	{ UEV_ENCODING_BINARY, 0, space, 65535, -E2BIG },
	{ UEV_ENCODING_VALUE16 | UEV_ENCODING_VARRAY, 0, space, 40000, -E2BIG },
	{ UEV_ENCODING_VALUE128 | UEV_ENCODING_CARRAY, 0, space, 4096, -E2BIG },
};

TEST_LOOP(field, ARRAY_SIZE(fields))
{
	const struct row *row = &fields[_i];
	int err = uev_add(builder, "f", row->encoding, row->format, 0,
			  row->data, row->count);

	ck_assert_int_eq(err, row->err);
	if (err)
		refused(err, err);
}

/* Every encoding accepts exactly the matching formats. */
TEST(formats)
{
	static const unsigned long fit[] = {
		[UEV_ENCODING_VALUE8] = 0x0068f,
		[UEV_ENCODING_VALUE16] = 0x10a8f,
		[UEV_ENCODING_VALUE32] = 0x20bff,
		[UEV_ENCODING_VALUE64] = 0x0034f,
		[UEV_ENCODING_VALUE128] = 0x28201,
		[UEV_ENCODING_ZSTRING8] = 0x07e01,
		[UEV_ENCODING_ZSTRING16] = 0x07e01,
		[UEV_ENCODING_ZSTRING32] = 0x07e01,
		[UEV_ENCODING_STRING8] = 0x3ffff,
		[UEV_ENCODING_STRING16] = 0x07e01,
		[UEV_ENCODING_STRING32] = 0x07e01,
		[UEV_ENCODING_BINARY] = 0x3ffff,
		[UEV_ENCODING_TYPE] = 0,
	};
	unsigned int encoding, format;
	int expected;

	for (encoding = 0; encoding < ARRAY_SIZE(fit); encoding++) {
		ck_assert_uint_eq(UEV_FORMATS_OF(encoding), fit[encoding]);
		for (format = 0; format < 32; format++) {
			expected = fit[encoding] >> format & 1 ? 0 : -EINVAL;
			uev_builder_begin(builder, "E", 0);
			ck_assert_int_eq(
				uev_add(builder, "f", encoding, format, 0,
					space, 1),
				encoding >= UEV_ENCODING_ZSTRING8 &&
						encoding <=
							UEV_ENCODING_ZSTRING32
					? -EINVAL
					: expected);
		}
	}
}

/* The terminator is searched only up to the maximum count. */
TEST(unterminated_string)
{
	char *text = malloc(65537 * 2);

	memset(text, 'a', 65537 * 2);
	refused(-E2BIG, uev_add_zutf8(builder, "f", text));
	refused(-E2BIG, uev_add_zutf16(builder, "f", text));
	free(text);
}

/* A string without characters is a zero, of 1, 2 or 4 bytes. */
TEST(empty_strings_have_a_zero)
{
	const struct fake_record *record;

	ck_assert_int_eq(uev_add_zutf8(builder, "a", ""), 0);
	ck_assert_int_eq(uev_add_zutf16(builder, "b", u""), 0);
	ck_assert_int_eq(uev_add_zutf32(builder, "c", U""), 0);
	ck_assert_int_eq(uev_add_u8(builder, "z", 0xff), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	record = fake_record();
	ck_assert_uint_eq(record->payload[record->size - 9],
			  UEV_ENCODING_VALUE8);
	ck_assert_mem_eq(record->payload + record->size - 8,
			 "\0\0\0\0\0\0\0\xff", 8);
}

TEST(strings_in_arrays)
{
	static const struct uev_string good[] = { { "a", 1 }, { "b", 1 } };
	static const struct uev_string zero[] = { { "a", 1 }, { "a\0b", 3 } };
	static const struct uev_string missing[] = { { "a", 1 }, { NULL, 1 } };
	static const struct uev_string large[] = { { "a", 1 },
						   { space, 65536 } };

	ck_assert_int_eq(uev_add_utf8_array(builder, "f", good, 2), 0);
	ck_assert_int_eq(uev_add_utf8_array(builder, "f", NULL, 0), 0);
	ck_assert_int_eq(uev_add_utf8_array(builder, "f", zero, 2), 0);
	refused(-EINVAL, uev_add(builder, "f",
				 UEV_ENCODING_ZSTRING8 | UEV_ENCODING_VARRAY, 0,
				 0, zero, 2));
	refused(-EINVAL, uev_add_utf8_array(builder, "f", missing, 2));
	refused(-E2BIG, uev_add_utf8_array(builder, "f", large, 2));
	refused(-E2BIG, uev_add_utf8_array(builder, "f", good, 65536));
}

TEST(metadata_only)
{
	const unsigned int carray = UEV_ENCODING_VALUE8 | UEV_ENCODING_CARRAY;

	ck_assert_int_eq(uev_add_meta(builder, "a", carray, 0, 0, 3), 0);
	ck_assert_int_eq(uev_add_data(builder, "abc", 3), 0);
	ck_assert_int_eq(uev_add_data(builder, NULL, 0), 0);
	refused(-EINVAL, uev_add_meta(builder, "a", carray, 0, 0, 0));
	refused(-E2BIG, uev_add_meta(builder, "a", carray, 0, 0, 65536));
	refused(-EINVAL,
		uev_add_meta(builder, "a", UEV_ENCODING_VALUE8, 0, 0, 1));
	refused(-EINVAL, uev_add_meta(builder, "a",
				      UEV_ENCODING_STRUCT | UEV_ENCODING_CARRAY,
				      1, 0, 2));
	refused(-EINVAL, uev_add_data(builder, NULL, 1));
	refused(-E2BIG, uev_add_data(builder, space, 65534));
	refused(-E2BIG, uev_add_data(builder, space, SIZE_MAX));
}

TEST(id_and_version)
{
	ck_assert_int_eq(uev_builder_id(builder, 0, 0), 0);
	ck_assert_int_eq(uev_builder_id(builder, 1, 0), 0);
	refused(-EINVAL, uev_builder_id(builder, 0, 1));
}

TEST(no_event_started)
{
	struct uev_builder *other;

	ck_assert_int_eq(uev_builder_new(&other), 0);
	ck_assert_int_eq(uev_builder_error(other), -EINVAL);
	ck_assert_int_eq(uev_add_u8(other, "a", 1), -EINVAL);
	ck_assert_int_eq(uev_builder_write(other, set, NULL, NULL), -EINVAL);
	ck_assert_int_eq(uev_builder_begin(other, "E", 0), 0);
	ck_assert_int_eq(uev_builder_write(other, set, NULL, NULL), 0);
	uev_builder_free(other);
	uev_builder_free(NULL);
	uev_dynamic_provider_free(NULL);
}

/* --- Structs -------------------------------------------------------------- */

TEST(member_counts)
{
	size_t bookmark;

	ck_assert_int_eq(uev_add_struct(builder, "s", 127, 0, NULL), 0);
	refused(-EINVAL, uev_add_struct(builder, "s", 0, 0, NULL));
	refused(-E2BIG, uev_add_struct(builder, "s", 128, 0, NULL));
	refused(-EINVAL, uev_add_struct_array(builder, "s", 0, 0, 1));
	refused(-E2BIG, uev_add_struct_array(builder, "s", 128, 0, 1));
	refused(-E2BIG, uev_add_struct_array(builder, "s", 1, 0, 65536));
	ck_assert_int_eq(uev_add_struct(builder, "s", 0, 0, &bookmark), 0);
	refused(-EINVAL, uev_set_members(builder, bookmark, 0));
	uev_add_struct(builder, "s", 0, 0, &bookmark);
	refused(-E2BIG, uev_set_members(builder, bookmark, 128));
	refused(-EINVAL, uev_set_members(builder, 0, 1));
	refused(-EINVAL, uev_set_members(builder, SIZE_MAX, 1));
	/* Not one of this event. */
	refused(-EINVAL, uev_set_members(builder, bookmark, 1));
}

/* One that never heard how many members it has. */
TEST(members_not_set)
{
	size_t bookmark;

	ck_assert_int_eq(uev_add_struct(builder, "s", 0, 7, &bookmark), 0);
	ck_assert_int_eq(uev_add_u8(builder, "a", 1), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EINVAL);
	ck_assert_int_eq(uev_set_members(builder, bookmark, 1), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_mem_eq(fake_record()->payload + 14,
			 "s\0\x81\x81" BYTES_2("\x07", "\0") "a\0\x02", 9);
}

TEST(struct_without_end)
{
	ck_assert_int_eq(uev_begin_struct(builder, "s", 0), 0);
	ck_assert_int_eq(uev_add_u8(builder, "a", 1), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -EINVAL);
	ck_assert_int_eq(uev_end_struct(builder), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	refused(-EINVAL, uev_end_struct(builder));
}

/* Structs that an event left open are none of the next one's. */
TEST(begin_forgets_open_structs)
{
	unsigned int depth;
	int i;

	for (i = 0; i < 2; i++) {
		ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
		for (depth = 0; depth < UEV_STRUCT_DEPTH_MAX; depth++)
			ck_assert_int_eq(uev_begin_struct(builder, "s", 0), 0);
	}
	ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
	ck_assert_int_eq(uev_add_u8(builder, "a", 1), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	refused(-EINVAL, uev_end_struct(builder));
}

TEST(no_members)
{
	size_t bookmark;

	uev_begin_struct(builder, "s", 0);
	refused(-EINVAL, uev_end_struct(builder));
	uev_begin_struct(builder, "s", 0);
	uev_add_struct(builder, "t", 0, 0, &bookmark);
	refused(-EINVAL, uev_end_struct(builder));
}

/* The maximum number of members of any kind, and one more. */
TEST(most_members)
{
	const uint8_t bytes[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++) {
		uev_builder_begin(builder, "E", 0);
		uev_begin_struct(builder, "s", 1);
		for (int member = 0; member < 124 + i; member++)
			uev_add_u8(builder, "", 0);
		uev_add_struct(builder, "t", 2, 0x4141, NULL);
		uev_add(builder, "a", UEV_ENCODING_VALUE8 | UEV_ENCODING_CARRAY,
			UEV_FORMAT_HEX, 0x4141, bytes, 2);
		uev_add(builder, "b", UEV_ENCODING_VALUE8, UEV_FORMAT_HEX, 0,
			bytes, 1);
		uev_add_struct_array(builder, "u", 1, 0, 0);
		uev_add_meta(builder, "a", UEV_ENCODING_VALUE8, 0, 0, 0);
		uev_add_u8(builder, "last", 0);
		if (i)
			refused(-E2BIG, uev_end_struct(builder));
		else
			ck_assert_int_eq(uev_end_struct(builder), 0);
		if (!i)
			ck_assert_int_eq(uev_builder_error(builder), 0);
	}
}

/* Structs that end together end all. */
TEST(last_members)
{
	uev_begin_struct(builder, "s", 0);
	uev_add_struct(builder, "t", 1, 0, NULL);
	uev_add_struct(builder, "u", 1, 0, NULL);
	uev_add_u8(builder, "a", 1);
	uev_add_u8(builder, "b", 2);
	uev_end_struct(builder);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_mem_eq(fake_record()->payload + 14,
			 "s\0\x81\2t\0\x81\1u\0\x81\1\x61\0\2\x62\0\2\1\2", 20);
}

/* Readers follow structs in structs up to the eighth. */
TEST(depth)
{
	int i;

	for (i = 0; i < 8; i++)
		ck_assert_int_eq(uev_begin_struct(builder, "s", 0), 0);
	ck_assert_int_eq(uev_add_u8(builder, "a", 0), 0);
	for (i = 0; i < 8; i++)
		ck_assert_int_eq(uev_end_struct(builder), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), 1);

	uev_builder_begin(builder, "E", 0);
	for (i = 0; i < 8; i++)
		ck_assert_int_eq(uev_begin_struct(builder, "s", 0), 0);
	ck_assert_int_eq(uev_begin_struct(builder, "s", 0), -E2BIG);

	uev_builder_begin(builder, "E", 0);
	for (i = 0; i < 9; i++)
		ck_assert_int_eq(uev_add_struct(builder, "s", 1, 0, NULL), 0);
	uev_add_u8(builder, "a", 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	ck_assert_uint_eq(fake_records(), 1);

	/* One after the other they are not deep. */
	uev_builder_begin(builder, "E", 0);
	for (i = 0; i < 20; i++) {
		uev_add_struct(builder, "s", 1, 0, NULL);
		uev_add_u8(builder, "a", 0);
	}
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_records(), 2);
}

/* --- Size and memory ------------------------------------------------------ */

/* An event that is too large is counted. */
TEST(oversize_is_counted)
{
	struct uev_stats stats;

	uev_add_binary(builder, "f", space, 65536);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	uev_builder_begin(builder, "E", 0);
	uev_add_binary(builder, "f", space, UEV_PAYLOAD_MAX - 18);
	ck_assert_int_eq(uev_builder_error(builder), 0);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	uev_event_stats(&set->event, &stats, sizeof(stats));
	ck_assert_uint_eq(stats.oversize, 2);
	ck_assert_uint_eq(stats.written, 0);
	uev_builder_begin(builder, "E", 0);
	uev_add_binary(builder, "f", space, UEV_PAYLOAD_MAX - 19);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	/* It is not counted while the set is disabled. */
	fake_enable("Prov_L5K1", false);
	uev_add_binary(builder, "f", space, 65536);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), -E2BIG);
	uev_event_stats(&set->event, &stats, sizeof(stats));
	ck_assert_uint_eq(stats.oversize, 2);
}

TEST(too_much_metadata)
{
	char *name = malloc(70000);
	int i, err = 0;

	memset(name, 'a', 70000);
	name[69999] = '\0';
	refused(-E2BIG, uev_builder_begin(builder, name, 0));
	refused(-E2BIG, uev_add_u8(builder, name, 0));
	name[1000] = '\0';
	for (i = 0; i < 70 && !err; i++)
		err = uev_add_u8(builder, name, 0);
	ck_assert_int_eq(i, 66);
	refused(-E2BIG, err);
	free(name);
}

static int build(void)
{
	uev_builder_begin(builder, "a name that is longer", 0);
	uev_add_binary(builder, "f", space, 3000);
	for (int i = 0; i < 100; i++)
		uev_add_u8(builder, "another name that is longer", 1);
	return uev_builder_write(builder, set, NULL, NULL);
}

/* Once a builder has been as large as that, it needs no more memory. */
TEST(steady_state)
{
	int first, second;

	ck_assert_int_eq(build(), 0);
	/* libcheck allocates, too. */
	fake_alloc_fail(0);
	first = build();
	second = build();
	ck_assert(!fake_alloc_end());
	ck_assert_int_eq(first, 0);
	ck_assert_int_eq(second, 0);
	ck_assert_uint_eq(fake_records(), 3);
}

TEST(no_memory_to_build)
{
	unsigned int after;
	int err;

	for (after = 0;; after++) {
		uev_builder_free(builder);
		ck_assert_int_eq(uev_builder_new(&builder), 0);
		fake_alloc_fail(after);
		err = build();
		if (!fake_alloc_end())
			break;
		ck_assert(fake_alloc_kept_errno());
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_int_eq(uev_builder_error(builder), -ENOMEM);
	}
	ck_assert_int_eq(err, 0);
	ck_assert_uint_ge(after, 2);
	ck_assert_uint_eq(fake_records(), 1);
}

TEST(no_memory_to_begin)
{
	struct uev_builder *other_builder;
	struct uev_dynamic_provider *other;
	struct uev_event_set *other_set;
	unsigned int after;
	int err;

	for (after = 0;; after++) {
		other_builder = builder;
		fake_alloc_fail(after);
		err = uev_builder_new(&other_builder);
		if (!fake_alloc_end())
			break;
		ck_assert(fake_alloc_kept_errno());
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_ptr_null(other_builder);
	}
	ck_assert_uint_eq(after, 3);
	uev_builder_free(other_builder);

	other = provider;
	fake_alloc_fail(0);
	ck_assert_int_eq(uev_dynamic_provider_new(&other, "A", NULL), -ENOMEM);
	ck_assert(fake_alloc_end());
	ck_assert(fake_alloc_kept_errno());
	ck_assert_ptr_null(other);

	for (after = 0;; after++) {
		other_set = set;
		fake_alloc_fail(after);
		err = uev_dynamic_provider_event_set(provider, 1, 2,
						     &other_set);
		if (!fake_alloc_end())
			break;
		ck_assert(fake_alloc_kept_errno());
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_ptr_null(other_set);
		ck_assert_ptr_null(
			uev_dynamic_provider_find_set(provider, 1, 2));
	}
	ck_assert_uint_ge(after, 1);
	ck_assert_int_eq(err, 0);
}

/* --- Events like the previous one ----------------------------------------- */

static const char *const field_names[] = {
	"",	 "a",	     "ab",   "b",
	"\x02",	 "a;",	     "\xff", "a name of 32 bytes and one more!",
	"a;b=c", "\xc3\xa4",
};

/* Adds one of the fields that a random event consists of. */
static int add_field(struct uev_builder *to, unsigned int choice)
{
	const char *name = field_names[choice % ARRAY_SIZE(field_names)];
	static const uint16_t numbers[] = { 1, 2 };
	unsigned int value = choice >> 8 & 3;

	switch (choice >> 4 & 15) {
	case 0:
		return uev_add_zutf8(to, name, "text");
	case 1:
		return uev_add_u16_carray(to, name, numbers, 1 + value % 2);
	case 2:
		return uev_add(to, name, UEV_ENCODING_VALUE8, value, 0, &value,
			       1);
	case 3:
		return uev_add(to, name, UEV_ENCODING_VALUE8, 0,
			       (uint16_t)value, &value, 1);
	case 4:
		return uev_add_struct(to, name, value, 0, NULL);
	case 5:
		return uev_begin_struct(to, name, (uint16_t)value);
	case 6:
		return uev_end_struct(to);
	case 7:
		return uev_add_binary(to, name, space, value * 5000);
	case 8:
		return uev_add_hex32(to, name, value);
	case 9:
		return uev_add_i64(to, name, value);
	case 10:
		return uev_add_meta(to, name, UEV_ENCODING_VALUE8, 0, 0, 0);
	default:
		return uev_add_u8(to, name, (uint8_t)value);
	}
}

/* Builds and writes an event of @count fields, and keeps its results. */
static void build_random(struct uev_builder *to, unsigned int seed,
			 unsigned int count, int results[])
{
	*results++ = uev_builder_begin(to, seed & 64 ? "E" : "Ev", 0);
	while (count--)
		*results++ = add_field(to, (unsigned int)rand_r(&seed));
	*results = uev_builder_write(to, set, NULL, NULL);
}

/*
 * Whatever a builder had before, an event is the same as that of a new builder.
 * Most have the first fields of the previous one, and some are refused.
 */
TEST(event_after_others)
{
	unsigned int state = 1, written = 0, refusals = 0;

	for (int i = 0; i < 20000; i++) {
		/* Few seeds, so that events often repeat. */
		unsigned int seed = (unsigned int)rand_r(&state) % 256;
		unsigned int count = (unsigned int)rand_r(&state) % 12;
		int used[14] = { 0 }, fresh[14] = { 0 };
		static struct fake_record record;
		struct uev_builder *other;
		unsigned int before = fake_records();

		build_random(builder, seed, count, used);
		if (fake_records() != before)
			record = *fake_record();
		ck_assert_int_eq(uev_builder_new(&other), 0);
		build_random(other, seed, count, fresh);
		uev_builder_free(other);
		ck_assert_mem_eq(used, fresh, sizeof(used));
		if (used[count + 1]) {
			ck_assert_uint_eq(fake_records(), before);
			refusals++;
			continue;
		}
		ck_assert_uint_eq(fake_records(), before + 2);
		ck_assert_uint_eq(fake_record()->size, record.size);
		ck_assert_mem_eq(fake_record()->payload, record.payload,
				 record.size);
		written++;
	}
	ck_assert_uint_gt(written, 1000);
	ck_assert_uint_gt(refusals, 1000);
}

/*
 * The bytes of a previous event never make a malformed name valid: here they are
 * the name and the encoding of the last field, but no field of that event.
 */
TEST_LOOP(names_are_checked_after_others, 5)
{
	const unsigned int strings = UEV_ENCODING_ZSTRING8;
	const unsigned int chars = UEV_ENCODING_VALUE8;
	int err;

	switch (_i) {
	case 0:
		uev_add_meta(builder, "x", chars | UEV_ENCODING_CARRAY, 0, 0,
			     0xff);
		uev_add_u8(builder, "\x02", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_u8(builder, "x", 1);
		err = uev_add_u8(builder, "\xff", 1);
		break;
	case 1:
		uev_add_meta(builder, "x", strings | UEV_ENCODING_CARRAY, 0, 0,
			     0xff);
		uev_add_u8(builder, "\x02", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_zutf8(builder, "x", "text");
		err = uev_add_u8(builder, "\xff", 1);
		break;
	case 2:
		uev_add_meta(builder, "x", chars, UEV_FORMAT_HEX, 0xff, 0);
		uev_add_u8(builder, "\x02", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_meta(builder, "x", chars, UEV_FORMAT_HEX, 0, 0);
		err = uev_add_u8(builder, "\xff", 1);
		break;
	case 3:
		uev_add_u8(builder, "a;p=x\x02;;", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_meta(builder, "long", chars, 0, 0, 0);
		err = uev_add_u8(builder, ";;", 1);
		break;
	default:
		uev_add_u8(builder, "a;p\x02=;;", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_u8(builder, "ab;", 1);
		uev_builder_begin(builder, "E", 0);
		uev_add_u8(builder, "ab", 1);
		err = uev_add_u8(builder, "=;;", 1);
	}
	ck_assert_int_eq(err, _i < 3 ? -EILSEQ : -EINVAL);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), err);
}

/* A field that repeats is found in place, also behind a text. */
TEST(field_is_found_in_place)
{
	struct uev_repeated_ *event = (void *)builder;

	for (int i = 0; i < 2; i++) {
		uev_builder_begin(builder, "E", 0);
		uev_add_zutf8(builder, "text", i ? "two" : "one");
		ck_assert_int_eq(
			uev_add_repeated_(builder, "a", UEV_ENCODING_VALUE32,
					  UEV_FORMAT_HEX, &i, sizeof(i)),
			i);
		if (!i)
			uev_add_hex32(builder, "a", 1);
	}
	ck_assert_uint_gt(event->data_end, 0);
	/* An event with an error, and a large one, check each field. */
	ck_assert_int_eq(uev_add_u8(builder, NULL, 1), -EINVAL);
	ck_assert_uint_eq(event->data_end, 0);
	uev_builder_begin(builder, "E", 0);
	ck_assert_uint_gt(event->data_end, 0);
	uev_add_data(builder, space, 40000);
	ck_assert_uint_eq(event->data_end, 0);
}
