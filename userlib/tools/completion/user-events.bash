# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Completion of user-events for bash. The program is asked for its commands and
# their options.

# Prints the patterns that match one event each.
_user_events_names()
{
	local tracing path name

	for tracing in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[[ -x $tracing/events ]] || continue
		for path in "$tracing"/events/user_events/*/ "$tracing"/events/user_events_multi/*/; do
			[[ -d $path ]] || continue
			path=${path%/}
			name=${path##*/}
			[[ $path == */user_events_multi/* ]] && name=user_events_multi:$name
			# Keeps the system if the word has one.
			[[ $1 == user_events:* ]] && name=user_events:$name
			printf '%s\n' "$name"
		done
		return
	done
}

# Succeeds if there is a -- before the completed word.
_user_events_is_behind_dashes()
{
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] && return 0
	done
	return 1
}

# Arguments of --time, --format and --fields
_user_events_times='utc local clock relative delta'
_user_events_formats='text json csv logfmt chrome ctf'
_user_events_fields='time cpu pid tid comm event level fields'

_user_events()
{
	local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]-}
	local previous=${COMP_WORDS[COMP_CWORD - 1]-} words='' behind=''

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$word")
		return
	fi
	if _user_events_is_behind_dashes; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
		return
	fi
	# bash splits words at ':' and '='.
	if [[ $word == [:=] ]]; then
		behind=$previous$word
		word=
	elif [[ $previous == [:=] ]]; then
		behind=${COMP_WORDS[COMP_CWORD - 2]-}$previous
	fi

	case $behind in
	--color=) words='auto always never' ;;
	--time=) words=$_user_events_times ;;
	--format=) words=$_user_events_formats ;;
	--fields=) words=$_user_events_fields ;;
	--*=) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
	user_events*:)
		words=$(_user_events_names "$behind" | sed -n "s/^$behind//p")
		;;
	*)
		case $previous in
		-F) [[ $command == add ]] || words=$_user_events_fields ;;
		esac
		[[ -z $words ]] && case $previous in
		-e | --elf | -F | --file | -o | --output | -r | --read) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
		--color) words='auto always never' ;;
		--time) words=$_user_events_times ;;
		-t | --format) words=$_user_events_formats ;;
		--fields) words=$_user_events_fields ;;
		esac
		;;
	esac
	if [[ -z $words && $word == -* ]]; then
		words=$("$program" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
	elif [[ -z $words && -z $behind ]]; then
		case $command in
		list | show | del | watch | top | stat | record | latency) words=$(_user_events_names "$word") ;;
		decode) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _user_events user-events
