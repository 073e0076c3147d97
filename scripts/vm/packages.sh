# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Kernels in package files of any distribution, .deb or .rpm, for
# scripts/vm/kernel, root and try. Source this file after lib.sh.

# Debian's suites, from which compilers are taken. The C library of a suite is
# at least as new as that of the distributions which use its compiler, and runs
# the programs in their headers packages.
# shellcheck disable=SC2034 # for scripts/vm/try
compiler_suites=(bullseye bookworm trixie sid)

# packages_key DIR: prints a key of the package files in DIR.
packages_key()
{
	content_key "$(find -L "$1" -type f -printf '%f %s %T@\n' | sort)" \
		"$(declare -f packages_unpack headers_link)"
}

# tree_links DIR: creates directories and the links of a merged /usr.
tree_links()
{
	local name
	mkdir -p "$1"/usr/{bin,sbin,lib,lib64}
	for name in bin sbin lib lib64; do
		ln -s "usr/$name" "$1/$name"
	done
}

# package_extract FILE DIR: unpacks a package file into a tree.
package_extract()
{
	case $1 in
	*.deb) suite_extract "$1" "$2" ;;
	*.rpm)
		need_packages libarchive-tools
		bsdtar -c -f - "@$1" |
			tar x -C "$2" --keep-directory-symlink --no-same-owner
		;;
	esac
}

# Prints the releases of the kernels in a tree.
package_releases()
{
	local dir release
	for dir in "$1"/usr/lib/modules/*; do
		release=${dir##*/}
		if compgen -G "$dir/vmlinu[xz]" >/dev/null ||
			compgen -G "$1/boot/vmlinu[xz]-$release" >/dev/null; then
			echo "$release"
		fi
	done
}

# headers_link TREE RELEASE: links /lib/modules/RELEASE/build to the headers
# unless the packages have the link; fails if there are none.
headers_link()
{
	local build=$1/usr/lib/modules/$2/build target
	if [[ -L $build ]]; then
		target=$(readlink "$build")
		[[ $target == /* ]] && target=$1$target ||
			target=${build%/*}/$target
		[[ ! -e $target/Makefile ]] || return 0
	fi
	for target in "kernels/$2" "linux-headers-$2"; do
		[[ -e $1/usr/src/$target/Makefile ]] || continue
		ln -s -f -n "/usr/src/$target" "$build"
		return 0
	done
	return 1
}

# packages_unpack FROM DIR: unpacks the package files in the directory FROM into
# DIR/root, with DIR/image, config, release and modules.
packages_unpack()
{
	local root=$2/root file releases release modules
	say "unpacking $(find -L "$1" -type f | wc -l) packages"
	tree_links "$root"
	for file in "$1"/*; do
		package_extract "$file" "$root"
	done
	mapfile -t releases < <(package_releases "$root")
	case ${#releases[@]} in
	0) die "no kernel image in the packages" ;;
	1) release=${releases[0]} ;;
	*) die "images of several kernels in the packages: ${releases[*]}" ;;
	esac
	headers_link "$root" "$release" ||
		die "no headers of $release in the packages"
	echo "$release" >"$2/release"
	modules=$root/usr/lib/modules/$release
	move_one "$2/image" "$root"/boot/vmlinu[xz]-"$release" \
		"$modules"/vmlinu[xz]
	move_one "$2/config" "$root/boot/config-$release" "$modules/config"
	ln -s "root/usr/lib/modules/$release" "$2/modules"
	modules_decompress "$modules"
}

# modules_decompress DIR: busybox loads uncompressed modules only.
modules_decompress()
{
	decompress "$1" xz xz-utils xz
	decompress "$1" zst zstd zstd --rm
	decompress "$1" gz gzip gzip
}

# decompress DIR SUFFIX PACKAGE COMMAND...
decompress()
{
	[[ -n $(find "$1" -name "*.ko.$2" -print -quit) ]] || return 0
	need_packages "$3"
	find "$1" -name "*.ko.$2" -print0 | xargs -0 -n 100 -P "$(nproc)" \
		"${@:4}" --decompress --quiet
}

# config_gcc CONFIG: prints the major version of the compiler of a kernel.
config_gcc()
{
	local version
	version=$(sed -n 's/^CONFIG_GCC_VERSION=//p' "$1")
	((${version:-0} > 0)) ||
		die "the kernel was not compiled with gcc"
	echo $((version / 10000))
}

# compiler_find ARCH GCC SUITE...: prints "SUITE VERSION" of the first suite with
# the compiler GCC, or with the next newer one.
compiler_find()
{
	local arch=$1 gcc suite
	for ((gcc = $2; gcc < $2 + 10; gcc++)); do
		for suite in "${@:3}"; do
			suite_apt "$suite" "$arch" apt-cache show "gcc-$gcc" \
				&>/dev/null || continue
			echo "$suite $gcc"
			return 0
		done
	done
	die "gcc-$2: not in ${*:3}"
}
