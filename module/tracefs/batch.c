// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs/batch.h"

#include <linux/uaccess.h>

#include "common.h"
#include "tracefs/user_struct.h"
#include "tracefs/write.h"

/**
 * ue_batch_write - Writes records in order, up to the first that fails
 * @refs: the events of the open user_events_data
 * @argument: the records
 *
 * Context: Sleeps. Each record is written as by ue_write(), and the task can be
 *	    rescheduled or killed after each.
 * Return: number of records written; or, if the first one failed, an error of
 *	   ue_write(), or
 *	   -EFAULT: user memory cannot be read;
 *	   -E2BIG: the structure is larger than a page, or unknown members are
 *		   not zero;
 *	   -EINVAL: the structure is too small.
 */
long ue_batch_write(const struct event_refs *refs,
		    const struct user_batch __user *argument)
{
	struct user_batch batch;
	int ret = user_struct_copy(&batch, sizeof(batch), argument);

	if (ret)
		return ret;

	return ue_write_records(refs, user_pointer(batch.records), batch.count);
}
