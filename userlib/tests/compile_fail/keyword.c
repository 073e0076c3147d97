// SPDX-License-Identifier: MIT
/* refused: UEV_EH_IS_CONSTANT_(keyword) */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(int argc, char **argv)
{
	const uint64_t keyword = (uint64_t)argc;

	(void)argv;
	return UEV_EVENTHEADER(provider, 5, keyword, "E");
}
