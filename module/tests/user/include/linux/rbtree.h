/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_RBTREE_H
#define USER_EVENTS_TESTS_LINUX_RBTREE_H

struct rb_node {
	struct rb_node *left, *right;
};

#endif /* USER_EVENTS_TESTS_LINUX_RBTREE_H */
