// SPDX-License-Identifier: MIT
/* refused: encoding and format do not match */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	char array[8] = "text";

	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_AUTO("f", array));
}
