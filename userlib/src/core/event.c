// SPDX-License-Identifier: MIT
/*
 * Events of a process: registering and unregistering them, also when
 * user_events appears, or its file must be opened again.
 */
#include "core/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/userevents.h>

#include "core/command.h"
#include "core/failures.h"
#include "core/process.h"
#include "core/registration.h"
#include "core/retry_thread.h"
#include "core/semaphore.h"
#include "core/writers.h"
#include "util/alloc.h"

#define KERNEL_FLAGS (UEV_PERSIST | UEV_MULTI_FORMAT)
#define KNOWN_FLAGS (KERNEL_FLAGS | UEV_SHARE_NAME | UEV_REPORT)

/*
 * Protected by the lock.
 * @pending: number of events that the kernel does not have
 * @registered: number of events that the kernel has
 * @is_closed: the program has closed user_events_data
 * @is_unfinished: the kernel has kept an event that has no route therefore
 * @abandoned: unregistered events that the kernel still has; their memory can be
 *        that of another object
 * @unused: those that the kernel does not have any more, to be freed
 */
static struct {
	uint32_t pending;
	uint32_t registered;
	bool is_closed;
	bool is_unfinished;
	struct uev_attachment *abandoned;
	struct uev_attachment *unused;
} events;

uint32_t uev_events_pending(void)
{
	return events.pending;
}

uint32_t uev_events_registered(void)
{
	return events.registered;
}

/* Call it after every change of pending events or of the open file. */
static void wake_retry_thread(void)
{
	if (events.pending || events.is_closed)
		uev_retry_thread_wake();
}

/*
 * --- Registration with the kernel ------------------------------------------
 */

/*
 * Registers a word. With UEV_SHARE_NAME, the first word of a registration
 * decides under which name it is, because all have the same route.
 */
static int register_word(struct uev_registration *registration,
			 const struct uev_kernel *kernel, struct uev_word *word)
{
	int err = uev_kernel_register(kernel, word), shared_err;

	if (err != -EADDRINUSE || !(registration->flags & UEV_SHARE_NAME))
		return err;

	word->flags |= UEV_MULTI_FORMAT;
	shared_err = uev_kernel_register(kernel, word);
	if (shared_err == -EPROTONOSUPPORT)
		return err;
	registration->is_shared = !shared_err;

	return shared_err;
}

/* Lets writers find the file of an event, and its index there. */
static void set_route(struct uev_registration *registration,
		      const struct uev_kernel *kernel, uint32_t index)
{
	__atomic_store_n(&registration->cookie, kernel->cookie,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&registration->route, uev_route(kernel->fd, index),
			 __ATOMIC_RELEASE);
}

/*
 * Returns the command of a registration for the kernel, in @buffer if it differs,
 * and sets what locations of texts count from.
 */
static const char *kernel_command(struct uev_registration *registration,
				  char *buffer)
{
	const char *command = registration->command;

	if (!(registration->flags & UEV_HAS_TYPES))
		return command;
	if (!uev_kernel_header()) {
		uev_command_relative(buffer, command);
		return buffer;
	}
	if (!strstr(command, " __rel_loc "))
		__atomic_store_n(&registration->text_base,
				 (uint8_t)uev_kernel_header(),
				 __ATOMIC_RELAXED);

	return command;
}

/* Returns the arguments for the kernel. @buffer is for kernel_command(). */
static struct uev_word word_of(struct uev_registration *registration,
			       struct uev_event *event, char *buffer)
{
	struct uev_word word = {
		.address = &event->state,
		.enable_size = sizeof(event->state),
		.command = kernel_command(registration, buffer),
		.flags = registration->flags & KERNEL_FLAGS,
	};

	if (registration->route == UEV_NO_ROUTE)
		registration->is_shared = false;
	if (registration->is_shared)
		word.flags |= UEV_MULTI_FORMAT;

	return word;
}

/* Lets writers use an event that the kernel has. */
static void use_word(struct uev_registration *registration,
		     struct uev_event *event, const struct uev_word *word)
{
	const struct uev_kernel *kernel = uev_process_kernel();

