// SPDX-License-Identifier: MIT
/* A program with named threads: each record has the name of its thread. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

/* With its NUL. */
#define NAME_SIZE 16

void write_name(void)
{
	char name[NAME_SIZE];

	prctl(PR_GET_NAME, name);
	UEV_TRACE(called, name, name);
}

static void *be_thread(void *name)
{
	if (name)
		prctl(PR_SET_NAME, name);
	write_name();

	return NULL;
}

static void have_thread(char *name)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, be_thread, name))
		fail("thread not found");
	pthread_join(thread, NULL);
}

/* @program: program to execute; NULL: a child without exec */
static void have_child(const char *program)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		fail("fork: %s", strerror(errno));
	if (!child) {
		write_name();
		if (program)
			execl(program, program, "name", NULL);
		_exit(program != NULL);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		fail("a child ended with %d", status);
}

/* As it is, renamed, in threads, in a child, and in one that execs. */
void write_names(const char *program)
{
	static char first[] = "first name", of_thread[] = "a thread's name";

	write_name();
	prctl(PR_SET_NAME, first);
	write_name();
	have_thread(of_thread);
	have_thread(NULL);
	have_child(NULL);
	have_child(program);
	write_name();
}
