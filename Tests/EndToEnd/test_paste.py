"""Text of any length pasted into a command's terminal, the keys that edit it, and the terminal's modes afterwards."""

import os
import signal
import re
import termios
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.tmux import Terminal
from support.waiting import wait_until
from support.workspace import KEYTURN

INVITATION = b"Paste the final URL"


class PasteJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})

    def start(self, *arguments, shows=INVITATION):
        """The terminal, and what it shows once the program reads its input."""
        terminal = PseudoTerminal([KEYTURN, *arguments], self.workspace.environment, columns=500)
        self.addCleanup(terminal.close)
        # Open as long as the terminal is looked at, because the last program to close it clears it.
        self.side = terminal.open_program_side()
        self.addCleanup(os.close, self.side)
        shown = terminal.read_until(shows).decode() if shows else ""
        wait_until(lambda: not self.has(termios.ICANON), 10, "the program does not read")
        return terminal, shown

    def start_paste(self):
        terminal, shown = self.start("sign-in", "--method", "paste")
        address = re.search(r"http://127\.0\.0\.1:\d+/[^\s\x1b]+/authorize\?[^\s\x1b]+", shown).group()
        return terminal, person.landing_of(address, *person.ANN)

    def has(self, flags):
        return termios.tcgetattr(self.side)[3] & flags == flags

    def assert_sane(self):
        self.assertTrue(self.has(termios.ICANON | termios.ECHO | termios.ISIG))

    def wait_for_end(self, terminal, status):
        wait_until(lambda: terminal.exit_status() is not None, 20, lambda: f"goes on: {terminal.read()!r}")
        shown = terminal.read()
        self.assertEqual(terminal.exit_status(), status, shown)
        self.assert_sane()
        return shown

    def test_long_urls(self):
        """Longer than the 4,095 bytes of a terminal's own line."""
        for length in (5_000, 60_000):
            with self.subTest(length=length):
                terminal, landing = self.start_paste()
                terminal.paste(f"{landing}&more={'x' * (length - len(landing))}\r".encode())
                terminal.read_until(b"ann@contoso.example")
                self.wait_for_end(terminal, 0)

    def test_a_url_beyond_the_limit(self):
        terminal, landing = self.start_paste()
        terminal.paste(f"{landing}&more={'x' * 70_000}\r".encode())
        terminal.read_until(b"longer than 65536 bytes")
        terminal.paste(f"{landing}\r".encode())
        terminal.read_until(b"ann@contoso.example")
        self.wait_for_end(terminal, 0)

    def test_keys(self):
        terminal, landing = self.start_paste()
        # The end of the line, a word and the whole line are erased, and the text is shown.
        terminal.press(b"nothing\x17wrong\x15")
        terminal.press(landing.encode() + b"yz\x7f\x7f")
        terminal.read_until(b"nothing", b"wrong", b"yz\x08 \x08\x08 \x08")
        terminal.press(b"\r")
        terminal.read_until(b"ann@contoso.example")
        self.wait_for_end(terminal, 0)

    def test_the_end_of_the_input(self):
        terminal, _ = self.start_paste()
        terminal.press(b"\x04")
        terminal.read_until(b"The input ended without a pasted response.")
        self.wait_for_end(terminal, 5)

    def test_ctrl_c(self):
        terminal, _ = self.start_paste()
        terminal.press(b"half")
        terminal.read_until(b"half")
        terminal.press(b"\x03")
        self.assertIn(b"^C", self.wait_for_end(terminal, 130))

    def test_signals(self):
        for number, status in (
            (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, -signal.SIGQUIT), (signal.SIGSEGV, -signal.SIGSEGV),
            (signal.SIGALRM, 6),
        ):
            with self.subTest(number.name):
                terminal, _ = self.start_paste()
                os.kill(terminal.pid, number)
                self.wait_for_end(terminal, status)

    def test_a_limit_of_time(self):
        terminal, _ = self.start("sign-in", "--method", "paste", "--timeout", "2")
        self.wait_for_end(terminal, 6)

    def test_a_token(self):
        """Another command that reads from the terminal, and has no other use for signals."""
        for end, status in ((b"\x03", 130), (b"\x04", 1)):
            terminal, _ = self.start("claims", "--token", "-", shows=b"")
            terminal.press(b"x" * 6000 + b"\r")
            terminal.read_until(b"x" * 6000)
            terminal.press(end)
            self.wait_for_end(terminal, status)

    def test_job_control(self):
        """While it is stopped, the shell has its own modes; afterwards the program reads long lines again."""
        for shell in (Terminal.BASH, Terminal.ZSH):
            with self.subTest(shell=shell[0]):
                terminal = self.open_terminal(200, 50, shell=shell)
                terminal.enter(f"{KEYTURN} sign-in --method paste")
                screen = terminal.wait_for("Paste the final URL", "/authorize?")
                address = re.search(
                    r"http://127\.0\.0\.1:\d+/\S+/authorize\?\S+", screen.replace("\n", "")).group()
                landing = person.landing_of(address, *person.ANN)
                terminal.press("C-z")
                terminal.wait_for_prompt()
                super().assert_sane(terminal)
                terminal.enter("clear; fg")
                terminal.wait_for("Paste the final URL, even if that page fails to load:")
                terminal.enter(f"{landing}&more={'x' * 5000}")
                terminal.wait_for("ann@contoso.example  ")
                terminal.wait_for_prompt()
                super().assert_sane(terminal)
                terminal.close()


if __name__ == "__main__":
    unittest.main()
