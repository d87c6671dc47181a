"""The terminal is left as it was found, however the program ends."""

import os
import signal
import unittest

from support.case import JourneyCase
from support.waiting import wait_until


class TerminalJourney(JourneyCase):
    def test_after_q(self):
        terminal = self.open_keyturn("demo")
        self.quit(terminal)
        self.assert_sane(terminal)

    def test_escape_never_ends_the_program(self):
        terminal = self.open_keyturn("demo")
        terminal.press("?")
        terminal.wait_for("Keys: Accounts")
        terminal.press("Escape")
        terminal.wait_until_gone("Keys: Accounts")
        # Escape takes this notice away, which shows that it was read: a key sent at once would read as Alt with it.
        terminal.press("z")
        terminal.wait_for("z does nothing here")
        terminal.press("Escape")
        terminal.wait_until_gone("does nothing here")
        self.quit(terminal)

    def test_after_control_c(self):
        terminal = self.open_keyturn("demo")
        terminal.press("C-c")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    def test_after_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number.name):
                terminal = self.open_keyturn("demo")
                os.kill(wait_until(lambda: terminal.program, 5, "no program"), number)
                self.assertEqual(terminal.exit_status(), 128 + number)
                self.assert_sane(terminal)
                terminal.close()

    def test_after_a_crash(self):
        """Also with the mouse on, which a shell would see as a flood of keys."""
        # A toolchain on this machine would stop here to ask what to look at.
        self.workspace.environment["SWIFT_BACKTRACE"] = "enable=no"
        for number in (signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(signal=number.name):
                terminal = self.open_keyturn("demo", "--mouse")
                os.kill(wait_until(lambda: terminal.program, 5, "no program"), number)
                terminal.wait_for_prompt()
                self.assertFalse(terminal.has_mouse)
                self.assert_sane(terminal)
                terminal.close()

    def test_suspended_and_continued(self):
        """The shell has its own screen meanwhile; afterwards the program's is whole, at the size that the window has."""
        terminal = self.open_keyturn("demo")
        for size in ((100, 30), (60, 20), (80, 24)):
            terminal.press("C-z")
            terminal.wait_for_prompt()
            self.assertIn("icanon", terminal.ask_shell("stty -a"))
            terminal.resize(*size)
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("Accounts", "No account yet.", "? help")
            self.assertTrue(terminal.is_full_screen)
            # What it had shown last may be seen for a moment.
            wait_until(lambda: max(map(len, terminal.screen.splitlines())) == size[0], 10, lambda: terminal.screen)
        terminal.press("q")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    def test_a_terminal_without_abilities_is_refused(self):
        """On a dumb terminal the program says what works there, and leaves the terminal alone."""
        self.workspace.environment["TERM"] = "dumb"
        refused = self.workspace.run()
        self.assertNotEqual(refused.returncode, 0)
        self.assertNotEqual(refused.stderr, "")
        self.assertNotIn("\x1b", refused.stdout + refused.stderr)


if __name__ == "__main__":
    unittest.main()