	if (kernel->abi == UEV_ABI_STATUS) {
		__atomic_store_n(&registration->mask,
				 (uint8_t)(1U << word->bit % 8),
				 __ATOMIC_RELAXED);
		__atomic_store_n(&registration->status,
				 kernel->page + word->bit / 8,
				 __ATOMIC_RELEASE);
		__atomic_store_n(&event->state, UEV_CHECK_STATUS_PAGE,
				 __ATOMIC_RELEASE);
	}
	set_route(registration, kernel, word->index);
}

/* Registers one event of the program with the kernel. */
static int register_one(struct uev_registration *registration,
			struct uev_event *event)
{
	char buffer[UEV_COMMAND_SIZE];
	struct uev_word word = word_of(registration, event, buffer);
	int err = register_word(registration, uev_process_kernel(), &word);

	if (!err)
		use_word(registration, event, &word);

	return err;
}

/* Remembers the result of a registration. */
static void set_result(struct uev_registration *registration,
		       struct uev_attachment *attachment, int err)
{
	attachment->error = err;
	/* After the kernel has written the word, or will not. */
	__atomic_store_n(&registration->is_missing, false, __ATOMIC_RELAXED);
	/* It can be set for the records that the event missed. */
	if (err)
		__atomic_store_n(&attachment->event->state, 0,
				 __ATOMIC_RELAXED);
	uev_failure_set(&attachment->failure, registration->command, err);
}

/* Registers the semaphore of an event that the kernel has. */
static void follow(struct uev_registration *registration,
		   struct uev_attachment *attachment)
{
	char buffer[UEV_COMMAND_SIZE];
	struct uev_word word;

	if (!uev_semaphore_of(attachment->event))
		return;
	word = word_of(registration, attachment->event, buffer);
	uev_semaphore_follow(registration, attachment, &word);
}

/* Lets another event follow the semaphore that this one had. */
static void follow_another(struct uev_registration *registration,
			   const struct uev_attachment *attachment)
{
	volatile unsigned short *semaphore =
		uev_semaphore_of(attachment->event);
	struct uev_attachment *other;

	if (!semaphore)
		return;
	for (other = registration->attachments; other; other = other->next) {
		if (other == attachment || other->error ||
		    uev_semaphore_of(other->event) != semaphore)
			continue;
		follow(registration, other);
		return;
	}
}

/* Registers the event of an attachment, and remembers a failure. */
static void register_attachment(struct uev_registration *registration,
				struct uev_attachment *attachment)
{
	int err = register_one(registration, attachment->event);

	uev_semaphore_lower(attachment);
	set_result(registration, attachment, err);
	if (err)
		follow_another(registration, attachment);
	else
		follow(registration, attachment);
}

static void register_pending(struct uev_registration *registration,
			     struct uev_attachment *attachment)
{
	if (!attachment->error)
		return;
	register_attachment(registration, attachment);
	if (attachment->error)
		return;
	events.pending--;
	events.registered++;
}

/* Index of no event: a record is rejected. */
#define NO_INDEX UINT32_MAX

/*
 * Unregisters the word and the semaphore of an event. @registration is NULL for an
 * abandoned one.
 *
 * Return: 0; -ENOENT; -EFAULT; or an error if the kernel still has the word.
 */
static int unregister_word(struct uev_registration *registration,
			   struct uev_attachment *attachment)
{
	const struct uev_word word = { .address = &attachment->event->state };
	int err = uev_semaphore_leave(attachment);

	if (err)
		return err;
	err = uev_kernel_unregister(uev_process_kernel(), &word);
	if (err && err != -ENOENT && err != -EFAULT && registration)
		follow(registration, attachment);

	return err;
}

/*
 * Return: 0 if the kernel does not access the word any more. The program can
 * have closed the file, and free the event later.
 */
static int release_word(struct uev_registration *registration,
			struct uev_attachment *attachment)
{
	int err = unregister_word(registration, attachment);

	return err == -ENOENT || err == -EFAULT ? 0 : err;
}

