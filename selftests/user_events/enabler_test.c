// SPDX-License-Identifier: GPL-2.0-only
/*
 * The enabler interface of Linux 6.4 and later: a bit in the memory of a
 * process follows the state of an event, and events are deleted with their last
 * reference.
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

#define MULTI_DIR "events/" USER_EVENTS_MULTI_SYSTEM "/"

/* A value between two guard values, which must not change. */
struct guarded {
	uint64_t before;
	union {
		uint32_t word;
		uint64_t large;
	};
	uint64_t after;
};

#define GUARD 0x5a5aa5a5c3c33c3cULL

static struct guarded guarded(uint64_t value)
{
	return (struct guarded){
		.before = GUARD,
		.large = value,
		.after = GUARD,
	};
}

/* --- registration: invalid arguments and the order of the checks --- */

static union {
	struct user_reg_enabler enabler;
	unsigned char bytes[2 * PAGE_MAX];
} oversize;

TEST(checks_structure_size)
{
	const struct {
		uint32_t size;
		int dirty; /* index of a byte that is not zero */
		int error;
	} cases[] = {
		{ 28, -1, 0 },		 { 29, -1, 0 },
		{ 29, 28, E2BIG },	 { 32, -1, 0 },
		{ 32, 31, E2BIG },	 { 32, 32, 0 },
		{ PAGE, -1, 0 },	 { PAGE, PAGE - 1, E2BIG },
		{ PAGE + 1, -1, E2BIG }, { 0xffffffff, -1, E2BIG },
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

TEST(rejects_partially_mapped_structure)
{
	struct user_reg_enabler *at =
		(void *)(guarded_page_end() - sizeof(at->size));
	int fd = data_open();

	at->size = sizeof(*at);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), EFAULT);
	at->size = PAGE + 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), E2BIG);
}

/* Each case has the errors of all later cases as well. */
TEST(checks_arguments_in_order)
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

TEST(rejects_invalid_value_size)
{
	static const unsigned int sizes[] = { 0, 1,  2,	 3,  5,	  6,  7,
					      9, 12, 16, 32, 128, 255 };
	struct guarded value = guarded(0);
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

TEST(rejects_unknown_flags)
{
	int fd = data_open();
	uint32_t word = 0;
	unsigned int bit;

	/* The last one is USER_EVENT_REG_REPORT. */
	for (bit = 2; bit < 15; bit++) {
		harness_context("flag %u", bit);
		EXPECT_ERRNO(reg_enabler(fd, uniq("flags"), &word, 4, 0,
					 1U << bit),
			     EINVAL);
	}
	EXPECT_FALSE(status_line(uniq("flags")));
}

TEST(rejects_text_after_colon)
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

TEST(limits_command_length)
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

/* A failed registration creates neither an event nor an index. */
TEST(rejects_bad_addresses)
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
		{ "after the mapping", guarded_page_end(), 4, ENOMEM },
		{ "end of the mapping, misaligned", guarded_page_end() - 2, 4,
		  EINVAL },
		{ "last byte", guarded_page_end() - 1, 4, EINVAL },
		{ "half a value", guarded_page_end() - 4, 8, EINVAL },
		{ "1", (void *)1, 4, EINVAL },
		{ "last address", (void *)-1L, 4, EINVAL },
	};
	int fd = data_open();
	uint32_t word = 0;
	size_t i;

	ASSERT_OK(munmap(unmapped, PAGE));
	/* Persistent events are not created either. */
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

/* The error differs if kernel and process share an address space. */
TEST(rejects_kernel_address)
{
	void *kernel = (void *)(-(uintptr_t)PAGE);
	int fd = data_open();

	EXPECT_EQ(reg_enabler(fd, uniq("kernel"), kernel, 4, 0, 0), -1);
	EXPECT_TRUE(errno == EFAULT || errno == ENOMEM);
	EXPECT_FALSE(status_line(uniq("kernel")));
}

#if __SIZEOF_POINTER__ == 4
/*
 * A pointer as a 32-bit compiler converts it to 64 bits, with sign extension.
 */
static uint64_t sign_extended(const volatile void *pointer)
{
	return (uint64_t)(int64_t)(intptr_t)pointer;
}

/*
 * Only for 32-bit programs: no address of a 64-bit program has its sign bit
 * set.
 */
