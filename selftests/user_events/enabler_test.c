// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generation of 6.4 and later: a bit in the process's own memory follows an
 * event, and events go when nobody needs them any more.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define MULTI "events/" USER_EVENTS_MULTI_SYSTEM "/"
#define PAGE 4096

/* A value between two that nobody may touch. */
struct fenced {
	uint64_t before;
	union {
		uint32_t word;
		uint64_t large;
	};
	uint64_t after;
};

#define FENCE 0x5a5aa5a5c3c33c3cULL

static struct fenced fenced(uint64_t value)
{
	return (struct fenced){
		.before = FENCE,
		.large = value,
		.after = FENCE,
	};
}

/* --- registration: what is refused, and in which order --- */

static union {
	struct user_reg_enabler enabler;
	unsigned char bytes[8192];
} oversize;

TEST(sizes)
{
	static const struct {
		uint32_t size;
		int dirty; /* this byte is not zero */
		int error;
	} cases[] = {
		{ 28, -1, 0 },	     { 29, -1, 0 },
		{ 29, 28, E2BIG },   { 32, -1, 0 },
		{ 32, 31, E2BIG },   { 32, 32, 0 },
		{ 4096, -1, 0 },     { 4096, 4095, E2BIG },
		{ 4097, -1, E2BIG }, { 0xffffffff, -1, E2BIG },
	};
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = uniq(text("%zu", i));

		harness_context("size %u, byte %d set", cases[i].size,
				cases[i].dirty);
		memset(&oversize, 0, sizeof(oversize));
		oversize.enabler.size = cases[i].size;
		oversize.enabler.enable_size = sizeof(word);
		oversize.enabler.enable_bit = i;
		oversize.enabler.enable_addr = (uintptr_t)&word;
		oversize.enabler.name_args = (uintptr_t)name;
		if (cases[i].dirty >= 0)
			oversize.bytes[cases[i].dirty] = 1;

		if (cases[i].error)
			EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &oversize),
				     cases[i].error);
		else
			EXPECT_OK(ioctl(fd, DIAG_IOCSREG, &oversize));
		EXPECT_EQ(tfs_exists("events/user_events/%s", name),
			  !cases[i].error);
	}
}

TEST(structure_at_the_edge)
{
	struct user_reg_enabler *at =
		(void *)(guarded_page_end() - sizeof(at->size));
	int fd = data_open();

	at->size = sizeof(*at);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), EFAULT);
	at->size = 4097;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), E2BIG);
}

/* Each of these has the errors of all that follow it, too. */
TEST(order_of_the_checks)
{
	static uint64_t value[2];
	struct user_reg_enabler good = {
		.size = sizeof(good),
		.enable_size = 4,
		.enable_addr = (uintptr_t)value,
	};
	struct user_reg_enabler bad = {
		.size = sizeof(bad),
		.enable_bit = 200,
		.enable_size = 3,
		.flags = USER_EVENT_REG_MAX,
		.enable_addr = ~0ULL,
	};
	int fd = data_open();

	good.name_args = (uintptr_t)uniq("order");
	EXPECT_OK(ioctl(fd, DIAG_IOCSREG, &good));

	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.flags = 0;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.enable_size = 4;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.enable_addr = ~3ULL;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.enable_bit = 32;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.enable_bit = 0;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EFAULT);
	bad.enable_addr = (uintptr_t)value;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EADDRINUSE);
	bad.enable_bit = 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EFAULT);
	bad.name_args = (uintptr_t)map_page(PROT_NONE);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EFAULT);
	bad.name_args = (uintptr_t)text("%s:x nonsense", uniq("flag"));
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.name_args = (uintptr_t)text("%s u32 other", uniq("order"));
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EADDRINUSE);
	bad.name_args = (uintptr_t)text("%s nonsense", uniq("parse"));
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), EINVAL);
	bad.enable_addr = (uintptr_t)map_page(PROT_READ);
	bad.name_args = (uintptr_t)uniq("fault");
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &bad), ENOMEM);
	EXPECT_EQ(value[0], 0);
	EXPECT_FALSE(status_line(uniq("fault")));
}

TEST(sizes_of_the_value)
{
	static const unsigned int sizes[] = { 0, 1,  2,	 3,  5,	  6,  7,
					      9, 12, 16, 32, 128, 255 };
	struct fenced value = fenced(0);
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		harness_context("%u", sizes[i]);
		EXPECT_ERRNO(reg_enabler(fd, uniq("size"), &value.large,
					 sizes[i], 0, 0),
			     EINVAL);
	}
	EXPECT_FALSE(status_line(uniq("size")));
	EXPECT_EQ(value.large, 0);
}

TEST(flags)
{
	int fd = data_open();
	uint32_t word = 0;
	unsigned int bit;

	for (bit = 2; bit < 16; bit++) {
		harness_context("flag %u", bit);
		EXPECT_ERRNO(reg_enabler(fd, uniq("flags"), &word, 4, 0,
					 1U << bit),
			     EINVAL);
	}
	EXPECT_FALSE(status_line(uniq("flags")));
}

TEST(text_behind_a_colon_is_refused)
{
	static const char *const formats[] = {
		"%s:", "%s:x", "%s: u32 a", "%s:: u8", ":%s", "%s:BPF_ITER"
	};
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		const char *name = uniq("colon");
		const char *at = strstr(formats[i], "%s");
		const char *command = text("%.*s%s%s", (int)(at - formats[i]),
					   formats[i], name, at + 2);

		harness_context("%s", command);
		EXPECT_ERRNO(reg_word(fd, command, &word, 0), EINVAL);
		EXPECT_FALSE(status_line(name));
	}
}

TEST(length_of_the_command)
{
	char command[600];
	int fd = data_open();
	uint32_t word = 0;

	memset(command, ' ', sizeof(command));
	memcpy(command, uniq("long"), strlen(uniq("long")));
	command[512] = '\0';
	EXPECT_ERRNO(reg_word(fd, command, &word, 0), EINVAL);
	command[511] = '\0';
	EXPECT_OK(reg_word(fd, command, &word, 0));
}

