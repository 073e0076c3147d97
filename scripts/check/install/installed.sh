# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Checks that boot a Debian system with the packages of this project. Source this
# file after lib.sh and machine.sh.
#
# The caller sets work to a directory for its files. The guest's tests are in
# /tests of the system; /tests/guest runs after each boot, and prints "end" last.

boot_seconds=1800

# system_read KERNEL: sets suite, arch and release to those of a stock kernel.
system_read()
{
	suite=$(scripts/vm/kernel "$1" suite)
	arch=$(scripts/vm/kernel "$1" arch)
	release=$(scripts/vm/kernel "$1" release)
	[[ $release == *-cloud-"$arch" &&
		$arch == "$(dpkg --print-architecture)" ]] ||
		die "$1: not a stock cloud kernel of this machine's architecture"
	second=${release/-cloud-/-}
	machine_read "$arch"
	machine_provide
	need_packages e2fsprogs mmdebstrap
}

# system_make DIRECTORY: a minimal system with the kernel and DKMS, and the
# packages of the second kernel in /second.
system_make()
{
	local mirror security
	# Sets own_suite.
	suite_is_own "$suite" "$arch" || true
	# shellcheck disable=SC2154
	mirror=$(suite_mirror "$own_suite")
	security=$(suite_mirror "$own_suite-security")
	[[ -n $mirror ]] || die "no mirror for $suite"
	say "installing $suite with $release (takes minutes)"
	# The initramfs needs only the drivers of the disk.
	# shellcheck disable=SC2016 # expanded by mmdebstrap
	mmdebstrap --quiet --variant=minbase \
		--aptopt='APT::Install-Recommends "false"' \
		--include="systemd,systemd-sysv,udev,kmod,initramfs-tools" \
		--include="dkms,gcc,libc6-dev,pkg-config,libcap2-bin" \
		--include="libcurl4,libzstd-dev,openssl,mokutil" \
		--include="apparmor,podman,crun,uidmap" \
		--include="linux-image-$release,linux-headers-$release" \
		--customize-hook='printf "nvme\next4\n" \
			>>"$1/etc/initramfs-tools/modules"' \
		--customize-hook='echo MODULES=list \
			>"$1/etc/initramfs-tools/conf.d/list"' \
		--customize-hook='chroot "$1" update-initramfs -u' \
		--customize-hook='chroot "$1" useradd -m member' \
		--customize-hook='chroot "$1" useradd -m other' \
		--customize-hook='echo "/dev/nvme0n1 / ext4 defaults 0 1" \
			>"$1/etc/fstab"' \
		--customize-hook='mkdir "$1/second" && cd "$1/second" &&
			chmod 777 . && chroot "$1" sh -c "cd /second &&
			apt-get -q download linux-image-'"$second"' \
				linux-headers-'"$second"'"' \
		"$suite" "$1/root" \
		"deb $mirror $suite main" \
		${security:+"deb $security $suite-security main"}
}

