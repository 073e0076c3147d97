# SPDX-License-Identifier: MIT
"""Tests of the Python package, run by scripts/check/userlib/userlib-ecosystem.

FAKE is the fake kernel, a libuserevents.so.2 of the tests; without it, the
library finds no user_events. DATA is a perf.data file, and JSON what
user-events decode --json prints for it. EXAMPLE is the program
examples/perf_data.
"""

import contextlib
import copy
import ctypes
import datetime
import enum
import errno
import fcntl
import io
import ipaddress
import json
import logging
import logging.handlers
import os
import pathlib
import pickle
import queue
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import uuid

import userevents
from userevents import _library

FAKE = os.environ.get("FAKE")
DATA = os.environ.get("DATA")
EXAMPLE = os.environ.get("EXAMPLE")


class FakeRecord(ctypes.Structure):
    """struct fake_record"""
    _fields_ = [("name", ctypes.c_char * 300), ("size", ctypes.c_size_t),
                ("pieces", ctypes.c_int), ("fd", ctypes.c_int),
                ("payload", ctypes.c_uint8 * 16384)]


@unittest.skipUnless(FAKE, "no fake kernel")
class FakeKernel(unittest.TestCase):
    """With a kernel that has user_events"""

    @classmethod
    def setUpClass(cls):
        cls.fake = ctypes.CDLL("libuserevents.so.2")
        cls.fake.fake_record.restype = ctypes.POINTER(FakeRecord)
        cls.fake.fake_command.restype = ctypes.c_char_p
        cls.fake.fake_reset(0)
        cls.fake.uev_set_path(None)

    def setUp(self):
        self.before = self.fake.fake_records()
        self.failed = self.stats()["failed"]

    def records(self):
        """Returns the number of records of this test."""
        return self.fake.fake_records() - self.before

    def stats(self):
        return userevents.stats()

    def enable(self, name):
        self.fake.fake_enable(name, ctypes.c_bool(True))

    def payload(self):
        record = self.fake.fake_record().contents
        return bytes(record.payload[:record.size])

    def decoded(self):
        """Returns the last record as the decoder prints it."""
        trace = ctypes.CDLL("libuserevents-trace.so.2")
        record = self.fake.fake_record().contents
        decoder = ctypes.c_void_p()
        output = (ctypes.c_size_t * 5)()
        trace.uev_decoder_new(ctypes.byref(decoder))
        self.assertEqual(trace.uev_decoder_start_eventheader(
            decoder, record.name, record.payload,
            ctypes.c_size_t(record.size)), 0)
        self.assertEqual(trace.uev_decoder_append_json(decoder, None, None,
                                                       output), 0)
        text = ctypes.string_at(output[0], output[1])
        trace.uev_output_release(output)
        trace.uev_decoder_free(decoder)
        return json.loads(text)

    def test_provider(self):
        with userevents.Provider("Py", "g") as provider:
            self.assertFalse(provider.enabled(4, 0x2a))
            self.assertEqual(provider.status(4, 0x2a), 0)
            provider.write("E", {"a": 1}, level=4, keyword=0x2a)
            self.assertEqual(self.records(), 0)
            self.enable(b"Py_L4K2aGg")
            self.assertTrue(provider.enabled(4, 0x2a))
            provider.write(
                "E", {"a": -1, "b": 1 << 63, "c": 1.5, "d": True,
                      "e": "\u00e4", "f": b"\1\2", "g": None,
                      "h": {"i": [1, 2], "j": ["x", ""]}, "k": [],
                      "l": uuid.UUID(int=5),
                      "m": ipaddress.ip_address("127.0.0.1"),
                      "n": ipaddress.ip_address("::1"),
                      "o": userevents.Field("errno", 2, tag=7),
                      "p": userevents.Field("hex16", [1, 2]),
                      "q": userevents.Field("port", [80, 443]),
                      "r": datetime.datetime.fromtimestamp(
                          0, datetime.timezone.utc)},
                level=4, keyword=0x2a, id=5, version=1, opcode=2, tag=3,
                activity=uuid.UUID(int=6), related=uuid.UUID(int=7))
        zero = "00000000-0000-0000-0000-00000000000"
        self.assertEqual(self.decoded(), {
            "n": "::1", "a": -1, "b": 1 << 63, "c": 1.5, "d": True,
            "e": "\u00e4", "f": "01 02", "g": None,
            "h": {"i": [1, 2], "j": ["x", ""]}, "k": [], "l": zero + "5",
            "m": "127.0.0.1", "o;tag=0x7": "ENOENT(2)",
            "p": ["0x1", "0x2"], "q": [80, 443],
            "r": "1970-01-01T00:00:00",
            "meta": {"id": 5, "version": 1, "level": 4, "keyword": "0x2A",
                     "opcode": 2, "tag": "0x3", "activity": zero + "6",
                     "relatedActivity": zero + "7"}})

    def written(self, fields, **arguments):
        """Writes an event, and returns its fields as decoded."""
        before = self.records()
        self.provider().write("E", fields, **arguments)
        self.assertEqual(self.records(), before + 1)
        decoded = self.decoded()
        del decoded["n"], decoded["meta"]
        return decoded

    def provider(self):
        """Returns a provider whose tracepoint is enabled."""
        provider = userevents.Provider("Py_Values")
        provider.enabled()
        self.enable(b"Py_Values_L5K0")
        self.addCleanup(provider.close)
        return provider

    def test_definitions_raise(self):
        with self.assertRaises(OSError) as raised:
            userevents.Provider("not a name")
        self.assertEqual(raised.exception.errno, errno.EINVAL)
        for name, group in (("a\0b", ""), ("a", "b\0")):
            with self.assertRaises(ValueError):
                userevents.Provider(name, group)
        for arguments in ({"a\0b": "u8"}, {"a": "u7"}):
            with self.assertRaises(ValueError):
                userevents.Event("py_bad", **arguments)
        with self.assertRaises(ValueError):
            userevents.Event("py\0bad")
        for limit in (0, userevents.PAYLOAD_MAX + 1):
            with self.assertRaises(ValueError):
                userevents.Provider("Bad", limit=limit)
            with self.assertRaises(ValueError):
                userevents.Handler("Bad", limit=limit)
        with self.assertRaises(ValueError):
            userevents.Field("u7", 1)
        for tag in (-1, 1 << 16):
            with self.assertRaises(ValueError):
                userevents.Field("u8", 1, tag)
        provider = userevents.Provider("Bad")
        for level, keyword in ((0, 0), (256, 0), (-1, 0), (5, 1 << 64),
                               (5, -1)):
            with self.assertRaises(ValueError):
                provider.write("E", level=level, keyword=keyword)
        provider.close()
        with self.assertRaises(ValueError):
            provider.write("E")

    def test_values_without_type(self):
        """They are text, and write() raises nothing."""
        class Broken:
            def __str__(self):
                raise RuntimeError

        class Proxy:
            @property
            def __class__(self):
                raise RuntimeError

            def __str__(self):
                return "proxy"

        class Index:
            def __index__(self):
                return 7

        released = memoryview(b"x")
        released.release()
        circular = {}
        circular["self"] = circular
        field = userevents.Field
        for value, expected in (
                (1 << 64, "18446744073709551616"),
                (-1 - (1 << 63), "-9223372036854775809"),
                ({}, "{}"), ([1, "x"], '[1, "x"]'),
                ([{"b": 1}], '[{"b": 1}]'), ([[1], [2]], "[[1], [2]]"),
                ([None, 1], "[null, 1]"),
                ([-1, 1 << 63], "[-1, 9223372036854775808]"),
                ([1 << 2000, 0.5], f"[{1 << 2000}, 0.5]"),
                ({"b": 1 << 64}, {"b": "18446744073709551616"}),
                (Index(), 7), (Broken(), "<Broken>"), (Proxy(), "proxy"),
                (released, str(released)),
                ({"b": released}, {"b": str(released)}),
                (datetime.date(2026, 1, 2), "2026-01-02"),
                (datetime.datetime.min, "0001-01-01 00:00:00"),
                (pathlib.Path("/x"), "/x"), (float("nan"), "nan"),
                (Color.RED, 2), (Shape.ROUND, "round"),
                ("\udcff", "\\udcff"), ("a\0b", "a\0b"),
                ({1: 2, None: 3}, {"1": 2, "None": 3}),
                ({str(i): i for i in range(127)},
                 {str(i): i for i in range(127)}),
                ({str(i): i for i in range(128)},
                 json.dumps({str(i): i for i in range(128)})),
                (field("u8", 256), "256"), (field("u8", -1), "-1"),
                (field("u8", "x"), "x"), (field("u8", 1.5), "1.5"),
                (field("u8", None), "None"),
                (field("port", [1, 1 << 16]), "[1, 65536]"),
                (field("f32", 1e39), "1e+39"), (field("text", 5), "5"),
                (field("text", ["x", 5]), ["x", "5"]),
                (field("json", {"b": [1]}), '{"b": [1]}')):
            with self.subTest(value=value):
                self.assertEqual(self.written({"a": value, "z": 1}),
                                 {"a": expected, "z": 1})
        self.assertEqual(self.written({"a": 1 << 20000})["a"], "<int>")
        self.assertTrue(str(self.written({"a": circular})["a"]))
        self.assertEqual(self.stats()["failed"], self.failed)

    def test_names_of_fields(self):
        for name, expected in (("", ""), ("a;b=c", "a;b=c"), ("a;b", "a_b"),
                               ("a;", "a_"), (";", "_"), ("a;b=;;", "a;b=;;"),
                               ("a\0b", "a_b"), ("\udcff", "\\udcff"),
                               (7, "7"), (None, "None")):
            with self.subTest(name=name):
                self.assertEqual(self.written({name: 1}), {expected: 1})

    def test_long_texts(self):
        """They are shortened, whatever the tracer."""
        before = self.stats()["shortened"]
        for text in ("x" * 9000, "x" * 70000, "\u00e4" * 5000,
                     "\U0001f600" * 100000):
            decoded = self.written({"a": text, "b": "short"})
            self.assertEqual(decoded["b"], "short")
            self.assertEqual(decoded["a"][-1], "\u2026")
            self.assertTrue(text.startswith(decoded["a"][:-1]))
            self.assertGreater(len(decoded["a"].encode()), 8100)
        decoded = self.written({"a": ["x" * 9000, "y"], "b": {"c": "z" * 9000}})
        self.assertEqual(len(decoded["a"][0]), len(decoded["b"]["c"]))
        self.assertEqual(self.stats()["shortened"] - before, 5)
        huge = {str(i): i for i in range(1000000)}
        for value, start in ((b"x" * 9000, "78 78 78"),
                             (memoryview(b"x" * 9000), "78 78 78"),
                             (list(range(5000)), "[0, 1, 2"),
                             (["x"] * 5000, '["x", "x"'),
                             ([huge] * 1000, '[{"0": 0, '),
                             (huge, '{"0": 0, "1": 1'),
                             ({"b": b"x" * 5000, "c": [7] * 9000}, None)):
            decoded = self.written({"a": value, "b": "short", "c": [1, 2]})
            self.assertEqual(decoded["b"], "short")
            if start:
                self.assertTrue(decoded["a"].startswith(start))
                self.assertTrue(decoded["a"].endswith("\u2026"))
            else:
                self.assertTrue(decoded["a"]["c"].startswith("[7, 7"))
        self.assertEqual(self.written({"a": b"x" * 7000})["a"][:5], "78 78")
        self.assertEqual(self.written({"a": [1] * 900})["a"], [1] * 900)
        provider = userevents.Provider("Py_Limit",
                                       limit=userevents.PAYLOAD_FTRACE_MAX)
        provider.enabled()
        self.enable(b"Py_Limit_L5K0")
        provider.write("E", {"a": "x" * 5000})
        self.assertEqual(len(self.payload()), userevents.PAYLOAD_FTRACE_MAX)

    def test_write_errors(self):
        """They are counted, and reported once for each name."""
        provider = self.provider()
        wide = {str(i): {} for i in range(10)}
        for _ in range(8):
            wide = {str(i): wide for i in range(10)}
        before = self.stats()
        for name, fields, arguments, counter in (
                ("", {}, {}, "failed"),
                ("A", {str(i): i for i in range(2000)}, {}, "oversize"),
                ("B", {"x" * 9000: 1}, {}, "oversize"),
                ("C", wide, {}, "oversize"),
                ("D", 5, {}, "failed"),
                ("F", {}, {"tag": 1 << 16}, "failed"),
                ("G", {}, {"id": -1}, "failed"),
                ("H", {}, {"version": 1}, "failed"),
                ("I", {}, {"version": 256, "id": 1}, "failed"),
                ("J", {}, {"opcode": "x"}, "failed"),
                ("K", {}, {"activity": 5}, "failed"),
                ("L", {}, {"related": uuid.UUID(int=5)}, "failed")):
            with self.subTest(name=name):
                with self.assertLogs("userevents", "WARNING") as logs:
                    for _ in range(3):
                        provider.write(name, fields, **arguments)
                self.assertEqual(len(logs.records), 1)
                self.assertIn("Py_Values", logs.output[0])
                stats = self.stats()
                self.assertEqual(stats.pop(counter), before.pop(counter) + 3)
                stats.pop("shortened"), before.pop("shortened")
                self.assertEqual(stats, before)
                before = self.stats()
        self.assertEqual(self.records(), 0)

    def test_rejected_by_the_kernel(self):
        """A tracepoint that the kernel rejects is reported once."""
        self.fake.fake_fail(3, 0, 2, ctypes.c_int(-errno.EMFILE))
        provider = userevents.Provider("Py_Rejected")
        with self.assertLogs("userevents", "WARNING") as logs:
            for _ in range(2):
                provider.write("E", {"a": 1})
        self.assertEqual(len(logs.records), 1)
        provider.write("E", {"a": 1})
        self.assertEqual(provider.status(), 0)

    def test_write_during_a_write(self):
        """A value whose text writes an event, too"""
        provider = self.provider()

        class Writer:
            def __str__(self):
                provider.write("Inner", {"a": 1})
                return "written"

        provider.write("Outer", {"a": 1, "b": Writer(), "c": 2})
        self.assertEqual(self.records(), 2)
        decoded = self.decoded()
        del decoded["meta"]
        self.assertEqual(decoded, {"n": "Py_Values:Outer", "a": 1,
                                   "b": "written", "c": 2})

    def test_write_in_signal_handlers(self):
        provider = self.provider()
        event = userevents.Event("py_signal", text="string")
        self.enable(b"py_signal")
        seen = []

        def handler(*_):
            provider.write("S", {"a": "x" * 100})
            event.write(text="y" * 100)
            seen.append(1)

        old = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        try:
            while len(seen) < 100:
                provider.write("E", {"a": "x" * 100, "b": {"c": [1, 2]}})
                event.write(text="z" * 100)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        self.assertEqual(self.stats()["failed"], self.failed)

    def test_provider_in_threads(self):
        provider = userevents.Provider("Threads")
        provider.enabled()
        self.enable(b"Threads_L5K0")

        def write():
            for number in range(100):
                provider.write("E", {"number": number})

        threads = [threading.Thread(target=write) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.records(), 400)

    def test_event(self):
        event = userevents.Event("py_event", number="s32", count="u8",
                                 path="string", data="bytes")
        self.assertEqual(event.status(), 0)
        self.assertEqual(self.fake.fake_command(b"py_event"),
                         b"py_event s32 number; u8 count; "
                         b"__data_loc char[] path; __data_loc u8[] data")
        event.write(number=1, count=2, path="x", data=b"")
        self.assertEqual(self.records(), 0)
        self.enable(b"py_event")
        event.write(number=-2, count=255, path="/", data=b"\1\2")
        self.assertEqual(self.payload()[:5], b"\xfe\xff\xff\xff\xff")
        self.assertEqual(self.payload()[13:], b"/\0\1\2")
        before = self.records()
        failed = self.stats()["failed"]
        with self.assertLogs("userevents", "WARNING") as logs:
            for values in ({"count": 256}, {"count": -1}, {"count": 1 << 2000},
                           {"count": "1"}, {"count": 1.5}, {"number": None},
                           {"data": 5}):
                event.write(**{"number": 1, "count": 1, "path": "/",
                               "data": b"", **values})
        self.assertEqual(self.records(), before)
        self.assertEqual(self.stats()["failed"] - failed, 7)
        self.assertEqual(len(logs.records), 1)
        event.write(number=1, count=1, path=7, data="a")
        self.assertEqual(self.payload()[13:], b"7\0a")
        event.write(number=1, count=1, path="a\0b", data=bytearray(b"\0"))
        self.assertEqual(self.payload()[13:], b"a\\0b\0\0")

    def test_event_definitions_raise(self):
        """Also while the event is disabled"""
        event = userevents.Event("py_names", number="s32", path="string")
        for enabled in (False, True):
            self.fake.fake_enable(b"py_names", ctypes.c_bool(enabled))
            with self.assertRaises(TypeError):
                event.write(number=1)
            with self.assertRaises(TypeError):
                event.write(number=1, path="", other=1)
        self.assertEqual(self.records(), 0)
        with self.assertRaises(ValueError):
            userevents.Event("py_other", number="int")

    def test_copies_raise(self):
        """Two objects would release the same memory."""
        for original in (userevents.Provider("PyCopy"),
                         userevents.Event("py_copy", number="s32")):
            for function in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied"):
                    function(original)

    def test_long_event(self):
        event = userevents.Event("py_long", a="string", b="string", c="bytes",
                                 d="u8")
        self.enable(b"py_long")
        before = self.stats()
        event.write(a="x" * 9000, b="short", c=b"c" * 100, d=1)
        self.assertEqual(len(self.payload()), userevents.PAYLOAD_MAX)
        self.assertIn("xxx\u2026\0short\0ccc".encode(), self.payload())
        event.write(a="x" * 9000, b="\u00e4" * 9000, c=b"", d=1)
        self.assertLessEqual(len(self.payload()), userevents.PAYLOAD_MAX)
        self.assertIn("\u00e4\u2026\0".encode(), self.payload())
        stats = self.stats()
        self.assertEqual(stats["shortened"], before["shortened"] + 2)
        self.assertEqual(stats["oversize"], before["oversize"])
        with self.assertLogs("userevents", "WARNING"):
            event.write(a="x" * 9000, b="", c=b"c" * 9000, d=1)
        self.assertEqual(self.stats()["oversize"], before["oversize"] + 1)
        self.assertEqual(self.records(), 2)

    def test_fork_during_a_write(self):
        """A child process can write although another thread did."""
        event = userevents.Event("py_fork", text="string")
        provider = self.provider()
        self.enable(b"py_fork")
        is_done = threading.Event()

        def write():
            while not is_done.is_set():
                event.write(text="x")
                provider.write("E", {"a": 1})

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for _ in range(20):
                child = os.fork()
                if not child:
                    signal.alarm(60)
                    event.write(text="y")
                    provider.write("E", {"a": 1})
                    os._exit(0)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            is_done.set()
            thread.join()

    def test_handler(self):
        handler = userevents.Handler("Log")
        logger = logging.Logger("net")
        logger.addHandler(handler)
        logger.warning("%d of 5", 3)
        self.assertEqual(self.records(), 0)
        for level in range(1, 6):
            self.enable(b"Log_L%dK0" % level)
        logger.warning("%d of 5", 3)
        fields = self.decoded()
        self.assertEqual(fields["message"], "3 of 5")
        self.assertEqual(fields["severity"], "WARNING")
        self.assertEqual(fields["logger"], "net")
        self.assertEqual(fields["function"], "test_handler")
        self.assertEqual(fields["meta"], {"level": 3})
        for number, level in ((10, 5), (20, 4), (30, 3), (40, 2), (50, 1)):
            logger.log(number, "x")
            self.assertEqual(self.decoded()["meta"], {"level": level})
        handler.close()
        logger.error("closed")

    def logger(self, **arguments):
        """Returns a logger with a handler whose tracepoints are enabled."""
        handler = userevents.Handler("Py_Log", **arguments)
        self.addCleanup(handler.close)
        logger = logging.Logger("net")
        logger.addHandler(handler)
        for level in range(1, 6):
            self.enable(b"Py_Log_L%dK0" % level)
        return logger

    def logged(self):
        """Returns the fields of the last record that are not of each record."""
        fields = self.decoded()
        for name in ("n", "meta", "severity", "logger", "thread", "file",
                     "line", "function"):
            fields.pop(name)
        return fields

    def test_handler_extra(self):
        logger = self.logger()
        logger.info("m", extra={
            "order": 5, "price": 1.5, "ok": True, "user": "x", "raw": b"\1",
            "none": None, "at": datetime.datetime.fromtimestamp(
                0, datetime.timezone.utc),
            "tags": ["a", "b"], "nested": {"a": {"b": 1}}, "empty": {},
            "object": pathlib.Path("/x"), "huge": 1 << 70, "a;b": 1,
            "file": "f", "line": "l", "extra_file": "e", 7: 8})
        self.assertEqual(self.logged(), {
            "message": "m", "order": 5, "price": 1.5, "ok": True, "user": "x",
            "raw": "01", "none": None, "at": "1970-01-01T00:00:00",
            "tags": ["a", "b"], "nested": {"a": {"b": 1}}, "empty": "{}",
            "object": "/x", "huge": str(1 << 70), "a_b": 1, "extra_file": "f",
            "extra_line": "l", "extra_extra_file": "e", "7": 8})
        logger.info("m", extra={str(i): i for i in range(300)})
        self.assertEqual(self.logged()["299"], 299)
        logging.LoggerAdapter(logger, {"request": "r"}).info("m")
        self.assertEqual(self.logged(), {"message": "m", "request": "r"})

    def test_handler_exceptions(self):
        logger = self.logger()
        try:
            raise KeyError("x")
        except KeyError:
            logger.exception("failed", stack_info=True)
        fields = self.logged()
        self.assertEqual(fields["message"], "failed")
        self.assertEqual(fields["exception"], "KeyError")
        self.assertEqual(fields["exception_message"], "'x'")
        self.assertIn("test_handler_exceptions", fields["traceback"])
        self.assertIn("test_handler_exceptions", fields["stack"])
        logger.handlers[0].setFormatter(logging.Formatter("<%(message)s>"))
        try:
            raise KeyError("x")
        except KeyError:
            logger.exception("failed")
        fields = self.logged()
        self.assertTrue(fields["message"].startswith("<failed>\nTraceback "))
        self.assertEqual(fields["exception"], "KeyError")
        self.assertNotIn("traceback", fields)
        logger.exception("without")
        self.assertEqual(self.logged(), {"message": "<without>\n"
                                         "NoneType: None"})

    def test_handler_long_texts(self):
        logger = self.logger()
        for size in (8200, 66000):
            logger.info("x" * size, extra={"a": 1})
            fields = self.logged()
            self.assertTrue(fields["message"].endswith("xxx\u2026"))
            self.assertEqual(fields["a"], 1)
            self.assertEqual(len(self.payload()), userevents.PAYLOAD_MAX)
        logger = self.logger(limit=userevents.PAYLOAD_FTRACE_MAX)
        logger.info("x" * 5000)
        self.assertEqual(len(self.payload()), userevents.PAYLOAD_FTRACE_MAX)

    def test_handler_format_errors(self):
        """The message is written as it is, with the error."""
        logger = self.logger()
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            logger.info("%d", "x")
            fields = self.logged()
            self.assertEqual(fields["message"], "%d ('x',)")
            self.assertIn("TypeError: %d format", fields["format_error"])
            logger.handlers[0].setFormatter(logging.Formatter("%(absent)s"))
            logger.info("a %s", "b")
            fields = self.logged()
            self.assertEqual(fields["message"], "a b")
            self.assertEqual(fields["format_error"], "ValueError: Formatting "
                             "field not found in record: 'absent'")
        self.assertEqual(stderr.getvalue(), "")

    def test_handler_reports_once(self):
        logger = self.logger()
        stderr = io.StringIO()
        failed = self.stats()["failed"]
        with contextlib.redirect_stderr(stderr):
            self.fake.fake_fail(2, 0, 2, ctypes.c_int(-errno.EIO))
            logger.info("x")
            logger.info("x")
        self.assertEqual(stderr.getvalue().count("Logging error"), 1)
        self.assertEqual(self.stats()["failed"], failed + 2)
        self.assertEqual(self.records(), 0)

    def test_handler_closed_during_a_write(self):
        """By another thread, and by the record itself"""
        for is_other in True, False:
            handler = userevents.Handler("PyClosed")
            order = []

            class Text:
                def __str__(self, handler=handler, order=order,
                            is_other=is_other):
                    thread = threading.Thread(target=handler.close)
                    if is_other:
                        thread.start()
                        thread.join(0.2)
                        order.append(thread)
                    else:
                        handler.close()
                    order.append(bool(handler._provider._handle))
                    return "text"

            self.fake.fake_enable(b"PyClosed_L2K0", True)
            before = self.fake.fake_records()
            handler.handle(logging.makeLogRecord(
                {"levelno": logging.ERROR, "msg": Text()}))
            self.assertTrue(order.pop(), "freed during the write")
            for thread in order:
                thread.join()
            self.assertEqual(self.fake.fake_records(), before + 1)
            self.assertFalse(handler._provider._handle)

    def test_handler_of_another_process(self):
        """Records that come through a queue"""
        logger = self.logger()
        queued = queue.Queue()
        source = logging.Logger("source")
        source.addHandler(logging.handlers.QueueHandler(queued))
        source.info("a %s", "b", extra={"order": 5})
        record = queued.get()
        record.process += 1
        logger.handle(record)
        self.assertEqual(self.logged(), {
            "message": "a b", "process": record.process, "order": 5})


