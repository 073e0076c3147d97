// SPDX-License-Identifier: MIT
/* user-events doctor: whether the kernel has user_events. */
#include <stdlib.h>

#include "doctor/checks.h"

#ifdef TOOL_HAS_ZLIB
#include <zlib.h>

#include <userevents/decode.h>

/* Returns the decompressed content of a file, for free(); NULL on error. */
static char *unpack(const char *path)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	gzFile file = gzopen(path, "rbe");
	char part[16384];
	int got = -1;

	if (!file)
		return NULL;
	while (!gzdirect(file) && (got = gzread(file, part, sizeof(part))) > 0)
		tool_append(&text, part, (size_t)got);
	if (gzclose(file) != Z_OK || got)
		uev_output_release(&text);

	return text.text;
}
#else
static char *unpack(const char *path)
{
	(void)path;

	return NULL;
}
#endif

/* The last one is that of the headers. */
static const struct {
	const char *before;
	const char *after;
} configs[] = {
	{ "/boot/config-", "" },
	{ "/lib/modules/", "/config" },
	{ "/lib/modules/", "/build/.config" },
};

/* Returns the kernel configuration, for free(); NULL if it is not found. */
static char *read_config(const struct doctor_context *context)
{
	_cleanup_free_ char *packed = context_path(context, "/proc/config.gz");
	char *text = context->is_next ? NULL : unpack(packed);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(configs) && !text; i++) {
		_cleanup_free_ char *path =
			tool_print("%s%s%s", configs[i].before,
				   context->release, configs[i].after);

		text = context_text(context, path);
	}

	return text;
}

void doctor_check_kernel(struct doctor *doctor)
{
	const char *release = doctor->context->release;

	doctor->config = read_config(doctor->context);
	doctor->is_loaded =
		!doctor->context->is_next &&
		context_has(doctor->context, "/sys/module/user_events");
	doctor->is_built_in =
		context_has_line(doctor->config, "CONFIG_USER_EVENTS=y");
	if (doctor->is_built_in)
		doctor_add(doctor, DOCTOR_OK, "kernel", NULL,
			   "Linux %s has user_events built in", release);
	else if (doctor->config)
		doctor_add(doctor, DOCTOR_NOTE, "kernel", NULL,
			   "Linux %s is built without CONFIG_USER_EVENTS and "
			   "requires the module",
			   release);
	else if (doctor->is_loaded)
		doctor_add(doctor, DOCTOR_OK, "kernel", NULL, "Linux %s",
			   release);
	else
		doctor_add(doctor, DOCTOR_NOTE, "kernel", NULL,
			   "Linux %s: configuration not found, user_events "
			   "might be built in",
			   release);
}
