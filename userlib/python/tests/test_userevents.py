# SPDX-License-Identifier: MIT
"""Tests of the Python package, run by scripts/check/userlib-ecosystem.

FAKE is the fake kernel, a libuserevents.so.1 of the tests; without it, the
library finds no user_events. DATA is a perf.data file, and JSON what
user-events decode --json prints for it.
"""

import ctypes
import datetime
import errno
import ipaddress
import json
import logging
import os
import threading
import unittest
import uuid

import userevents

FAKE = os.environ.get("FAKE")
DATA = os.environ.get("DATA")


class FakeRecord(ctypes.Structure):
    """struct fake_record"""
    _fields_ = [("name", ctypes.c_char * 256), ("size", ctypes.c_size_t),
                ("pieces", ctypes.c_int), ("fd", ctypes.c_int),
                ("payload", ctypes.c_uint8 * 16384)]


@unittest.skipUnless(FAKE, "no fake kernel")
class FakeKernel(unittest.TestCase):
    """With a kernel that has user_events"""

    @classmethod
    def setUpClass(cls):
        cls.fake = ctypes.CDLL("libuserevents.so.1")
        cls.fake.fake_record.restype = ctypes.POINTER(FakeRecord)
        cls.fake.fake_command.restype = ctypes.c_char_p
        cls.fake.fake_reset(0)
        cls.fake.uev_set_path(None)

    def setUp(self):
        self.before = self.fake.fake_records()

    def records(self):
        """Returns the number of records of this test."""
        return self.fake.fake_records() - self.before

    def enable(self, name):
        self.fake.fake_enable(name, ctypes.c_bool(True))

    def payload(self):
        record = self.fake.fake_record().contents
        return bytes(record.payload[:record.size])

    def decoded(self):
        """Returns the last record as the decoder prints it."""
        trace = ctypes.CDLL("libuserevents-trace.so.1")
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

    def test_provider_errors(self):
        with self.assertRaises(OSError) as raised:
            userevents.Provider("not a name")
        self.assertEqual(raised.exception.errno, errno.EINVAL)
        provider = userevents.Provider("Bad")
        provider.enabled()
        self.enable(b"Bad_L5K0")
        with self.assertRaises(OSError) as raised:
            provider.write("E", {"a": "x" * 70000})
        self.assertEqual(raised.exception.errno, errno.E2BIG)
        with self.assertRaises(TypeError):
            provider.write("E", {"a": [1, "x"]})
        with self.assertRaises(ValueError):
            userevents.Field("u7", 1)
        for value in (1 << 64, -1 - (1 << 63), [1, 1 << 64], [-1, 1 << 63],
                      {"b": 1 << 64}, userevents.Field("u8", 256),
                      userevents.Field("u8", -1),
                      userevents.Field("port", [1, 1 << 16]),
                      userevents.Field("f32", 1e39), [1 << 2000, 0.5],
                      datetime.datetime):
            with self.assertRaisesRegex((OverflowError, TypeError), "^[ab]: "):
                provider.write("E", {"a": value})
        for value in ("x", 1.5, None, [1, "x"]):
            with self.assertRaisesRegex(TypeError, "^a: "):
                provider.write("E", {"a": userevents.Field("u8", value)})
        for value in (5, ["x", b"x"]):
            with self.assertRaisesRegex(TypeError, "^a: "):
                provider.write("E", {"a": userevents.Field("text", value)})
        provider.close()
        with self.assertRaises(ValueError):
            provider.write("E")
        self.assertEqual(self.records(), 0)

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
                         b"__rel_loc char[] path; __rel_loc u8[] data")
        event.write(number=1, count=2, path="x", data=b"")
        self.assertEqual(self.records(), 0)
        self.enable(b"py_event")
        event.write(number=-2, count=255, path="/", data=b"\1\2")
        self.assertEqual(self.payload()[:5], b"\xfe\xff\xff\xff\xff")
        self.assertEqual(self.payload()[13:], b"/\0\1\2")
        for number in (256, -1, 1 << 64, 1 << 2000):
            with self.assertRaisesRegex(OverflowError, "^count: "):
                event.write(number=1, count=number, path="/", data=b"")
        for number in ("1", 1.5, None):
            with self.assertRaisesRegex(TypeError, "^count: "):
                event.write(number=1, count=number, path="/", data=b"")
        with self.assertRaises(TypeError):
            event.write(number=1)
        with self.assertRaises(TypeError):
            event.write(number=1, count=1, path="", data=b"", other=1)
        with self.assertRaises(TypeError):
            event.write(number=1, count=1, path="", data=5)
        with self.assertRaises(ValueError):
            userevents.Event("py_other", number="int")

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
        try:
            raise KeyError("x")
        except KeyError:
            logger.exception("failed")
        self.assertEqual(self.decoded()["exception"], "KeyError")
        for number, level in ((10, 5), (20, 4), (30, 3), (40, 2), (50, 1)):
            logger.log(number, "x")
            self.assertEqual(self.decoded()["meta"], {"level": level})
        handler.close()


@unittest.skipIf(FAKE, "with a fake kernel")
class NoKernel(unittest.TestCase):
    """Without user_events"""

    def test_events_are_pending(self):
        ctypes.CDLL("libuserevents.so.1").uev_set_path(b"/nonexistent")
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
        self.assertEqual(records[0].time, 1000000000)
        self.assertEqual(records[0].wall_time, 1700000000000000000)
        self.assertEqual(list(reader), [])
        with self.assertRaises(ValueError):
            reader.counts()


if __name__ == "__main__":
    unittest.main()