static void push(struct uev_attachment **list,
		 struct uev_attachment *attachment)
{
	attachment->next = *list;
	*list = attachment;
}

/* Unregisters the words of abandoned events, of which only the address is used. */
static void unregister_abandoned(void)
{
	struct uev_attachment *attachment = events.abandoned, *next;

	events.abandoned = NULL;
	for (; attachment; attachment = next) {
		next = attachment->next;
		push(release_word(NULL, attachment) ? &events.abandoned
						    : &events.unused,
		     attachment);
	}
}

static void free_list(struct uev_attachment **list)
{
	struct uev_attachment *attachment;

	while ((attachment = *list)) {
		*list = attachment->next;
		free(attachment);
	}
}

/* Lets writers find that the new file is closed, too. */
static void route_to_closed(struct uev_registration *registration)
{
	if (registration->route != UEV_NO_ROUTE)
		return;
	set_route(registration, uev_process_kernel(), NO_INDEX);
}

/* An event that the kernel keeps stays registered until the next try. */
static void reregister(struct uev_registration *registration,
		       struct uev_attachment *attachment)
{
	if (attachment->error)
		return;
	if (release_word(registration, attachment)) {
		route_to_closed(registration);
		events.is_unfinished = true;
		return;
	}
	register_attachment(registration, attachment);
	if (!attachment->error)
		return;
	events.registered--;
	events.pending++;
}

/* Registers events again that have no route. */
static void reregister_unrouted(void)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;

	events.is_unfinished = false;
	for (registration = uev_registrations_first(); registration;
	     registration = registration->next) {
		/* UEV_NO_ROUTE has it, too. */
		if ((uint32_t)registration->route != NO_INDEX)
			continue;
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			reregister(registration, attachment);
	}
}

static void clear_routes(void)
{
	struct uev_registration *registration;

	for (registration = uev_registrations_first(); registration;
	     registration = registration->next)
		__atomic_store_n(&registration->route, UEV_NO_ROUTE,
				 __ATOMIC_RELEASE);
}

/*
 * Makes an event pending. The word of an enabled event stays set, so that the
 * program counts the records that it misses.
 */
static void detach(struct uev_registration *registration,
		   struct uev_attachment *attachment)
{
	struct uev_event *event = attachment->event;
	uint32_t enabled;

	if (attachment->error)
		return;
	enabled = __atomic_load_n(&event->state, __ATOMIC_RELAXED) &
		  UEV_ENABLED;
	if (enabled)
		uev_semaphore_raise(attachment);
	if (release_word(registration, attachment))
		return;
	attachment->error = -ESHUTDOWN;
	events.registered--;
	events.pending++;
	if (!enabled) {
		uev_semaphore_lower(attachment);
		return;
	}
	__atomic_store_n(&registration->is_missing, true, __ATOMIC_RELAXED);
	__atomic_store_n(&event->state, UEV_ENABLED, __ATOMIC_RELAXED);
}

/* Lets go of the module, which is about to be replaced. */
static int let_go(void)
{
	clear_routes();
	uev_attachments_each(detach);
	unregister_abandoned();
	events.is_unfinished = events.registered;
	/* The program has closed the file meanwhile; open it again first. */
	if (events.registered || events.abandoned)
		return -EBADF;
	uev_process_close();

	return -ESHUTDOWN;
}

/*
 * Opens the file again with @open if the program has closed it, and closes it if
 * the administrator asks for that. Writers do so, too: no function that this
 * calls, except @open, takes a lock or allocates memory.
 */
static int reopen_with(int (*open)(void))
{
	enum uev_kernel_state state = uev_process_state();
	int err;

	if (state == UEV_KERNEL_MUST_CLOSE)
		return let_go();
	events.is_closed = state == UEV_KERNEL_CLOSED;
	if (!events.is_closed) {
		unregister_abandoned();
		if (events.is_unfinished)
			reregister_unrouted();
		return 0;
	}
	err = open();
	if (err)
		return err;
	events.is_closed = false;
	if (uev_process_state() == UEV_KERNEL_MUST_CLOSE)
		return let_go();
	/* Before an event is registered at the same address. */
	unregister_abandoned();
	/* The new file has no events. */
	clear_routes();
	reregister_unrouted();

	return 0;
}

