// SPDX-License-Identifier: MIT
/* refused: an event has a name */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "");
}
