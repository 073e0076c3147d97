// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of enabler/sync.c, check.c, resume.c and fork.c: an event is switched
 * while the tasks of a process lose the page of their word, are killed during a
 * check, get their page later, exec and exit. Task 0 also forks a child (FORK),
 * clones a process that shares its memory (CLONE), or has a thread (THREAD): the
 * task 1. mms_lock is an atomic step, and event_mutex that there is one switcher.
 *
 * scripts/check/unit/model verifies the model, and that it fails if any of the
 * numbered steps is left out.
 */
#define PARENT 0
#define CHILD 1
#define NONE 2

/* Switches of the event */
#ifdef THREAD
#define ROUNDS 2
#else
#define ROUNDS 1
#endif

#ifdef THREAD
#define FIRST_MM PARENT
#else
#define FIRST_MM NONE
#endif

/*
 * The task that discards the page, and the one that calls execve() or exits. A
 * fork makes the page unavailable to both.
 */
#define LOSER 0
#ifdef FORK
#define LEAVER NONE
#else
#define LEAVER (FIRST_MM == PARENT)
#endif

/*
 * A check that must wait for its page, or a task that is killed in it. With both,
 * and a fork, the search is too large.
 */
#ifndef MAY_WAIT
#define MAY_WAIT 1
#endif
#ifndef MAY_BE_KILLED
#define MAY_BE_KILLED 1
#endif

/* How often the page is lost */
#ifndef LOSSES
#define LOSSES 1
#endif

#ifndef SKIPPED
#define SKIPPED 0
#endif
#define STEP(n) (SKIPPED != n)

/*
 * Task works are bits, one for each task and for each of the two that queue them.
 * Several by the same one are as good as one.
 */
#define SWITCHER 0
#define WORKER 2
#define WORK(origin, task) (1 << (origin + task))
#define WORKS(task) (WORK(SWITCHER, task) | WORK(WORKER, task))
#define WORKS_OF(origin) (WORK(origin, 0) | WORK(origin, 1))

/* A process that only shares memory is not found in the group of threads. */
#ifdef CLONE
#define IS_FOUND(task) (task == 0)
#else
#define IS_FOUND(task) true
#endif

bool status;
bool switching;
byte updates = 2;
bool notifying;

/* Of a process; notice has the task works of all notices. */
bool published[2];
bool word[2];
bool present[2];
bool is_stale[2];
bool is_checking[2];
bool must_retry[2];
byte settled[2];
bool listed[2];
bool shared[2];
bool retried[2];
bool is_added[2];
byte notice[2];

/* Whether the worker has begun the last notice. */
bool is_begun_by_worker[2];

/* Of a task */
byte mm[2];
byte work_mm[2];
byte work;

bool may_wait = MAY_WAIT;
bool may_be_killed = MAY_BE_KILLED;

/* notice_withdraw() */
inline withdraw(m)
{
	atomic {
		if
		:: work_mm[0] == m -> work = work & ~(mask & WORKS(0))
		:: else
		fi;
		if
		:: work_mm[1] == m -> work = work & ~(mask & WORKS(1))
		:: else
		fi;
		mask = 0
	}
}

inline enqueue(m)
{
	listed[m] = true;
	shared[m] = false;
	retried[m] = false;
	is_added[m] = false
}

inline enqueue_shared(m)
{
	listed[m] = false;
	shared[m] = true;
	retried[m] = false;
	is_added[m] = false
}

inline notice_add(m, task, origin, everywhere)
{
	atomic {
		if
		:: mm[task] == m && (IS_FOUND(task) || everywhere) ->
			work = work | WORK(origin, task);
			work_mm[task] = m;
			mask = mask | WORK(origin, task)
		:: else
		fi
	}
}

/*
 * notify() or walk_tasks(): the tasks one by one, then notice_publish(). One of the
 * worker replaces those of the switcher that were begun before.
 */
inline notify(m, origin, everywhere)
{
	is_begun_by_worker[m] = (origin == WORKER);
	notice_add(m, 0, origin, everywhere);
	notice_add(m, 1, origin, everywhere);
	atomic {
		if
		:: is_stale[m] && !is_checking[m] ->
			if
			:: origin == WORKER &&
			   (is_begun_by_worker[m] || !STEP(17)) ->
				replaced = notice[m] & WORKS_OF(SWITCHER)
			:: else
			fi;
			notice[m] = (notice[m] & ~replaced) | mask;
			mask = replaced;
			replaced = 0
		:: else
		fi
	};
	withdraw(m)
}

