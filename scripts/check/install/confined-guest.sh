# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Tests of programs in containers of Podman and in AppArmor profiles, in the
# guest of scripts/check/install/installed. Source this file after
# installed-guest.sh. The program "contained" writes the event box_contained.

# shellcheck disable=SC2154 # set by installed-guest.sh
box=$tracing/events/user_events/box_contained
data=$tracing/user_events_data
socket=/run/user-events.socket

# The event goes with the last process and the last open file that have it.
event_is_gone()
{
	local tries=0
	while [[ -e $box ]]; do
		((++tries < 100)) || { echo "the event stays" && return; }
		sleep 0.1
	done
}

# written_by COMMAND...: expects records of the event while a command runs,
# which ends when the event is disabled. The last one is in /tmp/record.
written_by()
{
	local tries=0 process
	event_is_gone
	"$@" >/tmp/contained 2>&1 &
	process=$!
	until [[ -e $box/enable ]] || ((++tries > 600)) ||
		[[ ! -e /proc/$process ]]; do
		sleep 0.1
	done
	echo >"$tracing/trace"
	echo 1 >"$box/enable" || { cat /tmp/contained && return 1; }
	until grep ' box_contained: ' "$tracing/trace" | tail -n 1 >/tmp/record &&
		[[ -s /tmp/record ]]; do
		((++tries < 600)) || break
		sleep 0.1
	done
	pids_agree
	echo 0 >"$box/enable"
	wait $process || cat /tmp/contained
}

# The PID of a record is that of the host, and the field that of the container.
pids_agree()
{
	local pid inside
	read -r pid inside < <(sed -n \
		's/^ *contained-\([0-9]*\) .*pid_inside=.*(\([0-9]*\))$/\1 \2/p' \
		/tmp/record)
	[[ $pid ]] || { echo "no record" && cat /tmp/record; return; }
	awk -v pid="$pid" -v inside="$inside" '
		/^NSpid:/ { exit !($2 == pid && $NF == inside) }' \
		"/proc/$pid/status" || {
		cat /tmp/record
		grep NSpid "/proc/$pid/status"
	}
	[[ $pid == "$inside" ]] || watch_has_pids "$pid" "$inside"
	cat "/proc/$pid/attr/current" >/tmp/profile
}

# watch_has_pids PID PID: the tool prints both, also without the field.
watch_has_pids()
{
	user-events watch --json -n 1 box_contained >/tmp/watched 2>&1
	grep -q -F "\"pid\":$1,\"tid\":$1,\"vpid\":$2}" /tmp/watched ||
		cat /tmp/watched
}

# denied PATH COMMAND...: the library must not use the file.
denied()
{
	event_is_gone
	! "${@:2}" >/tmp/contained 2>&1 || echo "not denied"
	grep -q -F "$1: cannot be used: permission denied" /tmp/contained ||
		cat /tmp/contained
	[[ ! -e $box ]] || echo "an event is registered"
}

# serves RULE: starts the broker with a rule.
serves()
{
	sed -i "s/^RULES=.*/RULES=\"--allow $1\"/" /etc/user-events-serve.conf
	systemctl start user-events-serve.socket &&
		systemctl restart user-events-serve.service
}

# --- Podman -----------------------------------------------------------------

# podman_of USER ARGUMENT...: without the session of a login
podman_of()
{
	local directory home
	directory=/run/user/$(id -u "$1")
	home=$(getent passwd "$1" | cut -d : -f 6)
	mkdir -p /run/user
	install -d -o "$1" -m 700 "$directory"
	as "$1" env -C / HOME="$home" XDG_RUNTIME_DIR="$directory" \
		podman --cgroup-manager=cgroupfs --events-backend=none "${@:2}"
}

# in_container USER OPTION... -- ARGUMENT...: runs the program.
in_container()
{
	local user=$1 options=()
	shift
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	podman_of "$user" run --rm --cgroups=disabled --network=none \
		--log-driver=none "${options[@]}" contained \
		/usr/local/bin/contained "${@:2}"
}

# The image has the program and its libraries.
makes_images()
{
	local program=/usr/local/bin/contained files user
	mapfile -t files < <(ldd $program | grep -o '/[^ ]*')
	mkdir /tmp/image
	cp --parents -L $program "${files[@]}" /tmp/image
	tar -C /tmp/image -c -f /tmp/image.tar .
	for user in member other root; do
		quietly podman_of $user import /tmp/image.tar contained
	done
}

test_containers()
{
	local mount=$data:/run/user_events_data
	local broker=(-v "$socket:$socket" -e "USER_EVENTS_SOCKET=$socket")

	check "rootless containers have an image" makes_images
	check "a container with a bind mount writes events" written_by \
		in_container member --group-add=keep-groups -v "$mount" -- \
		/run/user_events_data
	check "a container without the group does not" \
		denied /run/user_events_data in_container member \
		-v "$mount" -- /run/user_events_data
	check "a container with a descriptor writes events" with_descriptor
	check "a container without a rule of the broker does not" \
		denied_by_broker "${broker[@]}"
	check "a container with the broker writes events" \
		written_with_broker "${broker[@]}"

	check "the profile of containers permits the file at another path" \
		written_by in_container root -v "$mount" -- \
		/run/user_events_data
	check "the process had that profile" \
		grep -q '^containers-default-' /tmp/profile
	check "the profile of containers does not permit it below /sys" \
		denied "$data" in_container root -v "$tracing:$tracing" -- \
		"$data"
}

# The user of the container cannot open the file.
with_descriptor()
{
	written_by in_container other --preserve-fds=1 -- 3 \
		3>"$data"
}

# Root in the container is the user outside.
denied_by_broker()
{
	serves uid=0 || return
	denied "$socket" in_container other "$@" --
}

written_with_broker()
{
	serves uid=other,prefix=box_ || return
	written_by in_container other "$@" --
}

# --- AppArmor -----------------------------------------------------------------

# load_profile NAME FLAGS RULES
load_profile()
{
	quietly apparmor_parser --replace <<-END
		#include <tunables/global>
		profile $1 ${2:+flags=($2)} {
			#include <abstractions/base>
			/usr/local/bin/contained mr,
			$3
		}
	END
}

loads_profiles()
{
	local connect="$socket rw,
		unix (connect, send, receive) type=stream,"
	load_profile without "" ""
	load_profile with "" "$data w,"
	load_profile socket "" "$connect"
	load_profile broker attach_disconnected "$connect $data r,"
}

in_profile()
{
	aa-exec -p "$1" -- contained
}

# The kernel checks the attributes of the file by its path, which is that in the
# broker's mount namespace. It does not check the file for writing again.
test_profiles()
{
	check "profiles are loaded" loads_profiles
	check "a profile without the file does not permit events" \
		denied "$data" in_profile without
	check "a profile with the file does" written_by in_profile with
	check "the process had it" grep -q '^with (enforce)$' /tmp/profile
	check "the broker starts" serves uid=0,prefix=box_
	export USER_EVENTS_SOCKET=$socket
	check "a profile with the socket alone does not permit events" \
		denied "$socket" in_profile socket
	check "a profile with the socket and disconnected paths does" \
		written_by in_profile broker
	unset USER_EVENTS_SOCKET
}

test_confined()
{
	cp /etc/user-events-serve.conf /tmp
	test_containers
	test_profiles
	systemctl stop user-events-serve.socket user-events-serve.service
	cp /tmp/user-events-serve.conf /etc
	podman_of root rmi contained >/tmp/removed
	rm -rf /home/{member,other}/.local
}
