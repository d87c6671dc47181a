"""How often the threads of a process have been woken, by the kernel's own count."""

import os


def wake_ups(pid):
    """For each thread, how often it has waited for something so far (proc(5): voluntary_ctxt_switches)."""
    return {thread: _waits(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")}


def wake_ups_since(before, pid):
    """How many there were since, also of threads that came since."""
    return sum(count - before.get(thread, 0) for thread, count in wake_ups(pid).items())


def is_asleep(pid):
    """Whether no thread runs or is about to, and none did between two looks. Of a program that hands work from thread to
    thread one always runs until all is done."""
    before = wake_ups(pid)
    states = [_status(pid, thread, "State:") for thread in before]
    return all(state.startswith("S") for state in states) and wake_ups(pid) == before


def _waits(pid, thread):
    return int(_status(pid, thread, "voluntary_ctxt_switches:"))


def _status(pid, thread, key):
    with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii", errors="replace") as status:
        return next(line.removeprefix(key).strip() for line in status if line.startswith(key))