TEST(accepts_sign_extended_addresses)
{
	const char *event = uniq("e");
	struct user_reg_enabler enabler;
	struct user_reg_status status;
	struct user_unreg unreg;
	volatile uint32_t word = 0;
	int fd = data_open();
	char command[64];

	/* The stack is in the upper half, where the sign bit is set. */
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

/* A process that asks for it can use pointers with tags in the upper byte. */
TEST(tagged_pointer_is_same_address)
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

/* The event is registered although the index cannot be stored. */
TEST(registers_with_read_only_structure)
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

TEST(index_belongs_to_open_file)
{
	uint32_t words[4] = { 0 };
	int fd = data_open();
	int other = data_open();

	EXPECT_EQ(reg_word(fd, uniq("a"), &words[0], 0), 0);
	EXPECT_EQ(reg_word(fd, uniq("b"), &words[1], 0), 1);
	EXPECT_EQ(reg_word(fd, uniq("a"), &words[2], 0), 0);
	EXPECT_EQ(reg_word(other, uniq("b"), &words[3], 0), 0);
	/* An enabler belongs to the process, not to a file. */
	EXPECT_ERRNO(reg_word(other, uniq("c"), &words[0], 0), EADDRINUSE);
	EXPECT_FALSE(status_line(uniq("c")));
}

TEST(rejects_same_address_and_bit)
{
	struct guarded value = guarded(0);
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

TEST(same_address_and_bit_is_the_first_error)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();

	EXPECT_EQ(reg_word(fd, uniq("e"), page, 3), 0);
	EXPECT_ERRNO(reg_word(fd, "a/b", page, 3), EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, text("%s nonsense", uniq("f")), page, 3),
		     EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, NULL, page, 3), EADDRINUSE);
	ASSERT_OK(mprotect((void *)page, PAGE, PROT_READ));
	EXPECT_ERRNO(reg_word(fd, uniq("e"), page, 3), EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, uniq("f"), page, 3), EADDRINUSE);
	EXPECT_ERRNO(reg_word(fd, uniq("e"), page, 4), ENOMEM);
}

/* --- unregistration --- */

