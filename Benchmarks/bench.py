"""Measures keyturn beside a bare C program and beside MSAL Python, in one run, and prints a table.

usage: bench.py KEYTURN CACHE_BENCH [TABLE]

Nothing is asserted: a figure depends on the machine, a ratio less so. The budgets stand beside for the eye. The table is
also written between the marks of the file TABLE, with the machine it was taken on.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys

import measure
import msal_python_cache

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/EndToEnd"))

from support import person  # noqa: E402  (found by the path above)
from support.provider import start_authority  # noqa: E402
from support.workspace import Workspace  # noqa: E402

ROUNDS = 15
IDLE_SECONDS = 5
BUDGETS = {
    "first frame, C program beside": "<= 10 ms",
    "token from the cache, MSAL Python beside": "<= 8 ms, >= 20x faster",
    "resident memory when idle": "<= 25 MB",
    "saving a sign-in, 1,000 accounts, msal-extensions beside": ">= 50x faster",
    "saving a sign-in, 10,000 accounts, msal-extensions beside": "<= 2 ms, >= 50x faster",
    "cached token in process, 100 accounts": "<= 5 us",
    "cached token in process, 100,000 accounts": "<= 5 us, within 1.5x of 100",
    "token of one of 10,000 accounts, MSAL Python beside": "faster",
    "wake-ups when idle, in 5 s": "0",
    "bytes to the terminal when idle, in 5 s": "0",
}


def main():
    keyturn, cache_bench = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    workspace = Workspace()
    authority = start_authority(workspace)
    try:
        prepare(workspace, authority.address)
        rows = compare(keyturn, workspace) + look_at_idle(keyturn, workspace)
        rows += crowded(keyturn, cache_bench, workspace) + saving(cache_bench, workspace) + hitting(cache_bench)
    finally:
        authority.close()
        workspace.close()
    print_table(rows)
    for path in sys.argv[3:]:
        write_table(pathlib.Path(path), rows)


def prepare(workspace, origin):
    """Signs one person in at the built-in authority, and writes MSAL Python a cache file of the same content."""
    workspace.configure(
        clientId=person.DEMO_CLIENT_ID,
        authority=f"{origin}/contoso",
        authorityType="aad",
        knownAuthorities=[f"{origin}/contoso"],
        scopes=["User.Read"],
    )
    workspace.environment["BROWSER"] = person.browser_command(workspace, *person.ANN)
    signed_in = workspace.run("sign-in")
    if signed_in.returncode != 0:
        raise SystemExit(f"keyturn sign-in: {signed_in.stderr}")
    (workspace.path / "msal.json").write_text(msal_python_cache.text())


def compare(keyturn, workspace):
    bare = workspace.path / "bare"
    subprocess.run(["cc", "-O2", "-o", bare, HERE / "bare.c", "-lncursesw", "-ltinfo"], check=True)
    environment = workspace.environment

    frames = measure.in_turn(
        ROUNDS,
        ours=lambda: measure.first_frame([keyturn], environment, b"Accounts"),
        demo=lambda: measure.first_frame([keyturn, "demo"], environment, b"Accounts"),
        theirs=lambda: measure.first_frame([bare], environment, b"Accounts"),
    )
    tokens = measure.in_turn(
        ROUNDS,
        ours=lambda: measure.run_time([keyturn, "token"], environment),
        theirs=lambda: measure.run_time(
            [sys.executable, HERE / "msal_python_token.py", workspace.path / "msal.json"], os.environ
        ),
    )
    return [
        ("first frame, C program beside", milliseconds(frames["ours"]), milliseconds(frames["theirs"]),
         ratio(frames["ours"], frames["theirs"])),
        ("first frame of the demo, C program beside", milliseconds(frames["demo"]), milliseconds(frames["theirs"]),
         ratio(frames["demo"], frames["theirs"])),
        ("token from the cache, MSAL Python beside", milliseconds(tokens["ours"]), milliseconds(tokens["theirs"]),
         ratio(tokens["ours"], tokens["theirs"])),
        ("size of the program", f"{keyturn.stat().st_size / 1e6:.1f} MB", f"{bare.stat().st_size / 1e6:.2f} MB", ""),
    ]


def crowded(keyturn, cache_bench, workspace):
    """A fresh process finds one token among 10,000 accounts. Takes the workspace's store over."""
    accounts = 10_000
    [store] = (workspace.path / "state/keyturn").glob("*.db")
    subprocess.run([cache_bench, "fill", str(accounts), store], check=True)
    listed = json.loads(workspace.run("accounts", "-o", "json").stdout)
    ours = listed[accounts // 2]["identifier"]
    theirs = workspace.path / "msal-crowd.json"
    theirs.write_text(msal_python_cache.text(accounts))
    tokens = measure.in_turn(
        5,
        ours=lambda: measure.run_time([keyturn, "token", "--account", ours], workspace.environment),
        theirs=lambda: measure.run_time(
            [sys.executable, HERE / "msal_python_token.py", theirs, f"o{accounts // 2}.t"], os.environ
        ),
    )
    return [
        ("token of one of 10,000 accounts, MSAL Python beside", milliseconds(tokens["ours"]),
         milliseconds(tokens["theirs"]), ratio(tokens["ours"], tokens["theirs"])),
    ]


def saving(cache_bench, workspace):
    rows = []
    for accounts in (1_000, 10_000):
        [ours] = figures([cache_bench, "save", str(accounts)])
        file = workspace.path / f"msal-{accounts}.json"
        file.write_text(msal_python_cache.text(accounts))
        [theirs] = figures([sys.executable, HERE / "msal_extensions_save.py", file, "3"])
        rows.append((f"saving a sign-in, {accounts:,} accounts, msal-extensions beside", milliseconds(ours / 1e6),
                     milliseconds(theirs), ratio(ours / 1e6, theirs)))
    return rows


def hitting(cache_bench):
    few, many = (figures([cache_bench, "hit", str(accounts)]) for accounts in (100, 100_000))
    return [
        ("cached token in process, 100 accounts", f"{few[0]:.1f} us", "", ""),
        ("cached token in process, 100,000 accounts", f"{many[0]:.1f} us", "", f"{many[0] / few[0]:.2f}x of 100"),
        ("another of 100,000 accounts each time", f"{many[1]:.1f} us", "", ""),
    ]


def figures(command):
    """The numbers that a command prints."""
    command = [str(part) for part in command]
    return [float(line) for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]


def look_at_idle(keyturn, workspace):
    program = measure.TerminalProgram([keyturn], workspace.environment)
    program.seconds_until(b"Accounts")
    program.drain(1)
    before = program.wake_ups()
    written = program.drain(IDLE_SECONDS)
    wakeups = sum(count - before.get(thread, 0) for thread, count in program.wake_ups().items())
    resident = program.resident_kilobytes() / 1024
    program.close()
    return [
        ("resident memory when idle", f"{resident:.1f} MB", "", ""),
        (f"wake-ups when idle, in {IDLE_SECONDS} s", str(wakeups), "", ""),
        (f"bytes to the terminal when idle, in {IDLE_SECONDS} s", str(written), "", ""),
    ]


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def ratio(ours, others):
    return f"{others / ours:.1f}x faster" if ours < others else f"{ours / others:.1f}x slower"


def print_table(rows):
    print(f"{'':57} {'keyturn':>10} {'beside':>10} {'ratio':>14}   budget")
    for name, ours, others, comparison in rows:
        print(f"{name:57} {ours:>10} {others:>10} {comparison:>14}   {BUDGETS.get(name, '')}")


def write_table(file, rows):
    """Between the marks of the document, in place of what stood there."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [
        f"Taken on {platform.machine()} with {os.cpu_count()} processors, Linux {platform.release()},"
        f" Python {platform.python_version()}, at a load of {load} (the averages over 1, 5 and 15 minutes).",
        "",
        "| | keyturn | beside | ratio | budget |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name.strip()} | {ours} | {others} | {comparison} | {BUDGETS.get(name, '')} |"
              for name, ours, others, comparison in rows]
    before, rest = file.read_text().split("<!-- measured -->\n")
    _, after = rest.split("<!-- /measured -->\n")
    file.write_text(before + "<!-- measured -->\n" + "\n".join(lines) + "\n<!-- /measured -->\n" + after)


if __name__ == "__main__":
    main()
