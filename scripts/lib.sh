# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Helpers shared by the programs under scripts/. Source it, do not run it:
#
#	. "$(dirname "$(readlink -f "$0")")/../lib.sh"
#
# Messages go to stderr, always with the program's name in front, so that stdout belongs to what a program was asked
# for. A program whose own failures need a status of their own sets die_status.

# What others are to read in a guest must not depend on who packs it.
umask 022

# A make that started this program is none of the business of those that it starts: its flags would have them say which
# directory they enter, in the middle of what is read from them.
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS

# A failing command inside $(...) must end the program too.
shopt -s inherit_errexit

prog=${0##*/}
die_status=1
cache_dir=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/user-events

say()
{
	printf '%s: %s\n' "$prog" "$*" >&2
}

die()
{
	say "$*"
	exit "$die_status"
}

# A program's --help is the comment at its top: one text to keep true, readable in the file as well.
show_help()
{
	awk 'NR <= 2 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0" | sed '1{/^$/d}'
}

# Every ending runs what was registered, last first, whatever the program did in between.
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
	# Without these a signal would end bash before it gets to the EXIT trap while a child is in the foreground.
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# build_lock DIRECTORY: programs that build into the same directory take turns, until build_unlock.
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

# --- Packages -------------------------------------------------------------------------------------------------------

package_installed()
{
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

package_version()
{
	dpkg-query -W -f '${Version}' "$1" 2>/dev/null
}

# Quiet when all is well; the whole story when it is not.
apt_quietly()
{
	local log status=0
	log=$(mktemp)
	DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null || status=$?
	((status == 0)) || tail -n 20 "$log" >&2
	rm -f "$log"
	return "$status"
}

# Once per program is enough, and only a program that found its package lists wanting asks for it.
apt_update()
{
	[[ -z ${apt_updated-} ]] || return 0
	((EUID == 0)) || die "the package lists are missing or old: run 'apt-get update' as root first"
	say "updating the package lists"
	apt_quietly apt-get -q -o DPkg::Lock::Timeout=600 update || die "apt-get update failed"
	apt_updated=yes
}

apt_install()
{
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=600 \
		-o Dpkg::Use-Pty=0 install "$@" </dev/null
}

# need_packages PACKAGE[=VERSION]...: install what is missing, and say so. A version asks for exactly that one.
need_packages()
{
	local fd
	packages_present "$@" && return 0
	((EUID == 0)) || die "these packages are missing, and only root can install them: ${packages_missing[*]}"
	# Programs that run at the same time take turns, and the second may find that nothing is missing any more.
	mkdir -p "$cache_dir/lock"
	exec {fd}>"$cache_dir/lock/packages"
	flock "$fd"
	packages_present "$@" || install_missing
	exec {fd}>&-
}

# packages_present PACKAGE[=VERSION]...: sets the array "packages_missing" to those that are not.
packages_present()
{
	local spec
	packages_missing=()
	for spec; do
		if [[ $spec == *=* ]]; then
			[[ $(package_version "${spec%%=*}") == "${spec#*=}" ]] || packages_missing+=("$spec")
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
	# Most often the lists were never fetched, or name versions that the mirror has replaced since.
	apt_update
	apt_quietly apt_install "${packages_missing[@]}" || die "could not install: ${packages_missing[*]}"
}

# --- Packages of any suite and architecture -------------------------------------------------------------------------

# The machine's own packages come from its own package lists. For everything else there are lists in the cache, from the
# same mirror, and what the machine installs its packages from stays as it is.

# suite_is_own SUITE ARCH: are those the packages that this machine runs?
suite_is_own()
{
	if [[ -z ${own_suite-} ]]; then
		own_suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
		own_arch=$(dpkg --print-architecture)
	fi
	[[ $1 == "$own_suite" && $2 == "$own_arch" ]]
}

# suite_apt SUITE ARCH PROGRAM [ARG...]: apt-get or apt-cache, but about the packages of that suite and architecture.
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

# suite_need_lists SUITE ARCH: nobody else updates these lists, so a day is as old as they may get.
suite_need_lists()
{
	local stamp=$cache_dir/suites/$1-$2/updated
	[[ -n $(find "$stamp" -mtime -1 2>/dev/null) ]] || suite_update "$1" "$2" "$(stat -c %y "$stamp" 2>/dev/null)"
}

# suite_update SUITE ARCH [SEEN]: fetch the package lists, unless another program has done so since they were as SEEN.
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
	if (($# < 3)) || [[ $(stat -c %y "$dir/updated" 2>/dev/null) == "$3" ]]; then
		say "updating the package lists of $1 for $2"
		(suite_configure "$1" "$2" "$dir" && suite_fetch_lists "$1" "$2" "$dir") || exit
		touch "$dir/updated"
	fi
	exec {fd}>&-
}

# suite_configure SUITE ARCH DIR: a place for apt to work in, with the mirrors that the machine itself uses.
suite_configure()
{
	local mirror security
	mirror=$(suite_mirror "$own_suite") security=$(suite_mirror "$own_suite-security")
	if [[ -z $mirror ]]; then
		# apt does not tell before it has lists of its own.
		apt_update
		mirror=$(suite_mirror "$own_suite") security=$(suite_mirror "$own_suite-security")
	fi
	[[ -n $mirror ]] || die "apt has no mirror of $own_suite, which $1 could come from too"
	# What is not released yet gets its security updates like all others.
	[[ $1 != sid ]] || security=
	printf 'deb %s main\n' "$mirror $1" ${security:+"$security $1-security"} >"$3/sources.new"
	# A mirror that keeps old suites keeps them as they were.
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
	# Others may be reading what is there.
	touch "$3/status"
	mv "$3/sources.new" "$3/sources.list"
	mv "$3/conf.new" "$3/apt.conf"
}

# suite_mirror SUITE: where the machine itself gets that one from.
suite_mirror()
{
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(RELEASE) $(CODENAME) $(SITE)' 'Identifier: Packages' |
		awk -v suite="$1" '!found && ($1 == suite || $2 == suite) { print $3; found = 1 }'
}

# A mirror in the middle of an update, or one that has no security updates for an architecture: most of the lists are
# still better than none.
suite_fetch_lists()
{
	local try
	for try in 1 2 3; do
		apt_quietly apt-get -q -c "$3/apt.conf" update 2>"$3/update.log" && return 0
		((try == 3)) || sleep 2
	done
	compgen -G "$3/lists/*_dists_$1_main_binary-$2_Packages*" >/dev/null || {
		cat "$3/update.log" >&2
		die "could not get the package lists of $1 for $2"
	}
	say "some package lists of $1 for $2 are not to be had; going on with the others"
}

# suite_ask SUITE ARCH QUESTION PACKAGE...: what the function QUESTION, given the rest, makes apt say of the packages.
#
# apt needs half a second to answer, so the answer is kept until the package lists change.
suite_ask()
{
	local lists=$cache_dir/suites/$1-$2/updated kept=$cache_dir/suites/$1-$2/$3/$4 answer
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
		[[ -s $kept ]] || die "not to be had in $1 for $2: ${*:4}"
	fi
	cat "$kept"
}

suite_show()
{
	suite_apt "$1" "$2" apt-cache --no-all-versions show "$3"
}

# suite_candidate SUITE ARCH PACKAGE FIELD: that field of the version apt would install now.
suite_candidate()
{
	suite_ask "$1" "$2" suite_show "$3" | sed -n "s/^$4: //p"
}

# suite_fetch SUITE ARCH PACKAGE[=VERSION]... DIR: the package files, into DIR; nothing gets installed.
#
# A mirror drops a version when it has the next one. When that is why it is not to be had, the lists are new by now and
# the status is $status_stale: whoever chose that version may choose again.
status_stale=75

suite_fetch()
{
	(
		cd "${*: -1}" || exit
		set -- "${@:1:$# - 1}"
		# apt drops to a user of its own for downloads and complains when that one cannot write here.
		suite_fetch_now()
		{
			suite_apt "$1" "$2" apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=3 download "${@:3}"
		}
		suite_fetch_now "$@" >/dev/null 2>&1 && exit 0
		suite_update "$1" "$2"
		die_status=$status_stale
		apt_quietly suite_fetch_now "$@" || die "could not download: ${*:3}"
	)
}

# suite_extract DEB DIR: unpack a package file as far as programs need it.
#
# Suites differ in whether /bin and /usr/bin are one; where DIR says that they are, they stay so.
suite_extract()
{
	dpkg-deb --fsys-tarfile "$1" | tar x -C "$2" --keep-directory-symlink --no-same-owner \
		--exclude=./usr/share/{doc,info,locale,man}
}

# suite_unpack SUITE ARCH PACKAGE: have the newest version of that package alone unpacked in the cache, print where.
suite_unpack()
{
	local version
	version=$(suite_candidate "$1" "$2" "$3" Version) || exit
	cache_fill "packages/$3-${version//:/_}-$2" suite_unpack_make "$1" "$2" "$3=$version"
}

suite_unpack_make()
{
	say "fetching ${3/=/ }"
	suite_fetch "$1" "$2" "$3" "$4"
	dpkg-deb -x "$4"/*.deb "$4"
	rm -f "$4"/*.deb
}

# suite_closure SUITE ARCH PACKAGE[=VERSION]...: PACKAGE=VERSION of those and of all that they depend on, as if nothing
# were installed yet. What apt keeps for the machine itself stays as it is.
suite_closure()
{
	suite_apt "$1" "$2" apt-get -q --simulate --no-install-recommends -o Dir::State::status=/dev/null \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= install "${@:3}" |
		awk '$1 == "Inst" { print $2 "=" substr($3, 2) }' | sort
}

# suite_tree SUITE ARCH PACKAGE...: have them and all that they depend on unpacked in the cache, and print where. What
# they would do when they are installed is not done.
suite_tree()
{
	local list
	list=$(suite_ask "$1" "$2" suite_closure "${@:3}")
	cache_fill "trees/$3-$2-$(content_key "$list")" suite_tree_make "$1" "$2" "$list"
}

# The two halves of /usr are one in all suites by now; a minimal system's links make it so here.
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

# --- The cache ------------------------------------------------------------------------------------------------------

# content_key TEXT...: a short name that changes when any of the texts does.
content_key()
{
	printf '%s\0' "$@" | sha256sum | cut -c1-16
}

# file_key FILE...: the same for the contents of files, whatever they are called.
file_key()
{
	cat -- "$@" | sha256sum | cut -c1-16
}

# cache_fill ENTRY COMMAND [ARG...]: have COMMAND build cache entry ENTRY unless it exists, and print where it is.
#
# COMMAND gets one more argument, an empty directory to fill, and the entry appears under its name only when COMMAND
# has succeeded: what exists is complete. Two programs that want the same entry take turns, the second finds it there.
# A new entry drives out its neighbours that nobody has asked for in two weeks, for most changes leave one behind.
cache_fill()
{
	local entry=$cache_dir/$1 lock=$cache_dir/lock/${1//\//%} fd
	shift
	if [[ ! -d $entry ]]; then
		mkdir -p "${entry%/*}" "${lock%/*}"
		exec {fd}>"$lock"
		if ! flock -n "$fd"; then
			say "waiting for another program that makes ${entry##*/}"
			flock "$fd"
		fi
		[[ -d $entry ]] || cache_make "$entry" "$@"
		exec {fd}>&-
	fi
	touch -c "$entry"
	printf '%s\n' "$entry"
}

# The subshell owns the half-made directory: however it ends, nothing is left behind.
cache_make()
(
	entry=$1
	shift
	cleanups=()
	# Left by one that was killed outright; we hold the lock, so nobody works on it.
	rm -rf "$entry".??????
	work=$(mktemp -d "$entry.XXXXXX")
	at_exit "rm -rf '$work'"
	chmod 755 "$work"
	"$@" "$work" >&2
	mv -T "$work" "$entry"
	# By ctime: what is just being filled by another program may well have the mtime of what it was unpacked from.
	find "${entry%/*}" -mindepth 1 -maxdepth 1 -ctime +14 -exec rm -rf {} +
)
