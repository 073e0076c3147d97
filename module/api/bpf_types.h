/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that BPF programs call, and the description of their types.
 */
#ifndef USER_EVENTS_API_BPF_TYPES_H
#define USER_EVENTS_API_BPF_TYPES_H

#include <linux/types.h>

struct btf_id_set8;

int bpf_user_event_enabled_sized(const char *name, u32 name__sz);
int bpf_user_event_write_sized(const char *name, u32 name__sz,
			       const void *record, u32 record__sz);

/*
 * Linux 6.8 and later verify that an argument is a constant string. Nothing of the
 * kernel's headers tells that, so this is available with what is new in Linux 6.11.
 */
#ifdef HAVE_MODULE_BTF_BASE
int bpf_user_event_enabled(const char *name__str);
int bpf_user_event_write(const char *name__str, const void *record,
			 u32 record__sz);
#endif

struct btf_id_set8 *ue_bpf_types_init(void);

#endif /* USER_EVENTS_API_BPF_TYPES_H */
