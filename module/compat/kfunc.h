/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * __bpf_kfunc is new in Linux 6.3 ("bpf: Add __bpf_kfunc tag for marking kernel
 * functions as kfuncs"), and BTF_SET8_KFUNCS in Linux 6.9 ("bpf: treewide: Annotate
 * BPF kfuncs in BTF").
 */
#ifndef USER_EVENTS_COMPAT_KFUNC_H
#define USER_EVENTS_COMPAT_KFUNC_H

#include <linux/btf.h>
#include <linux/btf_ids.h>

#ifndef __bpf_kfunc
#define __bpf_kfunc __attribute__((__used__, __noinline__))
#endif

#ifndef BTF_SET8_KFUNCS
#define BTF_SET8_KFUNCS 0
#endif

#endif /* USER_EVENTS_COMPAT_KFUNC_H */
