#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Usage: refused.sh
#
# Whether the compilers refuse what the macros promise that they refuse: each of
# refused/*.c compiles, as C and as C++, and does not with -DREFUSED, for the
# reason that its first comment gives. What clang cannot say of C, the library
# says when the program runs. From the environment: CC, CXX.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")" || exit 1

passed=0
failed=0

# compiles SOURCE COMPILER-WITH-FLAGS...
compiles()
{
	local source=$1
	shift
	"$@" -Wall -Wextra -Werror -I../include -fsyntax-only "$source" 2>&1
}

# is_refused SOURCE COMPILER-WITH-FLAGS...
is_refused()
{
	local output reason source=$1
	reason=$(sed -n 's,^// refused: ,,p' "$source")
	if ! output=$(compiles "$@"); then
		echo "# $output"
		return 1
	fi
	output=$(compiles "$@" -DREFUSED) && return 1
	grep -qF -e "$reason" <<<"$output" || {
		echo "# $output"
		return 1
	}
}

# is_for SOURCE COMPILER-WITH-FLAGS...
is_for()
{
	[[ "$2 $3" != *clang*-std=gnu11 ]] || ! grep -q '^// only at run time: clang, C' "$1"
}

for source in refused/*.c; do
	for compiler in "${CC:-cc} -std=gnu11" "${CXX:-c++} -x c++ -std=gnu++17"; do
		# shellcheck disable=SC2086 # it has flags
		is_for "$source" $compiler || continue
		# shellcheck disable=SC2086
		if is_refused "$source" $compiler; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "not ok - $source, $compiler"
		fi
	done
done
echo "$passed passed, $failed failed, 0 skipped"
[[ $passed -gt 0 && $failed -eq 0 ]]
