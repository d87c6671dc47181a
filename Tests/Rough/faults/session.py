"""A failing user session: the keyring dies, the terminal closes."""

import contextlib
import fcntl
import os
import pty
import random
import select
import subprocess
import termios
import threading
import time

from lane import Lane, require
from support.session_bus import SessionBus
from support.waiting import wait_until


class Keyring(contextlib.ExitStack):
    """GNOME's keyring on a separate bus, which can be killed and restarted with its content."""

    def __init__(self, workspace):
        super().__init__()
        self.workspace = workspace
        workspace.environment["XDG_DATA_HOME"] = workspace.environment["HOME"]
        SessionBus(self, has_broker=False)
        self._daemon = None

    def addCleanup(self, *cleanup):  # noqa: N802  (as a test case has it)
        self.callback(*cleanup)

    def start(self):
        self._daemon = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.workspace.environment)
        self._daemon.stdin.write(b"password")
        self._daemon.stdin.close()
        wait_until(self._answers, 20, "the keyring did not start")

    def _answers(self):
        asked = subprocess.run(
            ["secret-tool", "search", "no", "such"], env=self.workspace.environment, capture_output=True, timeout=20,
            check=False)
        return b"ServiceUnknown" not in asked.stderr and b"was not provided" not in asked.stderr

    def kill(self):
        if self._daemon:
            self._daemon.kill()
            self._daemon.wait()
            self._daemon = None

    def close(self):
        self.kill()
        super().close()


class KeyringLane(Lane):
    def __init__(self):
        super().__init__(cache={"key": "secretService"})
        self.keyring = Keyring(self.workspace)
        self.keyring.start()

    def close(self):
        self.keyring.close()
        super().close()


def keyring_dies(lane, number):
    """At a random moment of a refresh, or of a sign-in before it is saved."""
    lane.commit()
    is_sign_in = number % 2 == 1
    command = ["sign-in"] if is_sign_in else ["token", "--force-refresh", "--no-interaction"]
    process = lane.start(*command)
    time.sleep(random.uniform(0, 0.5 if is_sign_in else 0.06))
    lane.keyring.kill()
    ending = lane.end(process)
    require(ending, {0, 1, 7})
    # Without the keyring, the program says so and creates no other key.
    require(lane.run("token", "--no-interaction"), {7})
    lane.keyring.start()
    lane.must_hold(renewable=ending.status == 0 or is_sign_in)


COMMANDS = ([], ["sign-in"], ["token", "--force-refresh"], ["sign-in", "--plain"], ["check"])


def terminal_closes(lane, number):
    """A window is closed, or a connection breaks: the program ends, whatever it was doing."""
    lane.commit()
    command = COMMANDS[number % len(COMMANDS)]
    # The browser does nothing: a sign-in still waits when the terminal closes.
    environment = {"BROWSER": "true", "TERM": "xterm-256color"}
    ours, theirs = pty.openpty()
    process = lane.start(
        *command, environment=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(theirs)
    is_closing = threading.Event()
    reader = threading.Thread(target=drain, args=(ours, is_closing))
    reader.start()
    time.sleep(random.uniform(0, 0.5))
    # A read in progress would keep the terminal open.
    is_closing.set()
    reader.join()
    os.close(ours)
    ending = lane.end(process, 15)
    # The error text went to a closed terminal.
    if ending.status not in ({0, 1, 129} if command in (["check"], ["token", "--force-refresh"]) else {129}):
        require(ending, {129})
    lane.must_hold(renewable=command != ["token", "--force-refresh"])


def drain(terminal, is_closing):
    """Reads the program's output like a terminal."""
    while not is_closing.is_set():
        try:
            if select.select([terminal], [], [], 0.02)[0]:
                os.read(terminal, 65536)
        except OSError:
            # The program has ended already.
            return
