# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The files of a guest, for scripts/vm/run. Source this file after lib.sh.
#
# The root of a guest is an initramfs of concatenated parts: the base (busybox
# and guest-init, the same for every run), links to the tools, drivers for
# kernels with few built-in ones, and the files of the run. The tools and their
# libraries are hundreds of megabytes, so they are on a disk image, of which the
# guest reads only what it uses. All parts but the last are kept in the cache.

# Directory of the caller and of the other files of scripts/vm
: "${here:?}"

# --- Staging of files ---------------------------------------------------------

# Prefix of the programs and libraries: empty for this machine, or a tree of
# packages of another suite.
from=

# Files that the guest has from another suite. Libraries of this machine must
# not replace them.
brought=

# /bin, /lib and others are links into /usr in the guest; a path through them
# would replace the link.
guest_path()
{
	case $1 in
	/bin/* | /sbin/* | /lib/* | /lib32/* | /lib64/* | /libx32/*) printf \
		'/usr%s\n' "$1" ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# stage ROOT HOST GUEST: copies the file or directory HOST to GUEST below ROOT,
# with the libraries that its programs need.
stage()
{
	local root=$1 host=$2 guest file
	guest=$(guest_path "$3")
	mkdir -p "$root${guest%/*}"
	# Follows HOST if it is a link; links inside a directory are kept.
	cp -R -H --preserve=mode,timestamps -T "$host" "$root$guest"
	if [[ -d $host ]]; then
		while IFS= read -r -d '' file; do
			stage_needs "$root" "$file"
		done < <(find -H "$host" -type f \( -perm /111 -o -name '*.so' \
			-o -name '*.so.*' \) -print0)
	else
		stage_needs "$root" "$host"
	fi
}

# stage_needs ROOT FILE: copies what FILE needs to run: libraries, or the
# interpreter of a script.
stage_needs()
{
	local magic libraries library interpreter
	[[ -x $2 || $2 == *.so || $2 == *.so.* ]] || return 0
	magic=$(head -c 4 "$2" | tr -d '\0')
	case $magic in
	$'\x7fELF')
		libraries=$(libraries_of "$2")
		while IFS= read -r library; do
			[[ -z $library || -e $1$(guest_path "$library") ]] ||
				is_brought "$library" ||
				stage_library "$1" "$library"
		done <<<"$libraries"
		;;
	'#!'*)
		read -r interpreter \
			< <(sed -n '1{s/^#![[:space:]]*//; s,^/usr/bin/env *,,; s/[[:space:]].*//; p; q}' "$2")
		# Busybox runs scripts for sh.
		[[ ${interpreter##*/} == sh ]] && return
		interpreter=$(program_path "$interpreter") || return 0
		[[ -e $1$(guest_path "$interpreter") ]] ||
			stage_tool "$1" "$interpreter"
		;;
	esac
}

is_brought()
{
	[[ -n $brought ]] && grep -q -x -F -e "$(guest_path "$1")" "$brought"
}

# stage_tool ROOT PROGRAM: copies a program to the same path in the guest, with
# the data that it opens.
stage_tool()
{
	local data
	stage "$1" "$(from_path "$2")" "$2"
	for data in $(tool_data "$2"); do
		[[ ! -e $from$data || -e $1$(guest_path "$data") ]] ||
			stage "$1" "$(from_path "$data")" "$data"
	done
}

stage_library()
{
	local guest
	guest=$(guest_path "$2")
	mkdir -p "$1${guest%/*}"
	cp -L --preserve=mode,timestamps "$(from_path "$2")" "$1$guest"
}

# from_path PATH: prints the host path of a path in the tree, following links
# within the tree.
from_path()
{
	local path=$1 link
	if [[ -n $from ]]; then
		while [[ -L $from$path ]]; do
			link=$(readlink "$from$path")
			[[ $link == /* ]] && path=$link || path=${path%/*}/$link
		done
	fi
	printf '%s\n' "$from$path"
}

# program_path NAME: prints the path of a program; fails if there is none.
program_path()
{
	local dir
	if [[ -z $from ]]; then
		command -v "$1"
		return
	fi
	for dir in /usr/bin /usr/sbin; do
		[[ ! -x $(from_path "$dir/$1") ]] || { echo "$dir/$1" &&
			return; }
	done
	return 1
}

# Prints all shared libraries of a program and its loader; nothing for a static
# program.
libraries_of()
{
	local answer loader dir library
	if [[ -n $from ]]; then
		# The loader of the tree finds its libraries in the tree. Those
		# found elsewhere are ignored.
		dir=$from/usr/lib
		loader=$(from_path /lib64/ld-linux-x86-64.so.2)
		answer=$(LC_ALL=C "$loader" \
			--library-path "$dir/$(uname -m)-linux-gnu:$dir" \
			--list "$1" \
			2>/dev/null) || return 0
		sed -n -e 's/^.*=> \(\/[^ ]*\) (0x.*$/\1/p' <<<"$answer" |
			while IFS= read -r library; do
			[[ $library == "$from"/* ]] ||
				die "$1 lacks a library: ${library##*/}"
			[[ $library == "$from"/lib64/* ]] ||
				echo "${library#"$from"}"
		done
		echo /lib64/ld-linux-x86-64.so.2
		return
	fi
	answer=$(LC_ALL=C ldd "$1" 2>/dev/null) || return 0
	[[ $answer != *'not found'* ]] ||
		die "$1 lacks a library:" "$(grep 'not found' <<<"$answer")"
	sed -n -e 's/^.*=> \(\/[^ ]*\) (0x.*$/\1/p' \
		-e 's/^[[:space:]]*\(\/[^ ]*\) (0x.*$/\1/p' <<<"$answer"
}

# pack ROOT FILE: packs a directory as a part of an initramfs, owned by root.
pack()
{
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		cpio --null -o -H newc -R 0:0 --quiet) >"$2"
}

# --- The base -----------------------------------------------------------------

line_buffer_library=/usr/libexec/coreutils/libstdbuf.so

# base_runs_ours ARCH: whether guests of that architecture run this machine's
# programs.
base_runs_ours()
{
	[[ $1 == "$(dpkg --print-architecture)" ]]
}

# guest_base SUITE ARCH: uses busybox of this machine, or of that suite if this
# machine's programs do not run there.
guest_base()
{
	local busybox=/bin/busybox library=$line_buffer_library package key
	# Only a busybox that runs here can list its applets.
	need_packages busybox-static cpio
	if ! base_runs_ours "$2"; then
		package=$(suite_unpack "$1" "$2" busybox-static)
		busybox=$(find "$package" -type f -name busybox -perm /111)
		library=
	elif [[ -n $brought ]]; then
		# That of this machine can need a newer C library than the
		# guest's.
		package=$(suite_unpack "$1" "$2" coreutils)
		library=$package$line_buffer_library
	fi
	key=$(file_key "$busybox" "$here"/guest-init "$here"/guest-start \
		"$here/guest.sh" ${library:+"$library"})
	cache_fill "guests/base-$key" make_base "$busybox" "$library"
}

make_base()
{
	local busybox=$1 library=$2 root=$3/root applet
	mkdir -p \
		"$root"/{dev,proc,sys,run,tmp,root,etc,mnt,.vm/bin,.vm/tools,var/tmp} \
		"$root"/usr/{bin,sbin,lib,lib64,local/bin,local/sbin}
	ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root"
	# Two copies: guest-init must find its own applets even if a tool
	# replaces the others.
	cp "$busybox" "$root/.vm/bin/busybox"
	while IFS= read -r applet; do
		[[ $applet != linuxrc ]] || continue
		ln -s /.vm/bin/busybox "$root$(guest_path "/$applet")"
		[[ ${applet##*/} == busybox ]] ||
			ln -s busybox "$root/.vm/bin/${applet##*/}"
	done < <(/bin/busybox --list-full)
	install -m 755 "$here/guest-init" "$root/init"
	install -m 755 "$here/guest-start" "$root/.vm/start"
	if [[ -n $library ]]; then
		mkdir -p "$root${line_buffer_library%/*}"
		cp "$library" "$root$line_buffer_library"
	fi
	# An unprivileged user for tests
	printf '%s\n' root:x:0:0:root:/root:/bin/sh \
		user:x:1000:1000:user:/tmp:/bin/sh \
		nobody:x:65534:65534:nobody:/:/bin/false >"$root/etc/passwd"
	printf '%s\n' root:x:0: user:x:1000: nogroup:x:65534: >"$root/etc/group"
	echo 127.0.0.1 localhost vm >"$root/etc/hosts"
	pack "$root" "$3/cpio"
	rm -rf "$root"
}

# --- Drivers ------------------------------------------------------------------

# guest_drivers MODULES NAME...: packs those modules from the directory MODULES,
# and their dependencies.
guest_drivers()
{
	need_packages cpio kmod
	cache_fill "guests/drivers-$(content_key \
		"$(file_key "$here/guest.sh")" "$@")" make_drivers "$@"
}

make_drivers()
{
	local dir=${!#} root=${!#}/root name file
	local -A files=() packed=()
	while IFS= read -r file; do
		name=${file##*/}
		name=${name%.ko}
		files[${name//-/_}]=$file
	done < <(find "$1" -name '*.ko')
	mkdir -p "$root/.vm/drivers"
	: >"$root/.vm/drivers/order"
	for name in "${@:2:$#-2}"; do
		pack_driver "$name"
	done
	pack "$root" "$dir/cpio"
	rm -rf "$root"
}

# A module that is not found is built in, or the guest reports what it lacks.
pack_driver()
{
	local name=${1//-/_} needs need
	[[ -n ${files[$name]-} && -z ${packed[$name]-} ]] || return 0
	packed[$name]=yes
	needs=$(modinfo -F depends "${files[$name]}")
	for need in ${needs//,/ }; do
		pack_driver "$need"
	done
	cp "${files[$name]}" "$root/.vm/drivers/$name.ko"
	echo "$name" >>"$root/.vm/drivers/order"
}

# --- The tools ----------------------------------------------------------------

# tool_packages NAME: prints the packages of a tool.
tool_packages()
{
	case $1 in
	perf) echo linux-perf ;;
	bpftrace) echo bpftrace linux-libc-dev ;;
	script) echo bsdutils ;;
	setpriv) echo util-linux ;;
	setcap) echo libcap2-bin ;;
	*) echo "$1" ;;
	esac
}

# Prints the data files that a tool opens.
tool_data()
{
	local libdir
	libdir=/usr/lib/$(uname -m)-linux-gnu
	case ${1##*/} in
	perf) echo /usr/lib/perf-core /usr/share/perf-core \
		"$libdir/traceevent" ;;
	# The package of that suite has programs of several versions side by
	# side, and no perf.
	perf_*) echo "/usr/lib/${1##*/}-core" "/usr/share/${1##*/}-core" ;;
	# On kernels without BTF, bpftrace reads types of fields from headers.
	# Some types are missing there (pid_t).
	bpftrace) echo /usr/include/linux /usr/include/asm-generic \
		"/usr/include/$(uname -m)-linux-gnu/asm" ;;
	trace-cmd) echo "$libdir/traceevent" "$libdir/trace-cmd" \
		/usr/lib/trace-cmd ;;
	python3*) echo /usr/lib/python3* ;;
	perl*) echo "$libdir/perl-base" ;;
	esac
}

