// SPDX-License-Identifier: MIT
/* The C++ part of the program: probes in inline functions and templates. */
#include "probes.h"
#include "program.h"

template <typename T> inline void probe(T number)
{
	if (USDT_TEST_CXX_ENABLED())
		USDT_TEST_CXX(number);
}

void cxx_probe(int number)
{
	probe(number);
}
