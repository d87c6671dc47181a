"""Compares keyturn with similar programs, in one run, and prints a table.

usage: bench.py KEYTURN BENCH DOCUMENT PLOT SIZE...

Asserts nothing: figures depend on the machine, ratios less so. Writes the table, with budgets and a description of the
machine, between the marks of DOCUMENT, and draws the growth with the number of accounts into PLOT. Each SIZE is a number
of accounts.
"""

import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

import measure
import msal_python_cache
import plot
import relay
from oidc_agent import ACCOUNT, OidcAgent

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/EndToEnd"))

import doors  # noqa: E402  (needs the path above)
from support import person  # noqa: E402
from support.provider import start_authority  # noqa: E402
from support.workspace import Workspace  # noqa: E402

ROUNDS = 15
IDLE_SECONDS = 5
KEY_PRESSES = 60
CROWD = 1_000
# The time limit for MSAL Python to load, add and list.
PATIENCE = 120
WRK_SECONDS = 3


def main():
    keyturn, bench, document, picture = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
    sizes = [int(size) for size in sys.argv[5:]]
    crowd = min(CROWD, max(sizes))
    started = time.monotonic()
    workspace = Workspace()
    # As installed. The linker writes a file in small pieces, which the system also loads in small pieces.
    keyturn = pathlib.Path(shutil.copy(keyturn, workspace.path / "keyturn"))
    authority = start_authority(workspace)
    try:
        prepare(workspace, authority.address)
        rows = frames(keyturn, workspace) + tokens(keyturn, workspace)
        rows += refreshes(keyturn, workspace, authority.address) + served(authority.address)
        rows += resources(keyturn, workspace, authority.address)
        rows += relayed(keyturn) + through_doors(keyturn, workspace)
        rows += look_at_idle(keyturn, workspace)
        rows += crowded(keyturn, bench, workspace, crowd)
        curves = Curves()
        rows += saving(bench, workspace, [crowd], curves)
        rows += growth(bench, sizes, curves) + in_memory(bench)
    finally:
        authority.close()
        workspace.close()
    minutes = (time.monotonic() - started) / 60
    print_table(rows)
    write_table(document, rows, minutes)
    picture.write_text(plot.drawing(curves.points))
    print(f"{minutes:.1f} minutes; written to {document} and {picture}")


def prepare(workspace, origin):
    """Signs one user in at the built-in authority, and gives MSAL Python a cache file with that user's tokens."""
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


def frames(keyturn, workspace):
    bare = workspace.path / "bare"
    subprocess.run(["cc", "-O2", "-o", bare, HERE / "bare.c", "-lncursesw", "-ltinfo"], check=True)
    environment = workspace.environment
    taken = measure.in_turn(
        ROUNDS,
        ours=lambda: measure.first_frame([keyturn], environment, b"Accounts"),
        demo=lambda: measure.first_frame([keyturn, "demo"], environment, b"Accounts"),
        bare=lambda: measure.first_frame([bare], environment, b"Accounts"),
        htop=lambda: measure.first_frame(["/usr/bin/htop", "--readonly"], environment, b"Load average"),
    )
    return [
        compared("first frame, compared with a bare C program", taken["ours"], taken["bare"], "<= 10 ms"),
        compared("first frame, compared with htop", taken["ours"], taken["htop"]),
        compared("first frame of the demo, compared with a bare C program", taken["demo"], taken["bare"]),
        ("program size", f"{keyturn.stat().st_size / 1e6:.1f} MB", f"{bare.stat().st_size / 1e6:.2f} MB", "", "<= 32 MB"),
    ]


def tokens(keyturn, workspace):
    agent = OidcAgent(workspace.path)
    try:
        taken = measure.in_turn(
            ROUNDS,
            ours=lambda: measure.run_time([keyturn, "token"], workspace.environment),
            python=lambda: measure.run_time(python("msal_python_token.py", workspace.path / "msal.json"), os.environ),
            agent=lambda: measure.run_time(["oidc-token", ACCOUNT], agent.environment),
        )
    finally:
        agent.close()
    return [
        compared("token from the cache, compared with MSAL Python", taken["ours"], taken["python"], "<= 8 ms, >= 20x faster"),
        compared("token from the cache, compared with oidc-token", taken["ours"], taken["agent"]),
    ]


