"""Signs in a thousand times in one process, and fails if it uses more memory or descriptors afterwards than before.
Then signs in ten times under valgrind, and fails if there are unreachable memory blocks.

Does the same with a process that leaks on purpose, and fails if the leaks are not detected.

usage: leaks.py SOAK
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from authority import Authority  # noqa: E402  (found by the path above)
from usage import MOST_MORE_DESCRIPTORS, Usage  # noqa: E402

SIGN_INS = 1000
# A leak of one record at each sign-in, several kilobytes, exceeds this after a thousand.
MOST_GROWTH_KIBIBYTES = 1024
PLANTED_BYTES = 4096
# Enough for a leak of that size to be seen.
PLANTED_SIGN_INS = 500
# Each round commits several times; waiting for a disk would take most of the time.
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# Lost blocks are found without growth, and valgrind is slow.
SIGN_INS_UNDER_VALGRIND = 10
# valgrind's exit status for findings: not a status of the program.
FOUND = 99
VALGRIND = [
    "valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
    f"--error-exitcode={FOUND}",
]


def main():
    soak = pathlib.Path(sys.argv[1]).resolve()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(kind, soak, leak) for leak in ([], [str(PLANTED_BYTES)]) for kind in (grown, lost)]
        clean, leaking = (runs[0].result() | runs[1].result(), runs[2].result() | runs[3].result())
    if clean:
        raise SystemExit(f"Leaks found: {', '.join(sorted(clean))}.")
    if leaking != {"memory", "descriptors", "lost blocks"}:
        raise SystemExit(f"Planted: memory, descriptors and lost blocks. Detected: {leaking}.")
    print("The planted leaks were detected.")


def grown(soak, planted):
    """The kinds of resources that grew after many sign-ins."""
    sign_ins = PLANTED_SIGN_INS if planted else SIGN_INS
    finished = run(soak, [], sign_ins, planted)
    if finished.returncode != 0:
        raise SystemExit(f"soak ended with {finished.returncode}: {finished.stderr}")
    usage = Usage.read(finished.stdout.splitlines())
    print(f"{'planted leaks' if planted else 'no planted leaks'}, {sign_ins} sign-ins: "
          f"{usage.growth_kibibytes:+} KiB (at most {MOST_GROWTH_KIBIBYTES}), "
          f"{usage.more_descriptors:+} descriptors (at most {MOST_MORE_DESCRIPTORS})\n"
          f"  resident memory, KiB: {usage.resident_kibibytes}\n"
          f"  descriptors: {usage.descriptors}\n"
          f"  threads: {usage.threads}")
    return leaks(usage)


def lost(soak, planted):
    """Unreachable memory blocks, or invalid uses of memory."""
    finished = run(soak, VALGRIND, SIGN_INS_UNDER_VALGRIND, planted)
    if finished.returncode not in (0, FOUND):
        raise SystemExit(f"soak ended with {finished.returncode} under valgrind: {finished.stderr}")
    is_lost = finished.returncode == FOUND
    print(f"{'planted leaks' if planted else 'no planted leaks'}, {SIGN_INS_UNDER_VALGRIND} sign-ins under valgrind: "
          f"{'blocks' if is_lost else 'nothing'} lost")
    if is_lost and not planted:
        print(finished.stderr)
    return {"lost blocks"} if is_lost else set()


def run(soak, tool, sign_ins, planted):
    # The authority is a separate process, so its memory does not count.
    authority = Authority(soak)
    try:
        with tempfile.TemporaryDirectory(prefix="keyturn-leaks-", dir=IN_MEMORY) as folder:
            command = [*tool, soak, "leaks", str(sign_ins), authority.origin, folder, *planted]
            return subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        authority.close()


def leaks(usage):
    """The kinds of resources beyond their limits."""
    growths = {
        "memory": (usage.growth_kibibytes, MOST_GROWTH_KIBIBYTES),
        "descriptors": (usage.more_descriptors, MOST_MORE_DESCRIPTORS),
    }
    return {name for name, (growth, most) in growths.items() if growth > most}


if __name__ == "__main__":
    main()