class Color(enum.IntEnum):
    RED = 2


class Shape(str, enum.Enum):
    ROUND = "round"


_FORMAT = """name: {name}
ID: {id}
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

{fields}
print fmt: "x"
"""
_EVENTHEADER_FIELDS = """\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;
\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;
\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;
\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;
\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;
\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;
"""


def _source(name, number, fields):
    """Returns the struct uev_source of an event."""
    text = _FORMAT.format(name=name, id=number, fields=fields).encode()
    buffer = ctypes.create_string_buffer(text)
    source = _library.UevSource(b"user_events", name.encode(),
                                ctypes.addressof(buffer), len(text), number)
    source.buffer = buffer
    return source


def _eventheader(metadata, payload):
    """Returns the raw bytes of a record of EventHeader."""
    flags = 7 if sys.byteorder == "little" else 5
    return struct.pack("=HBBiBBHHBBHH", 1501, 0, 0, 7, flags, 0, 0, 0, 0, 4,
                       len(metadata), 1) + metadata + payload


class FakeTrace:
    """The library, with a session that has the records of a file

    They are of an event that exists from a number of rescans on.
    """

    def __init__(self, path, rescans):
        self.rescans = rescans
        self.rescan_error = 0
        self.real = _library.trace()
        self.reader = ctypes.c_void_p()
        self.pipe = os.pipe()
        _library.check(self.real.perf_reader_open(
            self.reader, os.fsencode(path), None))

    def __getattr__(self, name):
        return getattr(self.real, name)

    def session_open(self, handle, options):
        self.flags = options.flags
        handle.value = 1
        return 0

    def session_add(self, handle, pattern, filter):
        return 0

    def session_start(self, handle):
        return 0

    def session_read(self, handle, flags):
        return 0

    def session_comm(self, handle, tid):
        return b"name" if self.flags & 4 else None

    def session_clock(self, handle, clock):
        return -errno.EOPNOTSUPP

    def session_fd(self, handle):
        return self.pipe[0]

    def session_rescan(self, handle):
        self.rescans -= not self.rescan_error
        return self.rescan_error

    def session_next(self, handle, sample):
        if self.rescans > 0:
            return 0
        return self.real.perf_reader_next(self.reader, sample)

    def session_close(self, handle):
        self.real.perf_reader_close(self.reader)
        for descriptor in self.pipe:
            os.close(descriptor)


