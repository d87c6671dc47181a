"""What must not be lost between the authority's response and the cache: a full disk, and signals."""

import contextlib
import os
import queue
import signal
import time

from lane import Lane, require
from support.volume import Volume
from support.workspace import KEYTURN
from tally import Lost

FREE_KIBIBYTES = (0, 4, 16, 32)
REFRESH = ("token", "--force-refresh", "--no-interaction")


class VolumeLane(Lane):
    """Its cache is on a small file system, if this process may mount one."""

    def __init__(self):
        super().__init__()
        self.volume = Volume(self.workspace.path / "state") if Volume.is_possible() else None
        self.caches = (
            {"key": "keyFile"}, {"kind": "unified", "path": str(self.workspace.path / "state/shared.json")})

    def close(self):
        if self.volume:
            self.volume.close()
        super().close()


def full_disk(lane, number):
    """The file system is full before a refresh, or becomes full while the response is on its way; with each cache.

    A full disk is found before the refresh token is sent. Later, the room for the response is already reserved.
    """
    if lane.volume is None:
        return "this process may not mount a file system"
    lane.workspace.configure(**{**lane.profile, "cache": lane.caches[number // 8 % 2]})
    lane.volume.empty()
    lane.commit()
    free = FREE_KIBIBYTES[number % 4]
    if number // 4 % 2:
        lane.interposer.spoil("refresh", meanwhile(lambda: lane.volume.fill(free)))
        lane.run(*REFRESH, allowed={0})
    else:
        lane.volume.fill(free)
        before = lane.ledger.redemptions
        lane.run(*REFRESH, allowed={7})
        if lane.ledger.redemptions != before:
            raise Lost(f"with {free} KiB free, a refresh token was redeemed")
    lane.volume.empty()
    lane.must_hold()
    return None


def meanwhile(act):
    """Acts after the authority has processed the request, and before its response arrives."""

    def pass_on(interposer, connection, request):
        answer = interposer.ask(request)
        act()
        connection.sendall(answer)

    return pass_on


# When a signal arrives: before the authority gets the request, before its response arrives, or right afterwards.
MOMENTS = ("request", "response", "end")


def interrupted(*numbers):
    """At a moment of a refresh, a signal."""

    def fault(lane, number):
        lane.commit()
        chosen = numbers[number % len(numbers)]
        moment = MOMENTS[number // len(numbers) % len(MOMENTS)]
        started = queue.SimpleQueue()
        lane.interposer.spoil("refresh", interrupting(started, chosen, moment))
        process = lane.start(*REFRESH)
        started.put(process)
        ending = lane.end(process)
        if ending.status != 0:
            require(ending, {128 + chosen})
        # No program can act on SIGKILL.
        lane.must_hold(renewable=chosen != signal.SIGKILL)

    return fault


def interrupting(started, number, moment):
    def pass_on(interposer, connection, request):
        process = started.get(timeout=60)

        def interrupt(now):
            if now == moment:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, number)

        interrupt("request")
        answer = interposer.ask(request)
        interrupt("response")
        # It may be dead.
        with contextlib.suppress(OSError):
            connection.sendall(answer)
        interrupt("end")

    return pass_on


signals = interrupted(signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
sigkill = interrupted(signal.SIGKILL)


def time_limit(lane, _):
    """`timeout 1 keyturn token`, with a response that takes longer."""
    lane.commit()
    lane.interposer.spoil("refresh", meanwhile(lambda: time.sleep(1.5)))
    ending = lane.run(*REFRESH, program=("timeout", "1", KEYTURN))
    if ending.status not in (0, 124):
        raise Lost(f"{ending} (expected 0 or 124)")
    lane.must_hold()
