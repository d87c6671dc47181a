"""Measures keyturn beside a bare C program and beside MSAL Python, in one run, and prints a table.

usage: bench.py KEYTURN

Nothing is asserted: a figure depends on the machine, a ratio less so. The budgets stand beside for the eye.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import time

import measure
import msal
import msal_python_token as theirs

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
    "wake-ups when idle, in 5 s": "0",
    "bytes to the terminal when idle, in 5 s": "0",
}


def main():
    keyturn = pathlib.Path(sys.argv[1]).resolve()
    workspace = Workspace()
    authority = start_authority(workspace)
    try:
        prepare(workspace, authority.address)
        rows = compare(keyturn, workspace) + look_at_idle(keyturn, workspace)
    finally:
        authority.close()
        workspace.close()
    print_table(rows)


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
    (workspace.path / "msal.json").write_text(msal_python_cache())


def msal_python_cache():
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    now = int(time.time())
    claims = {"sub": "s", "oid": "o", "tid": "t", "preferred_username": "ada@contoso.test", "exp": now + 3600, "iat": now}
    cache = msal.SerializableTokenCache()
    cache.add(
        {
            "client_id": theirs.CLIENT_ID,
            "scope": theirs.SCOPES,
            "token_endpoint": theirs.AUTHORITY + "/oauth2/v2.0/token",
            "response": {
                "access_token": "a" * 1200,
                "refresh_token": "r" * 900,
                "token_type": "Bearer",
                "expires_in": 3600,
                "client_info": part({"uid": "o", "utid": "t"}),
                "id_token": ".".join([part({"alg": "RS256", "typ": "JWT"}), part(claims), "c2ln"]),
                "id_token_claims": claims,
            },
        }
    )
    return cache.serialize()


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
    print(f"{'':44} {'keyturn':>10} {'beside':>10} {'ratio':>13}   budget")
    for name, ours, others, comparison in rows:
        print(f"{name:44} {ours:>10} {others:>10} {comparison:>13}   {BUDGETS.get(name, '')}")


if __name__ == "__main__":
    main()
