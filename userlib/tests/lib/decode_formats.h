/* SPDX-License-Identifier: MIT */
/*
 * Format files as kernels print them.
 */
#ifndef UEV_TESTS_DECODE_FORMATS_H
#define UEV_TESTS_DECODE_FORMATS_H

#define COMMON_FIELDS                                                          \
	"format:\n"                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"             \
	"\n"

/* Bytes of these fields in a record of a little-endian machine. */
#define COMMON_BYTES "2a 05 00 00 07 00 00 00 "

#define FORMAT_SCHED_SWITCH                                                  \
	"name: sched_switch\n"                                               \
	"ID: 316\n" COMMON_FIELDS                                            \
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"      \
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"          \
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"           \
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"         \
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"     \
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"          \
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"           \
	"\n"                                                                 \
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s" \
	" ==> next_comm=%s\", REC->prev_comm, REC->prev_pid,\n"              \
	"field:not a field\n"

#define FORMAT_SYS_ENTER                                                    \
	"name: sys_enter\n"                                                 \
	"ID: 348\n" COMMON_FIELDS                                           \
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"                 \
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n" \
	"\n"                                                                \
	"print fmt: \"NR %ld\", REC->id\n"

#define FORMAT_OPENAT                                                      \
	"name: sys_enter_openat\n"                                         \
	"ID: 622\n" COMMON_FIELDS                                          \
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"       \
	"\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"               \
	"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:umode_t mode;\toffset:32;\tsize:8;\tsigned:0;\n"          \
	"\n"                                                               \
	"print fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n"

#define FORMAT_EXEC                                                            \
	"name: sched_process_exec\n"                                           \
	"ID: 307\n" COMMON_FIELDS                                              \
	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"                 \
	"\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;\n"             \
	"\n"                                                                   \
	"print fmt: \"filename=%s\", __get_str(filename)\n"

/* An event of ftrace itself, whose text extends to the end of the record. */
#define FORMAT_PRINT                                                 \
	"name: print\n"                                              \
	"ID: 5\n" COMMON_FIELDS                                      \
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"      \
	"\n"                                                         \
	"print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n"

/* A user_event with fields of all kinds. */
#define FORMAT_USER                                                           \
	"name: user\n"                                                        \
	"ID: 1322\n" COMMON_FIELDS                                            \
	"\tfield:__rel_loc char[] text;\toffset:8;\tsize:4;\tsigned:0;\n"     \
	"\tfield:__data_loc u16[] numbers;\toffset:12;\tsize:4;\tsigned:0;\n" \
	"\tfield:s64 big;\toffset:16;\tsize:8;\tsigned:1;\n"                  \
	"\tfield:char name[4];\toffset:24;\tsize:4;\tsigned:0;\n"             \
	"\tfield:unsigned char key[3];\toffset:28;\tsize:3;\tsigned:0;\n"     \
	"\tfield:struct pair pair;\toffset:31;\tsize:8;\tsigned:0;\n"         \
	"\tfield:s8 small;\toffset:39;\tsize:1;\tsigned:1;\n"                 \
	"\tfield:char letter;\toffset:40;\tsize:1;\tsigned:1;\n"              \
	"\tfield:bool yes;\toffset:41;\tsize:1;\tsigned:0;\n"                 \
	"\n"                                                                  \
	"print fmt: \"text=%s\", __get_rel_str(text)\n"

/* Fields of all EventHeader events after the common fields. */
#define EVENTHEADER_FIELDS                                               \
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n" \
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"           \
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"              \
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"             \
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"           \
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n"            \
	"\n"                                                             \
	"print fmt: \"eventheader_flags=%u\", REC->eventheader_flags\n"

#define FORMAT_EVENTHEADER    \
	"name: Prov_L5K1Gg\n" \
	"ID: 1500\n" COMMON_FIELDS EVENTHEADER_FIELDS

#endif
