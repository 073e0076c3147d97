# SPDX-License-Identifier: GPL-2.0-only
# What the kernel offers, told by the text of its headers: distributions carry
# newer things back to older versions, so the version does not tell.
#
# Each HAVE_ says that the kernel has what the core is written for; without it
# a header in compat/ fills in, and names the change that made it necessary.

# have FILE,PATTERN,NAME: -DHAVE_NAME if a line of the header matches.
have = $(if $(shell grep -sE '$(2)' $(srctree)/include/linux/$(1)),-DHAVE_$(3))

compat-flags := $(call have,mm.h,vm_flags_clear,VM_FLAGS_CLEAR)
compat-flags += $(or $(call have,mm_types.h,FOLL_NOFAULT,FOLL_NOFAULT),$(call have,mm.h,FOLL_NOFAULT,FOLL_NOFAULT))
compat-flags += $(call have,mm.h,struct vm_area_struct .*vmas,GUP_VMAS)
compat-flags += $(call have,hugetlb.h,follow_hugetlb_page,FOLLOW_HUGETLB_PAGE)
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

# Readers of tracing state are protected in one of two ways. With neither sign
# in the header there is a third one, and nothing would tell.
ifeq ($(call have,tracepoint.h,srcu_fast|[^_]synchronize_rcu\(\),A_KNOWN_WAY),)
$(error How this kernel protects readers of tracing state is not known, see module/compat/probe_section.h)
endif

# The PREEMPT_RT patches of Linux 6.1 and others add a common field to entries.
compat-flags += $(if $(call have,trace_events.h,preempt_lazy_count;,),-DUSER_EVENT_HEADER_SIZE=12)

compat-objects := $(if $(filter -DHAVE_EVENTFS,$(compat-flags)),,internals/event_files.o)

# Where it is counted what is run, no count is lost between two processors, and
# a function is counted as it is written, not as what is left of it in others.
coverage-flags-$(CONFIG_GCOV_KERNEL) := -fprofile-update=prefer-atomic -fno-early-inlining
