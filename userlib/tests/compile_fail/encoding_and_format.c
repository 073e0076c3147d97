// SPDX-License-Identifier: MIT
/* refused: encoding and format do not match */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E",
			       UEV_EH_VALUE("f", VALUE64, ERRNO, int64_t, 1));
}
