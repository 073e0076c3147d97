// SPDX-License-Identifier: MIT
#include "ui/screen.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "ui/out.h"

/* Escape sequences that all terminals support. */
#define BEGIN "\033[?1049h\033[?25l"
#define END "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

static struct termios before;
static bool has_terminal;
static bool has_screen;

/* Errors at exit are ignored. */
static void write_now(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;
}

void screen_begin(void)
{
	static bool is_registered;
	struct termios keys;

	if (!is_registered)
		atexit(screen_end);
	is_registered = true;

	has_terminal = tcgetattr(STDIN_FILENO, &before) == 0;
	if (has_terminal) {
		keys = before;
		keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		keys.c_cc[VMIN] = 0;
		keys.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSANOW, &keys);
	}
	has_screen = true;
	write_now(BEGIN);
}

void screen_end(void)
{
	if (!has_screen)
		return;
	has_screen = false;
	write_now(END);
	if (has_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void screen_draw(const char *text, size_t size)
{
	const char *end = text + size, *line_end;

	out_bytes(HOME, strlen(HOME));
	while (text < end) {
		line_end = memchr(text, '\n', (size_t)(end - text));
		out_bytes(text, (size_t)(line_end - text));
		out_bytes(CLEAR_LINE "\r\n", strlen(CLEAR_LINE "\r\n"));
		text = line_end + 1;
	}
	out_bytes(CLEAR_BELOW, strlen(CLEAR_BELOW));
	out_flush();
}

bool screen_quits(void)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	char keys[64];
	ssize_t size;

	if (!has_terminal || poll(&fd, 1, 0) <= 0)
		return false;
	size = read(STDIN_FILENO, keys, sizeof(keys));

	return size > 0 && memchr(keys, 'q', (size_t)size);
}

void screen_pause(void)
{
	screen_end();
	raise(SIGSTOP);
	screen_begin();
}