static int reopen(void)
{
	int err = reopen_with(uev_process_reopen);

	free_list(&events.unused);
	wake_retry_thread();

	return err;
}

/*
 * The retry thread is not woken, because its lock may be that of an interrupted
 * function. It registers events that are rejected at its next interval.
 */
void uev_events_recover(void)
{
	sigset_t before;

	if (!uev_trylock(&before))
		return;
	(void)reopen_with(uev_process_reopen_same);
	uev_unlock_signals(&before);
}

/* Locates user_events and registers pending events. */
static int locate(void)
{
	bool was_open = uev_process_kernel()->abi != UEV_ABI_NONE;
	int err = uev_process_locate();

	if (err)
		return err;
	if (!was_open)
		uev_attachments_each(register_pending);

	return reopen();
}

/*
 * --- Registration ----------------------------------------------------------
 */

static void free_attachment(struct uev_attachment *attachment)
{
	uev_failure_set(&attachment->failure, NULL, 0);
	free(attachment);
}

/* Counts an event that is registered or pending, and lets writers find it. */
static void publish(struct uev_registration *registration,
		    struct uev_attachment *attachment)
{
	if (attachment->error)
		events.pending++;
	else
		events.registered++;
	__atomic_store_n(&attachment->event->registration, registration,
			 __ATOMIC_RELEASE);
}

/* Adds an event, unless the kernel rejects it. */
static int attach(struct uev_event *event,
		  struct uev_registration *registration)
{
	struct uev_attachment *attachment = uev_calloc(1, sizeof(*attachment));
	int err;

	if (!attachment)
		return -ENOMEM;
	attachment->event = event;
	attachment->error = locate();
	if (!attachment->error) {
		register_attachment(registration, attachment);
		err = attachment->error;
		if (err) {
			free_attachment(attachment);
			return err;
		}
	}
	uev_attachment_link(registration, attachment);
	publish(registration, attachment);
	wake_retry_thread();

	return 0;
}

/* Checks an event of the program, and completes its flags. */
static int check_event(const struct uev_event *event, unsigned int *flags,
		       struct uev_command *command)
{
	int err;

	if (event->size < sizeof(*event) || (*flags & ~KNOWN_FLAGS))
		return -EINVAL;
	err = uev_command_check(command, event->command);
	if (!err && command->has_types)
		*flags |= UEV_HAS_TYPES;

	return err;
}

int uev_event_register(struct uev_event *event, unsigned int flags)
{
	struct uev_command command;
	struct uev_registration *registration;
	int err = check_event(event, &flags, &command);

	if (err)
		return err;

	uev_lock();
	registration = uev_registration_get(command.text, flags);
	if (event->registration)
		err = -EALREADY;
	else if (!registration)
		err = -ENOMEM;
	else
		err = attach(event, registration);
	if (registration)
		uev_registration_retire(registration);
	uev_unlock();
	uev_failures_report();

	return err;
}

/*
 * struct together - Events that are registered together
 * @count: number of events
 * @is_located: locate() was called
 * @error: its result
 * @registrations: of the events
 * @attachments: of the events, linked and not published
 */
struct together {
	size_t count;
	bool is_located;
	int error;
	struct uev_registration *registrations[UEV_WORDS_MAX];
	struct uev_attachment *attachments[UEV_WORDS_MAX];
};

/* Adds an event, which is pending. */
static int add_event(struct together *all, struct uev_event *event,
		     unsigned int flags)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;
	struct uev_command command;
	int err = check_event(event, &flags, &command);

	if (err)
		return err;
	/* The array can have an event twice. */
	if (event->registration || uev_attachment_find(event))
		return -EALREADY;
	/* It registers all pending events, one by one. */
	if (!all->is_located)
		all->error = locate();
	all->is_located = true;
	attachment = uev_calloc(1, sizeof(*attachment));
	registration = attachment ? uev_registration_get(command.text, flags)
				  : NULL;
	if (!registration) {
		free(attachment);
		return -ENOMEM;
	}
	attachment->event = event;
	attachment->error = all->error;
	uev_attachment_link(registration, attachment);
	all->registrations[all->count] = registration;
	all->attachments[all->count++] = attachment;

	return 0;
}

