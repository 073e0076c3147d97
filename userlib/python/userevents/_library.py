# SPDX-License-Identifier: MIT
"""The shared libraries: their structures and functions."""

import ctypes
import functools
import os
from ctypes import (POINTER, Structure, c_bool, c_char_p, c_int,
                    c_int32, c_int64, c_size_t, c_ssize_t, c_uint, c_uint8,
                    c_uint16, c_uint32, c_uint64, c_void_p)


class UevEvent(Structure):
    """struct uev_event"""
    _fields_ = [("state", c_uint32), ("size", c_uint32),
                ("command", c_char_p), ("registration", c_void_p)]


class UevSet(Structure):
    """struct uev_event_set"""
    _fields_ = [("keyword", c_uint64), ("level", c_uint8),
                ("reserved", c_uint8 * 7), ("event", UevEvent)]


class UevField(Structure):
    """struct uev_field"""
    _fields_ = [("name", c_char_p), ("type", c_uint32),
                ("reserved", c_uint32)]


class UevString(Structure):
    """struct uev_string"""
    _fields_ = [("data", c_char_p), ("count", c_size_t)]


class UevStats(Structure):
    """struct uev_stats"""
    _fields_ = [(name, c_uint64) for name in
                ("written", "skipped", "oversize", "large", "failed",
                 "registered", "pending", "missed", "shortened", "lost")]


class UevSource(Structure):
    """struct uev_source"""
    _fields_ = [("system", c_char_p), ("name", c_char_p),
                ("format", c_void_p), ("format_size", c_size_t),
                ("id", c_uint32), ("index", c_uint32),
                ("reserved", c_uint64 * 4)]


class UevSample(Structure):
    """struct uev_sample"""
    _fields_ = [("source", POINTER(UevSource)), ("raw", c_void_p),
                ("raw_size", c_uint32), ("flags", c_uint32),
                ("time", c_uint64), ("id", c_uint64), ("cpu", c_uint32),
                ("pid", c_uint32), ("tid", c_uint32),
                ("stack_size", c_uint32), ("stack", POINTER(c_uint64)),
                ("vpid", c_uint32), ("reserved", c_uint32)]


class UevClock(Structure):
    """struct uev_clock"""
    _fields_ = [("clockid", c_int32), ("reserved", c_uint32),
                ("wall", c_uint64), ("clock", c_uint64),
                ("reserved_times", c_uint64 * 2)]


class UevCounts(Structure):
    """struct uev_trace_stats"""
    _fields_ = [(name, c_uint64) for name in
                ("records", "bytes", "lost", "throttled", "corrupt", "other",
                 "unordered", "forks_lost", "interrupted")]


class UevPerfInfo(Structure):
    """struct uev_perf_info"""
    _fields_ = [("hostname", c_char_p), ("osrelease", c_char_p),
                ("arch", c_char_p), ("cpus_online", c_uint32),
                ("cpus_present", c_uint32), ("first_time", c_uint64),
                ("last_time", c_uint64), ("clock", UevClock),
                ("has_clock", c_uint8), ("is_pipe", c_uint8),
                ("is_foreign", c_uint8), ("long_size", c_uint8),
                ("reserved", c_uint8 * 4), ("reserved_words", c_uint64 * 8)]


class UevSessionOptions(Structure):
    """struct uev_session_options"""
    _fields_ = [("size", c_size_t), ("flags", c_uint),
                ("buffer_size", c_uint32), ("watermark", c_uint32),
                ("clockid", c_int32), ("cgroup_fd", c_int32),
                ("cpus", POINTER(c_uint)), ("cpu_count", c_size_t),
                ("pids", POINTER(c_int)), ("pid_count", c_size_t),
                ("tracefs", c_char_p), ("stack_max", c_uint16),
                ("reserved", c_uint16 * 3)]


class UevOutput(Structure):
    """struct uev_output"""
    _fields_ = [("text", c_void_p), ("size", c_size_t), ("room", c_size_t),
                ("reserved", c_size_t * 2)]


class UevJsonOptions(Structure):
    """struct uev_json_options"""
    _fields_ = [("size", c_size_t), ("flags", c_uint32), ("meta", c_uint32),
                ("limit", c_size_t)]