/* What cannot be written leaves neither an event nor an index behind. */
TEST(bad_addresses_leave_nothing)
{
	char *unmapped = map_page(PROT_NONE);
	const struct {
		const char *what;
		const void *at;
		unsigned int size;
		int error;
	} cases[] = {
		{ "NULL", NULL, 4, ENOMEM },
		{ "no access", map_page(PROT_NONE), 4, ENOMEM },
		{ "read-only", map_page(PROT_READ), 4, ENOMEM },
		{ "unmapped", unmapped, 4, ENOMEM },
		{ "behind the edge", guarded_page_end(), 4, ENOMEM },
		{ "before the edge, misaligned", guarded_page_end() - 2, 4,
		  EINVAL },
		{ "last byte", guarded_page_end() - 1, 4, EINVAL },
		{ "half a value", guarded_page_end() - 4, 8, EINVAL },
		{ "1", (void *)1, 4, EINVAL },
		{ "the end", (void *)-1L, 4, EINVAL },
	};
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	ASSERT_OK(munmap(unmapped, PAGE));
	/* An event that would stay is left as little as one that would not. */
	for (i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		unsigned int flags = i % 2 ? USER_EVENT_REG_PERSIST : 0;

		harness_context("%s, flags %u", cases[i / 2].what, flags);
		EXPECT_ERRNO(reg_enabler(fd, uniq("bad"), cases[i / 2].at,
					 cases[i / 2].size, 0, flags),
			     cases[i / 2].error);
		EXPECT_FALSE(status_line(uniq("bad")));
		EXPECT_ERRNO(unreg(fd, cases[i / 2].at, 0), ENOENT);
	}
	harness_context(NULL);
	EXPECT_EQ(reg_word(fd, uniq("good"), &word, 0), 0);
}

/* Where kernel and process share an address space, that is another error. */
TEST(address_of_the_kernel)
{
	void *kernel = (void *)(-(uintptr_t)PAGE);
	int fd = data_open();

	EXPECT_EQ(reg_enabler(fd, uniq("kernel"), kernel, 4, 0, 0), -1);
	EXPECT_TRUE(errno == EFAULT || errno == ENOMEM);
	EXPECT_FALSE(status_line(uniq("kernel")));
}

#if __SIZEOF_POINTER__ == 4
/* A pointer as a compiler for 32 bits converts it to 64, extended by its sign. */
static uint64_t sign_extended(const volatile void *pointer)
{
	return (uint64_t)(int64_t)(intptr_t)pointer;
}

/* On 64-bit programs no address has a sign that could be extended. */
TEST(sign_extended_addresses)
{
	const char *event = uniq("e");
	struct user_reg_enabler enabler;
	struct user_reg_status status;
	struct user_unreg unreg;
	volatile uint32_t word = 0;
	int fd = data_open();
	char command[64];

	/* The stack is in the upper half, where the sign is set. */
	strcpy(command, event);
	ASSERT_LT((intptr_t)&word, 0);
	ASSERT_LT((intptr_t)command, 0);
	enabler = (struct user_reg_enabler){
		.size = sizeof(enabler),
		.enable_size = sizeof(word),
		.enable_addr = sign_extended(&word),
		.name_args = sign_extended(command),
	};
	EXPECT_OK(ioctl(fd, DIAG_IOCSREG, &enabler));
	status = (struct user_reg_status){
		.size = sizeof(status),
		.name_args = sign_extended(command),
	};
	EXPECT_OK(ioctl(fd, DIAG_IOCSREG, &status));
	enable(event, true);
	wait_value(&word, 1);
	unreg = (struct user_unreg){
		.size = sizeof(unreg),
		.disable_addr = sign_extended(&word),
	};
	EXPECT_OK(ioctl(fd, DIAG_IOCSUNREG, &unreg));
	EXPECT_EQ(word, 0);
	enable(event, false);
}
#endif

#ifdef __aarch64__
#define TAG (5UL << 56)

/* Pointers of a process that asked for it have tags in their upper byte. */
TEST(tagged_pointer_is_the_same_address)
{
	uint32_t *word = map_page(PROT_READ | PROT_WRITE);
	uint32_t *tagged = (uint32_t *)((unsigned long)word | TAG);
	const char *event = uniq("e");
	int fd = data_open();

	if (prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE, 0, 0, 0))
		SKIP("no tagged addresses: %s", harness_errno(errno));
	must_reg_word(fd, event, tagged, 2);
	EXPECT_ERRNO(reg_word(fd, event, word, 2), EADDRINUSE);
	enable(event, true);
	EXPECT_EQ(*word, 4);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, false);
	enable(event, true);
	wait_value(word, 4);
	EXPECT_OK(unreg(fd, word, 2));
	EXPECT_EQ(*word, 0);
	EXPECT_ERRNO(unreg(fd, tagged, 2), ENOENT);
	enable(event, false);
}
#endif

/* What cannot be told is registered all the same. */
TEST(result_that_cannot_be_stored)
{
	struct user_reg_enabler *at = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();
	uint32_t word = 0;

	*at = (struct user_reg_enabler){
		.size = sizeof(*at),
		.enable_size = sizeof(word),
		.enable_addr = (uintptr_t)&word,
		.name_args = (uintptr_t)uniq("store"),
	};
	ASSERT_OK(mprotect(at, PAGE, PROT_READ));
	EXPECT_OK(ioctl(fd, DIAG_IOCSREG, at));
	enable(uniq("store"), true);
	EXPECT_EQ(word, 1);
	enable(uniq("store"), false);
}

