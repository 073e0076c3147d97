// SPDX-License-Identifier: MIT
/* refused: provider must have only letters, digits and underscores */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "My.Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