# tool_paths NAME...: prints the paths of programs on this machine; installs
# missing ones.
tool_paths()
{
	local tool packages
	for tool; do
		if [[ $tool == */* ]]; then
			[[ -x $tool ]] || die "$tool: no such program"
			readlink -f "$tool"
		else
			read -r -a packages < <(tool_packages "$tool")
			command -v "$tool" >/dev/null ||
				need_packages "${packages[@]}"
			command -v "$tool" ||
				die "$tool: not found in its package"
		fi
	done
}

# guest_tools SUITE ARCH NAME...: prints the cache entry with the disk image,
# the links and the list of files for these tools from SUITE.
guest_tools()
{
	local suite=$1 arch=$2
	shift 2
	need_packages cpio e2fsprogs
	base_runs_ours "$arch" ||
		die "tools of this machine do not run on $arch"
	if suite_is_own "$suite" "$arch"; then
		own_tools "$@"
	else
		suite_tools "$suite" "$arch" "$@"
	fi
}

own_tools()
{
	local answer paths path libraries key
	answer=$(tool_paths "$@")
	mapfile -t paths < <(sort -u <<<"$answer")
	answer=$(for path in "${paths[@]}"; do libraries_of "$path"; done)
	mapfile -t libraries < <(sort -u <<<"$answer")
	# Names, sizes and times of programs and libraries are quick to read,
	# and change with an upgrade.
	key=$(stat -L -c '%n %s %Y' "${paths[@]}" \
		${libraries[0]:+"${libraries[@]}"})
	cache_fill "guests/tools-$(content_key "$(file_key "$here/guest.sh")" \
		"$key")" make_tools "${paths[@]}"
}

# The three most common tools share one tree.
suite_tools()
{
	local suite=$1 arch=$2 tool more tree
	local packages=(linux-perf trace-cmd bpftrace linux-libc-dev)
	shift 2
	for tool; do
		[[ $tool != */* ]] || die "$tool: tools of $suite have no paths"
		read -r -a more < <(tool_packages "$tool")
		[[ " ${packages[*]} " == *" ${more[0]} "* ]] ||
			packages+=("${more[@]}")
	done
	tree=$(suite_tree "$suite" "$arch" "${packages[@]}")
	cache_fill "guests/tools-$(content_key "$(file_key "$here/guest.sh")" \
		"$tree" "$@")" make_suite_tools "$tree" "$@"
}