TEST(index_belongs_to_the_file)
{
	uint32_t words[4] = { 0 };
	int fd = data_open();
	int other = data_open();

	EXPECT_EQ(reg_word(fd, uniq("a"), &words[0], 0), 0);
	EXPECT_EQ(reg_word(fd, uniq("b"), &words[1], 0), 1);
	EXPECT_EQ(reg_word(fd, uniq("a"), &words[2], 0), 0);
	EXPECT_EQ(reg_word(other, uniq("b"), &words[3], 0), 0);
	/* Of one process, whichever file it was registered with. */
	EXPECT_ERRNO(reg_word(other, uniq("c"), &words[0], 0), EADDRINUSE);
	EXPECT_FALSE(status_line(uniq("c")));
}

TEST(same_address_and_bit)
{
	struct fenced value = fenced(0);
	int fd = data_open();

	EXPECT_EQ(reg_word(fd, uniq("e"), &value.word, 3), 0);
	EXPECT_ERRNO(reg_word(fd, uniq("e"), &value.word, 3), EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, uniq("f"), &value.word, 3), EADDRINUSE);
	EXPECT_EQ(reg_word(fd, uniq("e"), &value.word, 4), 0);
	enable(uniq("e"), true);
	EXPECT_EQ(value.word, 0x18);
	EXPECT_OK(unreg(fd, &value.word, 3));
	EXPECT_EQ(value.word, 0x10);
	EXPECT_OK(reg_word(fd, uniq("e"), &value.word, 3));
	EXPECT_EQ(value.word, 0x18);
	enable(uniq("e"), false);
	EXPECT_EQ(value.word, 0);
}

/* --- end of a registration --- */

TEST(unregistering_is_checked)
{
	union {
		struct user_unreg unreg;
		unsigned char bytes[4200];
	} out;
	struct user_unreg *at = (void *)(guarded_page_end() - sizeof(at->size));
	static const struct {
		uint32_t size;
		int dirty;
		int error;
	} cases[] = {
		{ 0, -1, EINVAL },     { 15, -1, EINVAL },  { 16, 5, EINVAL },
		{ 16, 6, EINVAL },     { 16, 7, EINVAL },   { 17, 16, E2BIG },
		{ 4096, 4095, E2BIG }, { 4097, -1, E2BIG }, { 17, 17, 0 },
		{ 4096, -1, 0 },       { 16, -1, 0 },
	};
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("size %u, byte %d set", cases[i].size,
				cases[i].dirty);
		if (!i || !cases[i - 1].error)
			ASSERT_OK(reg_word(fd, uniq("e"), &word, 7));
		memset(&out, 0, sizeof(out));
		out.unreg.size = cases[i].size;
		out.unreg.disable_bit = 7;
		out.unreg.disable_addr = (uintptr_t)&word;
		if (cases[i].dirty >= 0)
			out.bytes[cases[i].dirty] = 1;
		if (cases[i].error)
			EXPECT_ERRNO(ioctl(fd, DIAG_IOCSUNREG, &out),
				     cases[i].error);
		else
			EXPECT_OK(ioctl(fd, DIAG_IOCSUNREG, &out));
	}
	harness_context(NULL);

	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSUNREG, NULL), EFAULT);
	at->size = sizeof(*at);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSUNREG, at), EFAULT);
	EXPECT_ERRNO(unreg(fd, &word, 7), ENOENT);
	EXPECT_ERRNO(unreg(fd, &word, 200), ENOENT);
	EXPECT_ERRNO(unreg(fd, (char *)&word + 1, 7), ENOENT);
	EXPECT_ERRNO(unreg(fd, NULL, 0), ENOENT);
	EXPECT_ERRNO(unreg(fd, (void *)-1L, 0), ENOENT);
}

TEST(unregistering_clears_the_bit)
{
	struct fenced value = fenced(0);
	int fd = data_open();
	int other = data_open();

	must_reg_word(fd, uniq("e"), &value.word, 5);
	enable(uniq("e"), true);
	value.word = ~0U;
	/* Any file of the kind does. */
	EXPECT_OK(unreg(other, &value.word, 5));
	EXPECT_EQ(value.word, ~(1U << 5));
	value.word = 0;
	enable(uniq("e"), false);
	EXPECT_EQ(value.word, 0);
	enable(uniq("e"), true);
	EXPECT_EQ(value.word, 0);
	enable(uniq("e"), false);

	/* Also when it was the program that set it. */
	must_reg_word(fd, uniq("e"), &value.word, 5);
	value.word = 1U << 5;
	EXPECT_OK(unreg(fd, &value.word, 5));
	EXPECT_EQ(value.word, 0);
	EXPECT_EQ(value.before, FENCE);
	EXPECT_EQ(value.after, FENCE);
}

TEST(unregistering_what_is_unmapped)
{
	uint32_t *word = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();

	must_reg_word(fd, uniq("e"), word, 0);
	ASSERT_OK(munmap(word, PAGE));
	EXPECT_ERRNO(unreg(fd, word, 0), EFAULT);
	EXPECT_ERRNO(unreg(fd, word, 0), ENOENT);
}

/* --- the bit --- */

static void one_bit(int fd, const char *event, unsigned int size,
		    unsigned int bit, uint64_t other_bits)
{
	uint64_t mask = 1ULL << bit;
	struct fenced value = fenced(other_bits);
	uint64_t off, on;

	harness_context("bit %u of %u bytes in %#llx", bit, size,
			(unsigned long long)other_bits);
	if (size == sizeof(value.word)) {
		value.large = 0;
		value.word = other_bits;
		off = value.word & ~(uint32_t)mask;
		on = value.word | (uint32_t)mask;
	} else {
		off = other_bits & ~mask;
		on = other_bits | mask;
	}
#define VALUE (size == sizeof(value.word) ? value.word : value.large)

	EXPECT_OK(reg_enabler(fd, event, &value.large, size, bit, 0));
	EXPECT_EQ(VALUE, off);
	enable(event, true);
	EXPECT_EQ(VALUE, on);
	enable(event, false);
	EXPECT_EQ(VALUE, off);
	enable(event, true);
	EXPECT_EQ(VALUE, on);
	EXPECT_OK(unreg(fd, &value.large, bit));
	EXPECT_EQ(VALUE, off);
	enable(event, false);
	EXPECT_EQ(value.before, FENCE);
	EXPECT_EQ(value.after, FENCE);
	if (size == sizeof(value.word)) {
		value.word = 0;
		EXPECT_EQ(value.large, 0);
	}
#undef VALUE
}

