#!/usr/bin/env python3
"""Counts the instructions of the hot paths under callgrind, and compares them with the recorded counts.

usage: instructions.py [--record] BENCH

Also counts those of explaining hostile texts and of redacting them, of a length and of twice that length: work that grows faster
than the text would keep a user waiting for minutes.

A count does not depend on the load of the machine. Other influences are fixed: the seed of Swift's hashing, and the
processor variants of OpenSSL and the C library. Growth beyond the limit is an error.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RECORDED = pathlib.Path(__file__).with_name("instructions.json")
ALLOWED = 1.05
# The most that twice the text may cost. A recording's requests are longer than a log's lines.
ALLOWED_TWICE = 2.5
LENGTH, LENGTH_OF_RECORDING = 4_000, 30_000
RECORDINGS = {"grants", "flows", "pages"}
PATHS = {"hit": "a silent call that the cache answers", "save": "saving one sign-in", "key": "a key press in a long list"}
PINNED = {
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "OPENSSL_ia32cap": "0x0:0x0",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-MOVBE,-BMI2,-RTM",
    "LC_ALL": "C.UTF-8",
}


def main():
    record = sys.argv[1] == "--record"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(PATHS, pool.map(lambda path: count(sys.argv[-1], path), PATHS)))
    if record:
        RECORDED.write_text(json.dumps(counts, indent=2) + "\n")
    check_texts(sys.argv[-1])
    known = json.loads(RECORDED.read_text())
    grown = []
    for path, words in PATHS.items():
        share = counts[path] / known[path]
        print(f"{words:38} {counts[path]:>12,} instructions, {share:.3f} of the recorded count")
        if share > ALLOWED:
            grown.append(words)
    if grown:
        sys.exit(
            f"More instructions than recorded, by over {ALLOWED - 1:.0%}: {', '.join(grown)}.\n"
            "Make it cheaper; or, when it has to cost that, run 'make record-instructions' and commit "
            f"Benchmarks/{RECORDED.name} with the reason."
        )


def check_texts(bench):
    texts = subprocess.run([bench, "texts"], capture_output=True, text=True, check=True).stdout.split()
    lengths = {text: LENGTH_OF_RECORDING if text in RECORDINGS else LENGTH for text in texts}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        once = pool.map(lambda text: count(bench, text, str(lengths[text])), texts)
        twice = pool.map(lambda text: count(bench, text, str(2 * lengths[text])), texts)
        counts = list(zip(texts, once, twice))
    slow = []
    for text, one, two in counts:
        print(f"{'explaining ' + text:38} {one:>12,} instructions, {two / one:.2f} times for twice the text")
        if two > ALLOWED_TWICE * one:
            slow.append(text)
    if slow:
        sys.exit(f"Twice the text takes over {ALLOWED_TWICE} times the instructions: {', '.join(slow)}.")


def count(bench, *path):
    """Instructions of one call."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "callgrind"
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]
        run = subprocess.run(
            [*command, bench, "count", *path], env={"PATH": os.environ["PATH"], "TMPDIR": folder, **PINNED},
            capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode != 0:
            sys.exit(f"{bench} count {' '.join(path)} ended with {run.returncode}: {run.stderr[-2000:]}")
        total = re.search(r"^totals: (\d+)", output.read_text(), re.MULTILINE)
        return int(total.group(1)) // int(run.stdout)


if __name__ == "__main__":
    main()