@unittest.skipIf(FAKE, "with a fake kernel")
class Reading(unittest.TestCase):
    """Records of files and sessions"""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "perf.data")

    def write(self, source, raws):
        """Writes a file with records of an event."""
        library = ctypes.CDLL("libuserevents-trace.so.2")
        writer = ctypes.c_void_p()
        self.assertEqual(library.uev_perf_writer_open(
            ctypes.byref(writer), self.path.encode(), None), 0)
        for i, raw in enumerate(raws):
            sample = _library.UevSample(
                source=ctypes.pointer(source), raw_size=len(raw), flags=7,
                raw=ctypes.cast(raw, ctypes.c_void_p), time=i + 1)
            self.assertEqual(library.uev_perf_writer_record(
                writer, ctypes.byref(sample)), 0)
        self.assertEqual(library.uev_perf_writer_finish(writer), 0)

    def write_pipe(self, name, fields, raw, long_size):
        """Writes what perf record writes to a pipe, with a record."""
        text = _FORMAT.format(name=name, id=1502, fields=fields).encode()
        tracing = b"\x17\x08\x44tracing0.6\0" + struct.pack(
            "=BBI", sys.byteorder == "big", long_size, 4096)
        tracing += b"header_page\0" + struct.pack("=Q", 0)
        tracing += b"header_event\0" + struct.pack("=Q", 0)
        tracing += struct.pack("=II", 0, 1) + b"user_events\0"
        tracing += struct.pack("=IQ", 1, len(text)) + text
        tracing += b"\0" * (-len(tracing) % 8)
        # An identifier, thread, time and raw bytes
        sample = struct.pack("=QIIQI", 5, 7, 8, 9, len(raw)) + raw
        sample += b"\0" * (-len(sample) % 8)
        with open(self.path, "wb") as file:
            file.write(b"PERFILE2" + struct.pack("=Q", 16))
            file.write(struct.pack("=IHH", 64, 0, 8 + 112 + 8))
            file.write(struct.pack("=IIQQQQ72xQ", 2, 112, 1502, 1, 0x10406, 0,
                                   5))
            file.write(struct.pack("=IHHI", 66, 0, 12, len(tracing)) + tracing)
            file.write(struct.pack("=IHH", 9, 0, 8 + len(sample)) + sample)

    def session(self, rescans=0, **arguments):
        """Returns a session that has the records of the file."""
        trace = FakeTrace(self.path, rescans)
        patch = unittest.mock.patch("userevents.records.trace", lambda: trace)
        patch.start()
        self.addCleanup(patch.stop)
        session = userevents.Session("*", **arguments)
        self.addCleanup(session.close)
        return session, trace

    def test_many_files(self):
        """select() does not take descriptors of 1024 and more."""
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (2048, before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        source = _source("Py_L4K0", 1501, _EVENTHEADER_FIELDS)
        self.write(source, [_eventheader(b"E\0", b"")])
        session, trace = self.session()
        low, trace.pipe = trace.pipe[0], (
            fcntl.fcntl(trace.pipe[0], fcntl.F_DUPFD, 1100), trace.pipe[1])
        os.close(low)
        self.assertEqual(len(list(session.records(0.001))), 1)

    def test_record_too_long(self):
        """Its JSON is much longer than itself, and others are not lost."""
        source = _source("Py_L4K0", 1501, _EVENTHEADER_FIELDS)
        short = _eventheader(b"Short\0a\0\2", b"\5")
        # An array of structs, each of which has a long name of escapes.
        long = _eventheader(b"Long\0s\0\xc1\1" + b"\1" * 1000 + b"\0\2",
                            struct.pack("=H", 7000) + b"\5" * 7000)
        self.write(source, [short, long, short])
        session, _ = self.session()
        with userevents.open_file(self.path) as reader:
            for records in (list(reader), session.read()):
                self.assertEqual([record.error for record in records],
                                 [None, "too long", None])
                self.assertEqual([record.fields for record in records],
                                 [{"a": 5}, {}, {"a": 5}])
                self.assertEqual(records[0].meta, {"level": 4})
                self.assertEqual(records[1].meta, {})
                self.assertEqual(records[1].name, "user_events:Py_L4K0")
                self.assertEqual(records[1].time, 2)

    def test_record_with_too_many_elements(self):
        """The part before the error is not lost."""
        source = _source("Py_L4K0", 1501, _EVENTHEADER_FIELDS)
        self.write(source, [_eventheader(b"Ev\0first\0\4s\0\xc1\1",
                                         struct.pack("=IH", 42, 65535))])
        with userevents.open_file(self.path) as reader:
            (record,) = reader
        self.assertEqual(record.error, "too many elements without bytes")
        self.assertEqual(record.name, "Py:Ev")
        self.assertEqual(record.fields["first"], 42)
        self.assertEqual(record.meta, {"level": 4})

    def test_long_of_another_machine(self):
        """A pipe has the size of long only in front of its records."""
        size, code = (4, "II") if ctypes.sizeof(ctypes.c_long) == 8 \
            else (8, "QQ")
        field = ("\tfield:__data_loc long[] list;\toffset:8;\tsize:4;"
                 "\tsigned:1;\n")
        self.write_pipe("longs", field, struct.pack(
            "=HBBiI" + code, 1502, 0, 0, 7, 2 * size << 16 | 12, 1, 2), size)
        with userevents.open_file(self.path) as reader:
            (record,) = reader
            self.assertEqual(reader.counts()["corrupt"], 0)
        self.assertIsNone(record.error)
        self.assertEqual(record.fields, {"list": [1, 2]})
        if EXAMPLE:
            output = subprocess.run([EXAMPLE, self.path], check=True,
                                    stdout=subprocess.PIPE).stdout
            self.assertIn(b'"list":[1,2]', output)

    def test_names_of_threads(self):
        """They take memory and time, so a session has them on request."""
        self.write(_source("Py_L4K0", 1501, _EVENTHEADER_FIELDS),
                   [_eventheader(b"E\0", b"")])
        for arguments, name in (({}, None), ({"comms": True}, "name")):
            session, _ = self.session(**arguments)
            (record,) = session.read()
            self.assertEqual(record.comm, name)

    def test_late_events(self):
        """Events that are registered after the start of a session"""
        source = _source("Py_L4K0", 1501, _EVENTHEADER_FIELDS)
        self.write(source, [_eventheader(b"E\0", b"")] * 3)
        session, _ = self.session(1)
        self.assertEqual(session.read(), [])
        self.assertEqual(session.rescan(), 0)
        self.assertEqual(len(session.read()), 3)
        for timeout in (None, 30):
            with self.subTest(timeout=timeout), \
                    unittest.mock.patch("userevents.records._RESCAN_INTERVAL",
                                        0.001):
                session, trace = self.session(2)
                records = session.records(timeout)
                self.assertEqual(next(records).name, "Py:E")
                self.assertLessEqual(trace.rescans, 0)
        session, _ = self.session(1)
        self.assertEqual(list(session.records(0)), [])

    def test_late_events_without_permission(self):
        """Each error is reported once, and ends nothing."""
        self.write(_source("Py_L4K0", 1501, _EVENTHEADER_FIELDS),
                   [_eventheader(b"E\0", b"")])
        session, trace = self.session()
        trace.rescan_error = -errno.EACCES
        self.assertRaises(PermissionError, session.rescan)
        with self.assertLogs("userevents", "WARNING") as logs, \
                unittest.mock.patch("userevents.records._RESCAN_INTERVAL", 0):
            self.assertEqual(len(list(session.records(0))), 1)
        self.assertEqual(len(logs.records), 1)

    def test_fields_like_members(self):
        """Fields can have the names of other members of the JSON."""
        for name in ("meta", "error", "n"):
            field = (f"\tfield:u32 {name};\toffset:8;\tsize:4;\tsigned:0;\n")
            self.write(_source("plain", 1500, field),
                       [struct.pack("=HBBiI", 1500, 0, 0, 7, 5)])
            with userevents.open_file(self.path) as reader:
                (record,) = reader
            self.assertEqual(record.fields, {name: 5})
            self.assertEqual(record.meta, {})
            self.assertIsNone(record.error)


@unittest.skipIf(FAKE, "with a fake kernel")
class NoKernel(unittest.TestCase):
    """Without user_events"""

    def test_events_are_pending(self):
        ctypes.CDLL("libuserevents.so.2").uev_set_path(b"/nonexistent")
        provider = userevents.Provider("Py")
        self.assertFalse(provider.enabled())
        self.assertNotEqual(provider.status(), 0)
        provider.write("E", {"a": 1})
        event = userevents.Event("py_event", number="s32")
        self.assertNotEqual(event.status(), 0)
        event.write(number=1)

    def test_session_needs_tracefs(self):
        with self.assertRaises(OSError):
            userevents.Session("*", tracefs="/nonexistent")

    def test_no_file(self):
        with self.assertRaises(FileNotFoundError):
            userevents.open_file("/nonexistent")

    @unittest.skipUnless(DATA, "no file")
    def test_file(self):
        with open(os.environ["JSON"], encoding="utf-8") as file:
            (expected,) = json.load(file).values()
        with userevents.open_file(DATA) as reader:
            self.assertRaises(TypeError, copy.copy, reader)
            records = list(reader)
            self.assertEqual(reader.counts()["records"], len(expected))
        self.assertEqual(len(records), len(expected))
        for record, line in zip(records, expected):
            line.pop("n")
            meta = line.pop("meta")
            self.assertIsNone(record.error)
            self.assertEqual(record.fields, line)
            self.assertEqual(record.cpu, meta["cpu"])
            self.assertEqual(record.pid, meta["pid"])
            self.assertEqual(record.tid, meta.get("tid", record.pid))
            self.assertEqual(record.vpid, meta["vpid"])
        self.assertEqual(records[0].time, 1000000000)
        self.assertEqual(records[0].wall_time, 1700000000000000000)
        self.assertEqual(list(reader), [])
        with self.assertRaises(ValueError):
            reader.counts()


if __name__ == "__main__":
    unittest.main()
