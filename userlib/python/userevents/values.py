# SPDX-License-Identifier: MIT
"""Python values as fields of EventHeader."""

import datetime
import functools
import ipaddress
import json
import operator
import re
import struct
import uuid

from userevents._library import UevString

# Limits of the payload: UEV_PAYLOAD_MAX and UEV_PAYLOAD_FTRACE_MAX
PAYLOAD_MAX = 8184
PAYLOAD_FTRACE_MAX = 4052

# Encodings and formats of EventHeader
_VARRAY = 0x40
_VALUE8, _VALUE16, _VALUE32, _VALUE64, _VALUE128 = range(2, 7)
_STRING8, _BINARY = 10, 13
_UNSIGNED, _SIGNED, _HEX, _ERRNO, _PID, _TIME, _BOOLEAN, _FLOAT = range(1, 9)
_JSON, _UUID, _PORT, _ADDRESS = range(14, 18)

# Limits of structs: UEV_STRUCT_MEMBERS_MAX and UEV_STRUCT_DEPTH_MAX
_MEMBERS_MAX = 127
_DEPTH_MAX = 8
# A field has at least a byte of description, its name and a byte of data.
_FIELDS_MAX = PAYLOAD_MAX // 3

# Bytes of the header with activities, of a field beside its name and data, and
# of the shortest text
_HEADER_SIZE = 64
_FIELD_SIZE = 7
_TEXT_SIZE = 3

# The rest of a name is name=value;name=value; a ';' in a value is doubled.
_NAME = re.compile(r"[^;]*(;[^;=]+=([^;]|;;)*)*", re.DOTALL)

