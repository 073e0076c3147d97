// SPDX-License-Identifier: MIT
#include "sink/dat.h"

#include "flight/dat.h"
#include "sink/output_file.h"
#include "tool.h"

static void write_bytes(void *data, const void *bytes, size_t size)
{
	output_file_write(data, bytes, size);
}

int sink_dat_write(const char *name, const char *path)
{
	_cleanup_(flight_release) struct flight flight;
	struct output_file *file;
	int status = flight_open(&flight, name), ret;

	if (status)
		return status;
	ret = output_file_open(&file, path);
	if (ret)
		return tool_error_of(ret, "%s: cannot create", path);
	status = flight_dat_write(&flight, write_bytes, file);
	if (status) {
		output_file_discard(file);
		return status;
	}
	ret = output_file_finish(file);

	return ret ? tool_error_of(ret, "%s: cannot write", path) : TOOL_OK;
}
