/* SPDX-License-Identifier: MIT */
/*
 * Numbers and sizes of the perf.data format, and the types of records of user
 * space. <linux/perf_event.h> has those of the kernel.
 */
#ifndef USEREVENTS_PERF_FORMAT_H
#define USEREVENTS_PERF_FORMAT_H

#define UEV_PERF_MAGIC "PERFILE2"
#define UEV_PERF_MAGIC_FOREIGN "2ELIFREP"
/* Of versions before Linux 3.4. */
#define UEV_PERF_MAGIC_OLD "PERFFILE"
#define UEV_PERF_MAGIC_OLD_FOREIGN "ELIFFREP"

#define UEV_PERF_PIPE_HEADER_SIZE 16
#define UEV_PERF_FILE_HEADER_SIZE 104
/* Header size of versions without features. */
#define UEV_PERF_OLD_FILE_HEADER_SIZE 72

/* A section of a file: offset and size. */
#define UEV_PERF_SECTION_SIZE 16

/* Of the kernel since Linux 7.0; older headers do not have it. */
#define UEV_PERF_RECORD_CALLCHAIN_DEFERRED 22

#define UEV_PERF_RECORD_HEADER_ATTR 64
/* perf wrote it until 2013, and has ignored it since. */
#define UEV_PERF_RECORD_HEADER_EVENT_TYPE 65
#define UEV_PERF_RECORD_HEADER_TRACING_DATA 66
#define UEV_PERF_RECORD_FINISHED_ROUND 68
#define UEV_PERF_RECORD_AUXTRACE 71
#define UEV_PERF_RECORD_EVENT_UPDATE 78
#define UEV_PERF_RECORD_HEADER_FEATURE 80
#define UEV_PERF_RECORD_COMPRESSED 81
#define UEV_PERF_RECORD_COMPRESSED2 83

/* Kinds of EVENT_UPDATE. */
#define UEV_PERF_UPDATE_NAME 2

/*
 * A HEADER_EVENT_TYPE with this magic has the records of a pipe that describe
 * an event or the machine. Readers of a complete file skip it. A file that was
 * not completed, or was truncated, has no other description.
 */
#define UEV_PERF_DESCRIPTION_MAGIC "UEVDESC1"
#define UEV_PERF_DESCRIPTION_FRONT 16

/*
 * A HEADER_EVENT_TYPE with this magic tells more about the losses of the next
 * PERF_RECORD_LOST: the ID of an event or 0, their number, the times from and to,
 * flags, the processor, and a reason with zeros behind it.
 */
#define UEV_PERF_LOSS_MAGIC "UEVLOSS1"
#define UEV_PERF_LOSS_ID 16
#define UEV_PERF_LOSS_COUNT 24
#define UEV_PERF_LOSS_FROM 32
#define UEV_PERF_LOSS_TO 40
#define UEV_PERF_LOSS_FLAGS 48
#define UEV_PERF_LOSS_CPU 52
#define UEV_PERF_LOSS_REASON 56
#define UEV_PERF_LOSS_SIZE (UEV_PERF_LOSS_REASON + UEV_LOSS_REASON_SIZE)

/*
 * A HEADER_EVENT_TYPE with this magic tells the PID of a process in its own pid
 * namespace, or 0 if it has none, of all samples from here on, up to the next
 * one with the same remainder of the process by UEV_VPIDS_MAX.
 */
#define UEV_PERF_VPID_MAGIC "UEVVPID1"
#define UEV_PERF_VPID_PID 16
#define UEV_PERF_VPID_VPID 20
#define UEV_PERF_VPID_SIZE 24

#endif
