// SPDX-License-Identifier: MIT
#include "pipe/sink.h"

#include "tool.h"

int sink_open(struct sink *sink, const struct sink_ops *ops,
	      const struct sink_options *options)
{
	int ret;

	*sink = (struct sink){ .ops = ops, .path = options->path };
	ret = ops->begin(&sink->data, options);
	if (ret)
		return tool_error_of(ret, "%s: cannot write",
				     options->path ? options->path
						   : "standard output");

	return TOOL_OK;
}
