// SPDX-License-Identifier: MIT
/* refused: a provider has letters, digits and underscores only */
#include <userevents/eventheader.h>

UEV_PROVIDER(provider, "My.Prov");

int main(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