/* ue_mm_request_check() */
inline request_check(m)
{
	atomic {
		must = !is_stale[m] && !is_checking[m];
		is_stale[m] = true
	}
	if
	:: must ->
		must = false;
		if
		:: notify(m, SWITCHER, false);
		   if
		   :: STEP(1) && mm[1] == m && !IS_FOUND(1) ->
			atomic {
				if
				:: is_stale[m] || !STEP(13) -> enqueue_shared(m)
				:: else
				fi
			}
		   :: else
		   fi
		:: STEP(2) -> atomic { enqueue(m) } /* no memory */
		:: !STEP(2)
		fi
	:: else
	fi
}

/* ue_enablers_update() */
proctype switcher()
{
	byte round, m, mask, replaced;
	bool must;

	do
	:: round < ROUNDS ->
		switching = true;
		if
		:: STEP(3) -> status = !status
		:: else
		fi;
		if
		:: STEP(14) -> updates++
		:: else
		fi;
		m = 0;
		do
		:: m < 2 ->
			if
			:: atomic { published[m] && present[m] ->
				word[m] = (STEP(3) -> status : !status) }
			:: atomic { published[m] && !present[m] -> skip };
			   request_check(m)
			:: !published[m]
			fi;
			m++
		:: else -> break
		od;
		if
		:: STEP(3)
		:: else -> status = !status
		fi;
		if
		:: STEP(14) -> updates++
		:: else
		fi;
		switching = false;
		round++
	:: else -> break
	od
}

/*
 * notify_stale(), walk_tasks() and retry_stale(). The first two can run at once,
 * which the model leaves out.
 */
proctype worker()
{
	byte m, mask, replaced;

end:	do
	:: atomic { listed[PARENT] || listed[CHILD] ->
		m = (listed[PARENT] -> PARENT : CHILD);
		listed[m] = false;
		is_stale[m] = is_stale[m] || must_retry[m];
		must_retry[m] = false;
		notifying = is_stale[m] };
	   if
	   :: notifying ->
		notify(m, WORKER, false);
		atomic {
			if
			:: STEP(12) && mm[1] == m && !IS_FOUND(1) &&
			   (is_added[m] || !listed[m] && !shared[m] &&
			    !retried[m]) ->
				enqueue_shared(m)
			:: else
			fi;
			notifying = false
		}
	   :: else
	   fi;
	   m = 0
	:: atomic { shared[PARENT] ->
		shared[PARENT] = false;
		notifying = true };
	   if
	   :: is_stale[PARENT] -> notify(PARENT, WORKER, true)
	   :: else
	   fi;
	   notifying = false
	:: atomic { retried[PARENT] -> enqueue(PARENT) }
	:: atomic { retried[CHILD] -> enqueue(CHILD) }
	od
}

/* The task is the only one that uses the memory. */
inline settle(m)
{
#ifdef FORK
	number = updates;
	atomic {
		if
		:: (number % 2 == 0 || !STEP(15)) && !is_stale[m] &&
		   !is_checking[m] &&
		   (!listed[m] && !shared[m] && !retried[m] || !STEP(16)) ->
			settled[m] = number
		:: else
		fi;
		number = 0
	}
#else
	skip
#endif
}

