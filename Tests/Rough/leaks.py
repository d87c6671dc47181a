"""Signs in a thousand times in one process, and fails when it holds more memory or descriptors afterwards than before.

usage: leaks.py SOAK [--planted]

--planted: the process leaks on purpose, and it fails when that is not noticed.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from authority import Authority  # noqa: E402  (found by the path above)
from usage import MOST_MORE_DESCRIPTORS, Usage  # noqa: E402

SIGN_INS = 1000
# A leak of one record at each sign-in, some kilobytes, is more than this after a thousand.
MOST_GROWTH_KIBIBYTES = 1024
PLANTED_BYTES = 4096


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("soak", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()
    usage = run(arguments.soak, [str(PLANTED_BYTES)] if arguments.planted else [])
    print("resident memory, KiB:", *usage.resident_kibibytes)
    print("descriptors:", *usage.descriptors)
    print("threads:", *usage.threads)
    print(f"{SIGN_INS} sign-ins: {usage.growth_kibibytes:+} KiB (at most {MOST_GROWTH_KIBIBYTES}), "
          f"{usage.more_descriptors:+} descriptors (at most {MOST_MORE_DESCRIPTORS})")
    found = leaks(usage)
    if arguments.planted:
        if found != {"memory", "descriptors"}:
            raise SystemExit(f"It leaked {PLANTED_BYTES} bytes at each sign-in and a descriptor at every tenth: found {found}.")
        print("The leak that was planted was found.")
    elif found:
        raise SystemExit(f"It holds more {' and '.join(sorted(found))} than before.")


def run(soak, planted):
    """What the process held as time went by."""
    # In a process of its own: it may keep what it likes.
    authority = Authority(soak)
    try:
        with tempfile.TemporaryDirectory(prefix="keyturn-leaks-") as folder:
            command = [soak, "leaks", str(SIGN_INS), authority.origin, folder, *planted]
            finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    finally:
        authority.close()
    if finished.returncode != 0:
        raise SystemExit(f"soak ended with {finished.returncode}")
    return Usage.read(finished.stdout.splitlines())


def leaks(usage):
    """Of what there is more than a process without a leak may hold."""
    growths = {
        "memory": (usage.growth_kibibytes, MOST_GROWTH_KIBIBYTES),
        "descriptors": (usage.more_descriptors, MOST_MORE_DESCRIPTORS),
    }
    return {name for name, (growth, most) in growths.items() if growth > most}


if __name__ == "__main__":
    main()
