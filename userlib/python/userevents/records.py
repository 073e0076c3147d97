# SPDX-License-Identifier: MIT
"""Reading events: from perf.data files, and as they occur."""

import ctypes
import errno
import json
import logging
import os
import select
import time

from userevents._library import (Owner, UevClock, UevJsonOptions, UevOutput,
                                 UevSample, UevSessionOptions, check,
                                 counts_of, trace)

_HAS_TIME, _HAS_CPU, _HAS_TID, _IS_FOREIGN, _HAS_VPID = 1, 2, 4, 8, 32
_SCHEMA_SWAPPED = 1
_SCHEMA_LONGS = {4: 2, 8: 4}
_JSON_COMPACT, _JSON_PARTIAL = 1, 2
_META = 0x3fcf
_CLOCK_MONOTONIC_RAW = 4
_SESSION_COMMS, _SESSION_VPIDS = 4, 32
_DRAIN = 1
_RESCAN_INTERVAL = 1
_TOO_LONG = b'{"error":{"reason":"too long"}}'


_log = logging.getLogger("userevents")


class Record:
    """A record

    tracepoint   its event in the kernel, "system:name"
    name         "provider:event" of EventHeader, else as tracepoint
    fields       a dictionary; of several fields of one name, it has the last
    meta         a dictionary: level, keyword, opcode, activity...
    error        None, or why the record cannot be decoded completely; "too
                 long" if its JSON exceeds 16 MiB, and then it has no fields
    time         nanoseconds of the clock of the recording, or None
    wall_time    nanoseconds since 1970, or None
    cpu, pid, tid
                 None if unknown
    comm         the name of the thread; None if unknown, and in a Session
                 without comms
    vpid         the PID that a process of another pid namespace has there, or
                 None
    """

    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        return f"<Record {self.name} {self.fields}>"


class _Pairs(list):
    """A JSON object, which can have a name several times"""


def _plain(value):
    if isinstance(value, _Pairs):
        return {name: _plain(member) for name, member in value}
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return value


def _ends_with(pairs, name):
    """Tests for an object of that name; a field of it has another type."""
    return pairs and pairs[-1][0] == name and isinstance(pairs[-1][1], _Pairs)


class _Decoder:
    """Decodes the records of a file or a session"""

    def __init__(self, info=None):
        self._handle = ctypes.c_void_p()
        self._schemas = {}
        self._info = info
        self._options = UevJsonOptions(ctypes.sizeof(UevJsonOptions),
                                       _JSON_COMPACT | _JSON_PARTIAL, _META,
                                       0)
        check(trace().decoder_new(self._handle))

    def close(self):
        """Frees the decoder and all schemas."""
        for schema in self._schemas.values():
            trace().schema_free(schema)
        self._schemas = {}
        trace().decoder_free(self._handle)
        self._handle = None

    def _schema(self, source, is_foreign):
        schema = self._schemas.get(source.index)
        if schema is None and source.format:
            schema = ctypes.c_void_p()
            offset = ctypes.c_size_t()
            # A pipe has the size in front of its first record.
            flags = _SCHEMA_LONGS.get(
                self._info.long_size if self._info else 0, 0)
            if is_foreign:
                flags |= _SCHEMA_SWAPPED
            trace().schema_parse(schema, source.system or b"", source.format,
                                 source.format_size, flags, offset)
            self._schemas[source.index] = schema
        return schema

    def _json(self):
        output = UevOutput()
        try:
            err = trace().decoder_append_json(self._handle, self._options,
                                              None, output)
            # The error of a malformed record is part of the output.
            if not output.size:
                if err == -errno.E2BIG:
                    return _TOO_LONG
                check(err)
            return ctypes.string_at(output.text, output.size)
        finally:
            trace().output_release(output)

    def decode(self, sample, comm_of, clock):
        """Returns the Record of a struct uev_sample."""
        source = sample.source.contents
        schema = self._schema(source, sample.flags & _IS_FOREIGN)
        trace().decoder_start(self._handle, schema, sample.raw,
                              sample.raw_size)
        pairs = json.loads(self._json(), object_pairs_hook=_Pairs)
        tracepoint = (source.system or b"").decode("utf-8", "replace") + ":" \
            + source.name.decode("utf-8", "replace")
        name, meta, error = tracepoint, {}, None
        if pairs and pairs[0][0] == "n":
            name = pairs.pop(0)[1]
        if _ends_with(pairs, "error"):
            error = _plain(pairs.pop()[1]).get("reason")
        if _ends_with(pairs, "meta"):
            meta = _plain(pairs.pop()[1])
        has_time = sample.flags & _HAS_TIME
        has_tid = sample.flags & _HAS_TID
        comm = comm_of(sample.tid) if has_tid else None
        return Record(
            tracepoint=tracepoint, name=name, fields=_plain(pairs), meta=meta,
            error=error, time=sample.time if has_time else None,
            wall_time=clock.wall + sample.time - clock.clock
            if has_time and clock else None,
            cpu=sample.cpu if sample.flags & _HAS_CPU else None,
            pid=sample.pid if has_tid else None,
            tid=sample.tid if has_tid else None,
            vpid=sample.vpid if sample.flags & _HAS_VPID else None,
            comm=comm.decode("utf-8", "replace") if comm else None)


