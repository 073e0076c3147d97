// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of emit/emit.c, emit/ftrace.c and the writers of tracefs/write.c and
 * api/trace.c: two trace instances and perf are attached and detached while a
 * process writes a batch of records and a module emits one. event_mutex is that
 * there is one tracing core.
 *
 * A store before another one that a barrier orders is a step before that of the
 * other. Without the barrier, both are made in the other order.
 *
 * scripts/check/unit/model verifies the model, and that it fails if any of the
 * numbered steps is left out.
 */
#define INSTANCES 2
#define HEAD 2
#define FTRACE 1
#define PERF 2
#define WRITERS 2
#define BATCH 2

#ifndef SKIPPED
#define SKIPPED 0
#endif
#define STEP(n) (SKIPPED != n)

/* Of the event */
byte status;
byte users = 1;
bool key;

/* The list: an entry is that of an instance, and the last one is before HEAD. */
byte head = HEAD;
byte next[INSTANCES] = HEAD;

/* Memory of entries, of what they point at, and of the list of perf events */
bool entry[INSTANCES];
bool is_whole[INSTANCES];
bool file[INSTANCES];
bool perf;

/* Of a writer: whether it is in an emit section, and how many it has left */
bool inside[WRITERS];
byte left[WRITERS];
byte written[WRITERS];
byte returned[WRITERS];

/* Whether instance 0 is attached. Writers that see it so must find it. */
bool is_attached;

/* Waits for all emit sections, which the tracing core and kfree_rcu() do. */
inline wait_for_sections()
{
	atomic { seen[0] = left[0]; seen[1] = left[1] };
	!inside[0] || left[0] != seen[0];
	!inside[1] || left[1] != seen[1];
	atomic { seen[0] = 0; seen[1] = 0 }
}

/* set_status(), with the key of a module */
inline set_status(value)
{
	status = value;
	key = (status != 0)
}

/* list_add_tail_rcu() */
inline list_add(i)
{
	next[i] = HEAD;
	atomic {
		if
		:: head == HEAD -> head = i
		:: else -> next[head] = i
		fi
	}
}

inline attach_ftrace(i)
{
	file[i] = true;
	entry[i] = true;
	/* Pairs with the walk of writers: the entry first, then the pointer. */
	if
	:: STEP(1) -> is_whole[i] = true; list_add(i)
	:: else -> list_add(i); is_whole[i] = true
	fi;
	users = users + STEP(2);
	set_status(status | FTRACE);
	if
	:: i == 0 -> is_attached = true
	:: else
	fi
}

/* kfree_rcu() */
inline free_entry(i)
{
	if
	:: STEP(4) -> wait_for_sections()
	:: else
	fi;
	entry[i] = false;
	is_whole[i] = false
}

/* The tracing core, after tracepoint_synchronize_unregister() */
inline free_file(i)
{
	if
	:: STEP(5) -> wait_for_sections()
	:: else
	fi;
	file[i] = false
}

inline detach_ftrace(i)
{
	if
	:: i == 0 -> is_attached = false
	:: else
	fi;
	/* The list is singular. */
	if
	:: next[head] == HEAD -> set_status(status & PERF)
	:: else
	fi;
	/* list_del_rcu(): the next entry stays. */
	atomic {
		if
		:: head == i -> head = next[i]
		:: else -> next[head] = next[i]
		fi
	};
	if
	:: STEP(3)
	:: else -> next[i] = i
	fi;
	/* Which of the two ends first is not known. */
	if
	:: true -> free_entry(i); free_file(i)
	:: true -> free_file(i); free_entry(i)
	fi;
	users--
}

inline attach_perf()
{
	/* Pairs with user_event_tracers(): first the list, then the bit. */
	if
	:: STEP(6) -> perf = true; users++; set_status(status | PERF)
	:: else -> users++; set_status(status | PERF); perf = true
	fi
}

inline detach_perf()
{
	if
	:: STEP(7) -> set_status(status & FTRACE)
	:: else
	fi;
	wait_for_sections();
	perf = false;
	if
	:: STEP(7)
	:: else -> set_status(status & FTRACE)
	fi;
	users--
}

/* The tracing core: each tracer comes and goes once, in any order. */
proctype core()
{
	byte seen[WRITERS];
	bool came[3], went[3];

	attach_ftrace(0);
	do
	:: !came[1] -> came[1] = true; attach_ftrace(1)
	:: !came[2] -> came[2] = true; attach_perf()
	:: !went[0] -> went[0] = true; detach_ftrace(0)
	:: came[1] && !went[1] -> went[1] = true; detach_ftrace(1)
	:: came[2] && !went[2] -> went[2] = true; detach_perf()
	:: went[0] && went[1] && went[2] -> break
	od;
	assert(key == (status != 0));
	/* The event can be deleted when only the registry has a reference. */
	assert(users == 1 && !status)
}

/* ue_ftrace_emit() */
inline emit_ftrace()
{
	at = head;
	do
	:: at != HEAD ->
		assert(entry[at]);
		assert(is_whole[at]);
		assert(file[at]);
		atomic {
			if
			:: at == 0 -> got_first = true
			:: else
			fi;
			/* Of a loop, each round is the same. */
			walked++;
			assert(walked <= INSTANCES)
		}
		at = next[at]
	:: else -> break
	od;
	at = 0;
	walked = 0
}

/* One record of write_fast() or of a module. */
inline emit(w)
{
	was_attached = is_attached;
	if
	:: STEP(8) -> inside[w] = true; tracers = status
	:: else -> tracers = status; inside[w] = true
	fi;
	got_first = false;
	if
	:: tracers & FTRACE -> emit_ftrace()
	:: else
	fi;
	if
	:: tracers & PERF -> assert(perf)
	:: else
	fi;
	if
	:: tracers -> written[w]++
	:: else
	fi;
	/* An instance that was there before, and is still there, has the record. */
	assert(got_first || !was_attached || !is_attached);
	atomic {
		inside[w] = false;
		left[w]++;
		got_first = false;
		was_attached = false
	}
}

/* ue_write_records(): up to the first record that fails, which no tracer got. */
proctype batch()
{
	byte at, tracers, walked, done;
	bool was_attached, got_first;

	do
	:: done < BATCH ->
		emit(0);
		if
		:: tracers -> done++
		:: else ->
			if
			:: STEP(9) -> break
			:: else -> done++
			fi
		fi
	:: else -> break
	od;
	assert(done == written[0])
}

/* A record of a module, with its key */
proctype source()
{
	byte at, tracers, walked;
	bool was_attached, got_first;

	if
	:: key -> emit(1)
	:: else
	fi
}

init
{
	atomic {
		run core();
		run batch();
		run source()
	}
}