make_suite_tools()
{
	local tool paths=() perf
	from=$1
	for tool in "${@:2:$#-2}"; do
		perf=$(find "$from/usr/bin" -name 'perf_*' -printf '%f\n' -quit)
		[[ $tool != perf || -z $perf ]] ||
			program_path perf >/dev/null || tool=$perf
		paths+=("$(program_path "$tool")") ||
			die "$tool: not found in its package"
	done
	make_tools "${paths[@]}" "${!#}"
}

make_tools()
{
	local dir=${!#} path
	local root=$dir/root links=$dir/links
	mkdir "$root" "$links"
	for path in "${@:1:$#-1}"; do
		stage_tool "$root" "$path"
	done
	for path in "$root"/usr/bin/perf_*; do
		[[ ! -e $path ]] || ln -s "${path##*/}" "$root/usr/bin/perf"
	done
	(cd "$root" && find . -mindepth 1 -type d -printf '%P\0') |
		(cd "$links" && xargs -0 -r mkdir -p)
	(cd "$root" && find . ! -type d -printf '%P\n') |
		while IFS= read -r path; do
		ln -s "/.vm/tools/$path" "$links/$path"
	done
	(cd "$root" && find . ! -type d -printf '/%P\n') >"$dir/files"
	pack "$links" "$dir/cpio"
	make_disk "$root" "$dir/disk"
	rm -rf "$root" "$links"
}

# A read-only file system needs no journal. A size of 1.5 times the files leaves
# room for metadata; unused space is sparse.
make_disk()
{
	local size files
	size=$(du -sk "$1" | cut -f1)
	files=$(find "$1" | wc -l)
	truncate -s $((size * 3 / 2 + 4096))K "$2"
	mkfs.ext2 -q -F -m 0 -N $((files + 1024)) -E root_owner=0:0 -d "$1" "$2"
}
