# SPDX-License-Identifier: MIT
# All of user-events decode with libFuzzer: files of perf and trace-cmd, to every
# format, which is read again.
#
#	make -f decode.mk [O=DIR]		the fuzzer, decode in DIR
#	make -f decode.mk seeds [O=DIR]		what to begin with, in DIR/seeds
#
# Then DIR/decode DIR/seeds. A line for corpus/decode is an input as xxd -p -c 0
# prints it; tests/tool_decode_test.c goes through them.

userlib := $(abspath $(CURDIR)/../..)

O ?= $(abspath $(userlib)/../build/userlib/fuzz-decode)
CLANG ?= clang
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O1 -g
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

sources := $(wildcard $(userlib)/src/*.c)
sources += $(filter-out %/main.c,$(wildcard $(userlib)/tools/*.c))
sources += $(userlib)/tests/decode/decode_fuzz.c decode.c

$(O)/decode: $(sources) $(wildcard $(userlib)/src/*.h $(userlib)/tools/*.h)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu11 -D_GNU_SOURCE -DTOOL_VERSION='"fuzz"' \
		-Wall -Wextra -Werror -Wno-macro-redefined \
		-Wno-missing-field-initializers $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer \
		-I$(userlib)/include -I$(userlib)/../uapi -I$(userlib)/src \
		-I$(userlib)/tools -I$(userlib)/tests \
		$(shell $(PKG_CONFIG) --cflags json-c) -o $@ $(sources) \
		$(shell $(PKG_CONFIG) --libs json-c) -lm -pthread

seeds:
	@mkdir -p $(O)/seeds
	grep -v '^#' corpus/decode | awk '{ \
		print | "xxd -r -p >$(O)/seeds/" NR; \
		close("xxd -r -p >$(O)/seeds/" NR) }'

.PHONY: seeds
