/* SPDX-License-Identifier: MIT */
/*
 * Data of compressed records (perf record -z). All of them together have one
 * zstd stream, with a block that ends at the end of each.
 */
#ifndef USEREVENTS_PERF_DECOMPRESS_H
#define USEREVENTS_PERF_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * @stream: of libzstd
 * @next, @left: compressed bytes that were not used yet
 * @is_full: the last output was full, so that there can be more
 * @error: of the stream; it has no more bytes
 * @reason: text of the error
 * @is_broken: bytes of the stream are missing, so that only a new stream can be
 *        decompressed
 * @budget: remaining work for the bytes so far
 */
struct uev_decompressor {
	void *stream;
	const uint8_t *next;
	size_t left;
	bool is_full;
	int error;
	const char *reason;
	bool is_broken;
	uint64_t budget;
};

/* Zeros are the initial state. */
void uev_decompressor_free(struct uev_decompressor *decompressor);

/* Tests whether this library can decompress. */
bool uev_can_decompress(void);

/*
 * Adds compressed bytes, when all others are used. They must stay valid until
 * they are used.
 *
 * Return: 0 or -ENOMEM
 */
int uev_decompressor_add(struct uev_decompressor *decompressor,
			 const void *bytes, size_t size);

/*
 * Decompresses up to @size bytes.
 *
 * Return: number of bytes; 0 if all are used; -EBADMSG for invalid data, which
 * breaks the stream; -ENOMEM
 */
ssize_t uev_decompressor_read(struct uev_decompressor *decompressor, void *to,
			      size_t size);

/* Bytes of the stream are missing. */
void uev_decompressor_break(struct uev_decompressor *decompressor);

/* Takes the work of a record from the budget. */
void uev_decompressor_charge_record(struct uev_decompressor *decompressor);

#endif