TEST(every_bit_of_4_bytes)
{
	int fd = data_open();
	unsigned int bit;

	must_reg(fd, uniq("e"));
	for (bit = 0; bit < 32; bit++) {
		one_bit(fd, uniq("e"), 4, bit, 0);
		one_bit(fd, uniq("e"), 4, bit, ~0U);
	}
}

TEST(every_bit_of_8_bytes)
{
	int fd = data_open();
	unsigned int bit;
	uint64_t value;

	must_reg(fd, uniq("e"));
	if (sizeof(long) == 4 &&
	    reg_enabler(fd, uniq("e"), &value, 8, 0, 0) == -1) {
		EXPECT_EQ(errno, EINVAL);
		SKIP("this kernel has no values of 8 bytes");
	}
	unreg(fd, &value, 0);
	for (bit = 0; bit < 64; bit++) {
		one_bit(fd, uniq("e"), 8, bit, 0);
		one_bit(fd, uniq("e"), 8, bit, ~0ULL);
	}
	EXPECT_ERRNO(reg_enabler(fd, uniq("e"), &value, 8, 64, 0), EINVAL);
}

/* Both halves of 8 bytes as values of their own. */
TEST(neighbours)
{
	uint32_t words[4] __attribute__((aligned(8))) = { 0 };
	int fd = data_open();

	must_reg_word(fd, uniq("a"), &words[1], 31);
	must_reg_word(fd, uniq("b"), &words[2], 0);
	enable(uniq("a"), true);
	EXPECT_EQ(words[1], 1U << 31);
	EXPECT_EQ(words[0] | words[2] | words[3], 0);
	enable(uniq("b"), true);
	enable(uniq("a"), false);
	EXPECT_EQ(words[2], 1);
	EXPECT_EQ(words[0] | words[1] | words[3], 0);
	enable(uniq("b"), false);
}

TEST(state_at_registration)
{
	int fd = data_open();
	uint32_t word = ~0U;
	const char *event = uniq("e");

	must_reg_word(fd, event, &word, 9);
	EXPECT_EQ(word, ~(1U << 9));
	enable(event, true);
	word = 0;
	must_reg_word(fd, event, &word, 10);
	EXPECT_EQ(word, 1U << 10);
	enable(event, false);
	EXPECT_EQ(word, 0);
}

/* A program that looks at its bit misses nothing. */
TEST(several_bits_and_events)
{
	int fd = data_open();
	uint32_t word = 0;

	must_reg_word(fd, uniq("a"), &word, 31);
	must_reg_word(fd, uniq("a"), &word, 30);
	must_reg_word(fd, uniq("b"), &word, 29);
	enable(uniq("a"), true);
	EXPECT_EQ(word, 0xc0000000);
	enable(uniq("b"), true);
	EXPECT_EQ(word, 0xe0000000);
	enable(uniq("a"), false);
	EXPECT_EQ(word, 0x20000000);
	enable(uniq("b"), false);
	EXPECT_EQ(word, 0);
}

/* The word of an event that stays enabled is left as the process has it. */
TEST(second_tracer_writes_nothing)
{
	const char *instance = uniq("i");
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();

	must_reg_word(fd, event, &word, 0);
	enable(event, true);
	EXPECT_EQ(word, 1);
	word = 0;
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_EQ(word, 0);
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_EQ(word, 0);
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
	word = 1;
	enable(event, false);
	EXPECT_EQ(word, 0);
}

TEST(every_listener_counts)
{
	const char *event = uniq("e");
	const char *instance = uniq("i");
	int fd = data_open();
	uint32_t word = 0;
	int perf;

	must_reg_word(fd, event, &word, 31);
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));

	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_EQ(word, 1U << 31);
	enable(event, true);
	perf = perf_open(event_id(event), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_EQ(word, 1U << 31);
	enable(event, false);
	EXPECT_EQ(word, 1U << 31);
	close(perf);
	EXPECT_EQ(word, 0);

	EXPECT_OK(
		tfs_write("traceoff", "events/user_events/%s/trigger", event));
	EXPECT_EQ(word, 1U << 31);
	EXPECT_OK(
		tfs_write("!traceoff", "events/user_events/%s/trigger", event));
	EXPECT_EQ(word, 0);

	EXPECT_OK(tfs_write("1", "events/user_events/enable"));
	EXPECT_EQ(word, 1U << 31);
	EXPECT_OK(tfs_write("0", "events/user_events/enable"));
	EXPECT_EQ(word, 0);
	EXPECT_OK(tfs_write("1", "instances/%s/events/enable", instance));
	EXPECT_EQ(word, 1U << 31);
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
	EXPECT_EQ(word, 0);
}

/* --- memory --- */

TEST(memory_that_goes_away)
{
	uint32_t *word = map_page(PROT_READ | PROT_WRITE);
	const char *event = uniq("e");
	int fd = data_open();
	uint32_t other = 0;

	must_reg_word(fd, event, word, 0);
	must_reg_word(fd, event, &other, 0);
	ASSERT_OK(munmap(word, PAGE));
	enable(event, true);
	EXPECT_EQ(other, 1);
	enable(event, false);
	EXPECT_EQ(other, 0);

	/* What comes to be there is written to with the next change. */
	ASSERT_TRUE(mmap(word, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) == word);
	enable(event, true);
	wait_value(word, 1);
	ASSERT_OK(mprotect(word, PAGE, PROT_READ));
	enable(event, false);
	EXPECT_EQ(other, 0);
	enable(event, true);
	enable(event, false);
	ASSERT_OK(mprotect(word, PAGE, PROT_NONE));
	enable(event, true);
	enable(event, false);
	ASSERT_OK(mprotect(word, PAGE, PROT_READ | PROT_WRITE));
	enable(event, true);
	wait_value(word, 1);
	enable(event, false);
	wait_value(word, 0);
}

