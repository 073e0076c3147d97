# SPDX-License-Identifier: GPL-2.0-only
# Targets for users and developers. kbuild reads Kbuild instead.

PREFIX ?= /usr/local
KDIR ?= /lib/modules/$(shell uname -r)/build

# Type information of the module needs that of the kernel, which Debian's
# headers lack; kbuild would print a warning for each build. module/api/bpf.c has
# what BPF programs need.
NO_BTF := CONFIG_DEBUG_INFO_BTF_MODULES=

# Seconds for each fuzzer of make fuzz
TIME ?= 60

help:
	@echo 'modules [KDIR=DIR]           build the module for the running kernel, or for'
	@echo '                             the headers in DIR; W=1 C=1 V=1 ... are passed'
	@echo '                             to kbuild'
	@echo 'userlib                      build libraries, user-events and examples in'
	@echo '                             build/userlib'
	@echo 'install [KDIR=DIR] [DESTDIR=DIR] [PREFIX=DIR]'
	@echo '                             install module, libraries and user-events;'
	@echo '                             KEY=FILE CERT=FILE: sign the module;'
	@echo '                             install-module, install-userlib,'
	@echo '                             install-boot: one of them'
	@echo 'uninstall [...]              remove what install with the same variables has'
	@echo '                             installed; uninstall-module ...: one of them'
	@echo 'install-dkms [DESTDIR=DIR]   copy the sources of the module for DKMS; then:'
	@echo '                             dkms install user-events/VERSION'
	@echo 'deb, rpm                     build packages in build/deb or build/rpm'
	@echo 'repository                   make a repository for apt in build/repository'
	@echo 'docs                         convert Documentation/ to HTML in build/docs;'
	@echo '                             requires python3-sphinx'
	@echo 'demo [KERNEL=6.1]            trace a program with ftrace, perf and trace-cmd'
	@echo '                             on a stock kernel in QEMU'
	@echo 'check                        run the test suite on some kernels'
	@echo 'check-matrix [KERNEL=NAME]   test the module on all stock kernels, or one,'
	@echo '                             and print a table'
	@echo 'check-next                   test the module on the newest release candidate'
	@echo '                             of Debian experimental, and print a table row'
	@echo 'check-long                   run all tests, which takes a night'
	@echo 'check-style                  check the sources without running them'
	@echo 'check-install                install the module and the packages, boot a system'
	@echo '                             with them, and run make demo on a bare one'
	@echo 'check-unit                   test the pure layer as a user-space program'
	@echo 'check-bench                  compare the instructions of an event with those'
	@echo '                             of scripts/bench/expected'
	@echo 'check-userlib                test libuserevents'
	@echo 't T=FOLDER/NAME              run one of its tests, such as T=query/select'
	@echo 'check-userlib-vm             run its examples on kernels with different'
	@echo '                             user_events'
	@echo 'check-user-events            test user-events with perf, trace-cmd and others'
	@echo 'check-fleet                  send user events to another guest and to a'
	@echo '                             message broker'
	@echo 'check-viewer                 load timelines of user-events in Perfetto and'
	@echo '                             Chromium'
	@echo 'check-kunit                  test the pure layer and the objects in a KUnit'
	@echo '                             kernel'
	@echo 'check-vm                     test the module on the stock kernel of Debian 12'
	@echo 'check-vm-runner              test the scripts that run guests'
	@echo 'check-demo                   run the demonstration and check it'
	@echo 'check-differential           compare the module with the in-kernel'
	@echo '                             user_events'
	@echo 'check-hold                   measure hold times of event_mutex, compared with'
	@echo '                             the in-kernel user_events'
	@echo 'check-debug                  test the module on a debug kernel'
	@echo 'coverage                     print lines and branches of the module and the'
	@echo '                             library that tests cover'
	@echo 'mutants                      check that the tests detect small mistakes'
	@echo 'bench [IN_KERNEL=yes]        measure the cost of an event, of a record and of'
	@echo '                             decoding it in instructions'
	@echo 'bench-profile ROW=NAME       print the instructions of a row of bench by'
	@echo '                             function'
	@echo 'bench-scale [IN_KERNEL=yes]  measure operations with many enablers and'
	@echo '                             processes, also of the in-kernel user_events'
	@echo 'bench-memory [IN_KERNEL=yes] measure the kernel memory of events, enablers'
	@echo '                             and open files'
	@echo 'bench-apps                   measure what the probes of whole programs cost'
	@echo 'bench-targets                print the targets for the speed, and which the'
	@echo '                             results in Documentation/performance meet'
	@echo 'bench-time [THREADS=N] [DURATION=MS]'
	@echo '                             measure on this machine, with the module loaded,'
	@echo '                             what a record costs in nanoseconds'
	@echo 'bench-plots                  draw the plots of Documentation/performance'
	@echo 'fuzz [TIME=60]               run the fuzzers for TIME seconds each'
	@echo 'release                      check the tree, run the test suite, make the tag'
	@echo '                             and the source archive'
	@echo 'clean                        remove build results; kernels and guests stay in'
	@echo '                             ~/.cache/user-events'

