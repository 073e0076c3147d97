// SPDX-License-Identifier: MIT
/* refused: record larger than any tracer can take */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

static uint8_t bytes[9000];

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E",
			       UEV_EH_U8_CARRAY("f", bytes, 9000));
}
