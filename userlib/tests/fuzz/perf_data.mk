# SPDX-License-Identifier: MIT
# The reader of perf.data with libFuzzer.
#
#	make -f perf_data.mk [O=DIR]		the fuzzer, perf_data in DIR
#	make -f perf_data.mk seeds [O=DIR]	what to begin with, in DIR/seeds
#
# Then DIR/perf_data DIR/seeds. A line for corpus/perf_data is an input as
# xxd -p -c 0 prints it; tests/perf_corpus_test.c goes through them.

userlib := $(abspath $(CURDIR)/../..)

O ?= $(abspath $(userlib)/../build/userlib/fuzz)
CLANG ?= clang
CFLAGS ?= -O1 -g
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

sources := $(wildcard $(userlib)/src/*.c) $(userlib)/tests/perf_fuzz.c
sources += perf_data.c

$(O)/perf_data: $(sources) $(wildcard $(userlib)/src/*.h)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu11 -Wall -Wextra -Werror $(CFLAGS) $(SANITIZE) \
		-fsanitize=fuzzer -I$(userlib)/include -I$(userlib)/../uapi \
		-I$(userlib)/src -I$(userlib)/tests -o $@ $(sources) -pthread

seeds:
	@mkdir -p $(O)/seeds
	grep -v '^#' corpus/perf_data | awk '{ \
		print | "xxd -r -p >$(O)/seeds/" NR; \
		close("xxd -r -p >$(O)/seeds/" NR) }'

.PHONY: seeds