modules:
	@[ -e $(KDIR)/Makefile ] || KDIR=$(KDIR) scripts/install/module check
	$(MAKE) -C $(KDIR) M=$(CURDIR) $(NO_BTF) modules

install: install-module install-userlib install-boot

uninstall: uninstall-boot uninstall-userlib uninstall-module

# Not KEY and CERT of the environment, which can be those of another program.
given = $(if $(filter command,$(origin $(1))),$($(1)))

install-module: modules
	KDIR=$(KDIR) DESTDIR=$(DESTDIR) KEY='$(call given,KEY)' \
		CERT='$(call given,CERT)' scripts/install/module install

uninstall-module:
	KDIR=$(KDIR) DESTDIR=$(DESTDIR) scripts/install/module uninstall

install-userlib uninstall-userlib:
	$(MAKE) -C userlib O=$(CURDIR)/build/userlib $(@:%-userlib=%)

boot = $(DESTDIR)$(PREFIX)/libexec/user-events-boot
units = $(DESTDIR)$(PREFIX)/lib/systemd/system
services = user-events.service user-events-record.service \
	user-events-serve.service user-events-serve.socket
sysusers = $(DESTDIR)$(PREFIX)/lib/sysusers.d/user-events.conf
settings = user-events.conf user-events-record.conf user-events-serve.conf
# Run when a kernel or its headers are installed, on Debian and elsewhere
kernel_hooks = $(DESTDIR)/etc/kernel/postinst.d/zz-user-events \
	$(DESTDIR)/etc/kernel/header_postinst.d/zz-user-events \
	$(DESTDIR)$(if $(filter /usr,$(PREFIX)),/usr/lib,/etc)/kernel/install.d/95-user-events.install
boot_pages = $(DESTDIR)$(PREFIX)/share/man/man8
pages = user-events-boot.8 user-events-record.service.8

# Settings that an administrator has changed stay.
install-boot:
	install -d $(dir $(boot) $(sysusers) $(kernel_hooks)) $(units) \
		$(boot_pages) $(DESTDIR)/etc/user-events.d
	sed 's,@bindir@,$(PREFIX)/bin,' scripts/boot/user-events-boot >$(boot)
	for hook in $(kernel_hooks); do \
		sed 's,@bindir@,$(PREFIX)/bin,' scripts/boot/user-events-kernel \
			>$$hook || exit; \
	done
	chmod 755 $(boot) $(kernel_hooks)
	for name in $(services); do \
		sed 's,@libexecdir@,$(PREFIX)/libexec,; s,@bindir@,$(PREFIX)/bin,' \
			scripts/boot/$$name >$(units)/$$name || exit; \
	done
	install -m 644 scripts/boot/user-events.sysusers $(sysusers)
	install -m 644 $(pages:%=scripts/boot/%) $(boot_pages)
	for name in $(settings); do \
		[ -e $(DESTDIR)/etc/$$name ] || \
			install -m 644 scripts/boot/$$name $(DESTDIR)/etc || exit; \
	done
ifeq ($(DESTDIR),)
	! type systemd-sysusers >/dev/null 2>&1 || systemd-sysusers $(sysusers)
	[ ! -d /run/systemd/system ] || systemctl daemon-reload
endif

uninstall-boot:
ifeq ($(DESTDIR),)
	-! type systemctl >/dev/null 2>&1 || [ ! -e $(units)/user-events.service ] || \
		systemctl --quiet disable $(services) \
			$(if $(wildcard /run/systemd/system),--now)
endif
	$(RM) $(boot) $(kernel_hooks) $(services:%=$(units)/%) $(sysusers) $(pages:%=$(boot_pages)/%)
	for name in $(settings); do \
		! cmp -s scripts/boot/$$name $(DESTDIR)/etc/$$name || \
			$(RM) $(DESTDIR)/etc/$$name; \
	done
	-rmdir --ignore-fail-on-non-empty $(DESTDIR)/etc/user-events.d