/*
 * Registers events with one call. Those that the kernel does not accept so are
 * registered one by one, which tells why.
 */
static void register_together(struct together *all)
{
	struct uev_word words[UEV_WORDS_MAX];
	char buffer[UEV_COMMAND_SIZE];
	size_t i;

	for (i = 0; i < all->count; i++)
		words[i] = word_of(all->registrations[i],
				   all->attachments[i]->event, buffer);
	/* Otherwise the buffer has the last command only. */
	if (uev_kernel_header())
		uev_kernel_register_list(uev_process_kernel(), words,
					 all->count);
	for (i = 0; i < all->count; i++) {
		if (!uev_kernel_header() || words[i].error) {
			register_attachment(all->registrations[i],
					    all->attachments[i]);
			continue;
		}
		use_word(all->registrations[i], all->attachments[i]->event,
			 &words[i]);
		set_result(all->registrations[i], all->attachments[i], 0);
	}
	if (uev_kernel_header())
		uev_semaphores_follow(all->registrations, all->attachments,
				      words, all->count);
}

/* Registers the next events of an array; those that are rejected are pending. */
static int register_next(struct uev_event ***next, struct uev_event **end,
			 unsigned int flags)
{
	struct together all = { .count = 0 };
	int err, first = 0;
	size_t i;

	uev_lock();
	for (; *next < end && all.count < UEV_WORDS_MAX; ++*next) {
		err = **next ? add_event(&all, **next, flags) : 0;
		if (err != -EALREADY && !first)
			first = err;
	}
	if (!all.error)
		register_together(&all);
	for (i = 0; i < all.count; i++)
		publish(all.registrations[i], all.attachments[i]);
	wake_retry_thread();
	uev_unlock();
	uev_failures_report();

	return first;
}

int uev_events_register_as(struct uev_event **begin, struct uev_event **end,
			   unsigned int flags)
{
	int err, first = 0;

	while (begin < end) {
		err = register_next(&begin, end, flags);
		if (!first)
			first = err;
	}

	return first;
}

int uev_events_register(struct uev_event **begin, struct uev_event **end)
{
	return uev_events_register_as(begin, end, UEV_SHARE_NAME);
}

/* Forgets an event, except for its attachment. */
static void withdraw(struct uev_event *event, struct uev_attachment *attachment)
{
	struct uev_registration *registration = event->registration;

	if (attachment->error)
		events.pending--;
	else
		events.registered--;
	__atomic_store_n(&event->registration, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&event->state, 0, __ATOMIC_RELAXED);
	uev_semaphore_lower(attachment);
	uev_attachment_unlink(attachment);
	uev_failure_set(&attachment->failure, NULL, 0);
	uev_registration_retire(registration);
}

/* Forgets an event that the kernel does not have. */
static void forget_event(struct uev_event *event,
			 struct uev_attachment *attachment)
{
	withdraw(event, attachment);
	free(attachment);
}

/* Returns the attachment of an event, or NULL if it is not registered. */
static struct uev_attachment *attachment_of(const struct uev_event *event)
{
	return event->registration ? uev_attachment_find(event) : NULL;
}

static int remove_event(struct uev_event *event)
{
	struct uev_attachment *attachment = attachment_of(event);
	int err = 0;

	if (!attachment)
		return -ENOTCONN;
	if (!attachment->error)
		err = reopen();
	/* Unless it has let go, the open file can be another one. */
	if (err && !attachment->error)
		return err;
	err = 0;
	if (!attachment->error) {
		err = unregister_word(event->registration, attachment);
		if (err && err != -ENOENT && err != -EFAULT)
			return err;
		follow_another(event->registration, attachment);
	}
	forget_event(event, attachment);
	wake_retry_thread();

	/* -EFAULT: not registered, and its memory was unmapped before. */
	return err == -ENOENT ? -ESRCH : 0;
}

