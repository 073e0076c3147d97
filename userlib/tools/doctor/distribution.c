// SPDX-License-Identifier: MIT
#include "doctor/distribution.h"

#include <ctype.h>
#include <string.h>

#include "files.h"
#include "tool.h"

/* The boot loader writes its name to this variable, in UTF-16. */
#define LOADER_INFO                  \
	"/sys/firmware/efi/efivars/" \
	"LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

static const struct {
	const char *id;
	enum distribution_family family;
} families[] = {
	{ "debian", DISTRIBUTION_DEBIAN }, { "ubuntu", DISTRIBUTION_DEBIAN },
	{ "fedora", DISTRIBUTION_FEDORA }, { "rhel", DISTRIBUTION_FEDORA },
	{ "centos", DISTRIBUTION_FEDORA }, { "amzn", DISTRIBUTION_FEDORA },
	{ "suse", DISTRIBUTION_SUSE },	   { "opensuse", DISTRIBUTION_SUSE },
	{ "sles", DISTRIBUTION_SUSE },	   { "arch", DISTRIBUTION_ARCH },
	{ "alpine", DISTRIBUTION_ALPINE },
};

static enum distribution_family family_of(const char *id, size_t length)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (tool_is(id, length, families[i].id))
			return families[i].family;

	return DISTRIBUTION_OTHER;
}

/* Returns the family of a line of os-release: KEY=WORD or KEY="WORD ...". */
static enum distribution_family find_family(const char *text, const char *key)
{
	static const char ends[] = " \"'\n";
	enum distribution_family family = DISTRIBUTION_OTHER;
	size_t length;

	text = files_value(text, key);
	for (; text && *text && *text != '\n' && !family; text += length) {
		text += strspn(text, " \"'");
		length = strcspn(text, ends);
		family = family_of(text, length);
	}

	return family;
}

enum distribution_family
distribution_family(const struct doctor_context *context)
{
	static const char *const paths[] = {
		"/etc/os-release",
		"/usr/lib/os-release",
	};
	enum distribution_family family = DISTRIBUTION_OTHER;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths) && !family; i++) {
		_cleanup_free_ char *text = context_text(context, paths[i]);

		family = find_family(text, "ID=");
		if (!family)
			family = find_family(text, "ID_LIKE=");
	}

	return family;
}

/* Returns the text after the last '-' unless it is a number; or "". */
static const char *flavor_of(const char *release)
{
	const char *dash = strrchr(release, '-');

	return dash && isalpha((unsigned char)dash[1]) ? dash + 1 : "";
}

/*
 * "VERSION+VARIANT", such as rt, 64k or rt-debug, or ".el9uek.ARCHITECTURE".
 * Up to RHEL 9.2, real-time kernels have ".rt" and a number in the version.
 */
static char *fedora_headers(const char *release)
{
	const char *real_time = strstr(release, ".rt") ? "rt-" : "";
	size_t length = strcspn(release, "+");
	const char *variant = release + length;

	if (*variant)
		variant++;
	else if (strstr(release, "uek"))
		variant = "uek";

	return tool_print("%s install kernel-%s%s%sdevel-%.*s",
			  strstr(release, ".amzn2.") ? "yum" : "dnf", real_time,
			  variant, *variant ? "-" : "", (int)length, release);
}

/* Packages of Proxmox have another name. */
static char *debian_headers(const char *release)
{
	bool is_proxmox = strcmp(flavor_of(release), "pve") == 0;

	return tool_print("apt-get install %s-headers-%s",
			  is_proxmox ? "pve" : "linux", release);
}

/* Manjaro has a package for each version, such as linux66 of Linux 6.6. */
static char *arch_headers(const char *release)
{
	const char *flavor = flavor_of(release), *minor;

	if (strcmp(flavor, "MANJARO") != 0)
		return tool_print("pacman -S linux%s%s-headers",
				  *flavor ? "-" : "", flavor);
	minor = release + strcspn(release, ".");
	minor += *minor == '.';

	return tool_print("pacman -S linux%.*s%.*s%s-headers",
			  (int)strcspn(release, "."), release,
			  (int)strcspn(minor, ".-"), minor,
			  strstr(release, "-rt") ? "-rt" : "");
}

static char *suse_headers(const char *release)
{
	const char *flavor = flavor_of(release);
	size_t length = strlen(release);

	if (*flavor)
		length -= strlen(flavor) + 1;

	return tool_print("zypper install kernel-%s-devel=%.*s",
			  *flavor ? flavor : "default", (int)length, release);
}

char *distribution_headers(const struct doctor_context *context)
{
	const char *flavor = flavor_of(context->release);

	switch (distribution_family(context)) {
	case DISTRIBUTION_DEBIAN:
		return debian_headers(context->release);
	case DISTRIBUTION_FEDORA:
		return fedora_headers(context->release);
	case DISTRIBUTION_SUSE:
		return suse_headers(context->release);
	case DISTRIBUTION_ARCH:
		return arch_headers(context->release);
	case DISTRIBUTION_ALPINE:
		return tool_print("apk add linux-%s-dev",
				  *flavor ? flavor : "lts");
	default:
		return NULL;
	}
}

char *distribution_new_group(const struct doctor_context *context,
			     const char *group)
{
	bool is_alpine = distribution_family(context) == DISTRIBUTION_ALPINE;

	/* That of busybox fails if the group exists. */
	return is_alpine ? tool_print("addgroup -S %s;", group)
			 : tool_print("groupadd -f %s &&", group);
}

char *distribution_join(const struct doctor_context *context, const char *group,
			const char *user)
{
	bool is_alpine = distribution_family(context) == DISTRIBUTION_ALPINE;

	return is_alpine ? tool_print("addgroup %s %s", user, group)
			 : tool_print("usermod -aG %s %s", group, user);
}

static bool has_systemd_boot(const struct doctor_context *context)
{
	static const char name[] = "systemd-boot";
	_cleanup_free_ char *path = context_path(context, LOADER_INFO);
	_cleanup_free_ char *bytes = NULL;
	size_t size, i, found = 0;

	/* Four bytes of attributes come first. */
	if (!files_read(path, &bytes, &size))
		for (i = 4; i < size && name[found]; i += 2)
			found = bytes[i] == name[found] ? found + 1 : 0;

	return !name[found];
}

/* Returns the command that writes the configuration of GRUB. */
static const char *grub_update(enum distribution_family family)
{
	switch (family) {
	case DISTRIBUTION_DEBIAN:
		return "update-grub";
	case DISTRIBUTION_SUSE:
		return "grub2-mkconfig -o /boot/grub2/grub.cfg";
	default:
		return "grub-mkconfig -o /boot/grub/grub.cfg";
	}
}

char *distribution_boot_option(const struct doctor_context *context,
			       const char *before, const char *after)
{
	enum distribution_family family = distribution_family(context);

	if (has_systemd_boot(context))
		return tool_print("sed -i 's/%s/%s/' %s\"$(bootctl -x)\""
				  "/loader/entries/*.conf && reboot",
				  before, after,
				  context_has(context, "/etc/kernel/cmdline")
					  ? "/etc/kernel/cmdline "
					  : "");
	if (family == DISTRIBUTION_FEDORA)
		return tool_print("grubby --update-kernel=ALL "
				  "--remove-args=%s --args=%s && reboot",
				  before, after);

	return tool_print("sed -i 's/%s/%s/' /etc/default/grub && %s && reboot",
			  before, after, grub_update(family));
}
