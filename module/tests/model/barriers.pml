// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of the pairs of barriers, with store buffers: each store of a task
 * reaches the memory at any later time and in any order with others of the task,
 * which itself sees it at once. A full barrier waits for all stores of the task,
 * and so does a store with release semantics. A load without acquire semantics can
 * be made after the next one. The kernel's memory model permits still more.
 *
 * FORK is the pair of ue_mms_update_start() and ue_mm_is_settled_locked(), WORD
 * that of ue_mms_update_start() and write_word(), and RELEASE that of
 * smp_store_release() and smp_load_acquire(), such as those of the status of an
 * event and of the number of entries of a table.
 *
 * scripts/check/unit/model verifies the model in each scenario, and that it fails
 * if any of the numbered steps, which are the barriers, is left out.
 */
#define FIRST 0
#define SECOND 1

#ifndef SKIPPED
#define SKIPPED 0
#endif
#define STEP(n) (SKIPPED != n)

/* What the variables are */
#define CHILD 0
#define UPDATES 1
#define STATUS 0
#define BIT 1
#define DATA 0
#define FLAG 1

/* Variable v in the store buffer of task t is the entry 2 * t + v. */
bool memory[2];
bool stored[4];
bool waiting[4];

bool seen[2];
byte ended;

inline store(t, v, value)
{
	atomic { stored[2 * t + v] = value; waiting[2 * t + v] = true }
}

inline load(t, v, value)
{
	atomic {
		value = (waiting[2 * t + v] -> stored[2 * t + v] : memory[v])
	}
}

inline barrier(t)
{
	!waiting[2 * t] && !waiting[2 * t + 1]
}

inline flush(t, v)
{
	stored[2 * t + v] = false;
	waiting[2 * t + v] = false
}

proctype buffers()
{
end:	do
	:: atomic { waiting[0] -> memory[0] = stored[0]; flush(FIRST, 0) }
	:: atomic { waiting[1] -> memory[1] = stored[1]; flush(FIRST, 1) }
	:: atomic { waiting[2] -> memory[0] = stored[2]; flush(SECOND, 0) }
	:: atomic { waiting[3] -> memory[1] = stored[3]; flush(SECOND, 1) }
	od
}

proctype first()
{
	bool on, again;

#ifdef FORK
	/* The child is published, and then settled if there was no update. */
	store(FIRST, CHILD, true);
	if
	:: STEP(1) -> barrier(FIRST)
	:: else
	fi;
	load(FIRST, UPDATES, seen[FIRST]);
#endif
#ifdef WORD
	/* write_word() */
	do
	:: load(FIRST, STATUS, on);
	   store(FIRST, BIT, on);
	   if
	   :: STEP(3) -> barrier(FIRST)
	   :: else
	   fi;
	   load(FIRST, STATUS, again);
	   if
	   :: on == again -> break
	   :: else
	   fi
	od;
#endif
#ifdef RELEASE
	store(FIRST, DATA, true);
	if
	:: STEP(5) -> barrier(FIRST)
	:: else
	fi;
	store(FIRST, FLAG, true);
#endif
	ended++
}

proctype second()
{
#ifdef FORK
	/* The update starts, and then looks for processes. */
	store(SECOND, UPDATES, true);
	if
	:: STEP(2) -> barrier(SECOND)
	:: else
	fi;
	load(SECOND, CHILD, seen[SECOND]);
#endif
#ifdef WORD
	store(SECOND, STATUS, true);
	if
	:: STEP(4) -> barrier(SECOND)
	:: else
	fi;
	store(SECOND, BIT, true);
#endif
#ifdef RELEASE
	if
	:: load(SECOND, FLAG, seen[FIRST]);
	   load(SECOND, DATA, seen[SECOND])
	:: !STEP(6) ->
	   load(SECOND, DATA, seen[SECOND]);
	   load(SECOND, FLAG, seen[FIRST])
	fi;
#endif
	ended++
}

init
{
	atomic { run buffers(); run first(); run second() }
	ended == 2;
	barrier(FIRST);
	barrier(SECOND);
#ifdef FORK
	/* The update sees the child, or the child that it is not settled. */
	assert(seen[FIRST] || seen[SECOND]);
#endif
#ifdef WORD
	assert(memory[BIT] == memory[STATUS]);
#endif
#ifdef RELEASE
	assert(!seen[FIRST] || seen[SECOND]);
#endif
}