TEST(unregister_checks_structure)
{
	union {
		struct user_unreg unreg;
		unsigned char bytes[PAGE_MAX + 200];
	} out;
	struct user_unreg *at = (void *)(guarded_page_end() - sizeof(at->size));
	const struct {
		uint32_t size;
		int dirty;
		int error;
	} cases[] = {
		{ 0, -1, EINVAL },
		{ 15, -1, EINVAL },
		{ 16, 5, EINVAL },
		{ 16, 6, EINVAL },
		{ 16, 7, EINVAL },
		{ 17, 16, E2BIG },
		{ PAGE, PAGE - 1, E2BIG },
		{ PAGE + 1, -1, E2BIG },
		{ 17, 17, 0 },
		{ PAGE, -1, 0 },
		{ 16, -1, 0 },
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

TEST(unregister_clears_bit)
{
	struct guarded value = guarded(0);
	int fd = data_open();
	int other = data_open();

	must_reg_word(fd, uniq("e"), &value.word, 5);
	enable(uniq("e"), true);
	value.word = ~0U;
	/* Any open data file can be used. */
	EXPECT_OK(unreg(other, &value.word, 5));
	EXPECT_EQ(value.word, ~(1U << 5));
	value.word = 0;
	enable(uniq("e"), false);
	EXPECT_EQ(value.word, 0);
	enable(uniq("e"), true);
	EXPECT_EQ(value.word, 0);
	enable(uniq("e"), false);

	/* Also if the program itself has set the bit. */
	must_reg_word(fd, uniq("e"), &value.word, 5);
	value.word = 1U << 5;
	EXPECT_OK(unreg(fd, &value.word, 5));
	EXPECT_EQ(value.word, 0);
	EXPECT_EQ(value.before, GUARD);
	EXPECT_EQ(value.after, GUARD);
}

TEST(unregister_fails_for_unmapped_bit)
{
	uint32_t *word = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();

	must_reg_word(fd, uniq("e"), word, 0);
	ASSERT_OK(munmap(word, PAGE));
	EXPECT_ERRNO(unreg(fd, word, 0), EFAULT);
	EXPECT_ERRNO(unreg(fd, word, 0), ENOENT);
}

/* --- enable bit --- */

static void check_bit(int fd, const char *event, unsigned int size,
		      unsigned int bit, uint64_t other_bits)
{
	uint64_t mask = 1ULL << bit;
	struct guarded value = guarded(other_bits);
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
	EXPECT_EQ(value.before, GUARD);
	EXPECT_EQ(value.after, GUARD);
	if (size == sizeof(value.word)) {
		value.word = 0;
		EXPECT_EQ(value.large, 0);
	}
#undef VALUE
}

TEST(every_bit_of_4_bytes_works)
{
	int fd = data_open();
	unsigned int bit;

	must_reg(fd, uniq("e"));
	for (bit = 0; bit < 32; bit++) {
		check_bit(fd, uniq("e"), 4, bit, 0);
		check_bit(fd, uniq("e"), 4, bit, ~0U);
	}
}

TEST(every_bit_of_8_bytes_works)
{
	int fd = data_open();
	unsigned int bit;
	uint64_t value;

	must_reg(fd, uniq("e"));
	if (sizeof(long) == 4 &&
	    reg_enabler(fd, uniq("e"), &value, 8, 0, 0) == -1) {
		EXPECT_EQ(errno, EINVAL);
		SKIP("this kernel has no 8-byte values");
	}
	unreg(fd, &value, 0);
	for (bit = 0; bit < 64; bit++) {
		check_bit(fd, uniq("e"), 8, bit, 0);
		check_bit(fd, uniq("e"), 8, bit, ~0ULL);
	}
	EXPECT_ERRNO(reg_enabler(fd, uniq("e"), &value, 8, 64, 0), EINVAL);
}

/* Uses both halves of 8 bytes as separate values. */
TEST(adjacent_words_are_unchanged)
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

TEST(words_of_two_pages_are_written_synchronously)
{
	volatile uint32_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile uint32_t *second = pages + PAGE / sizeof(*pages);
	const char *event = uniq("e");
	int fd = data_open();

	ASSERT_TRUE((void *)pages != MAP_FAILED);
	must_reg_word(fd, event, &pages[0], 0);
	must_reg_word(fd, event, &second[1], 0);
	enable(event, true);
	EXPECT_EQ(pages[0], 1);
	EXPECT_EQ(pages[1], 0);
	EXPECT_EQ(second[0], 0);
	EXPECT_EQ(second[1], 1);
	enable(event, false);
	EXPECT_EQ(pages[0] | second[1], 0);
	munmap((void *)pages, 2 * PAGE);
}

TEST(registration_sets_current_state)
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

/* Bits in the same word are independent. */
TEST(bits_of_one_word_are_independent)
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

/* The word is not written while the event stays enabled. */
TEST(second_tracer_does_not_write_bit)
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

TEST(bit_is_set_for_every_kind_of_tracer)
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

TEST(unmapped_memory_is_skipped)
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

	/* A new mapping is written by the next change. */
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

/* Nothing is mapped above this page, not even the stack. */
TEST(bit_in_highest_page_works)
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
		SKIP("cannot map the highest page");
	must_reg_word(fd, event, page, 0);
	enable(event, true);
	EXPECT_EQ(*page, 1);
	ASSERT_OK(munmap(page, PAGE));
	enable(event, false);
	enable(event, true);
	EXPECT_ERRNO(unreg(fd, page, 0), EFAULT);
	enable(event, false);
}

TEST(discarded_page_is_updated)
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

/* A page that saved_limit never touched is faulted in by the registration. */
TEST(untouched_page_is_faulted_in)
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

/* The page is present, so the word is written synchronously. */
static void check_mapping(uint32_t *word)
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

TEST(shared_memory_works)
{
	check_mapping(mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

/* An unlinked file of one page. */
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

/* The bit is in the file, and therefore in later mappings of the file. */
TEST(shared_file_mapping_works)
{
	const char *event = uniq("file");
	int file = page_file();
	int fd = data_open();
	uint32_t *word, *again;

	check_mapping(
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
 * A memfd can be sealed against writes only while none of its pages is pinned:
 * the kernel compares the reference count of each page with its mappings.
 */
TEST(file_pages_are_unpinned)
{
	int file = syscall(SYS_memfd_create, "enabler",
			   MFD_CLOEXEC | MFD_ALLOW_SEALING);
	long long start = 0;
	uint32_t *word;

	if (file < 0)
		SKIP("no memfd: %s", harness_errno(errno));
	ASSERT_OK(ftruncate(file, PAGE));
	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	check_mapping(word);
	/* Repeat with a page that must be faulted in. */
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

/* A missing page of a file is read from the file, which can take a while. */
TEST(private_file_mapping_works)
{
	const char *event = uniq("thrown");
	int file = page_file();
	int fd = data_open();
	uint32_t *word;

	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	check_mapping(word);
	must_reg_word(fd, event, word, 3);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, true);
	wait_value(word, 8);
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	enable(event, false);
	wait_value(word, 0);
	/* A page that was only read is that of the file. */
	ASSERT_OK(madvise(word, PAGE, MADV_DONTNEED));
	EXPECT_EQ(*(volatile uint32_t *)word, 0);
	enable(event, true);
	wait_value(word, 8);
	EXPECT_EQ(word_in_file(file, 0), 0);
	enable(event, false);
	wait_value(word, 0);
}

TEST(truncated_file_is_skipped)
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

static size_t huge_page_size(void)
{
	const char *line =
		find_line(read_file("/proc/meminfo"), "Hugepagesize:");

	if (!line)
		SKIP("no huge pages");

	return (size_t)number_after(line, "Hugepagesize:") << 10;
}

/* A page that is still pinned is not freed, and is still counted. */
static void expect_no_huge_pages(void)
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

/*
 * Before Linux 6.6, pinning a huge page can fault it in, so a work item does
 * it.
 */
TEST(huge_page_works)
{
	const char *event = uniq("e");
	const size_t size = huge_page_size();
	int fd = data_open();
	uint32_t *word;
	void *map;

	write_file("2", "/proc/sys/vm/nr_hugepages");
	map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (map == MAP_FAILED)
		SKIP("no huge pages");
	word = map + size - PAGE;
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
	expect_no_huge_pages();
}

/*
 * Before Linux 6.6, pinning a huge page would fault it in. Debug kernels warn
 * that the fault cannot wait for the userfaultfd handler.
 */
TEST(huge_page_with_userfaultfd_does_not_block)
{
	const size_t size = huge_page_size();
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	volatile uint32_t *huge;
	int fd = data_open();
	int uffd, round;

	write_file("2", "/proc/sys/vm/nr_hugepages");
	huge = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (huge == MAP_FAILED)
		SKIP("no huge pages");
	must_reg_word(fd, event, huge, 0);
	must_reg_word(fd, event, &word, 0);
	uffd = userfault_open(0);
	if (userfault_register(uffd, huge, size, UFFDIO_REGISTER_MODE_MISSING))
		SKIP("no userfaultfd for huge pages");
	for (round = 2; round--;) {
		enable(event, true);
		EXPECT_EQ(word, 1);
		enable(event, false);
		EXPECT_EQ(word, 0);
		/* Before Linux 5.18 this fails, and the page stays present. */
		madvise((void *)huge, size, MADV_DONTNEED);
	}
	close(uffd);
	enable(event, true);
	wait_value(huge, 1);
	enable(event, false);
	wait_value(huge, 0);
	munmap((void *)huge, size);
	expect_no_huge_pages();
}

/* The status page is not writable for any process. */
TEST(rejects_status_page)
{
	int fd = data_open();

	EXPECT_ERRNO(reg_enabler(fd, uniq("e"), status_map(), 4, 0, 0), ENOMEM);
	EXPECT_FALSE(status_line(uniq("e")));
}

/* --- names, formats and lifetimes --- */

TEST(accepts_fields_of_real_programs)
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
		/* metrics of OpenTelemetry for Rust */
		{ " u32 protocol;char[8] version;__rel_loc u8[] buffer;",
		  " u32 protocol; char[8] version; __rel_loc u8[] buffer" },
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

TEST(spelling_of_fields_is_ignored)
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

TEST(volatile_event_is_deleted_with_last_reference)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int perf;
	int fd;

	/*
	 * The enabler keeps the event after the file is closed, until
	 * unregistration.
	 */
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

	/* In the opposite order. */
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_TRUE(status_line(event));
	close(fd);
	EXPECT_FALSE(status_line(event));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s s8 c", event), &word, 0));

	/* ftrace has the last reference. */
	enable(event, true);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_TRUE(status_line(event));
	enable(event, false);
	fd = data_open();
	EXPECT_OK(reg_word(fd, text("%s s16 d", event), &word, 0));

	/* perf has the last reference. */
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

	/* A failed registration holds no reference. */
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_FALSE(status_line(event));
}

/* No other operation on the event is needed. */
TEST(volatile_event_is_deleted_after_last_tracer)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int fd = data_open(), perf;

	must_reg_word(fd, event, &word, 0);
	enable(event, true);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	enable(event, false);
	wait_deleted(event);

	fd = data_open();
	must_reg_word(fd, event, &word, 0);
	perf = perf_open(event_id(event), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	close(perf);
	wait_deleted(event);
}

/*
 * An event probe does not report when it detaches, so the module polls for it.
 * The deletion of another event must not stop the polling.
 */
TEST(volatile_event_is_deleted_after_event_probe)
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
 * The event probe holds the last reference and does not report its removal. The
 * module must have scheduled a retry when the last file saved_limit closed. No other
 * event is deleted here that would schedule one.
 */
TEST(volatile_event_is_deleted_after_last_event_probe)
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
	/* The module tries to delete the event once a second. */
	sleep(2);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	wait_deleted(event);
}

TEST(volatile_event_is_deleted_at_exit)
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

TEST(persistent_event_stays_until_deleted)
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

	/* A later request for persistence has no effect. */
	fd = data_open();
	EXPECT_OK(reg_enabler(fd, event, &word, 4, 0, 0));
	EXPECT_OK(reg_enabler(fd, event, &word, 4, 1, USER_EVENT_REG_PERSIST));
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	EXPECT_FALSE(status_line(event));
}

/* Registers a persistent event, whose name no event may have. */
static void check_persistence(const char *event, unsigned int flags)
{
	uint32_t word = 0;
	int fd = data_open();

	ASSERT_OK(reg_enabler(fd, event, &word, 4, 0,
			      USER_EVENT_REG_PERSIST | flags));
	ASSERT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_OK(del_event(event));
}

/* Lets the background of this CPU wait for this process. */
static void delay_background(void)
{
	make_realtime(0);
}

/* The background is to remove the event after its last tracer. */
TEST(persistent_event_does_not_take_over_orphan)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int i, fd;

	delay_background();
	for (i = 0; i < 10; i++) {
		fd = data_open();
		ASSERT_OK(reg_enabler(fd, event, &word, 4, 0, 0));
		enable(event, true);
		ASSERT_OK(unreg(fd, &word, 0));
		close(fd);
		enable(event, false);
		check_persistence(event, 0);
	}
}

/* The background is to remove the enabler of a process that has exited. */
TEST(persistent_event_does_not_take_over_event_of_exited_process)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	pid_t child;
	int i;

	delay_background();
	for (i = 0; i < 10; i++) {
		child = fork();
		ASSERT_OK(child);
		if (!child)
			_exit(reg_enabler(data_open(), event, &word, 4, 0, 0) <
			      0);
		wait_child(child);
		check_persistence(event, 0);
	}
}

