/* SPDX-License-Identifier: MIT */
/* user-events: names of functions of C++, as in the source. */
#ifndef USER_EVENTS_FORMATS_DEMANGLE_H
#define USER_EVENTS_FORMATS_DEMANGLE_H

/*
 * demangle() - Converts the name of a symbol to that of a function of C++
 * @name: any text
 *
 * Parameters are omitted, as perf script does.
 *
 * Return: the name, for free(); NULL if it is not of C++ or is too long, or the
 * tool was built without libiberty
 */
char *demangle(const char *name);

#endif
