// SPDX-License-Identifier: MIT
/*
 * user-events doctor: whether a kernel that is not running has what the module
 * needs. The module itself verifies more when it is loaded.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/symbols.h"

/* ---- Options ---- */

/*
 * Options that the module needs, or that its checks are better with.
 * @since: first major version that has the option
 */
static const struct {
	const char *option;
	unsigned int since;
	enum doctor_level level;
	const char *without;
} options[] = {
	{ "CONFIG_MODULES", 0, DOCTOR_ERROR, "loads no modules" },
	{ "CONFIG_KALLSYMS", 0, DOCTOR_ERROR, "has no symbol table" },
	{ "CONFIG_EVENT_TRACING", 0, DOCTOR_ERROR, "has no trace events" },
	{ "CONFIG_DYNAMIC_EVENTS", 5, DOCTOR_ERROR, "has no dynamic_events" },
	{ "CONFIG_PERF_EVENTS", 0, DOCTOR_WARNING, "has no perf" },
	{ "CONFIG_DEBUG_INFO_BTF", 5, DOCTOR_NOTE,
	  "has no BTF, with which the module verifies private structures" },
};

static bool has_option(const struct doctor *doctor, const char *option)
{
	_cleanup_free_ char *line = tool_print("%s=y", option);

	return context_has_line(doctor->config, line);
}

void doctor_check_options(struct doctor *doctor)
{
	const char *release = doctor->context->release;
	unsigned long version = strtoul(release, NULL, 10);
	size_t i, before = doctor->count;

	if (!doctor->config)
		return;
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (version >= options[i].since &&
		    !has_option(doctor, options[i].option))
			doctor_add(doctor, options[i].level, "options", NULL,
				   "Linux %s %s: %s is not set", release,
				   options[i].without, options[i].option);
	doctor->no_unsigned_modules |=
		has_option(doctor, "CONFIG_MODULE_SIG_FORCE");
	if (doctor->count == before)
		doctor_add(doctor, DOCTOR_OK, "options", NULL,
			   "Linux %s has the options that the module needs",
			   release);
}

/* ---- Symbols ---- */

/* The symbols that the module needs on each of these kernels: resolve.h has all. */
static const char *const symbols[] = { DOCTOR_SYMBOLS };

/* Tests for a line "ADDRESS TYPE NAME". */
static bool has_symbol(const char *map, const char *name)
{
	size_t length = strlen(name);
	const char *at = map;

	while ((at = strstr(at, name))) {
		if (at > map && at[-1] == ' ' &&
		    (at[length] == '\n' || !at[length]))
			return true;
		at += length;
	}

	return false;
}

/* Returns the text of System.map, for free(); NULL if it has no symbols. */
static char *read_map(const struct doctor_context *context)
{
	static const char *const places[][2] = {
		{ "/boot/System.map-", "" },
		{ "/lib/modules/", "/System.map" },
		{ "/lib/modules/", "/build/System.map" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *path = tool_print(
			"%s%s%s", places[i][0], context->release, places[i][1]);
		_cleanup_free_ char *text = context_text(context, path);

		/* That of Debian says where the real one is. */
		if (text && has_symbol(text, "sprint_symbol"))
			return memory_pass(text);
	}

	return NULL;
}

void doctor_check_symbols(struct doctor *doctor)
{
	const char *release = doctor->context->release;
	_cleanup_free_ char *map = read_map(doctor->context);
	size_t i, before = doctor->count;

	if (!map) {
		doctor_add(doctor, DOCTOR_NOTE, "symbols", NULL,
			   "Linux %s: no list of symbols found; the module "
			   "verifies them when it is loaded",
			   release);
		return;
	}
	if (strtoul(release, NULL, 10) < DOCTOR_SYMBOLS_SINCE)
		return;
	for (i = 0; i < ARRAY_SIZE(symbols); i++)
		if (!has_symbol(map, symbols[i]))
			doctor_add(doctor, DOCTOR_ERROR, "symbols", NULL,
				   "Linux %s has no symbol %s", release,
				   symbols[i]);
	if (doctor->count == before)
		doctor_add(doctor, DOCTOR_OK, "symbols", NULL,
			   "Linux %s has the symbols that the module needs",
			   release);
}
