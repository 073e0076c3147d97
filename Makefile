# SPDX-License-Identifier: GPL-2.0-only
# What a person types. kbuild reads Kbuild instead of this file.

KDIR ?= /lib/modules/$(shell uname -r)/build

# Type information of the module needs that of the kernel, which Debian's
# headers have not; without this kbuild says so each time.
NO_BTF := $(if $(wildcard $(KDIR)/vmlinux),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# Seconds that each part of make fuzz takes.
TIME ?= 60

help:
	@echo 'make modules [KDIR=headers]  the module, for the running kernel or the one whose headers are named;'
	@echo '                             W=1 C=1 V=1 ... reach kbuild'
	@echo 'make install [KDIR=headers]  the module, to where modprobe finds it'
	@echo 'make userlib                 the libraries, user-events and the examples, into build/userlib'
	@echo 'make demo [KERNEL=6.1]       see ftrace, perf and trace-cmd listen to a program on a stock kernel in QEMU'
	@echo 'make check                   the test suite, on the kernels that there is time for'
	@echo 'make check-matrix            the module on every stock kernel (KERNEL=name: on that one), and a table'
	@echo 'make check-long              everything that there is, which takes a night'
	@echo 'make check-style             ... what can be said without running anything'
	@echo 'make check-unit              ... the pure layer as a user-space program'
	@echo 'make check-userlib           ... libuserevents by itself'
	@echo 'make check-userlib-vm        ... its examples, on kernels with user_events of different kinds'
	@echo 'make check-user-events              ... user-events beside perf, trace-cmd and others'
	@echo 'make check-fleet             ... user events that go from one guest to another, and to a message broker'
	@echo 'make check-viewer            ... what it writes for timelines, in Perfetto and in Chromium'
	@echo 'make check-kunit             ... the pure layer and the objects in a KUnit kernel'
	@echo 'make check-vm                ... the module on the stock kernel of Debian 12'
	@echo 'make check-differential      ... the module and the in-kernel user_events, doing the same'
	@echo 'make check-hold              ... how long the module keeps event_mutex, beside the in-kernel user_events'
	@echo 'make check-debug             ... the module on a kernel that watches memory, locks and lifetimes'
	@echo 'make coverage                which lines and branches of the module and the library the tests reach'
	@echo 'make mutants                 small mistakes, made on purpose, that the tests must see'
	@echo 'make bench                   what an event costs, in instructions'
	@echo 'make bench-scale             ... what operations cost with many enablers and processes (IN_KERNEL=yes: in-kernel, too)'
	@echo 'make fuzz [TIME=60]          inputs that nobody thought of, for so many seconds'
	@echo 'make clean                   what was built here; kernels and guests stay in ~/.cache/user-events'

modules:
	$(MAKE) -C $(KDIR) M=$(CURDIR) $(NO_BTF) modules

install: modules
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install
	depmod -a

userlib:
	$(MAKE) -C userlib O=$(CURDIR)/build/userlib

demo:
	@scripts/demo/run

check:
	@scripts/check/run

check-style check-unit check-userlib check-kunit check-vm-runner check-vm \
check-demo check-userlib-vm check-user-events check-fleet check-viewer \
check-differential check-debug:
	@scripts/check/run $(@:check-%=%)

check-hold:
	@scripts/check/hold

check-long:
	@scripts/check/full

coverage:
	@scripts/check/coverage

mutants:
	@scripts/check/mutants

bench:
	@scripts/bench/library

bench-scale:
	@scripts/bench/scale $(if $(IN_KERNEL),--in-kernel)

fuzz:
	@scripts/fuzz/run --time $(TIME)

check-matrix:
	@scripts/check/matrix $(KERNEL)

clean:
	$(RM) -r build
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' \
		-o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name '*.o.d' -o -name modules.order \
		-o -name Module.symvers \) -type f -print | xargs -r $(RM)

.PHONY: help modules install userlib demo check check-matrix fuzz clean
.PHONY: check-style check-unit check-userlib check-kunit check-vm-runner check-vm
.PHONY: check-demo check-userlib-vm check-user-events check-fleet check-viewer
.PHONY: check-differential check-debug check-hold check-long coverage mutants
.PHONY: bench bench-scale
