// SPDX-License-Identifier: MIT
#include "perf/decompress.h"

#include <errno.h>

#ifdef UEV_HAS_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/*
 * Budget for each compressed byte, and the work of a record in addition to its
 * size. Small records take at least two compressed bytes, and those of 64 KiB
 * with the same content take ten.
 */
#define BUDGET_PER_BYTE 16384
#define RECORD_WORK 4096

static void charge(struct uev_decompressor *decompressor, uint64_t work)
{
	decompressor->budget -=
		work < decompressor->budget ? work : decompressor->budget;
}

void uev_decompressor_charge_record(struct uev_decompressor *decompressor)
{
	charge(decompressor, RECORD_WORK);
}

void uev_decompressor_break(struct uev_decompressor *decompressor)
{
	decompressor->left = 0;
	decompressor->is_full = false;
	decompressor->error = 0;
	decompressor->is_broken = true;
}

#ifdef UEV_HAS_ZSTD

void uev_decompressor_free(struct uev_decompressor *decompressor)
{
	ZSTD_freeDStream(decompressor->stream);
	*decompressor = (struct uev_decompressor){ 0 };
}

bool uev_can_decompress(void)
{
	return true;
}

int uev_decompressor_add(struct uev_decompressor *decompressor,
			 const void *bytes, size_t size)
{
	if (!decompressor->stream) {
		decompressor->stream = ZSTD_createDStream();
		if (!decompressor->stream)
			return -ENOMEM;
		decompressor->is_broken = true;
	}
	if (decompressor->is_broken)
		ZSTD_initDStream(decompressor->stream);
	decompressor->is_broken = false;
	decompressor->error = 0;
	decompressor->next = bytes;
	decompressor->left = size;
	decompressor->budget += (uint64_t)size * BUDGET_PER_BYTE;

	return 0;
}

static void fail(struct uev_decompressor *decompressor, const char *reason)
{
	uev_decompressor_break(decompressor);
	decompressor->error = -EBADMSG;
	decompressor->reason = reason;
}

static void fail_with(struct uev_decompressor *decompressor, size_t code)
{
	fail(decompressor, ZSTD_getErrorName(code));
	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		decompressor->error = -ENOMEM;
}

ssize_t uev_decompressor_read(struct uev_decompressor *decompressor, void *to,
			      size_t size)
{
	ZSTD_inBuffer in = { decompressor->next, decompressor->left, 0 };
	ZSTD_outBuffer out = { to, size, 0 };
	size_t ret = 0;

	if (decompressor->error)
		return decompressor->error;
	if (!decompressor->left && !decompressor->is_full)
		return 0;
	if (out.size > decompressor->budget)
		out.size = (size_t)decompressor->budget;
	if (!out.size) {
		fail(decompressor, "too much data for its size");
		return decompressor->error;
	}

	do {
		ret = ZSTD_decompressStream(decompressor->stream, &out, &in);
	} while (!ZSTD_isError(ret) && in.pos < in.size && out.pos < out.size);

	charge(decompressor, out.pos);
	decompressor->next += in.pos;
	decompressor->left -= in.pos;
	decompressor->is_full = out.pos == out.size;
	/* After the bytes before it */
	if (ZSTD_isError(ret))
		fail_with(decompressor, ret);

	return out.pos ? (ssize_t)out.pos : decompressor->error;
}

#else

void uev_decompressor_free(struct uev_decompressor *decompressor)
{
	(void)decompressor;
}

bool uev_can_decompress(void)
{
	return false;
}

int uev_decompressor_add(struct uev_decompressor *decompressor,
			 const void *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	uev_decompressor_break(decompressor);

	return 0;
}

ssize_t uev_decompressor_read(struct uev_decompressor *decompressor, void *to,
			      size_t size)
{
	(void)decompressor;
	(void)to;
	(void)size;

	return 0;
}

#endif
