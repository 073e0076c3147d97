// SPDX-License-Identifier: MIT
/* refused: encoding and format do not match */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_STRUCT_OF("s", 128));
}