/*
 * Names of the directories of a multi-format event; their numbers keep growing.
 */
static unsigned int read_multi_names(const char *event, char names[][256],
				     unsigned int room)
{
	DIR *dir = opendir(text("%s/" MULTI_DIR, tracefs()));
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

TEST(persistent_multi_format_event_does_not_take_over_orphan)
{
	const char *event = uniq("e");
	char name[1][256];
	uint32_t word = 0;
	int fd = data_open();

	ASSERT_OK(reg_enabler(fd, event, &word, 4, 0,
			      USER_EVENT_REG_MULTI_FORMAT));
	ASSERT_EQ(read_multi_names(event, name, 1), 1);
	ASSERT_OK(unreg(fd, &word, 0));
	delay_background();
	tfs_write("1", MULTI_DIR "%s/enable", name[0]);
	close(fd);
	tfs_write("0", MULTI_DIR "%s/enable", name[0]);
	check_persistence(event, USER_EVENT_REG_MULTI_FORMAT);
}

TEST(multi_format_events_are_separate)
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
	EXPECT_EQ(read_multi_names(event, names, 8), 1);
	EXPECT_EQ(reg_enabler(fd, text("%s u64 b", event), &word, 4, 1, flag),
		  1);
	EXPECT_EQ(read_multi_names(event, names, 8), 2);
	EXPECT_EQ(reg_enabler(fd, text("%s u32 a;", event), &word, 4, 2, flag),
		  0);
	EXPECT_EQ(read_multi_names(event, names, 8), 2);
	EXPECT_EQ(reg_enabler(other, text("%s u64 b", event), &word, 4, 3,
			      flag),
		  0);
	/* A single-format event is a separate event. */
	EXPECT_EQ(reg_word(fd, text("%s u32 a", event), &word, 4), 2);
	EXPECT_EQ(read_multi_names(event, names, 8), 2);
	EXPECT_TRUE(tfs_exists("events/user_events/%s", event));
	EXPECT_EQ(count_lines(tfs_read("dynamic_events"),
			      text("u:%s u", event)),
		  3);

	a = strstr(tfs_read(MULTI_DIR "%s/format", names[0]), " a;") ? 0 : 1;
	EXPECT_CONTAINS(tfs_read(MULTI_DIR "%s/format", names[a]), "u32 a;");
	EXPECT_CONTAINS(tfs_read(MULTI_DIR "%s/format", names[!a]), "u64 b;");
	EXPECT_TRUE(status_line(names[0]));
	EXPECT_TRUE(status_line(names[1]));

	EXPECT_OK(tfs_write("1", MULTI_DIR "%s/enable", names[a]));
	EXPECT_EQ(word, 0x5);
	EXPECT_OK(tfs_write("0", MULTI_DIR "%s/enable", names[a]));
	EXPECT_OK(tfs_write("1", MULTI_DIR "%s/enable", names[!a]));
	EXPECT_EQ(word, 0xa);
	EXPECT_EQ(emit(fd, 1, "\1\2\3\4\5\6\7\10", 8), 12);
	EXPECT_ERRNO(emit(fd, 0, "\1\2\3\4", 4), EBADF);
	EXPECT_OK(tfs_write("0", MULTI_DIR "%s/enable", names[!a]));
	EXPECT_EQ(word, 0);

	/* The formats are deleted one by one. */
	EXPECT_ERRNO(del(fd, event), EBUSY);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_OK(unreg(fd, &word, 2));
	EXPECT_OK(unreg(fd, &word, 4));
	EXPECT_OK(unreg(fd, &word, 1));
	close(fd);
	EXPECT_EQ(read_multi_names(event, names, 8), 1);
	EXPECT_CONTAINS(tfs_read(MULTI_DIR "%s/format", names[0]), "u64 b;");
	EXPECT_OK(unreg(other, &word, 3));
	close(other);
	EXPECT_EQ(read_multi_names(event, names, 8), 0);
}

