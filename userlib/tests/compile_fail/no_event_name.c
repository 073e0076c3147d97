// SPDX-License-Identifier: MIT
/* refused: event name must not be empty */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "");
}