int uev_event_unregister(struct uev_event *event)
{
	int err;

	uev_lock();
	err = remove_event(event);
	uev_unlock();
	uev_failures_report();

	return err;
}

/*
 * Unregisters an event whose memory is about to be freed, such as by dlclose().
 * If the kernel cannot be reached, the word is unregistered later.
 */
static void remove_or_abandon(struct uev_event *event)
{
	struct uev_attachment *attachment;

	(void)remove_event(event);
	attachment = attachment_of(event);
	if (!attachment)
		return;
	withdraw(event, attachment);
	push(&events.abandoned, attachment);
}

/* Sets @known to the events of an array that the kernel has. */
static size_t known_of(struct uev_event **begin, struct uev_event **end,
		       struct uev_attachment **known)
{
	struct uev_attachment *attachment;
	size_t count = 0;

	for (; begin < end; begin++) {
		attachment = *begin ? attachment_of(*begin) : NULL;
		if (attachment && !attachment->error)
			known[count++] = attachment;
	}

	return count;
}

/* Unregisters up to UEV_WORDS_MAX events with one call, if the kernel has it. */
static void remove_together(struct uev_event **begin, struct uev_event **end)
{
	struct uev_attachment *known[UEV_WORDS_MAX];
	struct uev_word words[UEV_WORDS_MAX];
	size_t count = known_of(begin, end, known), i, number = 0;

	if (!count || reopen())
		return;
	/* Events of another open file can be pending by now. */
	count = known_of(begin, end, known);
	uev_semaphores_leave(known, count);
	for (i = 0; i < count; i++) {
		if (known[i]->semaphore)
			continue;
		known[number] = known[i];
		words[number++] = (struct uev_word){
			.address = &known[i]->event->state,
		};
	}
	uev_kernel_unregister_list(uev_process_kernel(), words, number);
	for (i = 0; i < number; i++)
		if (!words[i].error)
			forget_event(known[i]->event, known[i]);
}

static void unregister_some(struct uev_event **begin, struct uev_event **end)
{
	uev_lock();
	remove_together(begin, end);
	/* Those that are left, one by one. */
	for (; begin < end; begin++)
		if (*begin)
			remove_or_abandon(*begin);
	uev_unlock();
	uev_failures_report();
}

void uev_events_unregister(struct uev_event **begin, struct uev_event **end)
{
	struct uev_event **next;

	for (; begin < end; begin = next) {
		next = end - begin > UEV_WORDS_MAX ? begin + UEV_WORDS_MAX
						   : end;
		unregister_some(begin, next);
	}
}

int uev_event_status(const struct uev_event *event)
{
	struct uev_attachment *attachment = NULL;
	int err = -ENOTCONN;

	uev_lock();
	if (event->registration)
		attachment = uev_attachment_find(event);
	if (attachment)
		err = attachment->error;
	if (attachment && err && uev_process_error())
		err = uev_process_error();
	uev_unlock();

	return err;
}

static bool has_name(const struct uev_registration *registration,
		     const char *name, size_t length)
{
	return !strncmp(registration->command, name, length) &&
	       (!registration->command[length] ||
		registration->command[length] == ' ');
}

int uev_name_status(const char *name)
{
	size_t length = strlen(name);
	struct uev_registration *registration;
	struct uev_attachment *attachment;
	int err = -ENOTCONN;

	uev_lock();
	for (registration = uev_registrations_first(); registration;
	     registration = registration->next) {
		if (!has_name(registration, name, length))
			continue;
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			if (err == -ENOTCONN || !err)
				err = attachment->error;
	}
	if (err && err != -ENOTCONN && uev_process_error())
		err = uev_process_error();
	uev_unlock();

	return err;
}

/*
 * --- Pending events --------------------------------------------------------
 */