/* Behind it there is nothing in the process, not even its stack. */
TEST(highest_memory)
{
	const char *event = uniq("e");
	uint32_t *page = MAP_FAILED;
	int fd = data_open();
	unsigned int bits;

	for (bits = 63; page == MAP_FAILED && bits > 30; bits--)
		if (bits < 8 * sizeof(long))
			page = mmap((void *)((1UL << bits) - 2 * PAGE), PAGE,
				    PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS |
					    MAP_FIXED_NOREPLACE,
				    -1, 0);
	if (page == MAP_FAILED)
		SKIP("no page so high up");
	must_reg_word(fd, event, page, 0);
	enable(event, true);
	EXPECT_EQ(*page, 1);
	ASSERT_OK(munmap(page, PAGE));
	enable(event, false);
	enable(event, true);
	EXPECT_ERRNO(unreg(fd, page, 0), EFAULT);
	enable(event, false);
}

TEST(memory_that_is_thrown_away)
{
	uint32_t *word = map_page(PROT_READ | PROT_WRITE);
	const char *event = uniq("e");
	int fd = data_open();

	must_reg_word(fd, event, word, 4);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, true);
	wait_value(word, 16);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, false);
	wait_value(word, 0);
	EXPECT_OK(unreg(fd, word, 4));
}

/* A page that was never touched is there as soon as it is needed. */
TEST(memory_that_is_not_there_yet)
{
	uint32_t *word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = data_open();

	ASSERT_TRUE(word != MAP_FAILED);
	must_reg_word(fd, uniq("e"), word + 5, 1);
	enable(uniq("e"), true);
	EXPECT_EQ(word[5], 2);
	enable(uniq("e"), false);
	EXPECT_EQ(word[5], 0);
}

/* The page is present, so the word is written at once. */
static void use_mapping(uint32_t *word)
{
	const char *event = uniq("e");
	int fd = data_open();

	ASSERT_TRUE(word != MAP_FAILED);
	must_reg_word(fd, event, word + 1, 31);
	enable(event, true);
	EXPECT_EQ(word[1], 1U << 31);
	enable(event, false);
	EXPECT_EQ(word[1], 0);
	enable(event, true);
	EXPECT_EQ(word[1], 1U << 31);
	EXPECT_OK(unreg(fd, word + 1, 31));
	EXPECT_EQ(word[1], 0);
	enable(event, false);
}

TEST(shared_memory)
{
	use_mapping(mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

/* A file of a page, without a name. */
static int page_file(void)
{
	char path[] = "st_enabler_XXXXXX";
	int file = mkstemp(path);

	ASSERT_OK(file);
	unlink(path);
	ASSERT_OK(ftruncate(file, PAGE));

	return file;
}

static uint32_t word_in_file(int file, off_t at)
{
	uint32_t word = ~0U;

	EXPECT_EQ(pread(file, &word, sizeof(word), at), (int)sizeof(word));

	return word;
}

/* The bit is in the file, and so in what is mapped of it later. */
TEST(shared_file)
{
	const char *event = uniq("file");
	int file = page_file();
	int fd = data_open();
	uint32_t *word, *again;

	use_mapping(
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
	EXPECT_EQ(word_in_file(file, 4), 0);

	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ASSERT_TRUE(word != MAP_FAILED);
	must_reg_word(fd, event, word, 5);
	enable(event, true);
	wait_value(word, 1 << 5);
	EXPECT_EQ(word_in_file(file, 0), 1 << 5);
	again = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
	ASSERT_TRUE(again != MAP_FAILED);
	EXPECT_EQ(*again, 1 << 5);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, false);
	wait_value(word, 0);
	EXPECT_EQ(word_in_file(file, 0), 0);
	EXPECT_EQ(*again, 0);
	enable(event, true);
	wait_value(word, 1 << 5);
	ASSERT_OK(munmap(word, PAGE));
	ASSERT_OK(munmap(again, PAGE));
	EXPECT_EQ(word_in_file(file, 0), 1 << 5);
	enable(event, false);
}

/*
 * A file in memory can be sealed against writes only while none of its pages is
 * pinned: the kernel compares the references of each with its mappings.
 */
TEST(pages_of_a_file_are_not_kept_pinned)
{
	int file = syscall(SYS_memfd_create, "enabler",
			   MFD_CLOEXEC | MFD_ALLOW_SEALING);
	long long start = 0;
	uint32_t *word;

	if (file < 0)
		SKIP("no memfd: %s", harness_errno(errno));
	ASSERT_OK(ftruncate(file, PAGE));
	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	use_mapping(word);
	/* Written once more, to a page that must be brought. */
	must_reg_word(data_open(), uniq("cold"), word, 3);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(uniq("cold"), true);
	wait_value(word, 1 << 3);
	enable(uniq("cold"), false);
	wait_value(word, 0);
	EXPECT_OK(unreg(data_open(), word, 3));
	ASSERT_OK(munmap(word, PAGE));
	while (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE)) {
		ASSERT_EQ(errno, EBUSY);
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("the page is still pinned");
			break;
		}
	}
}

/* A page of a file that is not there is read for it, which may take a while. */
TEST(private_file)
{
	const char *event = uniq("thrown");
	int file = page_file();
	int fd = data_open();
	uint32_t *word;

	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	use_mapping(word);
	must_reg_word(fd, event, word, 3);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, true);
	wait_value(word, 8);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, false);
	wait_value(word, 0);
}