def refreshes(keyturn, workspace, origin):
    """A whole process each: read the cache, one request for a new token, the checks, write the cache."""
    exported = workspace.path / "refresh.json"
    if workspace.run("export", "unified", str(exported)).returncode != 0:
        raise SystemExit("keyturn export failed")
    # Each run needs its own refresh token, which the refresh replaces.
    theirs = python("msal_python_refresh.py", exported, origin, person.DEMO_CLIENT_ID)
    ours = [keyturn, "token", "--force-refresh"]
    sign_in_again = workspace.run("sign-in")
    if sign_in_again.returncode != 0:
        raise SystemExit(f"keyturn sign-in: {sign_in_again.stderr}")
    taken = measure.in_turn(
        ROUNDS,
        ours=lambda: measure.run_time(ours, workspace.environment),
        python=lambda: measure.run_time(theirs, os.environ),
    )
    requests = measure.requests(ours, workspace.environment), measure.requests(theirs, os.environ)
    return [
        compared("silent refresh, compared with MSAL Python", taken["ours"], taken["python"], "faster"),
        ("requests of a silent refresh, compared with MSAL Python", str(requests[0]), str(requests[1]), "", "1"),
    ]


def resources(keyturn, workspace, origin):
    """An API by its address: its token from the cache, and a request with that token."""
    api = f"{origin}/api/me"
    signed_in = workspace.run("sign-in", "--resource", api)
    if signed_in.returncode != 0:
        raise SystemExit(f"keyturn sign-in --resource: {signed_in.stderr}")
    header = workspace.path / "header"
    header.write_text(workspace.run("token", "--resource", api, "-o", "header").stdout)
    token = [keyturn, "token", "--resource", api, "--no-interaction"]
    taken = measure.in_turn(
        ROUNDS,
        token=lambda: measure.run_time(token, workspace.environment),
        python=lambda: measure.run_time(python("msal_python_token.py", workspace.path / "msal.json"), os.environ),
        call=lambda: measure.run_time([keyturn, "call", "-q", "--no-interaction", api], workspace.environment),
        curl=lambda: measure.run_time(["curl", "--silent", "--fail", "--header", f"@{header}", api], workspace.environment),
    )
    more = taken["call"] - taken["curl"]
    return [
        compared("token of a resource from the cache, compared with MSAL Python", taken["token"], taken["python"], "<= 8 ms"),
        ("requests for a token of a resource from the cache", str(measure.requests(token, workspace.environment)), "", "", "0"),
        compared("request to an API with a cached token, compared with curl", taken["call"], taken["curl"]),
        ("request to an API with a cached token, time beyond curl's", milliseconds(more), "", "", "<= 10 ms"),
    ]


def relayed(keyturn):
    """A call of an agent through the relay, and directly with a connection of its own."""
    result = relay.measured(keyturn)
    added = statistics.median(result["keyturn"][0]) - statistics.median(result["direct"][0])
    return [
        ("call of an agent through the relay, time beyond a direct one", f"{added:.2f} ms", "", "", "<= 1 ms"),
        ("relay, resident", f"{result['keyturn'][1]:.1f} MB", "", "", ""),
    ]


def through_doors(keyturn, workspace):
    direct, through, own, more = doors.gate(keyturn, workspace.environment, workspace.path)
    identity = doors.managed_identity(keyturn, workspace.environment)
    return [
        compared_micro("request through a gate, compared with a direct connection", through * 1e6, direct * 1e6),
        ("time that a gate adds to a request", microseconds((through - direct) * 1e6), "", "", "<= 0.5 ms"),
        ("own memory of a gate after 1 GB", f"{own / 1000:.1f} MB", "", "", "<= 25 MB"),
        ("growth of a gate by 1 GB", f"{more / 1000:.1f} MB", "", "", ""),
        ("cached token of a managed identity", microseconds(identity * 1e6), "", "", "<= 2 ms"),
    ]


