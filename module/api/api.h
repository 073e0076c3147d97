/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_API_API_H
#define USER_EVENTS_API_API_H

#include <linux/types.h>

struct user_event;
struct user_event_group;

int ue_api_init(struct user_event_group *group);
void ue_api_exit(void);

int ue_api_provide_memory(void);
void ue_api_free_memory(void);
int ue_api_emit_bytes(struct user_event *event, const void *bytes, size_t size);

#ifdef HAVE_KFUNC_SETS
void ue_bpf_init(void);
void ue_bpf_exit(void);
#else
static inline void ue_bpf_init(void)
{
}

static inline void ue_bpf_exit(void)
{
}
#endif

#endif /* USER_EVENTS_API_API_H */