TEST(file_that_is_cut_off)
{
	int file = page_file();
	int fd = data_open();
	uint32_t *word;

	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ASSERT_TRUE(word != MAP_FAILED);
	must_reg_word(fd, uniq("e"), word, 0);
	ASSERT_OK(ftruncate(file, 0));
	enable(uniq("e"), true);
	enable(uniq("e"), false);
	EXPECT_ERRNO(unreg(fd, word, 0), EFAULT);
}

/* A page that is still pinned is given back to no one, and so still counted. */
static void no_huge_page_is_left(void)
{
	const char *meminfo = "/proc/meminfo";
	long long start = 0;

	write_file("0", "/proc/sys/vm/nr_hugepages");
	while (number_after(read_file(meminfo), "HugePages_Total:"))
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("a huge page is still pinned");
			return;
		}
}

/* Before Linux 6.6 looking at one may fault it in: the background does it. */
TEST(huge_page)
{
	const char *event = uniq("e");
	const size_t size = 2 << 20;
	int fd = data_open();
	uint32_t *word;
	void *map;

	write_file("2", "/proc/sys/vm/nr_hugepages");
	map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (map == MAP_FAILED)
		SKIP("no huge pages here");
	word = map + size - 4096;
	must_reg_word(fd, event, word, 31);
	enable(event, true);
	wait_value(word, 1U << 31);
	enable(event, false);
	wait_value(word, 0);
	enable(event, true);
	wait_value(word, 1U << 31);
	EXPECT_OK(unreg(fd, word, 31));
	EXPECT_EQ(*word, 0);
	enable(event, false);
	munmap(map, size);
	no_huge_page_is_left();
}

/* Before Linux 6.6 the kernel would wait for who handles its faults itself. */
TEST(huge_page_of_who_handles_its_faults)
{
	const size_t size = 2 << 20;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range.len = size,
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	volatile uint32_t *huge;
	int fd = data_open();
	int uffd, there;

	write_file("2", "/proc/sys/vm/nr_hugepages");
	huge = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (huge == MAP_FAILED)
		SKIP("no huge pages here");
	must_reg_word(fd, event, huge, 0);
	must_reg_word(fd, event, &word, 0);
	uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (uffd < 0)
		SKIP("no userfaultfd: %s", harness_errno(errno));
	ASSERT_OK(ioctl(uffd, UFFDIO_API, &api));
	range.range.start = (uintptr_t)huge;
	if (ioctl(uffd, UFFDIO_REGISTER, &range))
		SKIP("no userfaultfd for huge pages");
	for (there = 2; there--;) {
		enable(event, true);
		EXPECT_EQ(word, 1);
		enable(event, false);
		EXPECT_EQ(word, 0);
		/* Before Linux 5.18 it cannot be thrown away, and is there. */
		madvise((void *)huge, size, MADV_DONTNEED);
	}
	close(uffd);
	enable(event, true);
	wait_value(huge, 1);
	enable(event, false);
	wait_value(huge, 0);
	munmap((void *)huge, size);
	no_huge_page_is_left();
}

/* The page of status bits is nobody's to write to. */
TEST(status_page_is_refused)
{
	int fd = data_open();

	EXPECT_ERRNO(reg_enabler(fd, uniq("e"), status_map(), 4, 0, 0), ENOMEM);
	EXPECT_FALSE(status_line(uniq("e")));
}

/* --- names, formats and who keeps an event --- */

TEST(fields_of_real_programs)
{
	static const struct {
		const char *args;
		const char *line;
	} cases[] = {
		{ " ", "" },
		{ " ;", "" },
		{ " __rel_loc u8[] a", " __rel_loc u8[] a" },
		{ " __rel_loc unsigned[] a", " __rel_loc unsigned[] a" },
		{ " struct X f 8;", " struct X f 8" },
		{ " u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level",
		  " u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level" },
		{ " __rel_loc u8[] a;__rel_loc u8[] b",
		  " __rel_loc u8[] a; __rel_loc u8[] b" },
	};
	uint32_t words[16] = { 0 };
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		const char *command = text("%s%s", event, cases[i].args);

		harness_context("%s", command);
		EXPECT_EQ(reg_word(fd, command, &words[i], 0), (int)i);
		EXPECT_EQ(reg_word(fd, command, &words[i], 1), (int)i);
		EXPECT_TRUE(
			dynevent_listed(text("u:%s%s", event, cases[i].line)));
	}
}

TEST(spelling_of_fields)
{
	static const char *const same[] = { " u32 a; u32 b", " u32 a;u32 b",
					    " u32 a; u32 b;",
					    " u32 a;u32 b; " };
	static const char *const others[] = { "",
					      " u32 a",
					      " u32 a; u32 c",
					      " u32 b; u32 a",
					      " u32 a; s32 b",
					      " u32 a; u32 b; u8 c" };
	const char *event = uniq("e");
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(same); i++) {
		harness_context("\"%s\"", same[i]);
		EXPECT_EQ(reg_word(fd, text("%s%s", event, same[i]), &word, i),
			  0);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		harness_context("\"%s\"", others[i]);
		EXPECT_ERRNO(reg_word(fd, text("%s%s", event, others[i]), &word,
				      16),
			     EADDRINUSE);
		EXPECT_ERRNO(reg(fd, text("%s%s", event, others[i]), NULL),
			     EADDRINUSE);
	}
}

