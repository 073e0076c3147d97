# SPDX-License-Identifier: GPL-2.0-only
# Features of the kernel, detected by the text of its headers. The version does
# not tell, since distributions backport features.
#
# The module is written for kernels with all HAVE_ flags. Without one of them a
# header in compat/ provides the feature; it names the commit that added it.

# have FILE,PATTERN,NAME: -DHAVE_NAME if a line of the header matches.
have = $(if $(shell grep -sE '$(2)' $(srctree)/include/linux/$(1)),-DHAVE_$(3))

compat-flags := $(call have,mm.h,vm_flags_clear,VM_FLAGS_CLEAR)
compat-flags += $(or $(call have,mm_types.h,FOLL_NOFAULT,FOLL_NOFAULT),$(call have,mm.h,FOLL_NOFAULT,FOLL_NOFAULT))
compat-flags += $(call have,mm.h,struct vm_area_struct .*vmas,GUP_VMAS)
compat-flags += $(call have,hugetlb.h,follow_hugetlb_page,FOLLOW_HUGETLB_PAGE)
compat-flags += $(call have,mm.h,vma_lookup,VMA_LOOKUP)
compat-flags += $(call have,highmem.h,kmap_local_page,KMAP_LOCAL)
compat-flags += $(call have,sysctl.h,register_sysctl_sz,REGISTER_SYSCTL_SZ)
compat-flags += $(call have,../trace/events/sched.h,bool group_dead,EXIT_GROUP_DEAD)
compat-flags += $(call have,uio.h,import_ubuf,IMPORT_UBUF)
compat-flags += $(call have,uio.h,fault_in_iov_iter_readable,FAULT_IN_IOV_ITER)
compat-flags += $(call have,fs.h,notify_change.struct mnt_idmap,NOTIFY_CHANGE_IDMAP)
compat-flags += $(call have,fs.h,notify_change.struct user_namespace,NOTIFY_CHANGE_USERNS)
compat-flags += $(call have,trace_events.h,TRACE_EVENT_FL_DYNAMIC,EVENT_REFS)
compat-flags += $(call have,trace_events.h,const int +len;,FIELD_LEN)
compat-flags += $(call have,trace_events.h,FILTER_RDYN_STRING,FILTER_RDYN_STRING)
compat-flags += $(call have,trace_events.h,eventfs_inode,EVENTFS)
compat-flags += $(call have,trace_events.h,atomic_t[[:space:]]+ref;,EVENT_FILE_REF)
compat-flags += $(call have,ring_buffer.h,ring_buffer_max_event_size,RING_BUFFER_MAX)
compat-flags += $(call have,unaligned.h,get_unaligned,LINUX_UNALIGNED)
compat-flags += $(call have,tracepoint.h,srcu_fast,TRACEPOINT_SRCU_FAST)

# Refuse a kernel that protects tracers in neither of the two known ways.
ifeq ($(call have,tracepoint.h,srcu_fast|[^_]synchronize_rcu\(\),A_KNOWN_WAY),)
$(error user_events: this kernel protects tracers in an unknown way: see module/compat/emit_section.h)
endif

# The PREEMPT_RT patches of Linux 6.1 and others add a common field to entries.
compat-flags += $(if $(call have,trace_events.h,preempt_lazy_count;,),-DUSER_EVENT_HEADER_SIZE=12)

compat-objects := $(if $(filter -DHAVE_EVENTFS,$(compat-flags)),,internals/event_files.o)

# Code coverage: count atomically, and count functions before they are inlined.
coverage-flags-$(CONFIG_GCOV_KERNEL) := -fprofile-update=prefer-atomic -fno-early-inlining