const char *uev_events_first_pending(int *err)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;

	for (registration = uev_registrations_first(); registration;
	     registration = registration->next)
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			if (attachment->error) {
				*err = attachment->error;
				return registration->command;
			}

	return NULL;
}

const char *uev_events_first_shared(void)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;

	for (registration = uev_registrations_first(); registration;
	     registration = registration->next)
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			if (registration->is_shared && !attachment->error)
				return registration->command;

	return NULL;
}

int uev_events_register_pending(void)
{
	bool was_open = uev_process_kernel()->abi != UEV_ABI_NONE;
	int err = locate();

	/* The kernel might accept by now what it has rejected before. */
	if (!err && was_open && events.pending && uev_process_retry_allowed())
		uev_attachments_each(register_pending);
	wake_retry_thread();

	if (!err)
		(void)uev_events_first_pending(&err);

	return err;
}

int uev_register_pending(void)
{
	int err;

	uev_lock();
	err = uev_events_register_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

static void retry(void)
{
	/* Events that are still pending wake the thread again. */
	(void)uev_register_pending();
}

int uev_set_retry_interval(unsigned int seconds)
{
	if (seconds)
		return uev_retry_thread_start(retry, seconds);
	uev_retry_thread_stop();

	return 0;
}

/* Registers pending events if user_events is open. */
static void register_all_pending(void)
{
	uev_attachments_each(register_pending);
	wake_retry_thread();
}

int uev_set_path(const char *path)
{
	int err;

	uev_lock();
	err = uev_process_set_path(path);
	if (!err && events.pending)
		(void)uev_events_register_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

int uev_set_files(int data_fd, int status_fd)
{
	int err;

	uev_lock();
	err = uev_process_set_files(data_fd, status_fd);
	if (!err)
		register_all_pending();
	uev_unlock();
	uev_failures_report();

	return err;
}

/* Frees everything, when no event and no writer exists. */
static void release_all(void)
{
	free_list(&events.abandoned);
	free_list(&events.unused);
	uev_registrations_release();
	uev_process_release();
}

static bool has_events(void)
{
	return events.pending || events.registered;
}

/*
 * Runs after the events of the same object were unregistered, because
 * destructors with a number are the last ones. It is for a shared object with
 * the static library, which can be loaded and unloaded any number of times. When
 * the process exits, other threads can still write or test the status page.
 */
__attribute__((__destructor__(101))) static void unload(void)
{
	uev_lock();
	if (uev_process_kernel()->abi != UEV_ABI_STATUS && !has_events() &&
	    !uev_writers_exist())
		release_all();
	uev_unlock();
}

int uev_shutdown(void)
{
	int err = -EBUSY;

	uev_retry_thread_stop();
	uev_lock();
	if (events.abandoned)
		(void)reopen();
	if (!has_events() && !events.abandoned) {
		release_all();
		uev_failures_release();
		err = 0;
	}
	uev_unlock();

	return err;
}

/*
 * --- Counters --------------------------------------------------------------
 */

/*
 * Copies to a program that could be compiled with another version.
 */
static void copy_stats(const struct uev_stats *sum, struct uev_stats *stats,
		       size_t size)
{
	memset(stats, 0, size);
	memcpy(stats, sum, size < sizeof(*sum) ? size : sizeof(*sum));
}

void uev_process_stats(struct uev_stats *stats, size_t size)
{
	struct uev_stats sum;

	uev_lock();
	uev_registrations_sum_counts(&sum);
	sum.registered = events.registered;
	sum.pending = events.pending;
	uev_unlock();

	copy_stats(&sum, stats, size);
}

int uev_event_stats(const struct uev_event *event, struct uev_stats *stats,
		    size_t size)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;
	struct uev_stats sum = { 0 };

	uev_lock();
	registration = event->registration;
	if (registration) {
		uev_registration_add_counts(&sum, registration);
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next) {
			sum.registered += !attachment->error;
			sum.pending += !!attachment->error;
		}
	}
	uev_unlock();

	copy_stats(&sum, stats, size);

	return registration ? 0 : -ENOTCONN;
}
