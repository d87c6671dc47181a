"""The cost of the program for machine and line, in use and idle."""

import subprocess
import time
import unittest

from support.case import JourneyCase
from support.crowd import CLIENT_ID, unified_cache
from support.person import ANN
from support.pseudo_terminal import PseudoTerminal
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until
from support.wake_ups import is_asleep, wake_ups, wake_ups_since
from support.workspace import KEYTURN

IDLE_SECONDS = 5
PEOPLE = 300

DOWN, UP, PAGE_DOWN, PAGE_UP = b"\x1bOB", b"\x1bOA", b"\x1b[6~", b"\x1b[5~"
HOME, END = b"\x1bOH", b"\x1bOF"


class Idle(JourneyCase):
    """The only place that waits for time to pass: nothing must happen meanwhile."""

    def wake_ups_of(self, terminal):
        before = wake_ups(terminal.program)
        time.sleep(IDLE_SECONDS)
        return wake_ups_since(before, terminal.program)

    def test_the_account_list_never_wakes_up(self):
        terminal = self.open_keyturn("demo")
        # The first frame appears before its follow-up work is done.
        terminal.wait_for("No accounts yet")
        self.assertEqual(self.settled(terminal), 0)

    def test_it_never_wakes_up_after_a_sign_in(self):
        """The browser, the redirect, the token and the clock have all used their threads by now."""
        self.workspace.use_person(*ANN)
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.browser_result(terminal)
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, ANN[0], "Ann Archer")
        self.assertEqual(self.settled(terminal), 0)

    def test_watch_sleeps_until_the_next_refresh(self):
        RotatingProvider.of(self)
        self.assertEqual(self.workspace.run("sign-in", "--method", "device").returncode, 0)
        process = subprocess.Popen([KEYTURN, "watch", "-q"], env=self.workspace.environment, stdin=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: is_asleep(process.pid), 30, "it doesn't sleep")
        before = wake_ups(process.pid)
        time.sleep(IDLE_SECONDS)
        self.assertEqual(wake_ups_since(before, process.pid), 0)

    def settled(self, terminal):
        """The quieter of two periods: the last frame's work may still be ending, and a minute may be over."""
        return self.wake_ups_of(terminal) and self.wake_ups_of(terminal)


class Line(JourneyCase):
    """How many bytes a key sends to a terminal, in a list in which no two rows look alike."""

    # Moving the selection draws two rows, also at the edge, where the terminal scrolls the others itself. Turning the
    # page, or narrowing the list, changes all 20 rows: the limit is at most 80 columns for each of them. Beside details
    # the terminal cannot scroll the list alone: all of these are drawn again.
    TWO_ROWS, BESIDE_DETAILS, ALL_ROWS = 300, 1_200, 1_600

    def setUp(self):
        super().setUp()
        self.workspace.configure(
            clientId=CLIENT_ID, authority="https://login.microsoftonline.com/common", authorityType="aad"
        )
        cache = self.workspace.path / "crowd.json"
        cache.write_text(unified_cache(PEOPLE))
        imported = self.workspace.run("import", "unified", str(cache))
        self.assertEqual(imported.returncode, 0, imported.stderr)

    def open(self, columns, rows):
        self.terminal = PseudoTerminal([KEYTURN], self.workspace.environment, columns, rows)
        self.addCleanup(self.terminal.close)
        self.terminal.read_until(b"sign in")
        self.settle()

    def settle(self):
        wait_until(lambda: is_asleep(self.terminal.pid), 20, "the program does not come to rest")
        return self.terminal.read()

    def bytes_of(self, keys):
        """For one key press: all output until the program is idle."""
        before = wake_ups(self.terminal.pid)
        self.terminal.press(keys)
        wait_until(lambda: wake_ups_since(before, self.terminal.pid), 20, "the key was not read")
        return len(self.settle())

    def test_each_key(self):
        self.open(80, 24)
        steps = [(DOWN, self.TWO_ROWS)] * 30 + [(UP, self.TWO_ROWS)] * 25
        steps += [(keys, self.ALL_ROWS) for keys in (PAGE_DOWN, PAGE_DOWN, PAGE_UP, END, HOME, b"/", b"a", b"n")]
        self.hold(steps)

    def test_beside_the_details(self):
        self.open(120, 40)
        self.hold([(DOWN, self.TWO_ROWS)] * 30 + [(UP, self.TWO_ROWS)] * 25 + [(DOWN, self.BESIDE_DETAILS)] * 40)

    def hold(self, steps):
        for keys, most in steps:
            with self.subTest(keys):
                written = self.bytes_of(keys)
                self.assertTrue(0 < written <= most, f"{written} bytes, at most {most}")


if __name__ == "__main__":
    unittest.main()
