"""Signs in a thousand times in one process, and fails when it holds more memory or descriptors afterwards than before.

usage: leaks.py SOAK [SIGN_INS]
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from authority import Authority  # noqa: E402  (found by the path above)
from usage import MOST_MORE_DESCRIPTORS, Usage  # noqa: E402

# A leak of one record at each sign-in, some kilobytes, is more than this after a thousand.
MOST_GROWTH_KIBIBYTES = 1024


def main():
    soak = pathlib.Path(sys.argv[1]).resolve()
    sign_ins = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    # In a process of its own: it may keep what it likes.
    authority = Authority(soak)
    try:
        with tempfile.TemporaryDirectory(prefix="keyturn-leaks-") as folder:
            command = [soak, "leaks", str(sign_ins), authority.origin, folder]
            finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    finally:
        authority.close()
    usage = Usage.read(finished.stdout.splitlines())
    print("resident memory, KiB:", *usage.resident_kibibytes)
    print("descriptors:", *usage.descriptors)
    print("threads:", *usage.threads)
    if finished.returncode != 0:
        raise SystemExit(f"soak ended with {finished.returncode}")
    print(f"{sign_ins} sign-ins: {usage.growth_kibibytes:+} KiB (at most {MOST_GROWTH_KIBIBYTES}), "
          f"{usage.more_descriptors:+} descriptors (at most {MOST_MORE_DESCRIPTORS})")
    if usage.growth_kibibytes > MOST_GROWTH_KIBIBYTES or usage.more_descriptors > MOST_MORE_DESCRIPTORS:
        raise SystemExit("It holds more than before.")


if __name__ == "__main__":
    main()
