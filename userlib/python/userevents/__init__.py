# SPDX-License-Identifier: MIT
"""Write, record and decode events of Linux user_events.

    import userevents

    provider = userevents.Provider("MyCompany_Disk")
    provider.write("ReadDone", {"sector": 7, "device": "sda"}, level=4)

    for record in userevents.open_file("perf.data"):
        print(record.name, record.fields)

The package requires the shared libraries libuserevents and, to read events,
libuserevents-trace. userevents-python(7) describes it.
"""

from userevents._library import stats
from userevents.events import (PAYLOAD_FTRACE_MAX, PAYLOAD_MAX, Event, Field,
                               Provider)
from userevents.handler import Handler
from userevents.records import FileReader, Record, Session, open_file

__all__ = ["PAYLOAD_FTRACE_MAX", "PAYLOAD_MAX", "Event", "Field", "FileReader",
           "Handler", "Provider", "Record", "Session", "open_file", "stats"]
