# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The machine that QEMU plays for each architecture, for scripts/vm/run. Source it after lib.sh.
#
# Every machine has a console, which carries the kernel log and nothing else, and channels beside it for what the
# command prints and for the verdict. A PC has four serial ports, and their driver is part of every kernel. Other
# machines have one or none, and get the ports of a virtio-serial device, whose drivers the guest may have to load.

# machine_read ARCH: sets what follows, for an architecture as Debian calls it.
#
#   qemu        the program
#   machine     its arguments for the machine, and $firmware, a package that it needs besides its own
#   tcg, kvm    its arguments for the processors; no kvm where the processors here are other ones
#   console     the console as the kernel calls it, and $console_args, more that the kernel must be told about it
#   kernel_args what else the kernel must be told
#   ports       what the channels are: serial or virtio
#   bus         what virtio devices are attached to: pci or ccw
#   disk_model  the model of disk
#   port_drivers, disk_drivers   modules that both need, where they are not built in; one by one, in this order
#
# shellcheck disable=SC2034 # what is set is for the caller
machine_read()
{
	firmware=
	kvm=()
	console=ttyS0
	console_args=
	kernel_args=
	ports=virtio
	bus=pci
	disk_model=virtio-blk-pci
	port_drivers=(virtio_pci virtio_console)
	disk_drivers=(virtio_pci virtio_blk)
	# One thread for all processors: with one for each, QEMU 7.2 now and then goes on running a translation of kernel
	# code that the other processor has patched since, and the guest hangs in a breakpoint that is not there any more.
	tcg=(-accel "tcg,thread=single")

	case $1 in
	amd64 | i386)
		qemu="qemu-system-x86_64"
		machine=(-machine q35)
		# 'max' has what hardware has and the plainer models lack, SMAP above all, and is no slower. 5-level
		# paging is of no use and slows every page walk down; kernels since 6.12 even crash with it here.
		# Without cmpxchg16b: an interrupt right after it once found flags that were none, and the kernel ended
		# in a double fault.
		tcg+=(-cpu "max,la57=off,cx16=off")
		if [[ $1 == i386 ]]; then
			qemu="qemu-system-i386"
			# A 32-bit kernel takes a lower family for an Athlon and warns that two of them do not go together.
			tcg+=(-cpu "max,family=15")
		fi
		kvm=(-accel kvm -cpu host)
		# Where the guest gets little of a busy machine, the kernel would take its timer for broken, and panic.
		kernel_args=no_timer_check
		ports=serial
		port_drivers=()
		disk_model=nvme
		disk_drivers=(nvme)
		;;
	arm64)
		qemu="qemu-system-aarch64"
		machine=(-machine virt)
		# The plain one: it runs 32-bit programs, and signing pointers costs a lot where there is no hardware for it.
		tcg+=(-cpu cortex-a57)
		console=ttyAMA0
		;;
	armhf)
		qemu="qemu-system-arm"
		# A kernel without LPAE does not see what lies above 4 GiB.
		machine=(-machine "virt,highmem=off")
		# With one thread the second processor is never let on while the kernel stops all others to change itself.
		tcg=(-accel "tcg,thread=multi" -cpu cortex-a15)
		console=ttyAMA0
		;;
	riscv64)
		qemu="qemu-system-riscv64"
		machine=(-machine virt)
		tcg+=(-cpu rv64)
		firmware=opensbi
		;;
	s390x)
		qemu="qemu-system-s390x"
		machine=(-machine s390-ccw-virtio)
		tcg+=(-cpu max)
		console=ttysclp0
		# Rather wait than lose lines of the log.
		console_args=sclp_con_drop=0
		bus=ccw
		disk_model=virtio-blk-ccw
		port_drivers=(virtio_console)
		disk_drivers=(virtio_blk)
		;;
	*) die "no machine is known for $1" ;;
	esac
}

# The package that has a QEMU.
machine_package()
{
	case $qemu in
	qemu-system-x86_64 | qemu-system-i386) echo qemu-system-x86 ;;
	qemu-system-aarch64 | qemu-system-arm) echo qemu-system-arm ;;
	*) echo qemu-system-misc ;;
	esac
}

# machine_disk NAME FILE [OPTION,...]: sets $disk to the arguments for a disk that the guest finds by that name.
machine_disk()
{
	disk=(-drive "file=$2,if=none,id=$1,format=raw${3:+,$3}" -device "$disk_model,drive=$1,serial=$1")
}

# machine_channels CONSOLE NAME=FILE...: sets $channels to the arguments for a console that writes to the file CONSOLE
# and for channels that write to theirs, in this order. A FILE of '-' is the terminal, with QEMU's own monitor behind it.
machine_channels()
{
	local channel name file
	channels=(-chardev "file,id=console,path=$1" -serial chardev:console)
	shift
	[[ $ports == serial ]] || channels+=(-device "virtio-serial-$bus,ioeventfd=off")
	for channel; do
		name=${channel%%=*}
		file=${channel#*=}
		if [[ $file == - ]]; then
			channels+=(-chardev "stdio,id=$name,mux=on,signal=off" -mon "chardev=$name")
		else
			channels+=(-chardev "file,id=$name,path=$file")
		fi
		case $ports-$file in
		serial-*) channels+=(-serial "chardev:$name") ;;
		virtio--) channels+=(-device "virtconsole,chardev=$name,name=$name") ;;
		virtio-*) channels+=(-device "virtserialport,chardev=$name,name=$name") ;;
		esac
	done
}

# machine_port NAME NUMBER: a channel as the guest names it: that one of its serial ports, or the virtio port of that
# name, which guest-init looks up.
machine_port()
{
	case $ports in
	serial) echo "/dev/ttyS$2" ;;
	virtio) echo "$1" ;;
	esac
}
