// SPDX-License-Identifier: GPL-2.0-only
/*
 * Uses each feature of the kernel that not all kernels have. features.mk compiles
 * this file: a feature is missing if there is an error in the lines behind its
 * name, or if they refer to a function that the kernel does not export. Functions
 * that the module looks up by name are only declared here. The last names are
 * checks of the method itself.
 */
#ifdef CONFIG_DEBUG_INFO_BTF_MODULES
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#endif
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/hugetlb.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/ring_buffer.h>
#include <linux/sysctl.h>
#include <linux/task_work.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <trace/events/sched.h>

/* clang-format off */
#line 1 "HAVE_VM_FLAGS_CLEAR"
void probe_clear_flags(struct vm_area_struct *vma) { vm_flags_clear(vma, 0); }

#line 1 "HAVE_FOLL_NOFAULT"
enum { probe_nofault = FOLL_NOFAULT };

#line 1 "HAVE_PIN_USER_PAGES"
void *probe_pin_fast(void) { return pin_user_pages_fast; }

#line 1 "HAVE_GUP_TASK"
long probe_get(struct task_struct *task, struct mm_struct *mm, struct vm_area_struct **vmas)
{
	return get_user_pages_remote(task, mm, 0, 1, 0, 0, vmas, 0);
}

#line 1 "HAVE_GUP_VMAS"
long probe_get_vmas(struct mm_struct *mm, struct page **pages, struct vm_area_struct **vmas)
{
	return get_user_pages_remote(mm, 0, 1, 0, pages, vmas, NULL);
}

#line 1 "HAVE_PIN_VMAS"
long probe_pin(struct mm_struct *mm, struct page **pages, struct vm_area_struct **vmas)
{
	return pin_user_pages_remote(mm, 0, 1, 0, pages, vmas, NULL);
}

#line 1 "HAVE_FOLLOW_HUGETLB_PAGE"
enum { probe_follow = sizeof(&follow_hugetlb_page) };

#line 1 "HAVE_FAULT_REGS"
int probe_fault(struct vm_area_struct *vma) { return handle_mm_fault(vma, 0, 0, NULL); }

#line 1 "HAVE_VMA_LOOKUP"
void *probe_lookup(struct mm_struct *mm) { return vma_lookup(mm, 0); }

#line 1 "HAVE_KMAP_LOCAL"
void *probe_map(struct page *page) { return kmap_local_page(page); }

#line 1 "HAVE_TWA_RESUME"
enum { probe_resume = TWA_RESUME };

#line 1 "HAVE_TASK_WORK_CANCEL_MATCH"
enum { probe_cancel = sizeof(&task_work_cancel_match) };

#line 1 "HAVE_PERFMON_CAPABLE"
bool probe_capable(void) { return perfmon_capable(); }

#line 1 "HAVE_COPY_STRUCT"
int probe_copy_struct(const void __user *from) { return copy_struct_from_user(0, 0, from, 0); }

#line 1 "HAVE_REGISTER_SYSCTL_SZ"
void *probe_settings(struct ctl_table *table) { return register_sysctl_sz("", table, 1); }

#line 1 "HAVE_EXIT_GROUP_DEAD"
void probe_on_exit(void *data, struct task_struct *task, bool group_dead);
enum { probe_attach = sizeof(register_trace_sched_process_exit(probe_on_exit, NULL)) };

#line 1 "HAVE_IMPORT_UBUF"
int probe_import(struct iov_iter *iter) { return import_ubuf(1, NULL, 0, iter); }

#line 1 "HAVE_ITER_IOV"
const struct iovec *probe_iovec(const struct iov_iter *iter) { return iter_iov(iter); }

#line 1 "HAVE_FAULT_IN_IOV_ITER"
size_t probe_fault_in(struct iov_iter *iter) { return fault_in_iov_iter_readable(iter, 1); }

#line 1 "HAVE_NOTIFY_CHANGE_IDMAP"
int probe_change(struct dentry *file, struct iattr *attr)
{
	return notify_change(&nop_mnt_idmap, file, attr, NULL);
}

