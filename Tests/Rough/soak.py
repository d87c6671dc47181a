"""Several processes on one token cache sign in, refresh and remove for an hour, while the authority misbehaves.

usage: soak.py SOAK MINUTES TABLE

Prints their counts and resources. A run of twenty minutes or more is also written between the marks of TABLE.
"""

import collections
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import interposer  # noqa: E402  (found by the path above)
from authority import Authority  # noqa: E402
from document import write  # noqa: E402
from usage import MOST_MORE_DESCRIPTORS, Usage  # noqa: E402

PROCESSES = 4
LEAST_MINUTES_TO_NOTE = 20
# Percentages of the authority's responses, and their disturbance.
TROUBLES = [
    (2, interposer.answers(503)),
    (2, interposer.answers(503, "Retry-After: 1")),
    (3, interposer.answers(429, "Retry-After: 1")),
    (2, interposer.resets),
    (2, interposer.loses),
    (1, interposer.breaks_in_the_head),
    (1, interposer.breaks_in_the_body),
    (3, interposer.drips(pieces=20, seconds=1)),
]
MOST_GROWTH_KIBIBYTES = 2048
MOST_STORE_GROWTH_KIBIBYTES = 256
# Failures that the misbehaving authority explains; any other counts as a loss.
EXPECTED = {"the network", "the authority, 429", "the authority, 503", "a sign-in is needed"}


def main():
    soak, minutes, document = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]), pathlib.Path(sys.argv[3])
    counts, usages, sizes, statuses = run(soak, minutes)
    rows, failures = judge(counts, usages, sizes, statuses)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value}")
    if minutes >= LEAST_MINUTES_TO_NOTE:
        write(document, "soaked", f"{minutes:.0f} minutes with {PROCESSES} processes", [("", ""), *rows])
    if failures:
        raise SystemExit("\n".join(failures))


def trouble(step):
    if step is None:
        return None
    number = random.uniform(0, 100)
    for share, how in TROUBLES:
        if number < share:
            return how
        number -= share
    return None


def run(soak, minutes):
    """The counts of all steps, the resources of each process, and the size of the store's files over time."""
    authority = Authority(soak)
    authority.interposer.chooses = trouble
    with tempfile.TemporaryDirectory(prefix="keyturn-soak-") as name:
        folder = pathlib.Path(name)
        shifts = [
            subprocess.Popen(
                [soak, "shift", str(minutes * 60), str(number), authority.origin, folder],
                stdout=subprocess.PIPE, text=True)
            for number in range(PROCESSES)
        ]
        sizes = []
        while any(shift.poll() is None for shift in shifts):
            # Twenty samples per run, so that each wait is short.
            time.sleep(minutes * 3)
            sizes.append(sum(file.stat().st_size for file in folder.glob("soak.db*")) // 1024)
        outputs = [shift.communicate()[0].splitlines() for shift in shifts]
    authority.close()
    counts = collections.Counter()
    for output in outputs:
        for line in output:
            if line.startswith("count "):
                _, number, what = line.split(" ", 2)
                counts[what] += int(number)
    return counts, [Usage.read(output) for output in outputs], sizes, [shift.returncode for shift in shifts]


def judge(counts, usages, sizes, statuses):
    """The rows of the table, and the failures, in sentences."""
    failures = [f"A process ended with {status}." for status in statuses if status != 0]
    failures += [f"{count} times {what}" for what, count in counts.items()
                 if what.startswith("lost") or what.startswith("not ") and what.split(": ")[1] not in EXPECTED]
    growth = max(usage.growth_kibibytes for usage in usages)
    descriptors = max(usage.more_descriptors for usage in usages)
    store = sizes[-1] - sizes[len(sizes) // 4]
    for value, most, what in [
        (growth, MOST_GROWTH_KIBIBYTES, "KiB of memory"), (descriptors, MOST_MORE_DESCRIPTORS, "descriptors"),
        (store, MOST_STORE_GROWTH_KIBIBYTES, "KiB of the store's files"),
    ]:
        if value > most:
            failures.append(f"{value} {what} more at the end than in the middle (limit: {most}).")
    resident = [max(usage.resident_kibibytes[-1] for usage in usages), growth]
    rows = [(what, f"{count:,}") for what, count in sorted(counts.items())]
    rows += [
        ("lost", f"{sum(count for what, count in counts.items() if what.startswith('lost')):,}"),
        ("resident memory per process, at most", f"{resident[0] / 1024:.1f} MB"),
        ("growth of resident memory per process, at most", f"{resident[1]:+} KiB"),
        ("descriptors per process, at most", str(max(usage.descriptors[-1] for usage in usages))),
        ("growth of descriptors per process, at most", f"{descriptors:+}"),
        ("the store's files", f"{sizes[-1]:,} KiB"),
        ("growth of the store's files", f"{store:+} KiB"),
    ]
    return rows, failures


if __name__ == "__main__":
    main()
