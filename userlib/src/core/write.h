/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_CORE_WRITE_H
#define USEREVENTS_CORE_WRITE_H

/*
 * uev_write_expect_open() - Lets the next writer that finds user_events_data
 * closed wake the retry thread
 */
void uev_write_expect_open(void);

#endif