# Functions, without the prefix uev_: result and arguments.
_EMIT = {
    "enabled": (c_bool, [POINTER(UevEvent)]),
    "event_status": (c_int, [POINTER(UevEvent)]),
    "event_count": (None, [POINTER(UevEvent), c_int]),
    "strerror": (c_char_p, [c_int]),
    "process_stats": (None, [POINTER(UevStats), c_size_t]),
    "shorten": (c_size_t, [c_char_p, c_size_t, c_size_t]),
    "dynamic_provider_new": (c_int, [POINTER(c_void_p), c_char_p, c_char_p]),
    "dynamic_provider_free": (None, [c_void_p]),
    "dynamic_provider_event_set": (c_int, [c_void_p, c_uint, c_uint64,
                             POINTER(POINTER(UevSet))]),
    "builder_new": (c_int, [POINTER(c_void_p)]),
    "builder_free": (None, [c_void_p]),
    "builder_begin": (c_int, [c_void_p, c_char_p, c_uint16]),
    "builder_id": (c_int, [c_void_p, c_uint16, c_uint8]),
    "builder_shorten": (c_int, [c_void_p, c_size_t]),
    "builder_opcode": (c_int, [c_void_p, c_uint8]),
    "builder_write": (c_int, [c_void_p, POINTER(UevSet), c_char_p,
                              c_char_p]),
    "add": (c_int, [c_void_p, c_char_p, c_uint, c_uint, c_uint16, c_void_p,
                    c_size_t]),
    "begin_struct": (c_int, [c_void_p, c_char_p, c_uint16]),
    "end_struct": (c_int, [c_void_p]),
    "tracepoint_new": (c_int, [POINTER(c_void_p), c_char_p,
                               POINTER(UevField), c_size_t, c_uint]),
    "tracepoint_free": (c_int, [c_void_p]),
    "tracepoint_event": (POINTER(UevEvent), [c_void_p]),
    "record_new": (c_int, [POINTER(c_void_p), c_void_p]),
    "record_free": (None, [c_void_p]),
    "record_set_signed": (c_int, [c_void_p, c_size_t, c_int64]),
    "record_set_unsigned": (c_int, [c_void_p, c_size_t, c_uint64]),
    "record_set_data": (c_int, [c_void_p, c_size_t, c_char_p, c_size_t]),
    "record_write": (c_int, [c_void_p]),
}
_TRACE = {
    "perf_reader_open": (c_int, [POINTER(c_void_p), c_char_p, c_void_p]),
    "perf_reader_close": (None, [c_void_p]),
    "perf_reader_next": (c_int, [c_void_p, POINTER(POINTER(UevSample))]),
    "perf_reader_info": (POINTER(UevPerfInfo), [c_void_p]),
    "perf_reader_comm": (c_char_p, [c_void_p, c_uint32]),
    "perf_reader_stats": (None, [c_void_p, POINTER(UevCounts), c_size_t]),
    "session_open": (c_int, [POINTER(c_void_p), POINTER(UevSessionOptions)]),
    "session_close": (None, [c_void_p]),
    "session_add": (c_int, [c_void_p, c_char_p, c_char_p]),
    "session_rescan": (c_int, [c_void_p]),
    "session_start": (c_int, [c_void_p]),
    "session_stop": (c_int, [c_void_p]),
    "session_fd": (c_int, [c_void_p]),
    "session_read": (c_ssize_t, [c_void_p, c_uint]),
    "session_next": (c_int, [c_void_p, POINTER(POINTER(UevSample))]),
    "session_comm": (c_char_p, [c_void_p, c_uint32]),
    "session_clock": (c_int, [c_void_p, POINTER(UevClock)]),
    "session_stats": (None, [c_void_p, POINTER(UevCounts), c_size_t]),
    "schema_parse": (c_int, [POINTER(c_void_p), c_char_p, c_void_p, c_size_t,
                             c_uint, POINTER(c_size_t)]),
    "schema_free": (None, [c_void_p]),
    "decoder_new": (c_int, [POINTER(c_void_p)]),
    "decoder_free": (None, [c_void_p]),
    "decoder_start": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "decoder_append_json": (c_int, [c_void_p, POINTER(UevJsonOptions),
                                    c_void_p, POINTER(UevOutput)]),
    "output_release": (None, [POINTER(UevOutput)]),
}


class _Functions:
    """The functions of a library, as attributes without their prefix"""

    def __init__(self, name, functions):
        library = ctypes.CDLL(name)
        for function, (result, arguments) in functions.items():
            entry = getattr(library, "uev_" + function)
            entry.restype = result
            entry.argtypes = arguments
            setattr(self, function, entry)


@functools.lru_cache(maxsize=None)
def emit():
    """Returns the functions of libuserevents."""
    return _Functions("libuserevents.so.2", _EMIT)


@functools.lru_cache(maxsize=None)
def trace():
    """Returns the functions of libuserevents-trace."""
    return _Functions("libuserevents-trace.so.2", _TRACE)


class Owner:
    """An object that releases memory of a library; a copy would do it again"""

    def __getstate__(self):
        raise TypeError(f"{type(self).__name__} cannot be copied")


def check(result, name=None):
    """Raises OSError for a negative errno, and returns other results."""
    if result < 0:
        raise OSError(-result, os.strerror(-result), name)
    return result


def _as_dictionary(structure):
    return {name: getattr(structure, name) for name, _ in structure._fields_}


def counts_of(function, handle):
    """Returns struct uev_trace_stats as a dictionary."""
    counts = UevCounts()
    function(handle, counts, ctypes.sizeof(counts))
    return _as_dictionary(counts)


def stats():
    """Returns the counters of all events of the process as a dictionary.

    They are those of uev_process_stats(3), such as written, oversize, failed
    and shortened.
    """
    result = UevStats()
    emit().process_stats(result, ctypes.sizeof(result))
    return _as_dictionary(result)
