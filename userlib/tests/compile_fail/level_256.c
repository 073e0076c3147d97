// SPDX-License-Identifier: MIT
/* refused: level must be 1 to 255 */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 256, 1, "E");
}
