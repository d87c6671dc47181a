"""A badly reachable authority, or one that restarts."""

import os
import random
import socket
import subprocess
import threading
import time

import interposer
from interposer import STEPS
from lane import KEYTURN, require, says_what_is_wrong
from tally import Lost

WAYS_TO_BREAK = (
    interposer.resets, interposer.loses, interposer.breaks_in_the_head, interposer.breaks_in_the_body)


def connection_reset(lane, number):
    """At each step, in each part of the exchange, once or every time.

    Repeatable requests are retried, so a single reset of a document has no effect. Requests with a one-time secret are
    not: the error names the network, and if the authority did use the secret, the next refresh needs a sign-in.
    """
    step = STEPS[number % len(STEPS)]
    how = WAYS_TO_BREAK[number // len(STEPS) % len(WAYS_TO_BREAK)]
    always = number // len(STEPS) // len(WAYS_TO_BREAK) % 2 == 1
    lane.commit()
    lane.workspace.forget_documents()
    lane.interposer.spoil(step, how, always)
    is_passing = step in ("discovery", "keys") and not always
    act(lane, step, {0} if is_passing else {6})
    # A refresh token whose response was lost is used up: the authority treats the next use as theft.
    lane.must_hold(renewable=step != "refresh" or how is interposer.resets)


def act(lane, step, allowed, **options):
    """The command that includes the step."""
    if step == "refresh":
        return lane.run("token", "--force-refresh", "--no-interaction", allowed=allowed, **options)
    return lane.run("sign-in", allowed=allowed, **options)


def slow_drip(lane, number):
    """A few bytes at a time: accepted if they end, and given up on Ctrl-C if they do not."""
    step = STEPS[number % len(STEPS)]
    lane.commit()
    lane.workspace.forget_documents()
    if number // len(STEPS) % 2 == 0:
        lane.interposer.spoil(step, interposer.drips(pieces=40, seconds=4))
        act(lane, step, {0})
        return lane.must_hold()
    lane.interposer.spoil(step, interposer.drips(pieces=400, seconds=4000), always=True)
    arguments = ["token", "--force-refresh", "--no-interaction"] if step == "refresh" else ["sign-in"]
    process = lane.start(*arguments)
    time.sleep(random.uniform(1, 3))
    require(lane.interrupt(process), {130})
    return lane.must_hold(renewable=step != "refresh")


def unresolvable_host(lane, number):
    """A name that does not exist, and a resolver that never responds, if this process may replace it."""
    lane.commit()
    authority = "https://login.keyturn.invalid/contoso"
    lane.workspace.configure(**{**lane.profile, "authority": authority, "knownAuthorities": [authority]})
    try:
        command = ("sign-in",) if number % 2 else ("sign-in", "--method", "device")
        if number % 4 == 3 and os.geteuid() == 0:
            silent_resolver(lane, command)
        else:
            ending = lane.run(*command, allowed={6})
            if "Can't resolve login.keyturn.invalid" not in ending.errors:
                raise Lost(f"{ending}: it does not name the unreachable host")
    finally:
        lane.workspace.configure(**lane.profile)
    lane.must_hold()


def silent_resolver(lane, command):
    """Accepts queries without responding. Only the program sees its mount of resolv.conf."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as resolver:
        resolver.bind((f"127.77.{random.randrange(256)}.{random.randrange(1, 255)}", 53))
        file = lane.workspace.path / "resolv.conf"
        file.write_text(f"nameserver {resolver.getsockname()[0]}\n")
        line = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
        environment = lane.workspace.environment
        result = subprocess.run(
            ["unshare", "--mount", "sh", "-c", line, file, KEYTURN, *command], env=environment, capture_output=True,
            text=True, timeout=120, check=False)
    if result.returncode != 6 or not says_what_is_wrong(result.stderr):
        raise Lost(f"with a silent resolver: {result.returncode}, {result.stderr[-300:]}")


def authority_restarts(lane, number):
    """It stops at a random moment of a refresh or a sign-in and returns soon after, with or without its memory."""
    lane.commit()
    lane.workspace.forget_documents()
    forgets = number % 3 == 2
    step = "refresh" if forgets or number % 3 == 0 else "code"
    arguments = ["token", "--force-refresh", "--no-interaction"] if step == "refresh" else ["sign-in"]
    moment = random.uniform(0, 0.1 if step == "refresh" else 0.4)
    restart = threading.Thread(target=lambda: restarts(lane, moment, forgets))
    restart.start()
    process = lane.start(*arguments)
    # A user whose browser shows an error page gives up after a while.
    ending = interrupted_when_waiting(lane, process)
    restart.join()
    # The old authority's token cannot be verified with the new one's keys.
    is_strangers = forgets and ending.status == 1 and "not among the authority's keys" in ending.errors
    if not is_strangers:
        require(ending, {0, 4, 6} if step == "refresh" else {0, 6, 130})
    if forgets:
        lane.sign_in()
    lane.must_hold(renewable=step != "refresh" or forgets)


def restarts(lane, moment, forgets):
    time.sleep(moment)
    lane.interposer.vanish()
    if forgets:
        lane.authority.restart()
    else:
        time.sleep(random.uniform(0, 1))
    lane.interposer.return_()


def interrupted_when_waiting(lane, process):
    """A sign-in whose page failed to load waits for the user, who presses Ctrl-C."""
    try:
        process.wait(8)
    except subprocess.TimeoutExpired:
        return lane.interrupt(process)
    return lane.end(process)
