"""Signals end the program also while the terminal takes no output, and while it is suspended or in the background."""

import itertools
import os
import signal
import termios
import unittest

from support.case import JourneyCase
from support.pseudo_terminal import PseudoTerminal
from support.tmux import Terminal
from support.waiting import wait_until
from support.workspace import KEYTURN

SECONDS = 2
# The exit status of each signal. SIGINT is a key that quits, SIGQUIT ends the process itself.
EXPECTED = {signal.SIGTERM: 143, signal.SIGINT: 0, signal.SIGQUIT: -signal.SIGQUIT, signal.SIGHUP: 129}


class StuckTerminalJourney(JourneyCase):
    def start(self, *arguments):
        terminal = PseudoTerminal([KEYTURN, *arguments], self.workspace.environment)
        self.addCleanup(terminal.close)
        terminal.read_until(b"No accounts yet.", seconds=15)
        return terminal

    def hold(self, terminal):
        """Flow control, like Ctrl-S in some terminals. The program has something to draw."""
        side = terminal.open_program_side()
        termios.tcflow(side, termios.TCOOFF)
        self.addCleanup(os.close, side)
        terminal.press(b"?")

    def stop_reading(self, terminal):
        """The program draws until the terminal's buffer is full."""
        widths = itertools.cycle((80, 81))

        def is_full():
            terminal.resize(next(widths), 24)
            return not terminal.takes_output

        wait_until(is_full, 30, "the terminal still takes output")

    def assert_ends(self, terminal, expected, seconds=SECONDS):
        wait_until(lambda: terminal.exit_status() is not None, seconds, "the program does not end")
        self.assertEqual(terminal.exit_status(), expected)

    def test_signals_end_a_stuck_screen(self):
        for stop in (self.hold, self.stop_reading):
            for number in EXPECTED:
                with self.subTest(stop=stop.__name__, signal=number.name):
                    terminal = self.start("demo")
                    stop(terminal)
                    os.kill(terminal.pid, number)
                    self.assert_ends(terminal, EXPECTED[number])

    def test_keys_of_a_stuck_screen(self):
        """The program reads keys also while it can't draw."""
        for stop in (self.hold, self.stop_reading):
            with self.subTest(stop=stop.__name__):
                terminal = self.start("demo")
                stop(terminal)
                terminal.press(b"\x03")
                self.assert_ends(terminal, 0)

    def test_the_modes_of_a_stuck_terminal(self):
        terminal = self.start("demo")
        before = termios.tcgetattr(terminal.open_program_side())
        self.hold(terminal)
        os.kill(terminal.pid, signal.SIGTERM)
        self.assert_ends(terminal, 143)
        after = termios.tcgetattr(terminal.open_program_side())
        self.assertFalse(before[3] & termios.ICANON)
        self.assertTrue(after[3] & termios.ICANON and after[3] & termios.ECHO and after[3] & termios.ISIG)

    def test_signals_end_stuck_lines(self):
        """In line mode."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(signal=number.name):
                terminal = PseudoTerminal([KEYTURN, "demo", "--plain"], self.workspace.environment)
                self.addCleanup(terminal.close)
                terminal.read_until(b"Quit. (q)")
                side = terminal.open_program_side()
                self.addCleanup(os.close, side)
                termios.tcflow(side, termios.TCOOFF)
                terminal.press(b"i\n")
                os.kill(terminal.pid, number)
                self.assert_ends(terminal, 128 + number)

    def test_a_stuck_terminal_at_the_start(self):
        terminal = PseudoTerminal(["/bin/sh", "-c", 'read line; exec "$0" demo', KEYTURN], self.workspace.environment)
        self.addCleanup(terminal.close)
        side = terminal.open_program_side()
        self.addCleanup(os.close, side)
        termios.tcflow(side, termios.TCOOFF)
        terminal.press(b"go\n")
        wait_until(lambda: terminal.catches(signal.SIGWINCH), 10, "the program does not start")
        os.kill(terminal.pid, signal.SIGTERM)
        # The program first starts until its first output, for which a debug program needs as long as the limit.
        self.assert_ends(terminal, 143, seconds=SECONDS + 8)


class BackgroundJourney(JourneyCase):
    def open_shell(self):
        terminal = self.open_terminal(shell=Terminal.BASH)
        self.assertNotIn("KEYTURN", terminal.screen)
        return terminal

    def assert_modes(self, terminal):
        """A foreground job of the shell finds a sane terminal."""
        # An earlier answer of the shell may be on the screen.
        terminal.enter("clear")
        terminal.wait_until_gone("end-of-answer")
        self.assert_sane(terminal)
        self.assertFalse(terminal.has_mouse)

    def suspend(self, terminal):
        terminal.enter(f"{KEYTURN} demo --mouse")
        terminal.wait_for("No accounts yet.", "? help")
        program = wait_until(lambda: terminal.program, 5, "no program")
        terminal.press("C-z")
        terminal.wait_for_prompt()
        return program

    def test_killed_while_suspended(self):
        for name, status in (("TERM", 143), ("INT", 130), ("HUP", 129)):
            with self.subTest(signal=name):
                terminal = self.open_shell()
                self.suspend(terminal)
                terminal.enter(f"clear; kill -{name} %1; kill -CONT %1; wait %1; echo exit status $?")
                self.assertEqual(terminal.exit_status(), status)
                self.assertEqual(terminal.ask_shell("jobs").strip(), "")
                self.assert_modes(terminal)

    def test_killed_while_stopped_by_another_process(self):
        terminal = self.open_shell()
        terminal.enter(f"{KEYTURN} demo --mouse")
        terminal.wait_for("No accounts yet.", "? help")
        program = wait_until(lambda: terminal.program, 5, "no program")
        os.kill(program, signal.SIGSTOP)
        terminal.wait_for("Stopped")
        os.kill(program, signal.SIGTERM)
        os.kill(program, signal.SIGCONT)
        wait_until(lambda: terminal.program is None, 5, "the program does not end")
        wait_until(lambda: not terminal.is_full_screen, 5, "the screen is still the program's")
        terminal.press("Enter")
        terminal.wait_for_prompt()
        self.assert_modes(terminal)

    def test_timeout_in_the_background(self):
        for program in ("demo", "demo --plain"):
            with self.subTest(program=program):
                terminal = self.open_shell()
                terminal.enter(f"clear; timeout 1 {KEYTURN} {program}; echo exit status $?")
                self.assertEqual(terminal.exit_status(), 124)
                self.assert_modes(terminal)

    def test_started_in_the_background(self):
        terminal = self.open_shell()
        terminal.enter(f"{KEYTURN} demo --mouse &")
        terminal.wait_for("[1]")
        terminal.enter("clear")
        wait_until(lambda: "Stopped" in terminal.ask_shell("jobs"), 10, "the program is not stopped")
        terminal.enter("fg")
        terminal.wait_for("No accounts yet.", "? help")
        terminal.press("q")
        terminal.wait_for_prompt()
        self.assert_modes(terminal)


if __name__ == "__main__":
    unittest.main()