# Types of Field: encoding, format, and how struct packs the value
TYPES = {
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


class TooLarge(Exception):
    """More fields than any record can have"""


class Field:
    """A value with a type, instead of the one that follows from the value

    A value that does not fit the type is recorded as text.
    """

    def __init__(self, type, value, tag=0):
        if type not in TYPES:
            raise ValueError(f"unknown type: {type}")
        if not 0 <= tag < 1 << 16:
            raise ValueError(f"invalid tag: {tag}")
        self.type = type
        self.value = value
        self.tag = tag


def text_of(value):
    """Returns any value as a str, also one whose str() fails."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


def encode(value):
    """Returns a str as UTF-8. A longer one is shortened by the library."""
    return value[:PAYLOAD_MAX + 1].encode("utf-8", "backslashreplace")


@functools.lru_cache(maxsize=512)
def _valid_name(name):
    name = name.replace("\0", "_")
    if not _NAME.fullmatch(name):
        name = name.replace(";", "_")
    return name.encode("utf-8", "backslashreplace")


def name_of(name):
    """Returns any object as the name of an event or a field."""
    return _valid_name(text_of(name))


def defined_name(name):
    """Returns a name that the kernel gets, as UTF-8."""
    if "\0" in name:
        raise ValueError(f"NUL in a name: {name!r}")
    return name.encode("utf-8", "backslashreplace")


def _plain(value):
    """Returns the value of a Field, and other objects as text.

    isinstance() can fail, because it also uses the attribute __class__.
    """
    return value.value if issubclass(type(value), Field) else text_of(value)


_JSON_ENCODER = json.JSONEncoder(default=_plain, ensure_ascii=False)


def _json(value):
    """Returns JSON, of a large value only as much as a record can have."""
    text = ""
    try:
        for chunk in _JSON_ENCODER.iterencode(value):
            text += chunk
            if len(text) > PAYLOAD_MAX:
                break
        return text
    except Exception:
        return text_of(value)


def _pack(type, values):
    """Returns the bytes of values that are not text."""
    code = TYPES[type][2]
    order = "!" if code[0] == "!" else "="
    return struct.pack(f"{order}{len(values)}{code[-1]}", *values)


def _type_of(values):
    """Returns the type of Field for Python values, None if there is none."""
    if all(isinstance(value, bool) for value in values):
        return "bool" if values else "i64"
    if all(isinstance(value, int) for value in values):
        return "i64" if max(values) < 1 << 63 else "u64"
    if all(isinstance(value, (int, float)) for value in values):
        return "f64"
    if all(isinstance(value, str) for value in values):
        return "text"
    return None


class Values:
    """Fields as calls of the builder

    The text of a value is made by code of the program, which can write another
    event. Therefore it is made before the builder is used.

    Lists and bytes are text if they would make the event larger than limit,
    because the builder can shorten text.

    calls: name of the function and arguments
    """

    def __init__(self, fields, limit):
        self._is_compact = False
        self._start()
        self._add_all(fields)
        if self._size > limit:
            self._is_compact = True
            self._start()
            self._add_all(fields)

    def _start(self):
        self.calls = []
        self._depth = 0
        self._size = _HEADER_SIZE

    def _put(self, name, encoding, format, tag, data, count, size=None):
        self._size += len(name) + _FIELD_SIZE
        self._size += len(data or b"") if size is None else size
        self.calls.append(("add", (name, encoding, format, tag, data, count)))

    def _put_text(self, name, text, format=0, tag=0):
        data = encode(text)
        self._put(name, _STRING8, format, tag, data, len(data),
                  min(len(data), _TEXT_SIZE))

    def _add_texts(self, name, type, values, tag):
        encoding, format, _ = TYPES[type]
        make = _json if type == "json" else text_of
        texts = [encode(value if isinstance(value, str) else make(value))
                 for value in values]
        data = (UevString * len(texts))(*[(text, len(text)) for text in texts])
        self._put(name, encoding | _VARRAY, format, tag, data, len(texts),
                  len(texts) * (2 + _TEXT_SIZE))

    def _add_array(self, name, type, values, tag):
        encoding, format, code = TYPES[type]
        if self._is_compact or len(values) > PAYLOAD_MAX:
            self._put_text(name, _json(values), _JSON)
            return
        if not code:
            self._add_texts(name, type, values, tag)
            return
        try:
            data = _pack(type, values)
        except Exception:
            self._put_text(name, _json(values), _JSON)
            return
        self._put(name, encoding | _VARRAY, format, tag, data, len(values))

    def _add_typed(self, name, type, value, tag):
        encoding, format, code = TYPES[type]
        if isinstance(value, (list, tuple)):
            self._add_array(name, type, value, tag)
        elif not code:
            if not isinstance(value, str):
                value = _json(value) if type == "json" else text_of(value)
            self._put_text(name, value, format, tag)
        else:
            self._put(name, encoding, format, tag, _pack(type, [value]), 1)

    def _add_list(self, name, values):
        type = len(values) <= PAYLOAD_MAX and _type_of(values)
        if type:
            self._add_array(name, type, values, 0)
        else:
            self._put_text(name, _json(values), _JSON)

    def _add_struct(self, name, members):
        if not 0 < len(members) <= _MEMBERS_MAX or self._depth == _DEPTH_MAX:
            self._put_text(name, _json(members), _JSON)
            return
        self._size += len(name) + _FIELD_SIZE
        self.calls.append(("begin_struct", (name, 0)))
        self._depth += 1
        self._add_all(members)
        self._depth -= 1
        self.calls.append(("end_struct", ()))

    def _add_bytes(self, name, value):
        if isinstance(value, memoryview):
            value = value.tobytes()
        # More is too large for the event, and therefore recorded as text.
        data = bytes(value[:PAYLOAD_MAX + 1])
        if self._is_compact:
            self._put_text(name, data.hex(" "))
        else:
            self._put(name, _BINARY, 0, 0, data, len(data))

    def _add(self, name, value):
        """Adds a field. A value that raises an exception is text."""
        if isinstance(value, Field):
            self._add_typed(name, value.type, value.value, value.tag)
        elif isinstance(value, (bool, int, float, str)):
            self._add_typed(name, _type_of([value]), value, 0)
        elif isinstance(value, dict):
            self._add_struct(name, value)
        elif isinstance(value, (list, tuple)):
            self._add_list(name, value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self._add_bytes(name, value)
        elif value is None:
            self._put(name, _BINARY, _SIGNED, 0, None, 0)
        elif isinstance(value, uuid.UUID):
            self._put(name, _VALUE128, _UUID, 0, value.bytes, 1)
        elif isinstance(value, ipaddress.IPv4Address):
            self._put(name, _VALUE32, _ADDRESS, 0, value.packed, 1)
        elif isinstance(value, ipaddress.IPv6Address):
            self._put(name, _VALUE128, _ADDRESS, 0, value.packed, 1)
        elif isinstance(value, datetime.datetime):
            self._add_typed(name, "time", int(value.timestamp() // 1), 0)
        else:
            value = operator.index(value)
            self._add_typed(name, _type_of([value]), value, 0)

    def _add_all(self, fields):
        for name, value in list(fields.items()):
            count, depth, name = len(self.calls), self._depth, name_of(name)
            if count > _FIELDS_MAX:
                raise TooLarge("too many fields")
            try:
                self._add(name, value)
            except TooLarge:
                raise
            except Exception:
                del self.calls[count:]
                self._depth = depth
                self._put_text(name, text_of(_plain(value)))
