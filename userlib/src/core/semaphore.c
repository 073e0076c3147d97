// SPDX-License-Identifier: MIT
#include "core/semaphore.h"

#include <errno.h>
#include <stdint.h>
#include <userevents/userevents.h>

#include "core/process.h"

/*
 * Bits of a semaphore that the kernel sets: one for each form of a probe. Tracers
 * count in the lowest bits, and uprobes reject a count with the highest one.
 */
#define FIRST_BIT 8
#define LAST_BIT 14

/* Bits that the library sets: always, and while records are missed. */
#define RAISED (1U << 6)
#define MISSING (1U << 7)

/* Older programs have smaller events. */
static volatile unsigned short *semaphore_of(const struct uev_event *event)
{
	const struct uev_probe_event *probe = (const void *)event;

	return event->size >= sizeof(*probe) ? probe->semaphore : NULL;
}

static void set_bits(volatile unsigned short *semaphore, unsigned int bits)
{
	(void)__atomic_fetch_or(semaphore, (unsigned short)bits,
				__ATOMIC_RELAXED);
}

/* Sets the word of 32 bits with a bit of a semaphore. */
static void set_bit_of(struct uev_word *word,
		       volatile unsigned short *semaphore, unsigned int bit)
{
	uintptr_t offset = (uintptr_t)semaphore % sizeof(*word->address);
	bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	word->address = (uint32_t *)((uintptr_t)semaphore - offset);
	word->enable_bit = (uint8_t)(bit + (!offset == is_big ? 16 : 0));
}

/* Returns the semaphore of an event, unless the kernel has it already. */
static volatile unsigned short *
unfollowed(const struct uev_registration *registration,
	   const struct uev_attachment *attachment)
{
	volatile unsigned short *semaphore = semaphore_of(attachment->event);
	const struct uev_attachment *other;

	for (other = registration->attachments; semaphore && other;
	     other = other->next)
		if (other->semaphore == semaphore)
			return NULL;

	return semaphore;
}

static bool is_supported(const volatile unsigned short *semaphore)
{
	return uev_process_kernel()->abi == UEV_ABI_ENABLER &&
	       (uintptr_t)semaphore % sizeof(*semaphore) == 0;
}

/* Remembers a semaphore that the kernel has. */
static void set_followed(struct uev_attachment *attachment, unsigned int bit)
{
	attachment->semaphore = semaphore_of(attachment->event);
	attachment->semaphore_bit = (uint8_t)bit;
}

void uev_semaphore_follow(const struct uev_registration *registration,
			  struct uev_attachment *attachment,
			  struct uev_word *word)
{
	volatile unsigned short *semaphore =
		unfollowed(registration, attachment);
	int err = semaphore && is_supported(semaphore) ? -EADDRINUSE : -EINVAL;
	unsigned int bit;

	/* Another form can have a bit. */
	for (bit = FIRST_BIT; bit <= LAST_BIT && err == -EADDRINUSE; bit++) {
		set_bit_of(word, semaphore, bit);
		err = uev_kernel_register(uev_process_kernel(), word);
		if (!err)
			set_followed(attachment, bit);
	}
	if (semaphore && err)
		set_bits(semaphore, RAISED);
}

void uev_semaphores_follow(struct uev_registration **registrations,
			   struct uev_attachment **attachments,
			   struct uev_word *words, size_t count)
{
	size_t i, number = 0, which[UEV_WORDS_MAX];
	volatile unsigned short *semaphore;

	for (i = 0; i < count; i++) {
		semaphore = words[i].error ? NULL
					   : unfollowed(registrations[i],
							attachments[i]);
		if (!semaphore)
			continue;
		if (!is_supported(semaphore)) {
			set_bits(semaphore, RAISED);
			continue;
		}
		words[number] = words[i];
		set_bit_of(&words[number], semaphore, FIRST_BIT);
		which[number++] = i;
	}
	uev_kernel_register_list(uev_process_kernel(), words, number);
	for (i = 0; i < number; i++)
		if (!words[i].error)
			set_followed(attachments[which[i]], FIRST_BIT);
		else
			uev_semaphore_follow(registrations[which[i]],
					     attachments[which[i]], &words[i]);
}

int uev_semaphore_leave(struct uev_attachment *attachment)
{
	struct uev_word word;
	int err;

	if (!attachment->semaphore)
		return 0;
	set_bit_of(&word, attachment->semaphore, attachment->semaphore_bit);
	err = uev_kernel_unregister(uev_process_kernel(), &word);
	if (err && err != -ENOENT && err != -EFAULT)
		return err;
	attachment->semaphore = NULL;

	return 0;
}

void uev_semaphores_leave(struct uev_attachment **attachments, size_t count)
{
	struct uev_attachment *left[UEV_WORDS_MAX];
	struct uev_word words[UEV_WORDS_MAX];
	size_t i, number = 0;

	for (i = 0; i < count; i++) {
		if (!attachments[i]->semaphore)
			continue;
		left[number] = attachments[i];
		set_bit_of(&words[number++], attachments[i]->semaphore,
			   attachments[i]->semaphore_bit);
	}
	uev_kernel_unregister_list(uev_process_kernel(), words, number);
	for (i = 0; i < number; i++)
		if (!words[i].error)
			left[i]->semaphore = NULL;
}

void uev_semaphore_miss(const struct uev_event *event, bool is_missing)
{
	volatile unsigned short *semaphore = semaphore_of(event);

	if (!semaphore)
		return;
	if (is_missing)
		set_bits(semaphore, MISSING);
	else
		(void)__atomic_fetch_and(semaphore, (unsigned short)~MISSING,
					 __ATOMIC_RELAXED);
}
