/* SPDX-License-Identifier: MIT */
/* Hashes of bytes that a hostile program or file chooses. */
#ifndef USEREVENTS_UTIL_SIPHASH_H
#define USEREVENTS_UTIL_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * uev_siphash_key() - Sets a new key
 * @memory: an address, the best there is without random numbers
 */
void uev_siphash_key(uint64_t key[2], const void *memory);

/*
 * uev_siphash() - SipHash-1-3
 * @key: a secret, without it, bytes with equal hashes cannot be chosen
 *
 * Return: a hash that depends on the byte order of the machine
 */
uint64_t uev_siphash(const uint64_t key[2], const void *bytes, size_t size);

#endif