/* ue_mm_check(), with ue_mm_check_words() for the only word */
inline check(t, m)
{
	atomic {
		must = is_stale[m] && !is_checking[m];
		if
		:: must ->
			is_stale[m] = !STEP(4);
			must_retry[m] = false;
			is_checking[m] = true;
			mask = notice[m];
			notice[m] = 0
		:: else
		fi
	}
	if
	:: must ->
		withdraw(m);
		killed = false;
		later = false;
		on = status;
		if
		:: mm[t] != m /* looks at other memory */
		:: mm[t] == m && word[m] == on
		:: mm[t] == m && word[m] != on ->
			if
			:: atomic { may_be_killed ->
				may_be_killed = false;
				killed = true }
			:: atomic { may_wait -> may_wait = false; later = true }
			:: present[m] = true;
			   do
			   :: on = status;
			      word[m] = on;
			      if
			      :: STEP(5) && on != status
			      :: else -> break
			      fi
			   od
			fi
		fi;
		atomic {
			is_checking[m] = false;
			if
			:: !STEP(4) -> is_stale[m] = false
			:: else
			fi;
			if
			:: STEP(6) && killed -> is_stale[m] = true
			:: else
			fi;
			must_retry[m] = STEP(18) && later;
			if
			:: STEP(7) && is_stale[m] -> enqueue(m)
			:: STEP(8) && !is_stale[m] && later ->
				listed[m] = false;
				shared[m] = false;
				retried[m] = true;
				is_added[m] = false
			:: else
			fi;
			if
			:: killed -> mm[t] = NONE
			:: else
			fi;
			must = false;
			on = false;
			killed = false;
			later = false
		}
	:: else
	fi
}

/* task_work_run(). A task that returns sees its bit, or it is being written. */
inline return_to_user(t)
{
	do
	:: atomic { work & WORKS(t) ->
		work = work & ~WORKS(t);
		m = work_mm[t] };
		if
		:: mm[t] == m || !STEP(9) ->
			check(t, m);
			settle(m)
		:: else
		fi
	:: atomic { !(work & WORKS(t)) ->
		m = mm[t];
		assert(m == NONE || switching || word[m] == status ||
		       is_checking[m] || listed[m] || shared[m] || retried[m] ||
		       notifying);
		m = 0;
		break }
	od
}

proctype runner(byte t)
{
	byte m, mask, number;
	byte losses;
	bool must, on, killed, later, is_idle, has_cloned, has_settled;

	/* A new task starts in the kernel. */
again:	return_to_user(t);
end:	if
	/* sleeps */
	:: work & WORKS(t) -> goto again
	/* Anything may be the last that the task does. */
	:: !is_idle -> is_idle = true; goto end
	/* the page is discarded, or shared by a fork */
	:: !is_idle && losses < LOSSES && t == LOSER && mm[t] != NONE ->
		losses++;
		present[mm[t]] = false;
		goto again
#ifdef FORK
	/* the task work of an earlier fork */
	:: !is_idle && t == 0 && !has_settled && mm[t] == PARENT ->
		has_settled = true;
		settle(PARENT);
		goto again
	:: !is_idle && t == 0 && !published[CHILD] && mm[t] == PARENT ->
		/* copy_process(), then ue_mm_fork() */
		atomic {
			word[CHILD] = word[PARENT];
			present[PARENT] = false
		};
		published[CHILD] = true;
		atomic {
			if
			:: settled[PARENT] != updates ->
				is_stale[CHILD] = is_stale[CHILD] || STEP(10)
			:: else -> settled[CHILD] = updates
			fi
		};
		atomic {
			mm[1] = CHILD;
			if
			:: is_stale[CHILD] ->
				work = work | WORK(SWITCHER, 1);
				work_mm[1] = CHILD
			:: else
			fi
		};
		run runner(1);
		goto again
#endif
#ifdef CLONE
	:: !is_idle && t == 0 && !has_cloned && mm[t] == PARENT ->
		/* copy_process(), then ue_mm_clone() */
		has_cloned = true;
		mm[1] = PARENT;
		atomic {
			if
			:: STEP(11) && is_stale[PARENT] &&
			   !is_checking[PARENT] && !listed[PARENT] &&
			   !shared[PARENT] ->
				enqueue(PARENT);
				is_added[PARENT] = true
			:: else
			fi
		};
		run runner(1);
		goto again
#endif
	/* execve() or exit: other memory, or none */
	:: !is_idle && t == LEAVER && mm[t] != NONE -> mm[t] = NONE; goto again
	fi
}

init
{
	atomic {
		mm[1] = FIRST_MM;
		published[PARENT] = true;
		present[PARENT] = true;
		run switcher();
		run worker();
		run runner(0);
		if
		:: FIRST_MM != NONE -> run runner(1)
		:: else
		fi
	}
	/* When nothing is left to do, all words that a task can read are right. */
end:	timeout ->
	assert(word[PARENT] == status || (mm[0] != PARENT && mm[1] != PARENT));
	assert(word[CHILD] == status || mm[1] != CHILD)
}
