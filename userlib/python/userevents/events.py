# SPDX-License-Identifier: MIT
"""Writing events: Event has fields of the kernel, Provider EventHeader.

What a program writes raises an exception only if it is always invalid, whether
a tracer has enabled the event or not: the name of a provider, a level, the
names of fields of Event. A record that cannot be written because of its values
or an error of the kernel is counted, and reported once.
"""

import ctypes
import logging
import operator

from userevents._library import Owner, UevField, UevSet, check, emit
from userevents.values import (PAYLOAD_FTRACE_MAX, PAYLOAD_MAX, Field,
                               TooLarge, Values, defined_name, encode, name_of,
                               text_of)

__all__ = ["PAYLOAD_FTRACE_MAX", "PAYLOAD_MAX", "Event", "Field", "Provider"]

# Types of the fields of Event: enum uev_type
_KERNEL_TYPES = {"s8": 1, "u8": 2, "s16": 4, "u16": 5, "s32": 6, "u32": 7,
                 "s64": 8, "u64": 9, "string": 10, "bytes": 11}

# enum uev_counter
_OVERSIZE, _FAILED, _SHORTENED = range(1, 4)

# UEV_SHORTENED
_MARK = "\u2026".encode()

# Maximum number of names whose errors are reported
_REPORTS_MAX = 64

_log = logging.getLogger("userevents")


def is_enabled(event):
    """Does the same as uev_enabled(), mostly without a call."""
    return event.state != 0 and emit().enabled(event)


class _Reporter:
    """Reports the first record of each name that is not written"""

    def __init__(self, prefix):
        self._prefix = prefix
        self._names = set()

    def report(self, name, error):
        name = text_of(name)
        if name in self._names or len(self._names) >= _REPORTS_MAX:
            return
        self._names.add(name)
        _log.warning("%s%.64s: record not written: %s", self._prefix, name,
                     text_of(error) or type(error).__name__)


class _Builder:
    """A builder of the library"""

    def __init__(self):
        self._handle = ctypes.c_void_p()
        check(emit().builder_new(self._handle))

    def __del__(self):
        if self._handle:
            emit().builder_free(self._handle)

    def write(self, uev_set, name, tag, identity, opcode, limit, calls,
              activity, related):
        """Writes an event. Returns a negative errno, which is counted."""
        handle, library = self._handle, emit()
        library.builder_begin(handle, name, tag)
        library.builder_shorten(handle, limit)
        library.builder_id(handle, *identity)
        library.builder_opcode(handle, opcode)
        for function, arguments in calls:
            getattr(library, function)(handle, *arguments)
        return library.builder_write(handle, uev_set, activity, related)


# Builders that no write uses. Another thread, a signal handler and a finalizer
# can write during a write; a lock would deadlock in the handler, and in a child
# process.
_builders: "list[_Builder]" = []


def _number(name, value, bits):
    """Returns an argument of write(), which ctypes would mask."""
    if not 0 <= value < 1 << bits:
        raise ValueError(f"invalid {name}: {value}")
    return value


def _check_written(result):
    """Raises OSError for the result of a write, which is counted."""
    if result < 0:
        raise OSError(-result, emit().strerror(result).decode())


def _bytes_of(activity):
    return activity.bytes if activity else None


class Provider(Owner):
    """A provider of EventHeader events

    Registers a tracepoint for each level and keyword when it is first used.
    Without user_events, it is pending and disabled. Objects can be used by
    several threads, and are closed when no thread uses them. If an event is
    larger than limit, its texts are shortened.
    """

    def __init__(self, name, group="", *, limit=PAYLOAD_MAX):
        if not 0 < limit <= PAYLOAD_MAX:
            raise ValueError(f"invalid limit: {limit}")
        self._handle = ctypes.c_void_p()
        check(emit().dynamic_provider_new(self._handle, defined_name(name),
                                  defined_name(group)), name)
        self._sets = {}
        self._limit = limit
        self._reporter = _Reporter(f"{name}: ")
        self.name = name
        self.group = group

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def close(self):
        """Unregisters all tracepoints."""
        handle, self._handle = self._handle, None
        self._sets = {}
        if handle:
            emit().dynamic_provider_free(handle)

    def _register(self, level, keyword):
        if not self._handle:
            raise ValueError("provider is closed")
        _number("keyword", keyword, 64)
        if not 0 < level < 256:
            raise ValueError(f"invalid level: {level}")
        uev_set = ctypes.POINTER(UevSet)()
        check(emit().dynamic_provider_event_set(self._handle, level, keyword, uev_set),
              self.name)
        self._sets[level, keyword] = found = uev_set, uev_set.contents.event
        return found

    def _set(self, level, keyword):
        """Returns a set and its event."""
        return self._sets.get((level, keyword)) or self._register(level,
                                                                  keyword)

    def enabled(self, level=5, keyword=0):
        """Tests whether a tracepoint is enabled."""
        return is_enabled(self._set(level, keyword)[1])

    def status(self, level=5, keyword=0):
        """Returns 0 if the kernel has the tracepoint, or an errno."""
        return -emit().event_status(self._set(level, keyword)[1])

    def _emit(self, found, name, fields, tag=0, id=0, version=0, opcode=0,
              activity=None, related=None):
        """Writes an event. Raises any exception if it is not written."""
        uev_set, event = found
        try:
            calls = Values(fields, self._limit).calls if fields else ()
            arguments = (
                name_of(name), _number("tag", tag, 16),
                (_number("id", id, 16), _number("version", version, 8)),
                _number("opcode", opcode, 8), self._limit, calls,
                _bytes_of(activity), _bytes_of(related))
        except Exception as error:
            is_large = isinstance(error, TooLarge)
            emit().event_count(event, _OVERSIZE if is_large else _FAILED)
            raise
        try:
            builder = _builders.pop()
        except IndexError:
            builder = _Builder()
        try:
            err = builder.write(uev_set, *arguments)
        finally:
            _builders.append(builder)
        _check_written(err)

    def write(self, name, fields=None, *, level=5, keyword=0, tag=0, id=0,
              version=0, opcode=0, activity=None, related=None):
        """Writes an event if its tracepoint is enabled.

        Fields are a dictionary of values or Field objects; a dictionary in it
        is a struct, and a list an array. Activities are uuid.UUID objects.

        Raises ValueError for an invalid level or keyword, and nothing because
        of a value: one that has no type is recorded as text, and a text that
        does not fit is shortened. An event that cannot be written is counted,
        see stats(), and the first one of each name is logged as a warning.
        """
        try:
            found = self._set(level, keyword)
        except OSError as error:
            self._reporter.report(name, error)
            return
        if not is_enabled(found[1]):
            return
        try:
            self._emit(found, name, fields, tag, id, version, opcode, activity,
                       related)
        except Exception as error:
            self._reporter.report(name, error)


