// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "file_tree.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 512

static char root[] = "/tmp/user-events-XXXXXX";

void file_tree_begin(void)
{
	memset(strrchr(root, '-') + 1, 'X', 6);
	ck_assert_ptr_nonnull(mkdtemp(root));
}

const char *file_tree_root(void)
{
	return root;
}

static void make_path(char *whole, const char *path)
{
	ck_assert_int_lt(snprintf(whole, PATH_SIZE, "%s%s", root, path),
			 PATH_SIZE);
}

static void make_directories(const char *path)
{
	char part[PATH_SIZE];
	char *slash;

	make_path(part, path);
	for (slash = part + strlen(root) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		mkdir(part, 0755);
		*slash = '/';
	}
}

void file_tree_bytes(const char *path, const void *bytes, size_t size)
{
	char whole[PATH_SIZE];
	FILE *file;

	make_directories(path);
	make_path(whole, path);
	file = fopen(whole, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

void file_tree_file(const char *path, const char *text)
{
	file_tree_bytes(path, text, strlen(text));
}

void file_tree_directory(const char *path)
{
	char whole[PATH_SIZE];

	make_directories(path);
	make_path(whole, path);
	mkdir(whole, 0755);
}

void file_tree_link(const char *path, const char *target)
{
	char whole[PATH_SIZE];

	make_directories(path);
	make_path(whole, path);
	ck_assert_int_eq(symlink(target, whole), 0);
}

void file_tree_mode(const char *path, unsigned int mode)
{
	char whole[PATH_SIZE];

	make_path(whole, path);
	ck_assert_int_eq(chmod(whole, mode), 0);
}

void file_tree_owner(const char *path, unsigned int uid, unsigned int gid)
{
	char whole[PATH_SIZE];

	make_path(whole, path);
	ck_assert_int_eq(chown(whole, uid, gid), 0);
}

static int remove_one(const char *path, const struct stat *about, int type,
		      struct FTW *where)
{
	(void)about;
	(void)type;
	(void)where;

	return remove(path);
}

void file_tree_remove(const char *path)
{
	char whole[PATH_SIZE];

	make_path(whole, path);
	ck_assert_int_eq(nftw(whole, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void file_tree_end(void)
{
	file_tree_remove("");
}
