# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions shared by the scripts under scripts/. Source this file:
#
#	. "$(dirname "$(readlink -f "$0")")/../lib.sh"
#
# Messages go to stderr, preceded by the name of the script. A script that needs
# another exit status for its own failures sets die_status.

# Files packed for a guest must be readable whatever the umask of the caller is.
umask 022

# The flags of a make that started this script must not reach other makes: they
# would print the directories they enter into output that is parsed.
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS

# Warnings fail the builds of all checks, but not those of users.
export USER_EVENTS_WERROR=${USER_EVENTS_WERROR-y}

# A failed command inside $(...) must stop the script, too.
shopt -s inherit_errexit

prog=${0##*/}
die_status=1
cache_dir=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/user-events

# What was compiled before with the same compiler and flags is not compiled again,
# in another clone either: its objects only name another directory of sources. Where
# the compiler writes a list of the headers, ccache compares these and does not run
# the preprocessor, which takes a quarter of the time if nothing is found. So a
# comment in a header compiles its objects again, and an object that contains other
# files (.incbin) must not come from ccache.
if [[ -d /usr/lib/ccache && :$PATH: != *:/usr/lib/ccache:* ]]; then
	export PATH=/usr/lib/ccache:$PATH
	export CCACHE_DIR=$cache_dir/ccache CCACHE_MAXSIZE=${CCACHE_MAXSIZE-2G}
	export CCACHE_NOHASHDIR=y CCACHE_DEPEND=y
fi

lib_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

say()
{
	printf '%s: %s\n' "$prog" "$*" >&2
}

die()
{
	say "$*"
	exit "$die_status"
}

# new_directory DIRECTORY: makes an empty directory for results. What is in it is
# removed below build/ only; elsewhere it is somebody's.
new_directory()
{
	[[ $1 != "$PWD/build/"* ]] || rm -rf "$1"
	mkdir -p "$1"
	[[ -z $(ls -A "$1") ]] || die "$1: the directory is not empty"
}

# Prints the comment at the top of the script, which is its --help.
show_help()
{
	awk 'NR <= 2 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0" |
		sed '1{/^$/d}'
}

# Prints the kernels: the lines of scripts/vm/kernels, and of the file
# USER_EVENTS_KERNELS if it is set.
kernel_lines()
{
	grep -h -v -e '^#' -e '^[[:space:]]*$' "$lib_dir/vm/kernels" \
		${USER_EVENTS_KERNELS:+"$USER_EVENTS_KERNELS"}
}

# kernel_words NAME: prints the words "more" of a kernel, one per line.
kernel_words()
{
	kernel_lines | awk -v name="$1" \
		'$1 == name { for (i = 7; i <= NF; i++) print $i }'
}

# Cleanup commands run at exit, the last registered first.
cleanups=()

run_cleanups()
{
	local status=$? i
	trap - EXIT
	set +e
	for ((i = ${#cleanups[@]} - 1; i >= 0; i--)); do
		eval "${cleanups[i]}"
	done
	exit "$status"
}

at_exit()
{
	cleanups+=("$*")
	trap run_cleanups EXIT
	# Without these traps, a signal that arrives while a child runs in the
	# foreground would stop bash before its EXIT trap.
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# kill_child PID [SIGNAL]: sends SIGNAL, or else SIGTERM, to a child of this shell.
# Does nothing if the child has exited: the kernel can have given its PID to
# another process.
kill_child()
{
	local pid
	for pid in $(jobs -pr); do
		[[ $pid != "$1" ]] || kill -s "${2:-TERM}" "$pid" 2>/dev/null || true
	done
}

# timed NAME COMMAND...: runs a command. If SUMMARY_TIMES is a file, a line "PART
# SECONDS USER SYSTEM NAME" with its elapsed time and processor time is appended.
# SUMMARY_PART is the PART, and SUMMARY_ROW, if set, precedes the NAME.
timed()
{
	local fd status=0 TIMEFORMAT
	[[ -n ${SUMMARY_TIMES-} ]] || { shift && "$@"; return; }
	TIMEFORMAT="$SUMMARY_PART %0R %0U %0S ${SUMMARY_ROW:+$SUMMARY_ROW/}$1"
	shift
	exec {fd}>&2
	{ time "$@" 2>&"$fd" {fd}>&-; } 2>>"$SUMMARY_TIMES" || status=$?
	exec {fd}>&-
	return "$status"
}

# build_place NAME: prints a directory for a build from scratch, whose path is the
# same in each clone: with kbuild, ccache only finds objects of the same path. The
# caller holds its build_lock, and removes the directory.
build_place()
{
	printf '%s\n' "$cache_dir/build/$1"
}

# build_lock DIRECTORY: serializes scripts that build into DIRECTORY, until
# build_unlock.
build_lock()
{
	mkdir -p "${1%/*}"
	exec {build_lock_fd}>"$1.lock"
	flock "$build_lock_fd"
}

build_unlock()
{
	exec {build_lock_fd}>&-
}

# --- Packages -----------------------------------------------------------------

package_installed()
{
	local status
	status=$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) &&
		[[ $status == installed ]]
}

package_version()
{
	dpkg-query -W -f '${Version}' "$1" 2>/dev/null
}

# Prints the last lines of the output only if the command fails.
apt_quietly()
{
	local log status=0
	log=$(mktemp)
	DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null || status=$?
	((status == 0)) || tail -n 20 "$log" >&2
	rm -f "$log"
	return "$status"
}

# Updates the package lists, at most once per script.
apt_update()
{
	[[ -z ${apt_updated-} ]] || return 0
	((EUID == 0)) ||
		die "package lists outdated; run 'apt-get update' as root"
	say "updating the package lists"
	apt_quietly apt-get -q -o DPkg::Lock::Timeout=600 update ||
		die "apt-get update failed"
	apt_updated=yes
}

apt_install()
{
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
		-o DPkg::Lock::Timeout=600 \
		-o Dpkg::Use-Pty=0 install "$@" </dev/null
}

# need_packages PACKAGE[=VERSION]...: installs missing packages, of exactly
# VERSION if given, and prints their names.
need_packages()
{
	local fd
	packages_present "$@" && return 0
	((EUID == 0)) ||
		die "packages not installed: ${packages_missing[*]}"
	# Another script might install the same packages at the same time, so
	# check again once the lock is held.
	mkdir -p "$cache_dir/lock"
	exec {fd}>"$cache_dir/lock/packages"
	flock "$fd"
	packages_present "$@" || install_missing
	exec {fd}>&-
}

# packages_present PACKAGE[=VERSION]...: sets the array packages_missing.
packages_present()
{
	local spec version
	packages_missing=()
	for spec; do
		if [[ $spec == *=* ]]; then
			version=$(package_version "${spec%%=*}") || version=
			[[ $version == "${spec#*=}" ]] ||
				packages_missing+=("$spec")
		else
			package_installed "$spec" || packages_missing+=("$spec")
		fi
	done
	((${#packages_missing[@]} == 0))
}

install_missing()
{
	say "installing: ${packages_missing[*]}"
	apt_install "${packages_missing[@]}" >/dev/null 2>&1 && return 0
	# Most often the lists were never fetched, or name versions that the
	# mirror has replaced.
	apt_update
	apt_quietly apt_install "${packages_missing[@]}" ||
		die "cannot install: ${packages_missing[*]}"
}

# --- Packages of any suite and architecture -----------------------------------

# The packages of this machine's suite and architecture come from its own
# package lists. For all others, lists of the same mirror are kept in the cache,
# so that the configuration of the machine's apt does not change.

# suite_is_own SUITE ARCH: whether this machine runs that suite.
suite_is_own()
{
	if [[ -z ${own_suite-} ]]; then
		own_suite=$(. /etc/os-release &&
			printf '%s' "${VERSION_CODENAME-}")
		own_arch=$(dpkg --print-architecture)
	fi
	[[ $1 == "$own_suite" && $2 == "$own_arch" ]]
}

# suite_apt SUITE ARCH PROGRAM [ARG...]: runs apt-get or apt-cache for that
# suite and architecture.
suite_apt()
{
	local suite=$1 arch=$2 program=$3
	shift 3
	if suite_is_own "$suite" "$arch"; then
		"$program" "$@"
	else
		suite_need_lists "$suite" "$arch" || return
		"$program" -c "$cache_dir/suites/$suite-$arch/apt.conf" "$@"
	fi
}

# suite_need_lists SUITE ARCH: updates lists that are older than a day.
suite_need_lists()
{
	local stamp=$cache_dir/suites/$1-$2/updated
	[[ -n $(find "$stamp" -mtime -1 2>/dev/null) ]] ||
		suite_update "$1" "$2" "$(stat -c %y "$stamp" 2>/dev/null)"
}

# suite_update SUITE ARCH [SEEN]: fetches the package lists, unless another
# script has done so after the time stamp SEEN.
suite_update()
{
	local dir=$cache_dir/suites/$1-$2 fd
	if suite_is_own "$1" "$2"; then
		apt_update
		return
	fi
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	exec {fd}>"$dir/lock"
	flock "$fd"
	if (($# < 3)) ||
		[[ $(stat -c %y "$dir/updated" 2>/dev/null) == "$3" ]]; then
		say "updating the package lists of $1 for $2"
		(suite_configure "$1" "$2" "$dir" &&
			suite_fetch_lists "$1" "$2" "$dir") || exit
		touch "$dir/updated"
	fi
	exec {fd}>&-
}

# suite_configure SUITE ARCH DIR: creates the configuration and directories of
# apt in DIR, with the mirrors that the machine uses.
suite_configure()
{
	local mirror security
	mirror=$(suite_mirror "$own_suite")
	security=$(suite_mirror "$own_suite-security")
	if [[ -z $mirror ]]; then
		# apt needs its own package lists to print them.
		apt_update
		mirror=$(suite_mirror "$own_suite")
		security=$(suite_mirror "$own_suite-security")
	fi
	[[ -n $mirror ]] || die "no mirror for $1: apt has none for $own_suite"
	# The unreleased suites have no separate security updates.
	[[ $1 != sid && $1 != experimental ]] || security=
	printf 'deb %s main\n' "$mirror $1" \
		${security:+"$security $1-security"} >"$3/sources.new"
	# A mirror does not update the lists of old suites.
	cat >"$3/conf.new" <<-EOF
		APT::Architecture "$2";
		#clear APT::Architectures;
		APT::Architectures { "$2"; };
		APT::Sandbox::User "root";
		#clear APT::Update;
		Acquire::Check-Valid-Until "false";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::Cache "$3";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::Etc::sourcelist "$3/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State "$3";
		Dir::State::status "$3/status";
	EOF
	# Another script might be reading the files.
	touch "$3/status"
	mv "$3/sources.new" "$3/sources.list"
	mv "$3/conf.new" "$3/apt.conf"
}

# suite_mirror SUITE: the mirror that the machine uses for SUITE.
suite_mirror()
{
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(RELEASE) $(CODENAME) $(SITE)' \
		'Identifier: Packages' |
		awk -v suite="$1" \
		'!found && ($1 == suite || $2 == suite) { print $3; found = 1 }'
}

# source_download PACKAGE DIRECTORY APT: fetches with the configuration of apt in
# the directory APT.
source_download()
{
	rm -f "$2"/*_*
	(cd "$2" && apt_quietly apt-get -q -c "$3/apt.conf" source \
		--download-only "$1")
}

# source_fetch PACKAGE DIRECTORY: fetches a source package of the distribution,
# without a change of the machine's configuration of apt, or exits.
source_fetch()
{
	local apt=$2/apt suite mirror
	mkdir -p "$apt/lists/partial"
	touch "$apt/status"
	for suite in "$own_suite" "$own_suite-security"; do
		mirror=$(suite_mirror "$suite")
		[[ -z $mirror ]] || echo "deb-src $mirror $suite main"
	done >"$apt/sources.list"
	cat >"$apt/apt.conf" <<-EOF
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::Cache "$apt";
		Dir::Etc::sourcelist "$apt/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State "$apt";
		Dir::State::status "$apt/status";
	EOF
	say "fetching the source of $1"
	apt_quietly apt-get -q -c "$apt/apt.conf" update || exit
	# A mirror can lack the files of an update that is in its lists.
	source_download "$1" "$2" "$apt" ||
		source_download "$1/$own_suite" "$2" "$apt" || exit
	compgen -G "$2/*.dsc" >/dev/null || exit
	rm -r "$apt"
}

# A mirror might be in the middle of an update, or have no security updates for
# an architecture. Most of the lists are better than none.
suite_fetch_lists()
{
	local try
	for try in 1 2 3; do
		apt_quietly apt-get -q -c "$3/apt.conf" update \
			2>"$3/update.log" && return 0
		((try == 3)) || sleep 2
	done
	compgen -G "$3/lists/*_dists_$1_main_binary-$2_Packages*" \
		>/dev/null || {
		cat "$3/update.log" >&2
		die "cannot fetch the package lists of $1 for $2"
	}
	say "some package lists of $1 for $2 are not available"
}

# suite_ask SUITE ARCH FUNCTION PACKAGE...: prints the output of FUNCTION SUITE
# ARCH PACKAGE..., which calls apt. The output is cached until the package lists
# change, since apt takes half a second.
suite_ask()
{
	local lists=$cache_dir/suites/$1-$2/updated answer
	local kept=$cache_dir/suites/$1-$2/$3/$4
	(($# == 4)) || kept=${kept%/*}/$(content_key "${@:4}")
	if suite_is_own "$1" "$2"; then
		lists=/var/lib/apt/lists
	else
		suite_need_lists "$1" "$2"
	fi
	if [[ ! -s $kept || ! $kept -nt $lists ]]; then
		mkdir -p "${kept%/*}"
		answer=$kept.$BASHPID
		"$3" "$1" "$2" "${@:4}" >"$answer" 2>/dev/null || true
		if [[ ! -s $answer ]]; then
			suite_update "$1" "$2"
			"$3" "$1" "$2" "${@:4}" >"$answer" 2>/dev/null || true
		fi
		mv "$answer" "$kept"
		[[ -s $kept ]] || die "packages not found in $1 for $2: ${*:4}"
	fi
	cat "$kept"
}

suite_show()
{
	suite_apt "$1" "$2" apt-cache --no-all-versions show "$3"
}

# suite_candidate SUITE ARCH PACKAGE FIELD: prints that field of the version
# that apt would install.
suite_candidate()
{
	suite_ask "$1" "$2" suite_show "$3" | sed -n "s/^$4: //p"
}

# suite_fetch SUITE ARCH PACKAGE[=VERSION]... DIR: downloads package files into
# DIR without installing them.
#
# Mirrors drop replaced versions. If a version is no longer available, the
# status is $status_stale and the lists are up to date, so the caller can select
# the version again.
status_stale=75

suite_fetch()
{
	(
		cd "${*: -1}" || exit
		set -- "${@:1:$# - 1}"
		# As its own user, apt could not write to this directory.
		suite_fetch_now()
		{
			suite_apt "$1" "$2" apt-get -q \
				-o APT::Sandbox::User=root \
				-o Acquire::Retries=3 download "${@:3}"
		}
		suite_fetch_now "$@" >/dev/null 2>&1 && exit 0
		suite_update "$1" "$2"
		die_status=$status_stale
		apt_quietly suite_fetch_now "$@" ||
			die "cannot download: ${*:3}"
	)
}

# suite_extract DEB DIR: unpacks the parts of a package file that programs need.
#
# /bin can be a link to /usr/bin or a directory. A link in DIR remains a link.
suite_extract()
{
	dpkg-deb --fsys-tarfile "$1" |
		tar x -C "$2" --keep-directory-symlink --no-same-owner \
		--exclude=./usr/share/{doc,info,locale,man}
}

# suite_unpack SUITE ARCH PACKAGE: unpacks the newest version of one package
# into the cache, without its dependencies, and prints the directory.
suite_unpack()
{
	local version
	version=$(suite_candidate "$1" "$2" "$3" Version) || exit
	cache_fill "packages/$3-${version//:/_}-$2" suite_unpack_make "$1" \
		"$2" "$3=$version"
}

suite_unpack_make()
{
	say "fetching ${3/=/ }"
	suite_fetch "$1" "$2" "$3" "$4"
	dpkg-deb -x "$4"/*.deb "$4"
	rm -f "$4"/*.deb
}

# suite_closure SUITE ARCH PACKAGE[=VERSION]...: prints PACKAGE=VERSION for the
# packages and all their dependencies, as if no package were installed. The
# package cache of the machine's apt is not written to.
suite_closure()
{
	suite_apt "$1" "$2" apt-get -q --simulate --no-install-recommends \
		-o Dir::State::status=/dev/null \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= install \
		"${@:3}" |
		awk '$1 == "Inst" { print $2 "=" substr($3, 2) }' | sort
}

# suite_tree SUITE ARCH PACKAGE...: unpacks packages and all their dependencies
# into the cache and prints the directory. Maintainer scripts are not run.
suite_tree()
{
	local list
	list=$(suite_ask "$1" "$2" suite_closure "${@:3}")
	cache_fill "trees/$3-$2-$(content_key "$list")" suite_tree_make "$1" \
		"$2" "$list"
}

# All suites have merged /usr by now, with links as in a minimal system.
suite_tree_make()
{
	local list dir deb
	mapfile -t list <<<"$3"
	say "fetching ${#list[@]} packages of $1"
	dir=$4/debs
	mkdir "$dir" "$4"/usr "$4"/usr/{bin,sbin,lib,lib64}
	for deb in bin sbin lib lib64; do
		ln -s "usr/$deb" "$4/$deb"
	done
	suite_fetch "$1" "$2" "${list[@]}" "$dir"
	for deb in "$dir"/*.deb; do
		suite_extract "$deb" "$4"
	done
	rm -rf "$dir"
}

# --- The cache ----------------------------------------------------------------

# content_key TEXT...: prints a short hash of the texts.
content_key()
{
	printf '%s\0' "$@" | sha256sum | cut -c1-16
}

# file_key FILE...: prints a short hash of the contents of files.
file_key()
{
	cat -- "$@" | sha256sum | cut -c1-16
}

# cache_fill ENTRY COMMAND [ARG...]: creates the cache entry ENTRY with COMMAND
# unless it exists, and prints its path.
#
# COMMAND gets an empty directory as an additional argument. The directory is
# renamed to ENTRY only if COMMAND succeeds, so an existing entry is complete. A
# lock serializes scripts that create the same entry. A new entry removes
# entries of the same directory that were not used for two weeks.
cache_fill()
{
	local entry=$cache_dir/$1 lock=$cache_dir/lock/${1//\//%} fd
	shift
	if [[ ! -d $entry ]]; then
		mkdir -p "${entry%/*}" "${lock%/*}"
		exec {fd}>"$lock"
		if ! flock -n "$fd"; then
			say "waiting for another script to create ${entry##*/}"
			flock "$fd"
		fi
		[[ -d $entry ]] || cache_make "$entry" "$@"
		exec {fd}>&-
	fi
	touch -c "$entry"
	printf '%s\n' "$entry"
}

# The subshell removes the incomplete directory however it exits.
cache_make()
(
	entry=$1
	shift
	cleanups=()
	# A killed script can have left one. No other script uses it, since this
	# one holds the lock.
	rm -rf "$entry".??????
	work=$(mktemp -d "$entry.XXXXXX")
	at_exit "rm -rf '$work'"
	chmod 755 "$work"
	"$@" "$work" >&2
	mv -T "$work" "$entry"
	# Tests ctime, since an unpacked directory can have an old mtime.
	find "${entry%/*}" -mindepth 1 -maxdepth 1 -ctime +14 -exec rm -rf {} +
)
