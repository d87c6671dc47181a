"""Another clock for a program (libfaketime)."""

import contextlib
import pathlib

FAKE_TIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


class Clock:
    """A clock that is off by some seconds, which can change while the program runs."""

    def __init__(self, file):
        forget_ended_processes()
        self.file = file
        self.environment = {
            "LD_PRELOAD": str(FAKE_TIME), "FAKETIME_TIMESTAMP_FILE": str(file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # It would share its state with other processes by changing the environment before the program has read its
            # arguments, which the Swift runtime looks for beside the environment.
            "FAKETIME_SHARED": "/none /none"}

    def set(self, seconds):
        self.file.write_text(offset(seconds))


def offset(seconds):
    return f"{seconds:+d}"


def forget_ended_processes():
    """Removes what libfaketime leaves of killed processes: it ends a process that gets the ID of one of them."""
    for leftover in pathlib.Path("/dev/shm").glob("*faketime_s*_*"):
        process = pathlib.Path("/proc", leftover.name.rpartition("_")[2])
        if not process.exists():
            with contextlib.suppress(PermissionError):
                leftover.unlink(missing_ok=True)
