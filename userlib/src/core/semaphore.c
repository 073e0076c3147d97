// SPDX-License-Identifier: MIT
#include "core/semaphore.h"

#include <errno.h>
#include <stdint.h>
#include <userevents/userevents.h>

#include "core/process.h"

/*
 * Bits of a semaphore that the kernel sets: one for each form of a probe. Tracers
 * count in the lower ones, and uprobes reject a count with the highest one.
 */
#define FIRST_BIT 8
#define LAST_BIT 14

/*
 * Some versions of Linux 6.4 and 6.5 access a word of 32 bits as one of 64, which
 * must be aligned.
 */
#define WORD_SIZE sizeof(long)

volatile unsigned short *uev_semaphore_of(const struct uev_event *event)
{
	const struct uev_probe_event *probe = (const void *)event;

	return event->size & UEV_HAS_SEMAPHORE ? probe->semaphore : NULL;
}

/* Number of the lowest bit of a semaphore in the word of @size that it is in */
static unsigned int shift_of(const volatile unsigned short *semaphore,
			     size_t size)
{
	size_t offset = (uintptr_t)semaphore % size;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	offset = size - sizeof(*semaphore) - offset;
#endif
	return (unsigned int)offset * 8;
}

static void *word_with(volatile unsigned short *semaphore, size_t size)
{
	return (void *)((uintptr_t)semaphore & ~(uintptr_t)(size - 1));
}

static void set_bit_of(struct uev_word *word,
		       volatile unsigned short *semaphore, unsigned int bit)
{
	word->address = word_with(semaphore, WORD_SIZE);
	word->enable_size = WORD_SIZE;
	word->enable_bit = (uint8_t)(bit + shift_of(semaphore, WORD_SIZE));
}

/* In a word of 32 bits, since not all machines have such instructions for 16. */
static void add_to(volatile unsigned short *semaphore, uint32_t number)
{
	uint32_t *word = word_with(semaphore, sizeof(*word));

	(void)__atomic_fetch_add(word,
				 number << shift_of(semaphore, sizeof(*word)),
				 __ATOMIC_RELAXED);
}

void uev_semaphore_raise(struct uev_attachment *attachment)
{
	volatile unsigned short *semaphore =
		uev_semaphore_of(attachment->event);

	if (!semaphore || attachment->is_raised)
		return;
	add_to(semaphore, 1);
	attachment->is_raised = true;
}

void uev_semaphore_lower(struct uev_attachment *attachment)
{
	if (!attachment->is_raised)
		return;
	add_to(uev_semaphore_of(attachment->event), -1U);
	attachment->is_raised = false;
}

/* Returns the semaphore of an event, unless the kernel has it already. */
static volatile unsigned short *
unfollowed(const struct uev_registration *registration,
	   const struct uev_attachment *attachment)
{
	volatile unsigned short *semaphore =
		uev_semaphore_of(attachment->event);
	const struct uev_attachment *other;

	for (other = registration->attachments; semaphore && other;
	     other = other->next)
		if (other->semaphore == semaphore)
			return NULL;

	return semaphore;
}

/* Remembers a semaphore that the kernel has. */
static void set_followed(struct uev_attachment *attachment, unsigned int bit)
{
	attachment->semaphore = uev_semaphore_of(attachment->event);
	attachment->semaphore_bit = (uint8_t)bit;
}

void uev_semaphore_follow(const struct uev_registration *registration,
			  struct uev_attachment *attachment,
			  struct uev_word *word)
{
	const struct uev_kernel *kernel = uev_process_kernel();
	volatile unsigned short *semaphore =
		unfollowed(registration, attachment);
	int err = kernel->abi == UEV_ABI_ENABLER ? -EADDRINUSE : -EINVAL;
	unsigned int bit;

	if (!semaphore)
		return;
	/* Another form can have a bit. */
	for (bit = FIRST_BIT; bit <= LAST_BIT && err == -EADDRINUSE; bit++) {
		set_bit_of(word, semaphore, bit);
		err = uev_kernel_register(kernel, word);
		if (!err)
			set_followed(attachment, bit);
	}
	if (err)
		uev_semaphore_raise(attachment);
}

void uev_semaphores_follow(struct uev_registration **registrations,
			   struct uev_attachment **attachments,
			   struct uev_word *words, size_t count)
{
	const struct uev_kernel *kernel = uev_process_kernel();
	size_t i, number = 0, which[UEV_WORDS_MAX];
	volatile unsigned short *semaphore;

	for (i = 0; i < count; i++) {
		semaphore = words[i].error ? NULL
					   : unfollowed(registrations[i],
							attachments[i]);
		if (!semaphore)
			continue;
		words[number] = words[i];
		set_bit_of(&words[number], semaphore, FIRST_BIT);
		which[number++] = i;
	}
	if (!number)
		return;
	uev_kernel_register_list(kernel, words, number);
	for (i = 0; i < number; i++)
		if (!words[i].error && kernel->abi == UEV_ABI_ENABLER)
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
	if (!number)
		return;
	uev_kernel_unregister_list(uev_process_kernel(), words, number);
	for (i = 0; i < number; i++)
		if (!words[i].error)
			left[i]->semaphore = NULL;
}