TEST(rejected_enabler_takes_no_number)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	char first[1][256], second[1][256];
	uint32_t word = 0;
	int fd = data_open();

	ASSERT_OK(reg_enabler(fd, uniq("e"), &word, 4, 0, flag));
	EXPECT_ERRNO(reg_enabler(fd, uniq("f"), &word, 4, 0, flag), EADDRINUSE);
	ASSERT_OK(reg_enabler(fd, uniq("g"), &word, 4, 1, flag));
	EXPECT_EQ(read_multi_names(uniq("f"), first, 1), 0);
	ASSERT_EQ(read_multi_names(uniq("e"), first, 1), 1);
	ASSERT_EQ(read_multi_names(uniq("g"), second, 1), 1);
	EXPECT_EQ(strtoul(strrchr(second[0], '.') + 1, NULL, 16),
		  strtoul(strrchr(first[0], '.') + 1, NULL, 16) + 1);
}

/* A multi-format event never has the plain name. */
TEST(multi_and_single_format_events_coexist)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	const char *event = text("%s u32 a", uniq("e"));
	char names[8][256];
	int fd = data_open();
	uint32_t word = 0;

	EXPECT_EQ(reg_word(fd, event, &word, 0), 0);
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 1, flag), 1);
	EXPECT_EQ(read_multi_names(uniq("e"), names, 8), 1);
	enable(uniq("e"), true);
	EXPECT_EQ(word, 1);
	enable(uniq("e"), false);
	/* The order of registration does not matter. */
	EXPECT_EQ(reg_word(fd, event, &word, 2), 0);
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 3, flag), 1);
	event = text("%s u32 a", uniq("later"));
	EXPECT_EQ(reg_enabler(fd, event, &word, 4, 4, flag), 2);
	EXPECT_EQ(reg_word(fd, event, &word, 5), 3);
	EXPECT_EQ(read_multi_names(uniq("later"), names, 8), 1);
}

