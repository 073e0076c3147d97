# SPDX-License-Identifier: MIT
"""A handler of the module logging."""

import logging
import os

from userevents.events import PAYLOAD_MAX, Field, Provider, is_enabled
from userevents.values import text_of

# Attributes that each LogRecord has, or gets from a Formatter. Others are from
# extra={...}, adapters and filters.
_RESERVED = {*logging.makeLogRecord({}).__dict__, "asctime", "message",
             "taskName"}
_FORMATTER = logging.Formatter()


class Handler(logging.Handler):
    """Writes each log record as an EventHeader event

        logging.getLogger().addHandler(userevents.Handler("MyCompany_App"))

    The level of the log record selects the tracepoint: 1 for CRITICAL, 2 for
    ERROR, 3 for WARNING, 4 for INFO, 5 for lower ones. The event has the name
    Log and the fields message, severity, logger, thread, file, line and
    function, and if they exist, task, process (of another process), exception,
    exception_message, traceback, stack and those of extra={...}.

    Texts of an event that is larger than limit are shortened.
    """

    _LEVELS = ((logging.CRITICAL, 1), (logging.ERROR, 2),
               (logging.WARNING, 3), (logging.INFO, 4))

    def __init__(self, provider, keyword=0, group="", level=logging.NOTSET,
                 limit=PAYLOAD_MAX):
        super().__init__(level)
        self._provider = Provider(provider, group, limit=limit)
        self._keyword = keyword
        self._reported = set()
        self._is_closed = False
        self._emits = 0
        for number in range(1, 6):
            self._provider.enabled(number, keyword)

    @classmethod
    def _level_of(cls, record):
        for limit, level in cls._LEVELS:
            if record.levelno >= limit:
                return level
        return 5

    def _message_of(self, record):
        """Returns the fields message and, after an error, format_error."""
        try:
            return {"message": self.format(record) if self.formatter
                    else record.getMessage()}
        except Exception as error:
            text = f"{type(error).__name__}: {text_of(error)}"
        try:
            return {"message": record.getMessage(), "format_error": text}
        except Exception:
            return {"message": f"{text_of(record.msg)} {text_of(record.args)}",
                    "format_error": text}

    def _exception_of(self, record):
        fields = {}
        info = record.exc_info
        if isinstance(info, tuple) and info[0]:
            fields["exception"] = info[0].__name__
            fields["exception_message"] = text_of(info[1]) or None
        # The text of a formatter has these already.
        if fields and not self.formatter:
            fields["traceback"] = (record.exc_text or
                                   _FORMATTER.formatException(info))
        if not self.formatter:
            fields["stack"] = record.stack_info
        return fields

    def _fields_of(self, record):
        fields = {**self._message_of(record),
                  "severity": record.levelname, "logger": record.name,
                  "thread": record.threadName,
                  "task": getattr(record, "taskName", None),
                  "file": record.pathname,
                  "line": Field("i32", record.lineno),
                  "function": record.funcName,
                  **self._exception_of(record)}
        if record.process != os.getpid():
            fields["process"] = record.process
        fields = {name: value for name, value in fields.items()
                  if value is not None}
        for name, value in record.__dict__.items():
            if name not in _RESERVED:
                while name in fields:
                    name = f"extra_{name}"
                fields[name] = value
        return fields

    def emit(self, record):
        if self._is_closed:
            return
        self._emits += 1
        try:
            level = self._level_of(record)
            found = self._provider._set(level, self._keyword)
            if is_enabled(found[1]):
                self._provider._emit(found, "Log", self._fields_of(record))
        except Exception as error:
            # Each error once, because the report has the whole message.
            key = type(error), getattr(error, "errno", None)
            if key not in self._reported:
                self._reported.add(key)
                self.handleError(record)
        finally:
            self._emits -= 1
            self._release()

    def _release(self):
        # The lock lets a value that is being formatted close the handler.
        if self._is_closed and not self._emits:
            self._provider.close()

    def close(self):
        self.acquire()
        try:
            self._is_closed = True
            self._release()
        finally:
            self.release()
        super().close()
