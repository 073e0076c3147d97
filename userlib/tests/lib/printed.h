/* SPDX-License-Identifier: MIT */
/* What a test prints. */
#ifndef PRINTED_H
#define PRINTED_H

#include <stdio.h>

/* printed_begin() - Collects what is printed to a stream from now on */
void printed_begin(FILE *stream);

/* printed_text() - Returns what was printed since printed_begin(), for free() */
char *printed_text(FILE *stream);

#endif
