/* SPDX-License-Identifier: MIT */
/* Probes of a program as dtrace(1) of SystemTap reads them */
provider usdt_test {
	probe request__start(int, const char *);
	probe request__done(long);
	probe cxx(int);
};
