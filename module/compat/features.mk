# SPDX-License-Identifier: GPL-2.0-only
# Features of the kernel. The version does not tell, since distributions backport
# features, and the text of a header does not, since they write them otherwise.
#
# The module is written for kernels with all HAVE_ flags. Without one of them a
# header in compat/ provides the feature; it names the commit that added it.

features-dir := $(dir $(lastword $(MAKEFILE_LIST)))
# objdump does not read the objects of clang's LTO.
features-cc = LC_ALL=C $(CC) $(NOSTDINC_FLAGS) $(LINUXINCLUDE) \
	-include $(srctree)/include/linux/compiler_types.h $(KBUILD_CPPFLAGS) \
	$(filter-out $(CC_FLAGS_LTO),$(KBUILD_CFLAGS)) $(KBUILD_CFLAGS_MODULE) -DMODULE -DKBUILD_MODNAME='"user_events"' \
	-DKBUILD_BASENAME='"features"' -Wno-error -Werror=implicit-function-declaration \
	-Werror=incompatible-pointer-types -Werror=int-conversion \
	$(if $(CONFIG_CC_IS_CLANG),-ferror-limit=0) -x c

features := $(shell sed -n 's/^.line 1 "\(.*\)"$$/\1/p' $(features-dir)features.c)

# One run of the compiler checks all features of features.c. Prints the name of
# each that is missing, or of the header with an error.
features-missing := $(shell $(features-cc) -fsyntax-only $(features-dir)features.c 2>&1 | \
	sed -n 's/^\([^ :]*\):[0-9:]* *\(fatal \)*error: .*/\1/p' | sort -u)

# A function can be declared and not exported. The remaining features are
# compiled, and those that refer to a function outside of Module.symvers are
# missing, too. Only a prepared source tree has no Module.symvers: HAVE_NO_EXPORT
# cannot be detected there.
features-exports ?= $(wildcard $(objtree)/Module.symvers)
features-unexported := $(if $(features-exports),$(shell \
	object=$$(mktemp); \
	awk -v missing=' $(features-missing) ' -f $(features-dir)features.awk \
		$(features-dir)features.c | \
	$(features-cc) -ffunction-sections -w -c -o $$object - && \
	$(OBJDUMP) -t -r $$object | awk -v exports=$(features-exports) \
		-f $(features-dir)features.awk - $(features-dir)features.c; \
	rm -f $$object))
features-missing += $(if $(features-exports),$(features-unexported),HAVE_NO_EXPORT)
features-found := $(filter-out $(features-missing),$(features))

# Linux 5.4.y has the reference count, but frees the structure anyway.
ifeq ($(filter HAVE_FIELDS_ARRAY,$(features-found)),)
features-found := $(filter-out HAVE_EVENT_FILE_REF,$(features-found))
endif

# have NAME: not empty if the kernel has the feature.
have = $(filter HAVE_$(1),$(features-found))

ifneq ($(filter-out HAVE_%,$(features-missing)),)
$(error user_events: the compiler rejects headers of this kernel: $(filter-out HAVE_%,$(features-missing)))
endif
ifneq ($(call have,CONTROL) $(filter HAVE_NO_%,$(features-found)),HAVE_CONTROL )
$(error user_events: cannot detect the features of this kernel with $(CC))
endif

# Kernels that list the symbols of a name look them up fast. The others can list
# all symbols: those of modules, too, under module_mutex, if that is exported,
# since the commits that ended both are of one series. With clang's LTO, a
# look-up ignores the end of some names, but the list has it.
features-list := $(if $(and $(call have,KALLSYMS_WALK),$(features-exports),$(or \
	$(call have,MODULE_MUTEX),$(if $(CONFIG_TRIM_UNUSED_KSYMS),,y))),y)
ifneq ($(features-list)$(call have,KALLSYMS_MATCH)$(CONFIG_LTO_CLANG),y)
features-found := $(filter-out HAVE_KALLSYMS_WALK HAVE_MODULE_MUTEX,$(features-found))
endif

# A description of types (BTF) by kbuild would replace that of api/bpf.c.
ifneq ($(and $(CONFIG_DEBUG_INFO_BTF_MODULES),$(wildcard $(objtree)/vmlinux)),)
features-found := $(filter-out HAVE_MODULE_BTF_BASE HAVE_KFUNC_SETS,$(features-found))
endif

compat-flags := $(addprefix -D,$(filter-out HAVE_CONTROL HAVE_HEADER_%,$(features-found)))

# sparse does not know __has_include().
has-header = $(if $(wildcard $(srctree)/include/linux/$(1).h),-DHAVE_LINUX_$(2))
compat-flags += $(call has-header,mmap_lock,MMAP_LOCK)
compat-flags += $(call has-header,static_call,STATIC_CALL)
compat-flags += $(call has-header,unaligned,UNALIGNED)

# What tracers wait for is known from the text of the header only.
in-tracepoint.h = $(shell grep -sE '$(1)' $(srctree)/include/linux/tracepoint.h)
ifneq ($(call in-tracepoint.h,srcu_fast),)
compat-flags += -DHAVE_TRACEPOINT_SRCU_FAST
else ifeq ($(call in-tracepoint.h,[^_]synchronize_rcu\(\)),)
$(error user_events: this kernel protects tracers in an unknown way: see module/compat/emit_section.h)
endif

# Before Linux 5.0, the functions that add and remove events take event_mutex. Late
# kernels of 4.19.y know the option.
ifeq ($(CONFIG_DYNAMIC_EVENTS)$(filter 4,$(VERSION)),4)
compat-flags += -DEVENT_CALLS_TAKE_MUTEX
endif

# The PREEMPT_RT patches of Linux 6.1 and others add a common field to entries.
ifneq ($(call have,HEADER_12),)
compat-flags += -DUSER_EVENT_HEADER_SIZE=12
else ifeq ($(call have,HEADER_8),)
$(error user_events: entries of this kernel have unknown common fields: struct trace_entry has neither 8 nor 12 bytes)
endif

# Before Linux 5.4, types of dynamic events have another match().
ifeq ($(call have,COPY_STRUCT),)
$(error user_events: this kernel has no copy_struct_from_user: Linux 5.4 or later is required)
endif

# In the first eventfs, files of a removed event access it when they are closed.
ifneq ($(call have,EVENTFS_FILE),)
$(error user_events: this kernel has the first version of eventfs: Linux 6.6.y of March 2024 or later is required)
endif

compat-objects := $(if $(call have,EVENTFS),,internals/event_files.o)
compat-objects += $(if $(call have,EVENTFS),$(if $(call have,LOOKUP_ONE_LEN),internals/eventfs_files.o))
compat-objects += $(if $(call have,EVENTFS)$(call have,EVENT_FILE_REF),,internals/open_files.o)
compat-objects += $(if $(strip $(compat-objects)),internals/dentries.o)
compat-objects += $(if $(call have,KFUNC_SETS),event/lookup.o api/bpf.o api/bpf_types.o)

# Code coverage: count atomically, and count functions before they are inlined.
coverage-flags-$(CONFIG_GCOV_KERNEL) := -fprofile-update=prefer-atomic -fno-early-inlining
