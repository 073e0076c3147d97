# SPDX-License-Identifier: MIT
#
# Completion of user-events for fish. The program is asked for its commands and
# their options.

# Prints the patterns that match one event each.
function __user_events_names
    for tracing in /sys/kernel/tracing /sys/kernel/debug/tracing
        test -x $tracing/events; or continue
        for path in $tracing/events/user_events/*/
            set -l name (basename $path)
            printf '%s\n' $name user_events:$name
        end
        for path in $tracing/events/user_events_multi/*/
            printf 'user_events_multi:%s\n' (basename $path)
        end
        return
    end
end

# __user_events_values COMMAND OPTION: prints what can follow an option: words,
# @file or @event. Fails for an option without an argument.
function __user_events_values
    user-events --complete $argv[1] $argv[2] 2>/dev/null
end

# __user_events_print PREFIX VALUES: prints such values, as words that start with
# PREFIX.
function __user_events_print
    switch "$argv[2]"
        case @file
            set -l word (commandline -ct)
            printf '%s\n' $argv[1](__fish_complete_path (string replace -- $argv[1] '' $word))
        case @event
            printf '%s\n' $argv[1](__user_events_names)
        case '?*'
            printf '%s\n' $argv[1](string split ' ' -- $argv[2])
    end
end

# __user_events_options COMMAND ACTION: prints "OPTION<tab>DESCRIPTION" of each long
# option.
function __user_events_options
    # The help of flight has titles of actions.
    string match -qr '^flight (start|dump|attach)$' "$argv[1] $argv[2]"; or set argv[2] ''
    user-events $argv[1] --help 2>/dev/null |
        sed -nE "/^[a-z].*:\$/h; x; /^\$|$argv[2]/!{ x; d }; x;"'s/^  (-., |    )(--[a-z-]+)[^ ]*( [^ ]+)*  +(.*)/\2\t\4/p; t; s/^  (-., |    )(--[a-z-]+).*/\2/p'
end

function __user_events_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l command $words[2]
    set -l values

    if test (count $words) -eq 1
        user-events --help 2>/dev/null |
            sed -nE 's/^  ([a-z]+) +(.*)/\1\t\2/p'
        printf '%s\n' --help --version
        return
    end
    # Completes the command after --.
    if set -l dashes (contains -i -- -- $words)
        complete -C (string join ' ' -- (string escape -- $words[(math $dashes + 1)..]) "$word")
        return
    end
    if string match -q -- '-*' $words[-1]
        and set values (__user_events_values $command $words[-1])
        __user_events_print '' "$values"
        return
    end
    if string match -q -- '--*=*' $word
        set -l option (string replace -r '=.*' '' -- $word)
        set values (__user_events_values $command $option)
        and __user_events_print $option= "$values"
        return
    end
    if string match -q -- '-*' $word
        __user_events_options $command $words[3]
        return
    end
    switch $command
        case list
            if contains -- -e $words; or contains -- --elf $words
                __user_events_print '' @file
            else
                __user_events_names
            end
        case show del watch top stat record latency export
            __user_events_names
        case count
            if test (count $words) -eq 2
                printf '%s\n' start list read stop
            else
                __user_events_names
            end
        case decode report
            __user_events_print '' @file
        case flight
            switch (count $words)
                case 2
                    printf '%s\n' start dump attach stop list
                case 3
                    for path in /run/user-events/flight/*
                        basename $path
                    end
                case '*'
                    __user_events_names
            end
    end
end

complete -c user-events -f -a '(__user_events_complete)'
