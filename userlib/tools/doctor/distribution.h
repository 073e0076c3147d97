/* SPDX-License-Identifier: MIT */
/* user-events: commands that differ between distributions. */
#ifndef USER_EVENTS_DOCTOR_DISTRIBUTION_H
#define USER_EVENTS_DOCTOR_DISTRIBUTION_H

#include "doctor/context.h"

/* Distributions with the same packages and package manager. */
enum distribution_family {
	DISTRIBUTION_OTHER,
	DISTRIBUTION_DEBIAN,
	DISTRIBUTION_FEDORA,
	DISTRIBUTION_SUSE,
	DISTRIBUTION_ARCH,
	DISTRIBUTION_ALPINE,
};

/* distribution_family() - Returns the family that os-release names */
enum distribution_family
distribution_family(const struct doctor_context *context);

/*
 * distribution_headers() - Names the package with the headers of the kernel
 *
 * Return: the command that installs it, for free(); NULL if the distribution
 * is unknown
 */
char *distribution_headers(const struct doctor_context *context);

/*
 * distribution_new_group() - Creates a group unless it exists
 * Return: the start of a command, for free()
 */
char *distribution_new_group(const struct doctor_context *context,
			     const char *group);

/*
 * distribution_join() - Adds a user to a group
 * Return: a command, for free()
 */
char *distribution_join(const struct doctor_context *context, const char *group,
			const char *user);

/*
 * distribution_boot_option() - Replaces an option of the kernel's command line
 *
 * Uses the boot loader of the machine: GRUB or systemd-boot.
 *
 * Return: a command that ends with a reboot, for free()
 */
char *distribution_boot_option(const struct doctor_context *context,
			       const char *before, const char *after);

#endif
