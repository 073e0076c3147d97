// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <userevents/decode.h>

#include "tool.h"
#include "util/siphash.h"

/* The folder of this program, for the assembler */
#ifndef TOOL_FOLDER
#define TOOL_FOLDER "tools"
#endif

/* Defines report_NAME[] with the contents of a file, and its end. */
#define FILE_CONTENTS(name, path)                               \
	__asm__(".pushsection .rodata\n"                        \
		".global report_" name "\n"                     \
		".hidden report_" name "\n"                     \
		"report_" name ":\n"                            \
		".incbin \"" TOOL_FOLDER "/report/" path "\"\n" \
		".byte 0\n"                                     \
		".popsection\n")

FILE_CONTENTS("page_html", "page.html");
FILE_CONTENTS("page_css", "page.css");
FILE_CONTENTS("page_js", "page.js");

#define NONCE_MAX 40

static void set_nonce(char *nonce)
{
	uint64_t key[2];

	uev_siphash_key(key, nonce);
	snprintf(nonce, NONCE_MAX, "%016llx%016llx", (unsigned long long)key[0],
		 (unsigned long long)key[1]);
}

/* In JSON, these characters occur in strings only. No string ends the element. */
static void put_data(struct output_file *file, const char *text)
{
	const char *next;
	char escape[8];

	while ((next = strpbrk(text, "<>&"))) {
		output_file_write(file, text, (size_t)(next - text));
		snprintf(escape, sizeof(escape), "\\u%04x",
			 (unsigned int)*next);
		output_file_text(file, escape);
		text = next + 1;
	}
	output_file_text(file, text);
}

void report_page_write(struct output_file *file, const struct uev_output *json)
{
	const char *at = report_page_html, *next;
	char nonce[NONCE_MAX] = "";

	set_nonce(nonce);
	while ((next = strchr(at, '@'))) {
		output_file_write(file, at, (size_t)(next - at));
		at = next;
		if (tool_skip(&at, "@NONCE@"))
			output_file_text(file, nonce);
		else if (tool_skip(&at, "@STYLE@"))
			output_file_text(file, report_page_css);
		else if (tool_skip(&at, "@SCRIPT@"))
			output_file_text(file, report_page_js);
		else if (tool_skip(&at, "@DATA@"))
			put_data(file, json->text);
		else
			output_file_write(file, at++, 1);
	}
	output_file_text(file, at);
}