def served(origin):
    """The authority's speed: the document that every client reads first, and its signing keys."""
    rows = []
    for name, path in (
        ("metadata documents served per second", "contoso/v2.0/.well-known/openid-configuration"),
        ("key sets served per second", "contoso/discovery/v2.0/keys"),
    ):
        rows.append((name, f"{measure.requests_in_a_second(f'{origin}/{path}', WRK_SECONDS):,.0f}", "", "", ""))
    return rows


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
        ("resident memory when idle", f"{resident:.1f} MB", "", "", "<= 25 MB"),
        (f"wake-ups when idle, in {IDLE_SECONDS} s", str(wakeups), "", "", "0"),
        (f"bytes to the terminal when idle, in {IDLE_SECONDS} s", str(written), "", "", "0"),
    ]


def crowded(keyturn, bench, workspace, accounts):
    """A new process finds one token among many accounts, and a user moves in their list. Replaces the store's
    content."""
    [store] = (workspace.path / "state/keyturn").glob("*.db")
    subprocess.run([bench, "fill", str(accounts), store], check=True)
    listed = json.loads(workspace.run("accounts", "-o", "json").stdout)
    ours = listed[accounts // 2]
    theirs = workspace.path / "msal-crowd.json"
    theirs.write_text(msal_python_cache.text(accounts))
    environment = workspace.environment
    taken = measure.in_turn(
        5,
        ours=lambda: measure.run_time([keyturn, "token", "--account", ours["identifier"]], environment),
        named=lambda: measure.run_time([keyturn, "token", "--account", ours["username"]], environment),
        listed=lambda: measure.run_time([keyturn, "accounts", "-o", "json"], environment),
        changed=lambda: listed_after_a_change(keyturn, workspace),
        frame=lambda: measure.first_frame([keyturn], environment, b"contoso.example"),
        python=lambda: measure.run_time(python("msal_python_token.py", theirs, f"o{accounts // 2}.t"), os.environ),
    )
    pressed = bytes_of_keys(keyturn, environment, 80, 24)
    pressed_with_details = bytes_of_keys(keyturn, environment, 120, 40)
    return [
        compared(f"token of one of {accounts:,} accounts, compared with MSAL Python", taken["ours"], taken["python"], "faster"),
        compared(
            f"token of one of {accounts:,} accounts, by username, compared with MSAL Python",
            taken["named"], taken["python"], "<= 12 ms"),
        (f"list of {accounts:,} accounts as JSON", milliseconds(taken["listed"]), "", "", "<= 30 ms"),
        (f"first list of {accounts:,} accounts after a change", milliseconds(taken["changed"]), "", "", "<= 20 ms"),
        (f"list of {accounts:,} accounts on the screen", milliseconds(taken["frame"]), "", "", "<= 30 ms"),
        (
            f"a key press in a list of {accounts:,} accounts, CPU time",
            f"{figures([bench, 'key', accounts])[0] / 1000:.2f} ms", "", "", "<= 1 ms"),
        (f"an arrow key in a list of {accounts:,} accounts, bytes at 80 x 24", f"{pressed[0]:.0f}", "", "", "<= 300"),
        ("an arrow key at 120 x 40 with account details, bytes", f"{pressed_with_details[0]:.0f}", "", "", "<= 300"),
        ("a key that scrolls the page, bytes at 80 x 24", f"{pressed[1]:.0f}", "", "", "<= 300"),
    ]


def listed_after_a_change(keyturn, workspace):
    """A refresh changes the records of one account."""
    changed = workspace.run("token", "--account", person.ANN[0], "--force-refresh")
    if changed.returncode != 0:
        raise SystemExit(f"keyturn token: {changed.stderr}")
    return measure.run_time([keyturn, "accounts", "-o", "json"], workspace.environment)


def bytes_of_keys(keyturn, environment, columns, rows):
    """The output of an arrow key on average, within the page and at its edge, and of turning the page."""
    program = measure.TerminalProgram([keyturn], environment, columns, rows)
    program.seconds_until(b"contoso.example")
    program.drain(1)
    arrow, page = (program.bytes_of_key(key, KEY_PRESSES) for key in (b"j", b"\x1b[6~"))
    program.close()
    return arrow, page


class Curves:
    """The points of each curve: accounts and microseconds."""

    def __init__(self):
        self.points = {}

    def note(self, name, accounts, microseconds):
        self.points.setdefault(name, []).append((accounts, microseconds))


def saving(bench, workspace, sizes, curves):
    rows = []
    for accounts in sizes:
        [ours] = figures([bench, "save", accounts])
        file = workspace.path / f"msal-{accounts}.json"
        file.write_text(msal_python_cache.text(accounts))
        [theirs] = figures(python("msal_extensions_save.py", file, "3"))
        curves.note("saving, keyturn", accounts, ours)
        curves.note("saving, msal-extensions", accounts, theirs * 1e6)
        rows.append(compared(
            f"saving a sign-in, {accounts:,} accounts, compared with msal-extensions", ours / 1e6, theirs,
            "<= 2 ms, >= 50x faster"))
    return rows


def growth(bench, sizes, curves):
    rows = []
    for accounts in sizes:
        again, another, megabytes, first_list, listing = figures([bench, "hit", accounts])
        theirs = figures(python("msal_python_hits.py", accounts, 2), limit=PATIENCE)
        their_again, their_another, their_listing = theirs or (None, None, None)
        size = f"{accounts:,} account{'s' if accounts > 1 else ''}"
        rows.append(compared_micro(f"cached token in process, {size}", again, their_again, "<= 5 us"))
        if accounts > 1:
            budget = "" if accounts == 100 else "within 1.5x of 100 accounts"
            rows.append(compared_micro(f"different account each time, {size}", another, their_another, budget))
        rows.append(compared_micro(f"account list, {size}", listing, their_listing))
        rows.append((f"first account list, {size}", microseconds(first_list), "", "", ""))
        rows.append((f"resident memory, {size} cached", f"{megabytes:.0f} MB", "", "", ""))
        curves.note("cached token, keyturn", accounts, another)
        curves.note("list, keyturn", accounts, listing)
        curves.note("first list, keyturn", accounts, first_list)
        if theirs:
            curves.note("cached token, MSAL Python", accounts, their_another)
            curves.note("list, MSAL Python", accounts, their_listing)
        else:
            rows.append((f"MSAL Python, {size}: over {PATIENCE} s", "", "", "", ""))
    return rows


def in_memory(bench):
    sign_ins, renewals = figures([bench, "engine"])
    return [
        ("sign-ins per second, all in memory", f"{sign_ins:.0f}", "", "", ""),
        ("refreshes per second, all in memory", f"{renewals:.0f}", "", "", ""),
    ]


def python(script, *arguments):
    return [sys.executable, HERE / script, *arguments]


def figures(command, limit=None):
    """The numbers that a command prints; None if it exceeds the time limit in seconds."""
    command = [str(part) for part in command]
    try:
        run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return [float(line) for line in run.stdout.split()]


def compared(name, ours, others, budget=""):
    return name, milliseconds(ours), milliseconds(others), ratio(ours, others), budget


def compared_micro(name, ours, others, budget=""):
    if others is None:
        return name, microseconds(ours), "", "", budget
    return name, microseconds(ours), microseconds(others), ratio(ours, others), budget


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def microseconds(value):
    return f"{value:.1f} us" if value < 1000 else f"{value / 1000:.1f} ms"


def ratio(ours, others):
    return f"{others / ours:.1f}x faster" if ours < others else f"{ours / others:.1f}x slower"


def print_table(rows):
    print(f"{'':72} {'keyturn':>10} {'other':>10} {'ratio':>15}   budget")
    for name, ours, others, comparison, budget in rows:
        print(f"{name:72} {ours:>10} {others:>10} {comparison:>15}   {budget}")


def write_table(file, rows, minutes):
    """Replaces the text between the marks of the document."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [
        f"Measured on {time.strftime('%Y-%m-%d', time.gmtime())} in {minutes:.0f} minutes on {platform.machine()} with"
        f" {os.cpu_count()} processors, Linux {platform.release()}, Python {platform.python_version()}. Load at the end:"
        f" {load} (averages over 1, 5 and 15 minutes).",
        "",
        "| | keyturn | other | ratio | budget |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name.strip()} | {ours} | {others} | {comparison} | {budget} |"
              for name, ours, others, comparison, budget in rows]  # fmt: skip
    before, rest = file.read_text().split("<!-- measured -->\n")
    _, after = rest.split("<!-- /measured -->\n")
    file.write_text(before + "<!-- measured -->\n" + "\n".join(lines) + "\n<!-- /measured -->\n" + after)


if __name__ == "__main__":
    main()
