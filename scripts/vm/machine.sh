# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The QEMU machine of each architecture, for scripts/vm/run. Source this file
# after lib.sh.
#
# Each machine has a console, which carries the kernel log only, and channels
# for the command's output and the result. A PC has four serial ports, whose
# driver is part of every kernel. Other machines use ports of a virtio-serial
# device, for which the guest might have to load drivers.

# machine_read ARCH: sets the following for an architecture as Debian names it.
#
#   program       name of the QEMU program
#   program_suite  release of Debian with the program; empty: this machine's
#   machine       arguments for the machine
#   firmware      a package that QEMU needs in addition
#   bios          its file that starts the kernel; empty: QEMU does
#   tcg, kvm      arguments for the processors; kvm is empty if this machine has
#                 other processors
#   icount        further arguments for processors whose clock counts instructions
#   memory_step   the machine's memory is a multiple of this, in MiB
#   console       the kernel's name of the console
#   console_args  further kernel arguments for the console
#   kernel_args   further kernel arguments
#   clock_args    further kernel arguments for processors with tcg, whose clock
#                 is that of this machine
#   ports         type of the channels: serial or virtio
#   bus           bus of virtio devices: pci or ccw
#   disk_model    model of disks
#   port_drivers, disk_drivers  modules that the ports and disks need, in
#                               loading order, unless they are built in
#
# shellcheck disable=SC2034 # the variables are for the caller
machine_read()
{
	program_suite=
	firmware=
	bios=
	kvm=()
	memory_step=1
	console=ttyS0
	console_args=
	# The kernel's tests of its cryptography, which no test here uses, are
	# half of the boot.
	kernel_args=cryptomgr.notests
	clock_args=
	ports=virtio
	bus=pci
	disk_model=virtio-blk-pci
	port_drivers=(virtio_pci virtio_console)
	disk_drivers=(virtio_pci virtio_blk)
	# One thread for all processors. With one thread each, QEMU 7.2
	# sometimes runs a stale translation of kernel code that another
	# processor has patched, and the guest hangs in a removed breakpoint.
	tcg=(-accel "tcg,thread=single")
	icount=(-icount "shift=0,sleep=off")

	case $1 in
	amd64 | i386)
		program="qemu-system-x86_64"
		machine=(-machine q35)
		# 'max' has the features of hardware that plainer models lack,
		# SMAP above all, and is as fast. 5-level paging is useless and
		# slows down page walks; kernels since 6.12 crash with it here.
		# Without cmpxchg16b, since an interrupt right after it once
		# found invalid flags, and the kernel stopped with a double
		# fault.
		tcg+=(-cpu "max,la57=off,cx16=off")
		# A string instruction counts once for each repetition. With
		# fast string instructions, kernels copy bytes with them, else
		# words, which is closer to the time that processors need.
		icount+=(-cpu "max,la57=off,cx16=off,erms=off,fsrm=off")
		if [[ $1 == i386 ]]; then
			program="qemu-system-i386"
			# A 32-bit kernel takes lower families for an Athlon
			# without SMP support and warns.
			tcg+=(-cpu "max,family=15")
		fi
		kvm=(-accel kvm -cpu host)
		# On a busy machine, the kernel would take its timer for broken
		# and panic. Kernels before Linux 6.12 do not trust the TSC of
		# these processors, which is the same on all of them, and read
		# the HPET instead, an emulated device. The loops of a delay,
		# which TSC replaces, take a tenth of the boot to measure, and
		# the measurement fails.
		kernel_args+=" no_timer_check tsc=reliable lpj=1000000"
		# A busy machine lets the kernel measure a wrong frequency of
		# the TSC, once a 76th of the real one, and all timeouts of the
		# guest are too short then. It is the TSC of this machine. In a
		# virtual machine, that is "cpu MHz".
		clock_args=$(awk '
			/^cpu MHz/ { khz = $4 * 1000 }
			/^flags.* hypervisor/ && khz {
				printf "tsc_early_khz=%d", khz
				exit
			}' /proc/cpuinfo)
		ports=serial
		port_drivers=()
		disk_model=nvme
		disk_drivers=(nvme)
		;;
	arm64)
		program="qemu-system-aarch64"
		machine=(-machine virt)
		# This model runs 32-bit programs, and kernels with pages of
		# 16 KiB. Emulated pointer authentication is slow.
		tcg+=(-cpu cortex-a76)
		console=ttyAMA0
		;;
	armhf)
		program="qemu-system-arm"
		# A kernel without LPAE cannot use memory above 4 GiB.
		machine=(-machine "virt,highmem=off")
		# With one thread, the second processor never runs while the
		# kernel stops all others to patch its code.
		tcg=(-accel "tcg,thread=multi" -cpu cortex-a15)
		console=ttyAMA0
		;;
	loong64)
		# QEMU before 10.2 cannot start kernels compressed with zstd.
		program="qemu-system-loongarch64"
		program_suite=sid
		machine=(-machine virt)
		tcg+=(-cpu la464)
		# Only the tables of UEFI describe the devices.
		firmware='qemu-efi-loongarch64'
		bios=/usr/share/qemu-efi-loongarch64/QEMU_EFI.fd
		;;
	ppc64el)
		program="qemu-system-ppc64"
		machine=(-machine pseries)
		tcg+=(-cpu power9)
		memory_step=256
		console=hvc0
		;;
	riscv64)
		program="qemu-system-riscv64"
		machine=(-machine virt)
		tcg+=(-cpu rv64)
		firmware=opensbi
		;;
	s390x)
		# The kernel copies a module by instructions that copy 256
		# bytes. QEMU before 8.2 drops the translation of old code only
		# for the first of these bytes, and runs stale translations
		# after a module was loaded where another one was.
		program="qemu-system-s390x"
		program_suite=trixie
		machine=(-machine s390-ccw-virtio)
		tcg+=(-cpu max)
		console=ttysclp0
		# Wait instead of dropping lines of the log.
		console_args=sclp_con_drop=0
		bus=ccw
		disk_model=virtio-blk-ccw
		port_drivers=(virtio_console)
		disk_drivers=(virtio_blk)
		;;
	*) die "$1: unknown architecture" ;;
	esac
}

