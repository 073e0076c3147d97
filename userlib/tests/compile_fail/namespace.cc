// SPDX-License-Identifier: MIT
/* refused: provider must be an identifier without namespace */
#include <userevents/eventheader.h>

namespace app
{
UEV_PROVIDER(provider, "Provider");
}

int main()
{
	return UEV_EVENTHEADER(app::provider, 5, 1, "E");
}
