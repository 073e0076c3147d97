/* SPDX-License-Identifier: MIT */
/* The parts of the program */
#ifndef PROGRAM_H
#define PROGRAM_H

#ifdef __cplusplus
extern "C"
#endif
	void
	cxx_probe(int number);
void plain_probe(int number);

#endif