# system_prepare FILE...: mounts a system in $work/root, with the packages in
# build/deb and FILEs in /tests. The changes to the system and the image of its
# disk are in memory.
system_prepare()
{
	local version system
	version=$(suite_candidate "$suite" "$arch" "linux-headers-$release" \
		Version)
	system=$(cache_fill "systems/$suite-$release-$(content_key "$version" \
		"$(declare -f system_make)")" system_make)/root
	# shellcheck disable=SC2154
	scripts/package/deb "$work/packages" >/dev/null
	rm "$work"/packages/*-dbgsym_*

	mkdir "$work"/{root,layer}
	mount -t tmpfs -o size=6g tmpfs "$work/layer"
	at_exit "umount '$work/layer'"
	mkdir "$work"/layer/{upper,work}
	mount -t overlay overlay -o \
		"lowerdir=$system,upperdir=$work/layer/upper,workdir=$work/layer/work" \
		"$work/root"
	at_exit "umount -R '$work/root'"
	mkdir -p "$work"/root/{tests,build/deb}
	cp "$work"/packages/*.deb "$work/root/build/deb"
	cp "$@" "$work/root/tests"
}

in_system()
{
	# shellcheck disable=SC2016 # expanded by the other shell
	unshare --mount --pid --fork bash -euc '
		mount -t proc proc "$1/proc"
		mount -t sysfs -o ro sysfs "$1/sys"
		mount --rbind /dev "$1/dev"
		exec chroot "$@"
	' bash "$work/root" env DEBIAN_FRONTEND=noninteractive "$@"
}

quietly()
{
	"$@" >"$work/log" 2>&1 || { cat "$work/log" && return 1; }
}

module_for()
{
	local vermagic
	vermagic=$(in_system modinfo -k "$1" -F vermagic user_events) || return
	[[ $vermagic == "$1 "* ]] || echo "built for $vermagic"
}

# Runs the command of README.md. All dependencies are installed already.
installs()
{
	local command
	command=$(sed -n '/^# apt-get install .*build\/deb/s/^# //p' README.md)
	quietly in_system sh -c "$command -y --no-install-recommends"
	quietly in_system sh -c 'exec dpkg -i build/deb/libuserevents*'
	module_for "$release"
}

# builds_programs NAME...
builds_programs()
{
	# shellcheck disable=SC2016 # expanded by the other shell
	in_system sh -euc 'for program; do
		cc -Wall -Werror -o "/usr/local/bin/$program" \
			"/tests/$program.c" \
			$(pkg-config --cflags --libs libuserevents)
	done' sh "$@"
}

# Makes the image of the disk, and copies the kernel and its initramfs.
disk_make()
{
	cat >"$work/root/etc/systemd/system/tests.service" <<-'END'
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/bin/bash /tests/guest
		StandardOutput=file:/dev/ttyS1
		StandardError=inherit
		[Install]
		WantedBy=multi-user.target
	END
	in_system systemctl --quiet enable tests.service
	# The profiles of programs that no test runs take a minute here.
	in_system systemctl --quiet mask serial-getty@ttyS0.service \
		apparmor.service
	rm -r "$work"/root/{build,second}
	mke2fs -q -q -t ext4 -d "$work/root" "$work/layer/disk" 4g >/dev/null
	cp "$work/root/boot/vmlinuz-$release" "$work/image"
	cp "$work/root/boot/initrd.img-$release" "$work/initrd"
}

# The command line of the kernel
kernel_arguments()
{
	# shellcheck disable=SC2154
	echo "console=$console root=/dev/nvme0n1 rw oops=panic panic=-1" \
		"$kernel_args" "$clock_args"
}

# machine_runs OPTION...: runs QEMU until the guest ends, or restarts.
machine_runs()
{
	machine_disk root "$work/layer/disk" cache=unsafe
	: >"$work/out"
	: >"$work/console"
	machine_channels "$work/console" out="$work/out"
	# shellcheck disable=SC2154
	timeout --foreground "$boot_seconds" "${qemu[@]}" "${machine[@]}" \
		"${tcg[@]}" -smp 2 -m 1024 -nodefaults -no-user-config \
		-display none -no-reboot "${disk[@]}" "${channels[@]}" \
		"$@"
}

# boot OPTION...: prints what the guest's tests print.
boot()
{
	machine_runs "$@" </dev/null || true
	tr -d '\r' <"$work/out"
	grep -E -f <(grep -v -e '^[#!?]' -e '^$' scripts/vm/splat-patterns) \
		"$work/console" >"$work/splats" || true
}

# boots NUMBER OPTION...: adds the results of a boot to those of this script.
boots()
{
	local log=$work/boot-$1 tests
	boot "${@:2}" >"$log"
	grep -a -E '^(ok|not ok|# )' "$log" || true
	tests=$(grep -a -c '^ok' "$log" || true)
	((tap_passed += tests)) || true
	tests=$(grep -a -c '^not ok' "$log" || true)
	((tap_failed += tests)) || true
	tap_check "boot $1: the tests end" grep -a -q '^end$' "$log"
	tap_check "boot $1: the kernel log has no warning" cat "$work/splats"
	((tap_failed == 0)) || tail -n 40 "$work/console" | sed 's/^/# /'
}
