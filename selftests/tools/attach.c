// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches a BPF program that bpftool has loaded, as autoattach of bpftool does
 * since Linux 6.2.
 *
 *   attach PROGRAM LINK
 *
 * PROGRAM is a file of bpffs with a program of tp_btf. It stays attached until the
 * file LINK is removed, which is created in bpffs.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int main(int argc, char **argv)
{
	union bpf_attr get = {}, open = {}, pin = {};

	if (argc != 3) {
		fprintf(stderr, "Usage: attach PROGRAM LINK\n");
		return 2;
	}

	get.pathname = (uintptr_t)argv[1];
	open.raw_tracepoint.prog_fd = bpf(BPF_OBJ_GET, &get);
	pin.bpf_fd = bpf(BPF_RAW_TRACEPOINT_OPEN, &open);
	pin.pathname = (uintptr_t)argv[2];
	if (!bpf(BPF_OBJ_PIN, &pin))
		return 0;

	perror(argv[1]);
	return 1;
}
