# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Checks that run several commands in parallel. Source this file after lib.sh
# and tap-summary.sh, in the top directory.

# Directory of the logs, and the number of commands at the same time
parallel_dir=build/check/${0##*/}
parallel_jobs=$(nproc)

parallel_names=()
parallel_running=0

# parallel_start NAME COMMAND...: starts COMMAND as soon as fewer than
# parallel_jobs run. Its log is parallel_dir/NAME.log.
parallel_start()
{
	local name=$1
	shift
	if ((parallel_running == parallel_jobs)); then
		wait -n || true
		((parallel_running -= 1)) || true
	fi
	parallel_names+=("$name")
	mkdir -p "$parallel_dir/$(dirname "$name")"
	(
		start=$SECONDS status=0
		timed "$name" "$@" >"$parallel_dir/$name.log" 2>&1 </dev/null ||
			status=$?
		echo "$status $((SECONDS - start))" \
			>"$parallel_dir/$name.status"
	) &
	at_exit "kill_child $!"
	((parallel_running += 1))
}

# Waits for all commands, prints their output, adds their totals, and prints how
# long each has taken.
parallel_finish()
{
	local name status
	wait || true
	for name in "${parallel_names[@]}"; do
		printf '# %s\n' "$name"
		cat "$parallel_dir/$name.log"
		read -r status _ <"$parallel_dir/$name.status" || status=1
		summary_add "$name" "$status" "$parallel_dir/$name.log"
	done
	for name in "${parallel_names[@]}"; do
		printf '# %-26s %5d s  %s\n' "$name" \
			"$(cut -d' ' -f2 "$parallel_dir/$name.status")" \
			"$(tail -n 1 "$parallel_dir/$name.log")"
	done
}
