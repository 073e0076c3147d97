// SPDX-License-Identifier: MIT
/*
 * Writes EventHeader events of C++.
 *
 *	eventheader_cpp [WORD...]
 *
 * Counts the letters of words. To trace it, enable
 * user_events:Example_Words_L4K0 and user_events:Example_Words_L5K1 (the files
 * events/user_events/.../enable exist while a process has the events
 * registered).
 */
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

#include <userevents/eventheader.h>

UEV_PROVIDER_GROUP(words, "Example_Words", "examples");

namespace
{
constexpr uint64_t keyword_letters = 1;

class counter
{
      public:
	std::size_t count(std::string_view word)
	{
		/* A text without a terminator has a length. */
		UEV_EVENTHEADER(words, UEV_LEVEL_VERBOSE, keyword_letters,
				"Word",
				UEV_EH_UTF8("text", word.data(), word.size()),
				UEV_EH_AUTO("length", word.size()),
				UEV_EH_AUTO("empty", word.empty()));
		words_++;
		letters_ += word.size();
		return letters_;
	}

	/* All instances of a template share one set. */
	template <typename Duration> int report(Duration duration) const
	{
		using std::chrono::microseconds;
		const auto time =
			std::chrono::duration_cast<microseconds>(duration);

		return UEV_EVENTHEADER(
			words, UEV_LEVEL_INFORMATION, 0, "Report",
			UEV_EH_ID(1, 0), UEV_EH_SIZE("words", words_),
			UEV_EH_SIZE("letters", letters_),
			UEV_EH_I64("time;unit=us", time.count()));
	}

      private:
	std::size_t words_ = 0;
	std::size_t letters_ = 0;
};
} // namespace

int main(int argc, char **argv)
{
	const auto begin = std::chrono::steady_clock::now();
	counter counter;
	std::size_t letters = 0;

	for (int i = 1; i < argc; i++)
		letters = counter.count(argv[i]);
	const int err =
		counter.report(std::chrono::steady_clock::now() - begin);
	if (err) {
		std::cerr << "Report: " << uev_strerror(err) << '\n';
		return 1;
	}
	std::cout << letters << " letters\n";
	return 0;
}
