// SPDX-License-Identifier: MIT
/*
 * Tracepoints of C++: anywhere, with the types of C++.
 *
 *	cxx_program
 */
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <userevents/tracepoint.h>

enum class state : unsigned char {
	idle,
	busy
};

template <typename T> class counter
{
      public:
	explicit counter(std::string name) : m_name(std::move(name))
	{
	}
	void add(T amount)
	{
		m_value += amount;
		UEV_TRACE(cxx_counter, name, m_name, value, m_value, state,
			  m_value ? state::busy : state::idle);
	}

      private:
	std::string m_name;
	T m_value{};
};

int main()
{
	counter<int> requests("requests");
	int err = uev_register_pending();

	if (err)
		std::cout << uev_strerror(err) << std::endl;
	for (int i = 0; i < 20; i++) {
		requests.add(i);
		std::this_thread::sleep_for(std::chrono::milliseconds(100));
	}

	return 0;
}
