// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of event/refs.c: two threads of a file add events, a third one writes
 * records by index, and the last one closes the file and deletes the events. The
 * table has room for one event first, then for two, then for four.
 *
 * A store before another one that a barrier orders is a step before that of the
 * other. Without the barrier, both are made in the other order.
 *
 * scripts/check/unit/model verifies the model, and that it fails if any of the
 * numbered steps is left out.
 */
#define EVENTS 3
#define NONE 9
#define TABLES 4

#ifndef SKIPPED
#define SKIPPED 0
#endif
#define STEP(n) (SKIPPED != n)

/* Of a table */
bool live[TABLES];
byte capacity[TABLES];
byte count[TABLES];

/* Entry i of table t is entries[4 * t + i]: the number of an event and 1, or 0. */
byte entries[16];

/* Of the file */
byte table = NONE;
bool lock;
byte index_of[EVENTS] = NONE;
byte threads = 3;

/* Of an event: those of the registry and of the table */
byte users[EVENTS] = 1;
bool freed[EVENTS];

inline acquire()
{
	atomic {
		if
		:: STEP(1) -> !lock; lock = true
		:: else
		fi
	}
}

inline release()
{
	lock = false
}

/* table_alloc() and table_copy() without the lock */
inline copy(size)
{
	atomic {
		larger = 0;
		do
		:: larger < TABLES && (live[larger] || capacity[larger]) ->
			larger++
		:: else -> break
		od;
		assert(larger < TABLES);
		live[larger] = true;
		capacity[larger] = size;
		old = table
	}
	atomic {
		n = (old == NONE -> 0 : count[old]);
		n = (n < size -> n : size);
		i = 0
	}
	do
	:: i < n -> atomic {
		entries[4 * larger + i] = entries[4 * old + i];
		i++ }
	:: else -> break
	od;
	if
	:: STEP(2) -> count[larger] = n
	:: else
	fi;
	atomic { n = 0; i = 0; old = 0 }
}

/* table_append() */
inline append(t, event)
{
	if
	:: STEP(3) ->
		atomic {
			n = count[t];
			entries[4 * t + n] = event + 1;
			users[event] = users[event] + STEP(4)
		};
		count[t] = n + 1
	:: else ->
		n = count[t];
		count[t] = n + 1;
		atomic {
			entries[4 * t + n] = event + 1;
			users[event]++
		}
	fi;
	index_of[event] = n;
	n = 0
}

/* ue_refs_add() */
proctype adder(byte from; byte to)
{
	byte event, larger, old, n, i, wanted;
	bool done;

	event = from;
	larger = NONE;
	do
	:: event < to ->
		done = false;
		do
		:: !done ->
			acquire();
			wanted = (table == NONE -> 1 : 2 * capacity[table]);
			if
			:: table != NONE && count[table] < capacity[table] ->
				append(table, event);
				done = true
			:: else ->
				if
				:: larger == NONE
				:: larger != NONE && STEP(5) &&
				   table != NONE &&
				   capacity[larger] <= capacity[table]
				:: larger != NONE && (!STEP(5) ||
				   table == NONE ||
				   capacity[larger] > capacity[table]) ->
					/* It stays until the file is closed. */
					atomic {
						if
						:: STEP(6) || table == NONE
						:: else -> live[table] = false
						fi
					};
					table = larger;
					append(larger, event);
					larger = NONE;
					done = true
				fi
			fi;
			release();
			/* kvfree() */
			atomic {
				if
				:: larger != NONE ->
					live[larger] = false;
					capacity[larger] = 0;
					larger = NONE
				:: else
				fi
			}
			if
			:: !done -> copy(wanted)
			:: else
			fi
		:: else -> break
		od;
		event++
	:: else -> break
	od;
	threads--
}

/* ue_refs_find() of an index that the process has, or of any other one */
proctype writer()
{
	byte t, n, index, entry, wanted, round;

	do
	:: round < 2 ->
		atomic {
			wanted = NONE;
			if
			:: index_of[0] != NONE -> wanted = 0
			:: index_of[1] != NONE -> wanted = 1
			:: index_of[2] != NONE -> wanted = 2
			:: true
			fi;
			index = (wanted == NONE -> 0 : index_of[wanted])
		}
		t = table;
		if
		:: t == NONE -> assert(wanted == NONE)
		:: else ->
			assert(live[t]);
			n = count[t];
			if
			:: index < n ->
				atomic {
					assert(live[t]);
					entry = entries[4 * t + index];
					assert(entry);
					assert(wanted == NONE ||
					       entry == wanted + 1);
					assert(!freed[entry - 1])
				}
				/* The file has a reference until it is closed. */
				atomic { assert(!freed[entry - 1]) }
			:: else -> assert(wanted == NONE)
			fi
		fi;
		atomic {
			t = 0;
			n = 0;
			index = 0;
			entry = 0;
			wanted = 0
		}
		round++
	:: else -> break
	od;
	threads--
}

/* Deletes events that only the registry has, at any time. */
proctype deleter()
{
	byte event;

	do
	:: event < EVENTS ->
		if
		:: atomic { users[event] == 1 && index_of[event] != NONE ->
			users[event] = 0;
			freed[event] = true }
		:: true
		fi;
		event++
	:: else -> break
	od
}

init
{
	byte i;

	atomic {
		run adder(0, 2);
		run adder(2, EVENTS);
		run writer();
		run deleter()
	}
	/* ue_refs_destroy(), after the last system call on the file */
	if
	:: STEP(7) -> threads == 0
	:: else
	fi;
	do
	:: i < EVENTS ->
		assert(!STEP(7) || (index_of[i] != NONE &&
		       entries[4 * table + index_of[i]] == i + 1));
		atomic {
			if
			:: users[i] -> users[i]--
			:: else
			fi
		}
		i++
	:: else -> break
	od;
	if
	:: table != NONE -> live[table] = false
	:: else
	fi
}
