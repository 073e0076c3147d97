// SPDX-License-Identifier: MIT
/* refused: constant array must have 1 to 65535 elements */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

static uint8_t bytes[1];

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E",
			       UEV_EH_U8_CARRAY("f", bytes, 0));
}
