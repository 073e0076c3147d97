# SPDX-License-Identifier: MIT
"""Writing events: Event has fields of the kernel, Provider EventHeader."""

import ctypes
import datetime
import ipaddress
import struct
import threading
import uuid

from userevents._library import UevField, UevSet, UevString, check, emit

# Encodings and formats of EventHeader
_VARRAY = 0x40
_VALUE8, _VALUE16, _VALUE32, _VALUE64, _VALUE128 = range(2, 7)
_STRING8, _BINARY = 10, 13
_UNSIGNED, _SIGNED, _HEX, _ERRNO, _PID, _TIME, _BOOLEAN, _FLOAT = range(1, 9)
_JSON, _UUID, _PORT, _ADDRESS = range(14, 18)

# Types of Field: encoding, format, and how struct packs the value
_TYPES = {
    "u8": (_VALUE8, 0, "B"), "i8": (_VALUE8, _SIGNED, "b"),
    "hex8": (_VALUE8, _HEX, "B"), "bool": (_VALUE8, _BOOLEAN, "?"),
    "u16": (_VALUE16, 0, "H"), "i16": (_VALUE16, _SIGNED, "h"),
    "hex16": (_VALUE16, _HEX, "H"), "port": (_VALUE16, _PORT, "!H"),
    "u32": (_VALUE32, 0, "I"), "i32": (_VALUE32, _SIGNED, "i"),
    "hex32": (_VALUE32, _HEX, "I"), "f32": (_VALUE32, _FLOAT, "f"),
    "errno": (_VALUE32, _ERRNO, "i"), "pid": (_VALUE32, _PID, "i"),
    "u64": (_VALUE64, 0, "Q"), "i64": (_VALUE64, _SIGNED, "q"),
    "hex64": (_VALUE64, _HEX, "Q"), "f64": (_VALUE64, _FLOAT, "d"),
    "time": (_VALUE64, _TIME, "q"),
    "text": (_STRING8, 0, None), "json": (_STRING8, _JSON, None),
}

# Types of the fields of Event: enum uev_type
_KERNEL_TYPES = {"s8": 1, "u8": 2, "s16": 4, "u16": 5, "s32": 6, "u32": 7,
                 "s64": 8, "u64": 9, "string": 10, "bytes": 11}


class Field:
    """A value with a type, instead of the one that follows from the value"""

    def __init__(self, type, value, tag=0):
        if type not in _TYPES:
            raise ValueError(f"unknown type: {type}")
        self.type = type
        self.value = value
        self.tag = tag


def _text(value):
    return value.encode("utf-8", "replace")


def _wrong_value(error, name, value, type):
    return error(f"{name}: {value!r} is not of type {type}")


def _texts(name, type, values):
    for value in values:
        if not isinstance(value, str):
            raise _wrong_value(TypeError, name, value, type)
    return [_text(value) for value in values]


def _pack(name, type, values):
    """Returns the bytes of the values of a field that is not text."""
    code = _TYPES[type][2]
    order = "!" if code[0] == "!" else "="
    try:
        return struct.pack(f"{order}{len(values)}{code[-1]}", *values)
    except (struct.error, OverflowError):
        numbers = (int, float) if code in "fd" else int
        error = OverflowError if all(isinstance(value, numbers)
                                     for value in values) else TypeError
        raise _wrong_value(error, name, values, type) from None


def _type_of(name, values):
    """Returns the type of Field for Python values."""
    if all(isinstance(value, bool) for value in values):
        return "bool" if values else "i64"
    if all(isinstance(value, int) for value in values):
        return "i64" if max(values) < 1 << 63 else "u64"
    if all(isinstance(value, (int, float)) for value in values):
        return "f64"
    if all(isinstance(value, str) for value in values):
        return "text"
    raise TypeError(f"{name}: no type for {values!r}")


class _Handle:
    """A builder of the library"""

    def __init__(self):
        self.builder = ctypes.c_void_p()
        check(emit().builder_new(self.builder))

    def __del__(self):
        if self.builder:
            emit().builder_free(self.builder)