# Prints the package of the QEMU program.
machine_package()
{
	case $program in
	qemu-system-x86_64 | qemu-system-i386) echo qemu-system-x86 ;;
	qemu-system-aarch64 | qemu-system-arm) echo qemu-system-arm ;;
	qemu-system-ppc64) echo qemu-system-ppc ;;
	qemu-system-s390x) echo "$program" ;;
	*) echo qemu-system-misc ;;
	esac
}

# machine_provide: provides the QEMU program and sets qemu[] to its command.
machine_provide()
{
	local tree host
	# shellcheck disable=SC2086 # not a package if there is none
	if [[ -z $program_suite ]]; then
		need_packages "$(machine_package)" $firmware
		qemu=("$program")
		return
	fi
	# With the C library of its release.
	host=$(dpkg --print-architecture)
	# shellcheck disable=SC2086
	tree=$(suite_tree "$program_suite" "$host" "$(machine_package)" \
		$firmware)
	qemu=("$tree"/lib*/ld-linux*.so.*
		--library-path "$tree/usr/lib/$(uname -m)-linux-gnu"
		"$tree/usr/bin/$program" -L "$tree/usr/share/qemu"
		${bios:+-bios "$tree$bios"})
}

# machine_disk NAME FILE [OPTION,...]: sets disk[] to the arguments for a disk
# that the guest finds by NAME.
machine_disk()
{
	disk=(-drive "file=$2,if=none,id=$1,format=raw${3:+,$3}"
		-device "$disk_model,drive=$1,serial=$1")
}

# machine_channels CONSOLE NAME=FILE...: sets channels[] to the arguments for a
# console that writes to the file CONSOLE and channels that write to their
# files, in this order. The FILE '-' is the terminal, with QEMU's monitor.
machine_channels()
{
	local channel name file
	channels=(-chardev "file,id=console,path=$1" -serial chardev:console)
	shift
	[[ $ports == serial ]] ||
		channels+=(-device "virtio-serial-$bus,ioeventfd=off")
	for channel; do
		name=${channel%%=*}
		file=${channel#*=}
		if [[ $file == - ]]; then
			channels+=(-chardev "stdio,id=$name,mux=on,signal=off"
				-mon "chardev=$name")
		else
			channels+=(-chardev "file,id=$name,path=$file")
		fi
		case $ports-$file in
		serial-*) channels+=(-serial "chardev:$name") ;;
		virtio--)
			channels+=(-device
				"virtconsole,chardev=$name,name=$name")
			;;
		virtio-*)
			channels+=(-device
				"virtserialport,chardev=$name,name=$name")
			;;
		esac
	done
}

# machine_port NAME NUMBER: prints the guest's name of a channel: a serial port,
# or the virtio port of that name, which guest-init looks up.
machine_port()
{
	case $ports in
	serial) echo "/dev/ttyS$2" ;;
	virtio) echo "$1" ;;
	esac
}
