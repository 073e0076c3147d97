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
	rm -rf "$cache_dir/apt"
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
	local spec missing=()
	for spec; do
		if [[ $spec == *=* ]]; then
			[[ $(package_version "${spec%%=*}") == "${spec#*=}" ]] || missing+=("$spec")
		else
			package_installed "$spec" || missing+=("$spec")
		fi
	done
	((${#missing[@]})) || return 0
	((EUID == 0)) || die "these packages are missing, and only root can install them: ${missing[*]}"
	say "installing: ${missing[*]}"
	apt_install "${missing[@]}" >/dev/null 2>&1 && return 0
	# Most often the lists were never fetched, or name versions that the mirror has replaced since.
	apt_update
	apt_quietly apt_install "${missing[@]}" || die "could not install: ${missing[*]}"
}

# apt_candidate PACKAGE FIELD: that field of the version apt would install now.
#
# apt needs half a second to answer, so the answer is kept until the package lists change.
apt_candidate()
{
	local kept=$cache_dir/apt/$1
	if [[ ! -s $kept || ! $kept -nt /var/lib/apt/lists ]]; then
		mkdir -p "${kept%/*}"
		apt-cache --no-all-versions show "$1" >"$kept.$$" 2>/dev/null || true
		if [[ ! -s $kept.$$ ]]; then
			apt_update
			apt-cache --no-all-versions show "$1" >"$kept.$$" 2>/dev/null || true
		fi
		mv "$kept.$$" "$kept"
		[[ -s $kept ]] || die "apt knows no package $1"
	fi
	sed -n "s/^$2: //p" "$kept"
}

# apt_fetch PACKAGE=VERSION DIR: the package file, into DIR; nothing gets installed.
#
# A mirror drops a version when it has the next one. When that is why it is not to be had, the lists are new by now and
# the status is $status_stale: whoever chose that version may choose again.
status_stale=75

apt_fetch()
{
	(
		cd "$2" || exit
		# apt drops to a user of its own for downloads and complains when that one cannot write here.
		apt_fetch_now() { apt-get -q -o APT::Sandbox::User=root download "$1"; }
		apt_fetch_now "$1" >/dev/null 2>&1 && exit 0
		apt_update
		die_status=$status_stale
		apt_quietly apt_fetch_now "$1" || die "could not download: $1"
	)
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
	find "${entry%/*}" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
)