TEST(volatile_events_go_at_once)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int perf;
	int fd;

	/* Closed with an enabler, which keeps it; then unregistered. */
	fd = data_open();
	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	EXPECT_ERRNO(del(fd, event), EBUSY);
	close(fd);
	EXPECT_TRUE(status_line(event));
	fd = data_open();
	EXPECT_ERRNO(del(fd, event), EBUSY);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_FALSE(status_line(event));
	EXPECT_ERRNO(del(fd, event), ENOENT);
	EXPECT_OK(reg_word(fd, text("%s u64 b", event), &word, 0));

	/* The other way round. */
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_TRUE(status_line(event));
	close(fd);
	EXPECT_FALSE(status_line(event));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s s8 c", event), &word, 0));

	/* ftrace is the last. */
	enable(event, true);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_TRUE(status_line(event));
	enable(event, false);
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s s16 d", event), &word, 0));

	/* perf is the last. */
	perf = perf_open(event_id(event), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	EXPECT_EQ(word, 1);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_TRUE(status_line(event));
	close(perf);
	EXPECT_ERRNO(del_event(event), ENOENT);
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s s32 e", event), &word, 0));

	/* A registration that fails does not keep it. */
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_FALSE(status_line(event));
}

/*
 * What looks at it through an event of its own does not tell when it ends, so
 * it is looked for; that another one goes meanwhile is no reason to end that.
 */
TEST(volatile_event_goes_after_an_event_probe)
{
	const char *event = uniq("e"), *other = uniq("o"), *probe = uniq("ep");
	uint32_t word = 0;
	int fd = data_open();

	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	must_reg_word(fd, other, &word, 1);
	must_reg(data_open(), uniq("stays"));
	if (dynevent_write(text("e:st_group/%s user_events.%s val=$a:u32",
				probe, event)))
		SKIP("no event probes: %s", harness_errno(errno));
	enable(other, true);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	enable(other, false);
	wait_deleted(other);
	EXPECT_TRUE(status_line(event));
	EXPECT_ERRNO(del_event(event), EBUSY);
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	wait_deleted(event);
}

/*
 * The event probe is the last user, and its end is not reported: the module must
 * have planned another attempt when the last file was closed. No other event
 * goes here that would cause one.
 */
TEST(volatile_event_goes_after_its_only_event_probe)
{
	const char *event = uniq("e"), *probe = uniq("ep");
	uint32_t word = 0;
	int fd = data_open();

	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	if (dynevent_write(text("e:st_group/%s user_events.%s val=$a:u32",
				probe, event)))
		SKIP("no event probes: %s", harness_errno(errno));
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	wait_deleted(event);
}

TEST(volatile_event_goes_with_its_process)
{
	const char *event = uniq("e");
	int round;

	for (round = 0; round < 20; round++) {
		pid_t child = fork();
		uint32_t word = 0;

		if (!child) {
			reg_word(data_open(), text("%s u32 f%d", event, round),
				 &word, 0);
			_exit(0);
		}
		wait_child(child);
		harness_context("round %d", round);
		if (round % 2) {
			int fd = data_open();

			EXPECT_OK(reg_word(fd, text("%s u8 g%d", event, round),
					   &word, 0));
			EXPECT_OK(unreg(fd, &word, 0));
			close(fd);
		} else {
			EXPECT_ERRNO(del_event(event), ENOENT);
		}
	}
	harness_context(NULL);
	wait_deleted(event);
}

TEST(persistent)
{
	const char *event = uniq("e");
	int fd = data_open();
	uint32_t word = 0;

	EXPECT_OK(reg_enabler(fd, event, &word, 4, 0, USER_EVENT_REG_PERSIST));
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_ERRNO(del(fd, event), EBUSY);
	close(fd);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(del_event(event));

	/* Asked for later it changes nothing. */
	fd = data_open();
	EXPECT_OK(reg_enabler(fd, event, &word, 4, 0, 0));
	EXPECT_OK(reg_enabler(fd, event, &word, 4, 1, USER_EVENT_REG_PERSIST));
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	EXPECT_FALSE(status_line(event));
}

/* Names of the directories of several formats; their numbers go on. */
static unsigned int multi_names(const char *event, char names[][256],
				unsigned int room)
{
	DIR *dir = opendir(text("%s/" MULTI, tracefs()));
	struct dirent *entry;
	unsigned int count = 0;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, event, strlen(event)) &&
		    entry->d_name[strlen(event)] == '.' && count < room)
			strcpy(names[count++], entry->d_name);
	if (dir)
		closedir(dir);

	return count;
}

TEST(several_formats)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	const char *event = uniq("e");
	char names[8][256];
	int fd = data_open();
	int other = data_open();
	uint32_t word = 0;
	unsigned int a;

	EXPECT_EQ(reg_enabler(fd, text("%s u32 a", event), &word, 4, 0, flag),
		  0);
	EXPECT_EQ(multi_names(event, names, 8), 1);
	EXPECT_EQ(reg_enabler(fd, text("%s u64 b", event), &word, 4, 1, flag),
		  1);
	EXPECT_EQ(multi_names(event, names, 8), 2);
	EXPECT_EQ(reg_enabler(fd, text("%s u32 a;", event), &word, 4, 2, flag),
		  0);
	EXPECT_EQ(multi_names(event, names, 8), 2);
	EXPECT_EQ(reg_enabler(other, text("%s u64 b", event), &word, 4, 3,
			      flag),
		  0);
	/* One of its own, which is none of them. */
	EXPECT_EQ(reg_word(fd, text("%s u32 a", event), &word, 4), 2);
	EXPECT_EQ(multi_names(event, names, 8), 2);
	EXPECT_TRUE(tfs_exists("events/user_events/%s", event));
	EXPECT_EQ(count_lines(tfs_read("dynamic_events"),
			      text("u:%s u", event)),
		  3);

	a = strstr(tfs_read(MULTI "%s/format", names[0]), " a;") ? 0 : 1;
	EXPECT_CONTAINS(tfs_read(MULTI "%s/format", names[a]), "u32 a;");
	EXPECT_CONTAINS(tfs_read(MULTI "%s/format", names[!a]), "u64 b;");
	EXPECT_TRUE(status_line(names[0]));
	EXPECT_TRUE(status_line(names[1]));

	EXPECT_OK(tfs_write("1", MULTI "%s/enable", names[a]));
	EXPECT_EQ(word, 0x5);
	EXPECT_OK(tfs_write("0", MULTI "%s/enable", names[a]));
	EXPECT_OK(tfs_write("1", MULTI "%s/enable", names[!a]));
	EXPECT_EQ(word, 0xa);
	EXPECT_EQ(emit(fd, 1, "\1\2\3\4\5\6\7\10", 8), 12);
	EXPECT_ERRNO(emit(fd, 0, "\1\2\3\4", 4), EBADF);
	EXPECT_OK(tfs_write("0", MULTI "%s/enable", names[!a]));
	EXPECT_EQ(word, 0);

	/* They go one by one. */
	EXPECT_ERRNO(del(fd, event), EBUSY);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 2));
	EXPECT_OK(unreg(fd, &word, 4));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	EXPECT_EQ(multi_names(event, names, 8), 1);
	EXPECT_CONTAINS(tfs_read(MULTI "%s/format", names[0]), "u64 b;");
	EXPECT_OK(unreg(other, &word, 3));
	close(other);
	EXPECT_EQ(multi_names(event, names, 8), 0);
}