class _Builder(threading.local):
    """The builder of a thread, freed with the thread or with this object"""

    def __init__(self):
        self._owner = _Handle()
        self.handle = self._owner.builder

    def _put(self, name, encoding, format, tag, data, count):
        check(emit().add(self.handle, _text(name), encoding, format, tag, data,
                         count))

    def _add_field(self, name, type, value, tag):
        encoding, format, code = _TYPES[type]
        if isinstance(value, (list, tuple)):
            self._add_array(name, type, value, tag)
        elif code:
            self._put(name, encoding, format, tag,
                      _pack(name, type, [value]), 1)
        else:
            text, = _texts(name, type, [value])
            self._put(name, encoding, format, tag, text, len(text))

    def _add_array(self, name, type, values, tag):
        encoding, format, code = _TYPES[type]
        if code:
            data = _pack(name, type, values)
        else:
            data = (UevString * len(values))(*[
                (text, len(text)) for text in _texts(name, type, values)])
        self._put(name, encoding | _VARRAY, format, tag, data, len(values))

    def _add_struct(self, name, members):
        check(emit().begin_struct(self.handle, _text(name), 0))
        self.add_all(members)
        check(emit().end_struct(self.handle))

    def _add(self, name, value):
        if isinstance(value, Field):
            self._add_field(name, value.type, value.value, value.tag)
        elif isinstance(value, dict):
            self._add_struct(name, value)
        elif isinstance(value, (list, tuple)):
            self._add_array(name, _type_of(name, value), value, 0)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self._put(name, _BINARY, 0, 0, bytes(value), len(bytes(value)))
        elif value is None:
            self._put(name, _BINARY, _SIGNED, 0, None, 0)
        elif isinstance(value, uuid.UUID):
            self._put(name, _VALUE128, _UUID, 0, value.bytes, 1)
        elif isinstance(value, ipaddress.IPv4Address):
            self._put(name, _VALUE32, _ADDRESS, 0, value.packed, 1)
        elif isinstance(value, ipaddress.IPv6Address):
            self._put(name, _VALUE128, _ADDRESS, 0, value.packed, 1)
        elif isinstance(value, datetime.datetime):
            self._add_field(name, "time", int(value.timestamp() // 1), 0)
        else:
            self._add_field(name, _type_of(name, [value]), value, 0)

    def add_all(self, fields):
        """Adds the fields of a dictionary."""
        for name, value in fields.items():
            self._add(name, value)

    def write(self, uev_set, name, fields, tag, id, version, opcode, activity,
              related):
        """Writes an event. Returns nothing."""
        check(emit().builder_begin(self.handle, _text(name), tag))
        check(emit().builder_id(self.handle, id, version))
        check(emit().builder_opcode(self.handle, opcode))
        self.add_all(fields)
        check(emit().builder_write(self.handle, uev_set,
                                   activity.bytes if activity else None,
                                   related.bytes if related else None), name)


class Provider:
    """A provider of EventHeader events

    Registers a tracepoint for each level and keyword when it is first used.
    Without user_events, it is pending and disabled. Objects can be used by
    several threads, and are closed when no thread uses them.
    """

    def __init__(self, name, group=""):
        self._handle = ctypes.c_void_p()
        check(emit().provider_new(self._handle, _text(name), _text(group)),
              name)
        self._builder = _Builder()
        self._sets = {}
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
            emit().provider_free(handle)

    def _set(self, level, keyword):
        uev_set = self._sets.get((level, keyword))
        if uev_set is None:
            if not self._handle:
                raise ValueError("provider is closed")
            uev_set = ctypes.POINTER(UevSet)()
            check(emit().provider_set(self._handle, level, keyword, uev_set),
                  self.name)
            self._sets[level, keyword] = uev_set
        return uev_set

    def enabled(self, level=5, keyword=0):
        """Tests whether a tracepoint is enabled."""
        return emit().enabled(self._set(level, keyword).contents.event)

    def status(self, level=5, keyword=0):
        """Returns 0 if the kernel has the tracepoint, or an errno."""
        return -emit().event_status(self._set(level, keyword).contents.event)

    def write(self, name, fields=None, *, level=5, keyword=0, tag=0, id=0,
              version=0, opcode=0, activity=None, related=None):
        """Writes an event if its tracepoint is enabled.

        Fields are a dictionary of values or Field objects; a dictionary in it
        is a struct, and a list an array. Activities are uuid.UUID objects.
        Raises OSError, with E2BIG if the event is too large.
        """
        uev_set = self._set(level, keyword)
        if emit().enabled(uev_set.contents.event):
            self._builder.write(uev_set, name, fields or {}, tag, id, version,
                                opcode, activity, related)


class Event:
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
            array[index] = UevField(_text(field), _KERNEL_TYPES[type], 0)
            self._fields[field] = (index, type)
        self._lock = threading.Lock()
        self._record = ctypes.c_void_p()
        self._handle = ctypes.c_void_p()
        check(emit().tracepoint_new(self._handle, _text(name), array,
                                    len(fields), 0), name)
        check(emit().record_new(self._record, self._handle))
        self._event = emit().tracepoint_event(self._handle)

    def __del__(self):
        if getattr(self, "_record", None):
            emit().record_free(self._record)
        if getattr(self, "_handle", None):
            emit().tracepoint_free(self._handle)

    def enabled(self):
        """Tests whether the event is enabled."""
        return emit().enabled(self._event)

    def status(self):
        """Returns 0 if the kernel has the event, or an errno."""
        return -emit().event_status(self._event)

    def _put(self, name, value):
        """Returns an object that must exist until the record is written."""
        if name not in self._fields:
            raise TypeError(f"{self.name} has no field {name}")
        index, type = self._fields[name]
        if type in ("string", "bytes"):
            if isinstance(value, int):
                raise _wrong_value(TypeError, name, value, type)
            data = _text(value) if isinstance(value, str) else bytes(value)
            check(emit().record_set_data(self._record, index, data,
                                         len(data)), name)
            return data
        bits = int(type[1:])
        low = -(1 << bits - 1) if type[0] == "s" else 0
        if not isinstance(value, int):
            raise _wrong_value(TypeError, name, value, type)
        if not low <= value < low + (1 << bits):
            raise _wrong_value(OverflowError, name, value, type)
        if type[0] == "s":
            check(emit().record_set_signed(self._record, index, value), name)
        else:
            check(emit().record_set_unsigned(self._record, index, value),
                  name)
        return None

    def write(self, **values):
        """Writes a record if the event is enabled.

        All fields must be given. Raises OSError, with E2BIG if the record is
        too large.
        """
        if not self.enabled():
            return
        missing = self._fields.keys() - values.keys()
        if missing:
            raise TypeError(f"{self.name}: no value for {min(missing)}")
        with self._lock:
            kept = [self._put(name, value) for name, value in values.items()]
            check(emit().record_write(self._record), self.name)
            del kept
