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

# _user_events_values COMMAND OPTION: prints what can follow an option: words,
# @file or @event. Fails for an option without an argument.
_user_events_values()
{
	"${COMP_WORDS[0]}" --complete "$1" "$2" 2>/dev/null
}

# _user_events_flight INDEX: prints what can be an argument of flight: the action,
# the name of a recorder, or events.
_user_events_flight()
{
	case $1 in
	2) echo start dump attach stop list ;;
	3) compgen -G '/run/user-events/flight/*' | sed 's,.*/,,' ;;
	*) echo @event ;;
	esac
}

# _user_events_complete VALUES WORD: completes a word of such values.
_user_events_complete()
{
	local words=$1

	case $words in
	@file) mapfile -t COMPREPLY < <(compgen -f -- "$2"); return ;;
	@event) words=$(_user_events_names "$2") ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}

_user_events()
{
	local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]-}
	local previous=${COMP_WORDS[COMP_CWORD - 1]-} words='' option='' action=''

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
		_user_events_complete "$words --help --version" "$word"
		return
	fi
	if _user_events_is_behind_dashes; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
		return
	fi
	# bash splits words at ':' and '='.
	if [[ $word == [:=] ]]; then
		option=$previous$word
		word=
	elif [[ $previous == [:=] ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]-}$previous
	fi
	case $option in
	user_events*:)
		words=$(_user_events_names "$option" | sed -n "s/^$option//p")
		_user_events_complete "$words" "$word"
		return
		;;
	--*=) option=${option%=} ;;
	*) option=$previous ;;
	esac
	if [[ $option == -* ]] && words=$(_user_events_values "$command" "$option"); then
		_user_events_complete "$words" "$word"
		return
	fi

	if [[ $word == -* ]]; then
		# The help of flight has titles of actions.
		[[ $command != flight ]] || action=${COMP_WORDS[2]}
		[[ $action == @(start|dump|attach) ]] || action=
		words=$("$program" "$command" --help 2>/dev/null |
			sed -nE "/^[a-z].*:\$/h; x; /^\$|$action/!{ x; d }; x; s/^  (-., |    )(--[a-z-]+).*/\2/p")
	else
		case $command in
		list | show | del | watch | top | stat | record | latency | export) words=@event ;;
		decode | report) words=@file ;;
		count) ((COMP_CWORD == 2)) && words='start list read stop' || words=@event ;;
		flight) words=$(_user_events_flight "$COMP_CWORD") ;;
		esac
		[[ $command != list || " ${COMP_WORDS[*]} " != *" "@(-e|--elf)" "* ]] || words=@file
	fi
	_user_events_complete "$words" "$word"
}

complete -F _user_events user-events