class _Closable(Owner):
    """A context manager; its handle is None when it is closed"""

    _handle = None

    @property
    def _opened(self):
        if not self._handle:
            raise ValueError("closed")
        return self._handle

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        self.close()


class FileReader(_Closable):
    """The records of a perf.data file, ordered by time; an iterator"""

    def __init__(self, path):
        handle = ctypes.c_void_p()
        check(trace().perf_reader_open(handle, os.fsencode(path), None),
              path)
        self._handle = handle
        self._info = trace().perf_reader_info(handle).contents
        self._decoder = _Decoder(self._info)

    def close(self):
        """Closes the file."""
        handle, self._handle = self._handle, None
        if handle:
            self._decoder.close()
            trace().perf_reader_close(handle)

    def __iter__(self):
        return self

    def __next__(self):
        sample = ctypes.POINTER(UevSample)()
        if not self._handle or not check(
                trace().perf_reader_next(self._handle, sample)):
            raise StopIteration
        return self._decoder.decode(
            sample.contents,
            lambda tid: trace().perf_reader_comm(self._handle, tid),
            self._info.clock if self._info.has_clock else None)

    def counts(self):
        """Returns a dictionary: records, bytes, lost, corrupt..."""
        return counts_of(trace().perf_reader_stats, self._opened)


def open_file(path):
    """Opens a perf.data file and returns its FileReader."""
    return FileReader(path)


class Session(_Closable):
    """Records events as they occur, which requires the right to use perf

        with userevents.Session("MyCompany_*") as session:
            for record in session.records(timeout=10):
                print(record)

    A pattern is "[SYSTEM:]NAME" with wildcards. Events that are registered
    later are added by records() or rescan(). The session is started. Tracing
    the whole machine requires the capability CAP_PERFMON; pids restricts it to
    some processes.

    With comms, records have the names of threads. This takes 128 KiB of locked
    memory per processor, and the start reads the names of all threads of pids,
    or of the machine, from /proc. Without the permission to see all threads, or
    that memory, the session has no names.
    """

    def __init__(self, *patterns, pids=(), buffer_size=0, tracefs=None,
                 comms=False):
        options = UevSessionOptions(
            ctypes.sizeof(UevSessionOptions),
            _SESSION_VPIDS | (_SESSION_COMMS if comms else 0), buffer_size, 0,
            _CLOCK_MONOTONIC_RAW, -1)
        if pids:
            options.pids = (ctypes.c_int * len(pids))(*pids)
            options.pid_count = len(pids)
        if tracefs:
            options.tracefs = os.fsencode(tracefs)
        handle = ctypes.c_void_p()
        check(trace().session_open(handle, options), tracefs)
        self._handle = handle
        self._decoder = _Decoder()
        self._rescan_error = None
        for pattern in patterns:
            self.add(pattern)
        check(trace().session_start(handle))

    def close(self):
        """Stops the session and frees its buffers."""
        handle, self._handle = self._handle, None
        if handle:
            self._decoder.close()
            trace().session_close(handle)

    def add(self, pattern, filter=None):
        """Adds events, and returns their number."""
        return check(trace().session_add(
            self._opened, pattern.encode(),
            filter.encode() if filter else None), pattern)

    def rescan(self):
        """Adds new events that match a pattern, and returns their number.

        Call it from time to time, unless with records(): the kernel does not
        notify of new events.
        """
        return check(trace().session_rescan(self._opened))

    def _try_rescan(self):
        """An error of a new event must not stop the others."""
        try:
            self.rescan()
        except OSError as error:
            if error.errno != self._rescan_error:
                _log.warning("Session: cannot add new events: %s", error)
            self._rescan_error = error.errno

    def fileno(self):
        """Returns a descriptor that is readable when there are records."""
        return trace().session_fd(self._opened)

    def stop(self):
        """Stops recording. read() returns what has been recorded."""
        check(trace().session_stop(self._opened))

    def read(self, drain=False):
        """Returns the list of records that are ready.

        Records of the time of the call are ready in the next call, or, after
        stop(), with drain.
        """
        check(trace().session_read(self._opened, _DRAIN if drain else 0))
        clock = UevClock()
        if trace().session_clock(self._handle, clock):
            clock = None
        sample = ctypes.POINTER(UevSample)()
        records = []
        while trace().session_next(self._handle, sample):
            records.append(self._decoder.decode(
                sample.contents,
                lambda tid: trace().session_comm(self._handle, tid), clock))
        return records

    def records(self, timeout=None):
        """Yields records until none occurs for a number of seconds.

        Adds new events about once a second; a warning of the logger userevents
        tells that this fails.
        """
        rescan_time = time.monotonic() + _RESCAN_INTERVAL
        end = None
        while True:
            now = time.monotonic()
            if now >= rescan_time:
                self._try_rescan()
                rescan_time = time.monotonic() + _RESCAN_INTERVAL
            records = self.read()
            yield from records
            if records or timeout is None:
                end = None
            elif end is None:
                end = now + timeout
            elif now >= end:
                return
            if not records:
                wait = rescan_time if end is None else min(rescan_time, end)
                ready = select.poll()
                ready.register(self, select.POLLIN)
                ready.poll(1000 * max(0, wait - time.monotonic()))

    def counts(self):
        """Returns a dictionary: records, bytes, lost, corrupt..."""
        return counts_of(trace().session_stats, self._opened)
