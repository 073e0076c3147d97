// SPDX-License-Identifier: MIT
/* refused: a provider has a name */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