/* One of several formats is never the one that has the name for itself. */
TEST(several_formats_beside_one)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	const char *event = text("%s u32 a", uniq("e"));
	char names[8][256];
	int fd = data_open();
	uint32_t word = 0;

	EXPECT_EQ(reg_word(fd, event, &word, 0), 0);
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 1, flag), 1);
	EXPECT_EQ(multi_names(uniq("e"), names, 8), 1);
	enable(uniq("e"), true);
	EXPECT_EQ(word, 1);
	enable(uniq("e"), false);
	/* Whichever was registered first or last, each finds its own. */
	EXPECT_EQ(reg_word(fd, event, &word, 2), 0);
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 3, flag), 1);
	event = text("%s u32 a", uniq("later"));
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 4, flag), 2);
	EXPECT_EQ(reg_word(fd, event, &word, 5), 3);
	EXPECT_EQ(multi_names(uniq("later"), names, 8), 1);
}

/* Their names have room for a number. */
TEST(several_formats_of_a_long_name)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	const char *event = uniq("");
	char name[256], names[1][256];
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	for (i = snprintf(name, sizeof(name), "%s", event); i < 255; i++)
		name[i] = 'x';
	name[255] = '\0';
	EXPECT_ERRNO(reg_enabler(fd, name, &word, 4, 0, flag), EINVAL);
	EXPECT_EQ(multi_names(name, names, 1), 0);
	EXPECT_EQ(reg_word(fd, name, &word, 0), 0);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(name);
}

TEST(several_formats_that_stay)
{
	const unsigned int flags = USER_EVENT_REG_MULTI_FORMAT |
				   USER_EVENT_REG_PERSIST;
	const char *event = uniq("e");
	char names[8][256];
	int fd = data_open();
	uint32_t word = 0;

	EXPECT_OK(reg_enabler(fd, text("%s u32 a", event), &word, 4, 0, flags));
	EXPECT_OK(reg_enabler(fd, text("%s u64 b", event), &word, 4, 1, flags));
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	EXPECT_EQ(multi_names(event, names, 8), 2);
	EXPECT_OK(del_event(event));
	EXPECT_EQ(multi_names(event, names, 8), 0);
	EXPECT_ERRNO(del_event(event), ENOENT);
}

/* What is asked through the other interface, and by a line. */
TEST(both_interfaces)
{
	const char *event = uniq("e");
	const unsigned char *page = status_map();
	struct user_reg_status status;
	int fd = data_open();
	int other = data_open();
	uint32_t word = 0;

	EXPECT_EQ(reg_word(fd, text("%s u32 a", event), &word, 31), 0);
	EXPECT_OK(reg(other, text("%s u32 a", event), &status));
	EXPECT_ERRNO(reg(other, text("%s u64 a", event), NULL), EADDRINUSE);
	enable(event, true);
	EXPECT_EQ(word, 1U << 31);
	EXPECT_TRUE(status_page_bit(page, status.status_bit));
	EXPECT_EQ(emit(fd, 0, "\1\2\3\4", 4), 8);
	EXPECT_EQ(emit(other, status.write_index, "\1\2\3\4", 4), 8);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 2);
	enable(event, false);
	EXPECT_EQ(word, 0);
	EXPECT_FALSE(status_page_bit(page, status.status_bit));

	/* Now somebody counts on it. */
	EXPECT_OK(unreg(fd, &word, 31));
	close(fd);
	close(other);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(del_event(event));

	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s u32 a", event), &word, 0));
	EXPECT_ERRNO(reg_word(fd, text("%s u32 b", event), &word, 1),
		     EADDRINUSE);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(del_event(event));
}

#define LIMIT "/proc/sys/kernel/user_events_max"

TEST(limit)
{
	char *was = read_file(LIMIT);
	int fd = data_open();
	uint32_t word = 0;

	ASSERT_TRUE(was);
	must_reg_word(fd, uniq("a"), &word, 0);
	EXPECT_ERRNO(write_file("-1", LIMIT), EINVAL);
	EXPECT_OK(write_file("0", LIMIT));
	EXPECT_STREQ(read_file(LIMIT), "0\n");
	EXPECT_ERRNO(reg_word(fd, uniq("b"), &word, 1), EMFILE);
	EXPECT_ERRNO(reg_word(fd, text("%s nonsense", uniq("b")), &word, 1),
		     EINVAL);
	EXPECT_ERRNO(reg(fd, uniq("b"), NULL), EMFILE);
	/* What is there stays, and can be joined. */
	EXPECT_OK(reg_word(fd, uniq("a"), &word, 2));
	EXPECT_OK(write_file(was, LIMIT));
	EXPECT_OK(reg_word(fd, uniq("b"), &word, 1));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
