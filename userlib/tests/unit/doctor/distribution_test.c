// SPDX-License-Identifier: MIT
/* Commands that doctor suggests on different distributions. */
#include <stdlib.h>
#include <string.h>

#include "doctor/distribution.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define LOADER_INFO                  \
	"/sys/firmware/efi/efivars/" \
	"LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

static struct doctor_context context;

static void setup(void)
{
	file_tree_begin();
	context = (struct doctor_context){ .root = file_tree_root() };
}

static void teardown(void)
{
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

static const struct {
	const char *os_release;
	const char *release;
	const char *command;
} headers[] = {
	{ "PRETTY_NAME=\"Debian\"\nID=debian\n", "6.1.0-40-cloud-amd64",
	  "apt-get install linux-headers-6.1.0-40-cloud-amd64" },
	{ "ID=ubuntu\nID_LIKE=debian\n", "6.8.0-45-generic",
	  "apt-get install linux-headers-6.8.0-45-generic" },
	{ "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "6.8.0-45-generic",
	  "apt-get install linux-headers-6.8.0-45-generic" },
	{ "VERSION_ID=40\nID=fedora", "6.8.5-301.fc40.x86_64",
	  "dnf install kernel-devel-6.8.5-301.fc40.x86_64" },
	{ "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
	  "5.14.0-427.13.1.el9_4.x86_64+rt",
	  "dnf install kernel-rt-devel-5.14.0-427.13.1.el9_4.x86_64" },
	{ "ID=\"almalinux\"\nID_LIKE=\"rhel centos fedora\"\n",
	  "4.18.0-553.66.1.el8_10.x86_64",
	  "dnf install kernel-devel-4.18.0-553.66.1.el8_10.x86_64" },
	{ "ID=\"rhel\"\n", "4.18.0-553.rt7.342.el8_10.x86_64",
	  "dnf install kernel-rt-devel-4.18.0-553.rt7.342.el8_10.x86_64" },
	{ "ID=\"rhel\"\n", "5.14.0-284.11.1.rt14.296.el9_2.x86_64+debug",
	  "dnf install "
	  "kernel-rt-debug-devel-5.14.0-284.11.1.rt14.296.el9_2.x86_64" },
	{ "ID=\"almalinux\"\nID_LIKE=\"rhel centos fedora\"\n",
	  "6.12.0-55.24.1.el10_0.x86_64",
	  "dnf install kernel-devel-6.12.0-55.24.1.el10_0.x86_64" },
	{ "ID=\"ol\"\nID_LIKE=\"fedora\"\n", "5.15.0-200.el9uek.x86_64",
	  "dnf install kernel-uek-devel-5.15.0-200.el9uek.x86_64" },
	{ "ID=\"sles\"\nID_LIKE=\"suse\"\n", "6.4.0-150600.23.25-default",
	  "zypper install kernel-default-devel=6.4.0-150600.23.25" },
	{ "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n",
	  "6.4.0-150600.8.11-azure",
	  "zypper install kernel-azure-devel=6.4.0-150600.8.11" },
	{ "ID=arch\n", "6.9.1-arch1-1", "pacman -S linux-headers" },
	{ "ID=manjaro\nID_LIKE=arch\n", "6.6.31-1-lts",
	  "pacman -S linux-lts-headers" },
	{ "ID=manjaro\nID_LIKE=arch\n", "6.6.31-1-MANJARO",
	  "pacman -S linux66-headers" },
	{ "ID=manjaro\nID_LIKE=arch\n", "6.10.3-2-MANJARO",
	  "pacman -S linux610-headers" },
	{ "ID=manjaro\nID_LIKE=arch\n", "6.6.30-1-rt30-MANJARO",
	  "pacman -S linux66-rt-headers" },
	{ "ID=arch\n", "6.9.1-zen1-1-zen", "pacman -S linux-zen-headers" },
	{ "ID=debian\n", "5.15.158-2-pve",
	  "apt-get install pve-headers-5.15.158-2-pve" },
	{ "ID=fedora\n", "6.8.5-301.fc40.x86_64+debug",
	  "dnf install kernel-debug-devel-6.8.5-301.fc40.x86_64" },
	{ "ID=\"rhel\"\n", "5.14.0-427.13.1.el9_4.aarch64+64k",
	  "dnf install kernel-64k-devel-5.14.0-427.13.1.el9_4.aarch64" },
	{ "ID=\"rhel\"\n", "5.14.0-427.13.1.el9_4.x86_64+rt-debug",
	  "dnf install kernel-rt-debug-devel-5.14.0-427.13.1.el9_4.x86_64" },
	{ "ID=\"amzn\"\nID_LIKE=\"centos rhel fedora\"\n",
	  "5.15.135-90.154.amzn2.x86_64",
	  "yum install kernel-devel-5.15.135-90.154.amzn2.x86_64" },
	{ "ID=\"amzn\"\nID_LIKE=\"fedora\"\n", "6.1.94-99.176.amzn2023.x86_64",
	  "dnf install kernel-devel-6.1.94-99.176.amzn2023.x86_64" },
	{ "ID=alpine\n", "6.6.31-0-virt", "apk add linux-virt-dev" },
	{ "ID=arches\nID_LIKE=\"debianlike\"\n", "6.6.31", NULL },
	{ "ID=\n", "6.6.31", NULL },
	{ "", "6.6.31", NULL },
	{ NULL, "6.6.31", NULL },
};

static void is(char *command, const char *wanted)
{
	if (wanted) {
		ck_assert_ptr_nonnull(command);
		ck_assert_str_eq(command, wanted);
	} else {
		ck_assert_ptr_null(command);
	}
	free(command);
}

TEST_LOOP(headers_package, ARRAY_SIZE(headers))
{
	context.release = headers[_i].release;
	if (headers[_i].os_release)
		file_tree_file("/etc/os-release", headers[_i].os_release);
	is(distribution_headers(&context), headers[_i].command);
}

TEST(os_release_in_usr)
{
	context.release = "6.9.1-arch1-1";
	file_tree_file("/usr/lib/os-release", "ID=arch\n");
	is(distribution_headers(&context), "pacman -S linux-headers");
	/* The one in /etc comes first. */
	context.release = "6.1.0-1-amd64";
	file_tree_file("/etc/os-release", "ID=debian\n");
	is(distribution_headers(&context),
	   "apt-get install linux-headers-6.1.0-1-amd64");
}

static const struct {
	const char *os_release;
	const char *command;
} grub[] = {
	{ "ID=debian\n",
	  "sed -i 's/a=b/a=c/' /etc/default/grub && update-grub && reboot" },
	{ "ID=fedora\n", "grubby --update-kernel=ALL --remove-args=a=b "
			 "--args=a=c && reboot" },
	{ "ID=sles\n", "sed -i 's/a=b/a=c/' /etc/default/grub && "
		       "grub2-mkconfig -o /boot/grub2/grub.cfg && reboot" },
	{ "ID=other\n", "sed -i 's/a=b/a=c/' /etc/default/grub && "
			"grub-mkconfig -o /boot/grub/grub.cfg && reboot" },
};

TEST_LOOP(grub_option, ARRAY_SIZE(grub))
{
	file_tree_file("/etc/os-release", grub[_i].os_release);
	is(distribution_boot_option(&context, "a=b", "a=c"), grub[_i].command);
	/* GRUB sets the variable, too. */
	file_tree_bytes(LOADER_INFO, "\6\0\0\0G\0R\0U\0B\0 \0002\0\0\0", 18);
	is(distribution_boot_option(&context, "a=b", "a=c"), grub[_i].command);
}

TEST(systemd_boot_option)
{
	static const char info[] = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0"
				   "t\0 \0002\0005\0002\0";

	file_tree_file("/etc/os-release", "ID=debian\n");
	file_tree_bytes(LOADER_INFO, info, sizeof(info));
	is(distribution_boot_option(&context, "a=b", "a=c"),
	   "sed -i 's/a=b/a=c/' \"$(bootctl -x)\"/loader/entries/*.conf && "
	   "reboot");
	file_tree_file("/etc/kernel/cmdline", "quiet\n");
	is(distribution_boot_option(&context, "a=b", "a=c"),
	   "sed -i 's/a=b/a=c/' /etc/kernel/cmdline "
	   "\"$(bootctl -x)\"/loader/entries/*.conf && reboot");
}
