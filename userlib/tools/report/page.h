/* SPDX-License-Identifier: MIT */
/*
 * user-events report: the HTML page.
 *
 * It is page.html with page.css, page.js and the data in it, and refers to
 * nothing else. A policy in the page forbids all requests, and scripts without a
 * random number, which records cannot know.
 */
#ifndef USER_EVENTS_REPORT_PAGE_H
#define USER_EVENTS_REPORT_PAGE_H

#include <userevents/decode.h>

#include "pipe/output_file.h"

/* The files of the page, which page.c includes as text */
extern const char report_page_html[], report_page_css[], report_page_js[];

/*
 * report_page_write() - Writes a page
 * @json: its data
 */
void report_page_write(struct output_file *file, const struct uev_output *json);

#endif
