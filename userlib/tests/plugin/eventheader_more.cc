// SPDX-License-Identifier: MIT
// The same sets as in eventheader.c, written as C++ writes them.
#include "eventheader.h"

namespace
{
constexpr uint8_t level = UEV_LEVEL_INFORMATION;
constexpr uint64_t top = 0x8000000000000000;
} // namespace

void more_work(int number)
{
	UEV_EVENTHEADER(plugin_provider, level, 2 - 1, "MoreWork",
			UEV_EH_AUTO("number", number));
	UEV_EVENTHEADER(plugin_provider, level, top, "Other",
			UEV_EH_AUTO("number", number));
}