class Event(Owner):
    """An event with fields of the kernel

        event = Event("request", status="s32", path="string")
        event.write(status=200, path="/")

    Types are s8 to s64, u8 to u64, string and bytes.
    """

    def __init__(self, name, /, **fields):
        self.name = name
        self._fields = dict.fromkeys(fields)
        array = (UevField * max(1, len(fields)))()
        for index, (field, type) in enumerate(fields.items()):
            if type not in _KERNEL_TYPES:
                raise ValueError(f"{field}: unknown type: {type}")
            array[index] = UevField(defined_name(field),
                                    _KERNEL_TYPES[type], 0)
            self._fields[field] = (index, type)
        self._reporter = _Reporter("")
        # Records that no write uses, as _builders
        self._records = []
        self._handle = ctypes.c_void_p()
        check(emit().tracepoint_new(self._handle, defined_name(name), array,
                                    len(fields), 0), name)
        self._event = emit().tracepoint_event(self._handle).contents

    def __del__(self):
        for record in getattr(self, "_records", ()):
            emit().record_free(record)
        if getattr(self, "_handle", None):
            emit().tracepoint_free(self._handle)

    def enabled(self):
        """Tests whether the event is enabled."""
        return is_enabled(self._event)

    def status(self):
        """Returns 0 if the kernel has the event, or an errno."""
        return -emit().event_status(self._event)

    def _convert(self, name, value):
        """Returns a value as a number or bytes that the field can have."""
        type = self._fields[name][1]
        if type == "string":
            if not isinstance(value, (bytes, bytearray)):
                value = encode(text_of(value))
            return bytes(value).replace(b"\0", b"\\0")
        if type == "bytes":
            if isinstance(value, str):
                return encode(value)
            # bytes() of a number are zeros.
            if not hasattr(value, "__index__"):
                return bytes(value)
        elif hasattr(value, "__index__"):
            value = operator.index(value)
            bits = int(type[1:])
            low = -(1 << bits - 1) if type[0] == "s" else 0
            if low <= value < low + (1 << bits):
                return value
        raise ValueError(f"{name}: not a value of type {type}: "
                         f"{text_of(value):.64}")

    def _shorten(self, values):
        """Shortens texts, the longest ones first, if the record is too large.

        Returns whether it has shortened one.
        """
        texts, room = [], PAYLOAD_MAX
        for name, (_, type) in self._fields.items():
            if type == "string":
                texts.append(name)
                room -= 5
            else:
                room -= (4 + len(values[name]) if type == "bytes"
                         else int(type[1:]) // 8)
        if sum(len(values[name]) for name in texts) <= room:
            return False
        texts.sort(key=lambda name: len(values[name]))
        left, is_shortened = len(texts), False
        for name in texts:
            text, share = values[name], max(room, 0) // left
            if len(text) > share >= len(_MARK):
                values[name] = text[:emit().shorten(text, len(text),
                                                    share)] + _MARK
                is_shortened = True
            room -= len(values[name])
            left -= 1
        return is_shortened

    def _set_values(self, record, values):
        for name, value in values.items():
            index, type = self._fields[name]
            if type in ("string", "bytes"):
                emit().record_set_data(record, index, value, len(value))
            elif type[0] == "s":
                emit().record_set_signed(record, index, value)
            else:
                emit().record_set_unsigned(record, index, value)

    def _emit(self, values):
        """Writes a record. Raises any exception if it is not written."""
        try:
            values = {name: self._convert(name, value)
                      for name, value in values.items()}
        except Exception:
            emit().event_count(self._event, _FAILED)
            raise
        is_shortened = self._shorten(values)
        try:
            record = self._records.pop()
        except IndexError:
            record = ctypes.c_void_p()
            check(emit().record_new(record, self._handle))
        try:
            self._set_values(record, values)
            err = emit().record_write(record)
        finally:
            self._records.append(record)
        _check_written(err)
        if is_shortened:
            emit().event_count(self._event, _SHORTENED)

    def write(self, /, **values):
        """Writes a record if the event is enabled.

        Raises TypeError unless exactly all fields are given, and nothing
        because of a value. A string that does not fit is shortened. A record
        with a value that its field cannot have is not written, but counted,
        see stats(), and the first one is logged as a warning.
        """
        if values.keys() != self._fields.keys():
            name = min(values.keys() ^ self._fields.keys())
            raise TypeError(f"{self.name}: no field {name}" if name in values
                            else f"{self.name}: no value for {name}")
        if not is_enabled(self._event):
            return
        try:
            self._emit(values)
        except Exception as error:
            self._reporter.report(self.name, error)
