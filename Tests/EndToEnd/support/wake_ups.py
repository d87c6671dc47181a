"""How often the threads of a process have woken up, as counted by the kernel."""

import contextlib
import os


def wake_ups(pid):
    """For each thread, how often it has waited so far (proc(5): voluntary_ctxt_switches)."""
    waits = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        # A thread can end after it was listed.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            waits[thread] = _waits(pid, thread)
    return waits


def wake_ups_since(before, pid):
    """The number of wake-ups since then, including new threads."""
    return sum(count - before.get(thread, 0) for thread, count in wake_ups(pid).items())


def is_asleep(pid):
    """Whether no thread is running or runnable, and none was between two looks. In a program that hands work from
    thread to thread, one always runs until the work is done."""
    before = wake_ups(pid)
    try:
        states = [_status(pid, thread, "State:") for thread in before]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return all(state.startswith("S") for state in states) and wake_ups(pid) == before


def _waits(pid, thread):
    return int(_status(pid, thread, "voluntary_ctxt_switches:"))


def _status(pid, thread, key):
    with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii", errors="replace") as status:
        return next(line.removeprefix(key).strip() for line in status if line.startswith(key))
