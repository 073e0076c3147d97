# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A check made of commands that run beside each other. Source it after lib.sh and tap-summary.sh.

# What they print, and how many may run at once.
beside_dir=build/check/${0##*/}
beside_jobs=$(nproc)

beside_names=()
beside_running=0

# beside_start NAME COMMAND...: once there is a place for it. The name is that of files below beside_dir, too.
beside_start()
{
	local name=$1
	shift
	if ((beside_running == beside_jobs)); then
		wait -n || true
		((beside_running -= 1)) || true
	fi
	beside_names+=("$name")
	mkdir -p "$beside_dir/$(dirname "$name")"
	(
		began=$SECONDS status=0
		"$@" >"$beside_dir/$name.log" 2>&1 </dev/null || status=$?
		echo "$status $((SECONDS - began))" >"$beside_dir/$name.status"
	) &
	at_exit "kill $! 2>/dev/null"
	((beside_running += 1))
}

# beside_end: waits for all of them, prints what they printed, adds it up (sum_run), and says how long each took.
beside_end()
{
	local name
	wait || true
	for name in "${beside_names[@]}"; do
		sum_run "$name" beside_show "$name"
	done
	for name in "${beside_names[@]}"; do
		printf '# %-26s %5d s  %s\n' "$name" "$(cut -d' ' -f2 "$beside_dir/$name.status")" \
			"$(tail -n 1 "$beside_dir/$name.log")"
	done
}

beside_show()
{
	local status
	read -r status _ <"$beside_dir/$1.status"
	cat "$beside_dir/$1.log"
	return "$status"
}