/* The name must leave room for a number. */
TEST(multi_format_name_leaves_room_for_number)
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
	EXPECT_EQ(read_multi_names(name, names, 1), 0);
	EXPECT_EQ(reg_word(fd, name, &word, 0), 0);
	EXPECT_OK(unreg(fd, &word, 0));

	/*
	 * The longest name that is accepted. Each attempt takes a number, whose
	 * digits do not become fewer.
	 */
	for (i = 254; i > 230; i--) {
		name[i] = '\0';
		if (reg_enabler(fd, name, &word, 4, 1, flag) >= 0)
			break;
		EXPECT_EQ(errno, EINVAL);
	}
	ASSERT_EQ(read_multi_names(name, names, 1), 1);
	EXPECT_EQ(strlen(names[0]), 255);
	close(fd);
	wait_deleted(name);
}

/* With its number, the name has at most 255 bytes. */
TEST(multi_format_name_can_have_greatest_length)
{
	const unsigned int flag = USER_EVENT_REG_MULTI_FORMAT;
	const char *event = uniq("short");
	char name[256], names[1][256];
	int fd = data_open(), excess;
	unsigned long number;
	uint32_t word = 0;
	size_t length;

	/* Each registration of a new event takes the next number. */
	ASSERT_OK(reg_enabler(fd, event, &word, 4, 0, flag));
	ASSERT_EQ(read_multi_names(event, names, 1), 1);
	number = strtoul(strrchr(names[0], '.') + 1, NULL, 16);
	for (excess = 1; excess >= 0; excess--) {
		harness_context("%d bytes too long", excess);
		number++;
		length = 255 - strlen(text(".%lx", number)) + excess;
		memset(name, 'x', length);
		memcpy(name, event, strlen(event));
		name[length] = '\0';
		if (excess) {
			EXPECT_ERRNO(reg_enabler(fd, name, &word, 4, 1, flag),
				     EINVAL);
			continue;
		}
		EXPECT_OK(reg_enabler(fd, name, &word, 4, 1, flag));
		ASSERT_EQ(read_multi_names(name, names, 1), 1);
		EXPECT_EQ(strlen(names[0]), 255);
		EXPECT_TRUE(status_line(names[0]));
	}
}

