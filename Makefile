# SPDX-License-Identifier: GPL-2.0-only
# What a person types. kbuild reads Kbuild instead of this file.

KDIR ?= /lib/modules/$(shell uname -r)/build

# What kbuild is given by name reaches it: W=1 C=1 V=1 KCFLAGS=...
modules:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

install: modules
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install
	depmod -a

clean:
	$(RM) -r build
	find module selftests \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' -o -name '*.o.d' \) \
		-delete
	$(RM) Module.symvers modules.order module/modules.order \
		.Module.symvers.cmd .modules.order.cmd

.PHONY: modules install clean
