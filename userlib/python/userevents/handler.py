# SPDX-License-Identifier: MIT
"""A handler of the module logging."""

import logging

from userevents.events import Field, Provider


class Handler(logging.Handler):
    """Writes each log record as an EventHeader event

        logging.getLogger().addHandler(userevents.Handler("MyCompany_App"))

    The level of the log record selects the tracepoint: 1 for CRITICAL, 2 for
    ERROR, 3 for WARNING, 4 for INFO, 5 for lower ones. The event has the name
    Log and the fields message, severity, logger, thread, file, line, function,
    and exception if there is one.
    """

    _LEVELS = ((logging.CRITICAL, 1), (logging.ERROR, 2),
               (logging.WARNING, 3), (logging.INFO, 4))

    def __init__(self, provider, keyword=0, group="", level=logging.NOTSET):
        super().__init__(level)
        self._provider = Provider(provider, group)
        self._keyword = keyword
        for number in range(1, 6):
            self._provider.enabled(number, keyword)

    @classmethod
    def _level_of(cls, record):
        for limit, level in cls._LEVELS:
            if record.levelno >= limit:
                return level
        return 5

    def _fields_of(self, record):
        fields = {"message": self.format(record),
                  "severity": record.levelname, "logger": record.name,
                  "thread": record.threadName, "file": record.pathname,
                  "line": Field("i32", record.lineno),
                  "function": record.funcName}
        if record.exc_info and record.exc_info[0]:
            fields["exception"] = record.exc_info[0].__name__
        return {name: value for name, value in fields.items()
                if value is not None}

    def emit(self, record):
        try:
            level = self._level_of(record)
            if self._provider.enabled(level, self._keyword):
                self._provider.write("Log", self._fields_of(record),
                                     level=level, keyword=self._keyword)
        except Exception:
            self.handleError(record)

    def close(self):
        super().close()
        self._provider.close()