#line 1 "HAVE_NOTIFY_CHANGE_USERNS"
int probe_change_userns(struct dentry *file, struct iattr *attr)
{
	return notify_change(&init_user_ns, file, attr, NULL);
}

#line 1 "HAVE_EVENT_REFS"
int probe_refs(struct trace_event_call *call)
{
	return call->flags & TRACE_EVENT_FL_DYNAMIC ? atomic_read(&call->refcnt) : 0;
}

#line 1 "HAVE_FIELDS_ARRAY"
const void *probe_fields(struct trace_event_class *class) { return class->fields_array; }

#line 1 "HAVE_FIELD_LEN"
int probe_len(struct trace_event_fields *field) { return field->len; }

#line 1 "HAVE_FILTER_RDYN_STRING"
enum { probe_rdyn = FILTER_RDYN_STRING };

#line 1 "HAVE_BH_OFF_FLAG"
enum { probe_bh_off = TRACE_FLAG_BH_OFF };

#line 1 "HAVE_EVENTFS"
struct eventfs_inode *probe_inode_of(struct trace_event_file *file) { return file->ei; }

#line 1 "HAVE_EVENTFS_FILE"
struct eventfs_file *probe_eventfs_file(struct trace_event_file *file) { return file->ef; }

#line 1 "HAVE_LOOKUP_ONE_LEN"
struct dentry *probe_lookup_child(struct dentry *dir) { return lookup_one_len_unlocked("", dir, 0); }

#line 1 "HAVE_D_CHILDREN"
void *probe_first_child(struct dentry *dir) { return dir->d_children.first; }

#line 1 "HAVE_EVENT_FILE_REF"
int probe_file_ref(struct trace_event_file *file) { return sizeof(file->ref); }

#line 1 "HAVE_TRACE_ARRAY_PUT"
void probe_put(struct trace_array *instance) { trace_array_put(instance); }

#line 1 "HAVE_RING_BUFFER_MAX"
size_t probe_max(struct trace_buffer *buffer) { return ring_buffer_max_event_size(buffer); }

#line 1 "HAVE_MODULE_BTF_BASE"
size_t probe_btf_base(struct module *module) { return module->btf_base_data_size; }

#line 1 "HAVE_KFUNC_SETS"
int probe_kfuncs(struct module *module, const struct btf_kfunc_id_set *set)
{
	struct btf_id_set8 *functions = set->set;

	return functions->cnt < module->btf_data_size ?
	       register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, set) : 0;
}

#line 1 "HAVE_KFUNC_FILTER"
void *probe_filter(const struct btf_kfunc_id_set *set) { return set->filter; }

#line 1 "HAVE_KALLSYMS_WALK"
int probe_symbol(void *data, const char *name, struct module *module, unsigned long address);
enum { probe_walk = sizeof(kallsyms_on_each_symbol(probe_symbol, NULL)) };
enum { probe_in_modules = sizeof(module_kallsyms_lookup_name("")) };

#line 1 "HAVE_KALLSYMS_MATCH"
enum { probe_match = sizeof(&kallsyms_on_each_match_symbol) };

#line 1 "HAVE_MODULE_MUTEX"
void *probe_modules(void) { return &module_mutex; }

#line 1 "HAVE_HEADER_8"
_Static_assert(sizeof(struct trace_entry) == 8, "");

#line 1 "HAVE_HEADER_12"
_Static_assert(sizeof(struct trace_entry) == 12, "");

#line 1 "HAVE_CONTROL"
int probe_control(struct trace_event_call *call) { return call->flags; }

#line 1 "HAVE_NO_FUNCTION"
void probe_no_function(void) { user_events_no_function(); }

#line 1 "HAVE_NO_MEMBER"
int probe_no_member(struct trace_event_call *call) { return call->user_events_no_member; }

#line 1 "HAVE_NO_TYPE"
int probe_no_type(int (*call)(struct trace_event_call *), struct vm_area_struct *vma) { return call(vma); }

#line 1 "HAVE_NO_EXPORT"
void user_events_no_export(void);
void probe_no_export(void) { user_events_no_export(); }