ifeq ($(DESTDIR),)
	[ ! -d /run/systemd/system ] || systemctl daemon-reload
endif

version := $(shell cat VERSION)
dkms = $(DESTDIR)/usr/src/user-events-$(version)

install-dkms:
	install -d $(dkms)
	find Kbuild VERSION module uapi -path module/tests -prune -o \
		\( -name '*.[ch]' ! -name '*.mod.c' -o -name '*.mk' \
		-o -name '*.awk' -o -name Kbuild -o -name VERSION \) \
		-exec cp --parents --preserve=timestamps -t $(dkms) {} +
	sed 's/#MODULE_VERSION#/$(version)/' scripts/install/dkms.conf \
		>$(dkms)/dkms.conf

userlib:
	$(MAKE) -C userlib O=$(CURDIR)/build/userlib

docs:
	sphinx-build -E -q -W --keep-going -d build/docs/.doctrees \
		Documentation build/docs

demo:
	@scripts/demo/run

check:
	@scripts/check/run

# One unit test of the libraries or the tool
t:
	@[ -e "$(wildcard userlib/tests/unit/$(T)_test.c*)" ] || \
		{ echo 'usage: make t T=FOLDER/NAME, as in' \
		'userlib/tests/unit/FOLDER/NAME_test.c' >&2; exit 2; }
	@$(MAKE) --no-print-directory -C userlib O=$(CURDIR)/build/userlib check \
		tests=$(if $(wildcard userlib/tests/unit/$(T)_test.c),$(T)_test) \
		cxx_tests=$(if $(wildcard userlib/tests/unit/$(T)_test.cc),$(T)_test)

check-style check-unit check-bench check-userlib check-kunit check-vm-runner \
check-vm check-demo check-userlib-vm check-user-events check-fleet check-viewer \
check-differential check-debug:
	@scripts/check/run $(@:check-%=%)

check-install:
	@scripts/check/install/install --packages
	@scripts/check/install/installed stock-6.1
	@scripts/check/install/installed stock-6.12
	@scripts/check/install/secure-boot stock-6.1
	@scripts/check/install/secure-boot stock-6.12
	@scripts/check/install/bare
	@scripts/check/install/bare trixie

check-next:
	@scripts/check/vm/next

check-hold:
	@scripts/check/vm/hold

check-long:
	@scripts/check/full

coverage:
	@scripts/check/vm/coverage

mutants:
	@scripts/check/unit/mutants

bench:
	@scripts/bench/library
	@scripts/bench/write $(if $(IN_KERNEL),--in-kernel)
	@scripts/bench/decode

bench-profile:
	@scripts/bench/profile $(if $(IN_KERNEL),--in-kernel) $(ROW)

bench-scale:
	@scripts/bench/scale $(if $(IN_KERNEL),--in-kernel)

bench-memory:
	@scripts/bench/scale --memory $(if $(IN_KERNEL),--in-kernel)

bench-apps:
	@scripts/bench/apps

bench-targets:
	@scripts/bench/targets

bench-time:
	@scripts/bench/time $(if $(THREADS),--threads $(THREADS)) \
		$(if $(DURATION),--duration $(DURATION))

bench-plots:
	@scripts/bench/plot

fuzz:
	@scripts/fuzz/run --time $(TIME)

check-matrix:
	@scripts/check/vm/matrix $(KERNEL)

release:
	@scripts/release/run

deb rpm repository:
	@scripts/package/$@

clean:
	$(RM) -r build
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' \
		-o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name '*.o.d' -o -name modules.order \
		-o -name Module.symvers \) -type f -print | xargs -r $(RM)

.PHONY: help modules install uninstall install-module uninstall-module
.PHONY: install-userlib uninstall-userlib install-boot uninstall-boot
.PHONY: install-dkms deb rpm repository
.PHONY: userlib docs demo check t check-matrix fuzz clean
.PHONY: check-style check-install check-unit check-bench check-userlib
.PHONY: check-kunit check-vm-runner check-vm
.PHONY: check-demo check-userlib-vm check-user-events check-fleet check-viewer
.PHONY: check-next check-differential check-debug check-hold check-long coverage
.PHONY: mutants bench bench-profile bench-scale bench-memory bench-apps
.PHONY: bench-targets bench-time bench-plots
.PHONY: release
