// SPDX-License-Identifier: MIT
/*
 * The program calls.c, compiled with -Dmain=calls_main, which functions of C++
 * call.
 */
extern "C" int calls_main(int argc, char **argv);

namespace calls
{

/* A call at the end of a function would be a jump. */
inline void not_last()
{
	__asm__ volatile("" ::: "memory");
}

template <typename T> class program
{
      public:
	program(int argc, char **argv) : m_argc(argc), m_argv(argv)
	{
	}
	__attribute__((noinline)) T operator()() const
	{
		T status = calls_main(m_argc, m_argv);

		not_last();
		return status;
	}

      private:
	int m_argc;
	char **m_argv;
};

namespace
{

__attribute__((noinline)) int run(const program<int> &program)
{
	int status = program();

	not_last();
	return status;
}

} /* namespace */

} /* namespace calls */

int main(int argc, char **argv)
{
	return calls::run(calls::program<int>(argc, argv));
}
