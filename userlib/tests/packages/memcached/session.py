# SPDX-License-Identifier: MIT
"""Compares the records of memcached with what its client asked for.

    session.py MEMCACHED PROBES RECORDS

MEMCACHED is the program, PROBES its file for dtrace(1), and RECORDS the file of
record_log.c. Prints each difference.
"""
import collections
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

KEY = b"key_of_the_session"
MISSING = b"key_that_is_not_stored"
VALUE = b"value_of_the_session"
NUMBER = b"counter"


def start(program, path):
    process = subprocess.Popen(
        [program, "-u", "root", "-U", "0", "-s", path, "-t", "1", "-m", "16"])
    for _ in range(600):
        if os.path.exists(path) or process.poll() is not None:
            break
        time.sleep(0.1)
    return process


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.commands = 0

    def ask(self, command, last):
        """Returns the lines of the answer up to the one that LAST matches."""
        self.socket.sendall(command + b"\r\n")
        self.commands += 1
        lines = []
        while not lines or not re.match(last, lines[-1]):
            lines.append(self.file.readline())
            assert lines[-1], "memcached closed the connection"
        return lines

    def store(self, verb, key, value, cas=b""):
        self.ask(b"%s %s 0 0 %d%s\r\n%s" % (verb, key, len(value), cas, value),
                 b"STORED|NOT_STORED|EXISTS|NOT_FOUND")

    def get(self, key):
        return self.ask(b"gets " + key, b"END")

    def stats(self):
        lines = self.ask(b"stats", b"END")
        return dict(line.split()[1:3] for line in lines[:-1])


def talk(client):
    """Does each operation another number of times, and counts the probes."""
    expected = collections.Counter()

    def store(verb, times, key=KEY, cas=b""):
        for _ in range(times):
            client.store(verb, key, VALUE, cas)
        expected["command__" + verb.decode()] += times

    store(b"set", 7)
    store(b"add", 1, b"added")
    store(b"replace", 2)
    store(b"append", 3)
    store(b"prepend", 4)
    client.store(b"set", NUMBER, b"5")
    expected["command__set"] += 1
    for _ in range(5):
        client.get(KEY)
    for _ in range(6):
        client.get(MISSING)
    expected["command__get"] += 5 + 6
    for _ in range(8):
        client.ask(b"incr %s 3" % NUMBER, b"[0-9]+")
    expected["command__incr"] += 8
    for _ in range(9):
        client.ask(b"decr %s 1" % NUMBER, b"[0-9]+")
    expected["command__decr"] += 9
    client.ask(b"delete added", b"DELETED")
    expected["command__delete"] += 1
    return expected


def numbers_of_arguments(path):
    """Returns the number of arguments of each probe."""
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    return {name: len(arguments.split(","))
            for name, arguments in re.findall(r"probe (\w+)\(([^)]*)\)", text)}


def read_records(path):
    records = collections.defaultdict(list)
    with open(path, encoding="ascii") as file:
        for line in file:
            name, payload = line.rstrip("\n").split(" ")
            records[name].append(bytes.fromhex(payload))
    return records


def check_payloads(records, probes):
    """Each record has the arguments of its probe, and nothing else."""
    sizes = {"memcached_" + name: 8 * count for name, count in probes.items()}
    for name, payloads in records.items():
        for payload in payloads:
            if len(payload) != sizes.get(name):
                print(f"{name}: {len(payload)} bytes, not {sizes.get(name)}")
                break
    everything = b"".join(b"".join(each) for each in records.values())
    for text in KEY, MISSING, VALUE, NUMBER:
        if text in everything:
            print(f"a record has {text}")


def check_values(records):
    """Records are in order, with integers of the right value and sign."""
    gets = [struct.unpack("=5q", each)
            for each in records["memcached_command__get"]]
    # The value is set, appended to 3 times and prepended to 4 times. The size
    # of a key that is not found is -1.
    found = [(size, length) for _, _, length, size, _ in gets]
    size = 8 * len(VALUE) + len(b"\r\n")
    if found != [(size, len(KEY))] * 5 + [(-1, len(MISSING))] * 6:
        print(f"command__get: {found}, not {size} bytes or -1")
    increments = [struct.unpack("=4q", each)[3]
                  for each in records["memcached_command__incr"]]
    if increments != [5 + 3 * i for i in range(1, 9)]:
        print(f"command__incr: {increments}")


def check_counts(records, expected, stats, commands):
    counted = {
        "process__command__start": commands,
        "process__command__end": commands,
        "item__link": int(stats[b"total_items"]),
    }
    for name, count in {**expected, **counted}.items():
        found = len(records["memcached_" + name])
        if found != count:
            print(f"{name}: {found} records of {count} hits")


def main(program, probes, path):
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.join(directory, "socket")
        process = start(program, name)
        try:
            client = Client(name)
            expected = talk(client)
            stats = client.stats()
            commands = client.commands
        finally:
            process.terminate()
            process.wait()
    records = read_records(path)
    check_payloads(records, numbers_of_arguments(probes))
    check_values(records)
    check_counts(records, expected, stats, commands)


main(*sys.argv[1:])
