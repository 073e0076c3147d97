// SPDX-License-Identifier: MIT
/* refused: provider name must not be empty */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
