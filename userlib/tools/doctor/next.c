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
 * @other: another one that is enough, or NULL
 * @since: first major version that has the option
 */
static const struct {
	const char *option;
	const char *other;
	unsigned int since;
	enum doctor_level level;
	const char *without;
} options[] = {
	{ "CONFIG_MODULES", NULL, 0, DOCTOR_ERROR, "loads no modules" },
	{ "CONFIG_KALLSYMS", NULL, 0, DOCTOR_ERROR, "has no symbol table" },
	{ "CONFIG_EVENT_TRACING", NULL, 0, DOCTOR_ERROR,
	  "has no trace events" },
	{ "CONFIG_KALLSYMS_ALL", "CONFIG_DYNAMIC_EVENTS", 0, DOCTOR_ERROR,
	  "has no dynamic_events and no names of data" },
	{ "CONFIG_PERF_EVENTS", NULL, 0, DOCTOR_WARNING, "has no perf" },
	{ "CONFIG_DEBUG_INFO_BTF", NULL, 5, DOCTOR_NOTE,
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
		    !has_option(doctor, options[i].option) &&
		    !(options[i].other && has_option(doctor, options[i].other)))
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

/* The symbols that the module needs: resolve.h has all. */
static const char *const symbols[] = { DOCTOR_SYMBOLS };
static const char *const dynamic_symbols[] = { DOCTOR_SYMBOLS_DYNAMIC };
static const char *const own_symbols[] = { DOCTOR_SYMBOLS_OWN };

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

static void find_symbols(struct doctor *doctor, const char *map,
			 const char *const names[], size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!has_symbol(map, names[i]))
			doctor_add(doctor, DOCTOR_ERROR, "symbols", NULL,
				   "Linux %s has no symbol %s",
				   doctor->context->release, names[i]);
}

void doctor_check_symbols(struct doctor *doctor)
{
	const char *release = doctor->context->release;
	_cleanup_free_ char *map = read_map(doctor->context);
	size_t before = doctor->count;

	if (!map) {
		doctor_add(doctor, DOCTOR_NOTE, "symbols", NULL,
			   "Linux %s: no list of symbols found; the module "
			   "verifies them when it is loaded",
			   release);
		return;
	}
	find_symbols(doctor, map, symbols, ARRAY_SIZE(symbols));
	if (doctor->config ? has_option(doctor, "CONFIG_DYNAMIC_EVENTS")
			   : has_symbol(map, "dyn_event_register"))
		find_symbols(doctor, map, dynamic_symbols,
			     ARRAY_SIZE(dynamic_symbols));
	else
		find_symbols(doctor, map, own_symbols, ARRAY_SIZE(own_symbols));
	if (doctor->count == before)
		doctor_add(doctor, DOCTOR_OK, "symbols", NULL,
			   "Linux %s has the symbols that the module needs",
			   release);
}
