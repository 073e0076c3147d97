# SPDX-License-Identifier: GPL-2.0-only
# Makes a file again when its command has changed, as kbuild does: another
# compiler, other flags, a library that was installed, a source that was removed.
# The command is kept in FILE.cmd, which the Makefile must include.
#
#	FILE: PREREQUISITES FORCE
#		$(call if_changed,COMMAND)
#
# Commas of COMMAND must be in variables; $(inputs) are its PREREQUISITES.
#
# Two differences do not count, because neither changes the file: -Werror, and
# another path to the same O. And make install does not compare, so that it
# installs what was built, with whatever flags.

inputs = $(filter-out FORCE,$^)
saved = command_of_$(@:$(O)/%=%)
normal = $(strip $(filter-out -Werror,$(subst $(O)/,,$(1))))
installs := $(filter install uninstall,$(firstword $(MAKECMDGOALS)))
differs = $(if $(installs),,$(subst x$(normal),,x$(value $(saved))))

define run_and_save
@mkdir -p $(@D)
$(1)
@printf '%s\n' '$(saved) := $(subst ','\'',$(subst $$,$$$$,$(normal)))' >$@.cmd
endef

if_changed = $(if $(filter-out FORCE,$?)$(differs),$(run_and_save),@:)

# The dependencies of a file, also for another path to the same O. With -MMD, ccache
# would not see that a header of the system has changed.
depend = -MD -MP -MT '$$(O)/$(@:$(O)/%=%)'

# Otherwise, make would look for rules that make the included files.
%.cmd %.d: ;

.PHONY: FORCE