TEST(persistent_multi_format_events_are_deleted_by_name)
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
	EXPECT_EQ(read_multi_names(event, names, 8), 2);
	EXPECT_OK(del_event(event));
	EXPECT_EQ(read_multi_names(event, names, 8), 0);
	EXPECT_ERRNO(del_event(event), ENOENT);
}

/* The status-page interface and dynamic_events make the event persistent. */
TEST(both_interfaces_share_events)
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

	/* The status-page registration has made it persistent. */
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

#define LIMIT_FILE "/proc/sys/kernel/user_events_max"

TEST(limit_applies_to_new_events)
{
	char *saved_limit = read_file(LIMIT_FILE);
	int fd = data_open();
	uint32_t word = 0;

	ASSERT_TRUE(saved_limit);
	must_reg_word(fd, uniq("a"), &word, 0);
	EXPECT_ERRNO(write_file("-1", LIMIT_FILE), EINVAL);
	EXPECT_OK(write_file("0", LIMIT_FILE));
	EXPECT_STREQ(read_file(LIMIT_FILE), "0\n");
	EXPECT_ERRNO(reg_word(fd, uniq("b"), &word, 1), EMFILE);
	EXPECT_ERRNO(reg_word(fd, text("%s nonsense", uniq("b")), &word, 1),
		     EINVAL);
	EXPECT_ERRNO(reg(fd, uniq("b"), NULL), EMFILE);
	/* The interface with a status page checks the limit first. */
	EXPECT_ERRNO(reg(fd, text("%s nonsense", uniq("b")), NULL), EMFILE);
	/* Existing events remain and can be joined. */
	EXPECT_OK(reg_word(fd, uniq("a"), &word, 2));
	EXPECT_OK(write_file(saved_limit, LIMIT_FILE));
	EXPECT_OK(reg_word(fd, uniq("b"), &word, 1));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
