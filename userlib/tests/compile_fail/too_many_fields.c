// SPDX-License-Identifier: MIT
/* refused: uev_eventheader_has_too_many_fields */
#include <userevents/eventheader.h>

#define ONE UEV_EH_U8("", 1)
#define TEN (ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE)

UEV_PROVIDER(provider, "Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_OPEN_ TEN,
			       UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
			       UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
			       UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
			       UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
			       UEV_EH_OPEN_ TEN);
}
