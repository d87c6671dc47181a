"""Subjects the token store and the program to faults of their environment, and counts losses and hangs.

usage: torture.py TORTURE TABLE [FAULT [TIMES]]

TORTURE is the program for the faults of the store alone. Without FAULT, all are tried as often as listed below, and the
table is written between the marks of the file TABLE. With TIMES, each is tried that often and no table is written.
"""

import concurrent.futures
import pathlib
import queue
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from document import write  # noqa: E402  (found by the path above)
from faults import machine, network, session, spending  # noqa: E402
from lane import Lane  # noqa: E402
from tally import Hung, Lost, Tally  # noqa: E402

# Faults of the store, in processes without anything else, by TORTURE's names.
STORE_FAULTS = {
    "SIGKILL while saving": 1000,
    "SIGKILL while migrating": 1000,
    "SIGKILL while the key moves": 1000,
    "power cut": 1000,
    "rows or the database deleted": 200,
    "store rolled back": 200,
    "store replaced": 200,
    "many processes on one store": 32,
    "disk full": 50,
    "file system full": 50,
    "file system without inodes": 2,
    "folder read-only": 1,
}
# Faults of the program, with the built-in authority: number of tries, function, lane.
PROGRAM_FAULTS = {
    "no descriptors": (80, machine.no_descriptors, Lane),
    "clock jumps": (48, machine.clock_jumps, Lane),
    "connection reset at each step": (96, network.connection_reset, Lane),
    "slow drip": (32, network.slow_drip, Lane),
    "unresolvable host": (16, network.unresolvable_host, Lane),
    "authority restarts": (60, network.authority_restarts, Lane),
    "keyring dies": (60, session.keyring_dies, session.KeyringLane),
    "terminal closes": (60, session.terminal_closes, Lane),
    "file system full while refreshing": (32, spending.full_disk, spending.VolumeLane),
    "signals while refreshing": (36, spending.signals, Lane),
    "timeout while refreshing": (8, spending.time_limit, Lane),
    "SIGKILL while refreshing": (36, spending.sigkill, Lane),
}
# Tries of one fault that run in parallel, each with its own authority and home.
LANES = 4


def main():
    torture, document = (pathlib.Path(path) for path in sys.argv[1:3])
    chosen = sys.argv[3] if len(sys.argv) > 3 else ""
    times = int(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] else None
    names = [name for name in [*STORE_FAULTS, *PROGRAM_FAULTS] if chosen in ("", name)]
    if not names:
        raise SystemExit("\n".join([f"Unknown fault {chosen!r}. Faults:", *STORE_FAULTS, *PROGRAM_FAULTS]))
    # A background job, or nohup, starts with these ignored, and child processes would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    started = time.monotonic()
    tallies = {name: tried(name, torture, times) for name in names}
    if not chosen and times is None:
        write_table(document, tallies, time.monotonic() - started)
    if any(tally.lost or tally.hung for tally in tallies.values()):
        raise SystemExit(1)


def tried(name, torture, times):
    tally = at_store(name, torture, times) if name in STORE_FAULTS else at_program(name, times)
    if tally.skipped:
        print(f"{name}: skipped: {tally.skipped}", flush=True)
    else:
        spent = "" if tally.spent is None else f", {tally.spent} spent"
        print(f"{name}: {tally.tried} tried, {tally.lost} lost{spent}, {tally.hung} hung", flush=True)
    for note in tally.notes:
        print(f"  {note}", flush=True)
    return tally


def at_store(name, torture, times):
    finished = subprocess.run(
        [torture, "--times", str(times or STORE_FAULTS[name]), name], capture_output=True, text=True, check=False)
    counts = re.search(r": (\d+) tried, (\d+) lost, (\d+) hung", finished.stdout)
    if not counts:
        raise SystemExit(f"{torture} ended with {finished.returncode}: {finished.stderr[-400:]}")
    tally = Tally(*map(int, counts.groups()))
    if not tally.tried:
        tally.skipped = finished.stdout.strip().splitlines()[0].strip(" ()")
    return tally


def at_program(name, times):
    usual, fault, place = PROGRAM_FAULTS[name]
    tally = Tally()
    count = times or usual
    lanes = queue.SimpleQueue()
    opened = [place() for _ in range(min(LANES, count))]
    for lane in opened:
        lanes.put(lane)

    def one(number):
        lane = lanes.get()
        try:
            tally.skipped = fault(lane, number) or tally.skipped
            tally.add()
        except Lost as lost:
            tally.add(lost=f"lost, number {number}: {lost}")
        except Hung as hung:
            tally.add(hung=f"hung, number {number}: {hung}")
        finally:
            lane.interposer.relent()
            lanes.put(lane)

    try:
        with concurrent.futures.ThreadPoolExecutor(len(opened)) as pool:
            list(pool.map(one, range(count)))
    finally:
        for lane in opened:
            lane.close()
        tally.spent = sum(lane.spent for lane in opened)
    return tally


def write_table(document, tallies, seconds):
    rows = [("Fault", "Tried", "Lost", "Spent", "Hung")]
    for name, tally in tallies.items():
        spent = "" if tally.spent is None else tally.spent
        rows.append((name, *(("skipped", "", "", "") if tally.skipped else (tally.tried, tally.lost, spent, tally.hung))))
    write(document, "measured", f"{seconds / 60:.0f} minutes", rows)


if __name__ == "__main__":
    main()
