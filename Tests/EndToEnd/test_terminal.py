"""The program restores the terminal, however it ends."""

import os
import signal
import unittest

from support.case import JourneyCase
from support.provider import start_authority
from support.tmux import Terminal
from support.waiting import wait_until
from support.workspace import KEYTURN


def is_stopped(program):
    with open(f"/proc/{program}/status", encoding="ascii", errors="replace") as status:
        return "State:\tT" in status.read()


class TerminalJourney(JourneyCase):
    def quit_to_a_sane_shell(self, terminal):
        terminal.press("q")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

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
        # Escape closes this notice, which shows that it was read: a key sent at once would count as Alt with it.
        terminal.press("%")
        terminal.wait_for("% has no effect here")
        terminal.press("Escape")
        terminal.wait_until_gone("has no effect here")
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
        """Also with the mouse on, which a shell would see as many keys."""
        # A toolchain on this machine would stop here for input.
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
        """The shell has its own screen meanwhile; afterwards the program's is complete, at the window's size."""
        terminal = self.open_keyturn("demo")
        for size in ((100, 30), (60, 20), (80, 24)):
            terminal.press("C-z")
            terminal.wait_for_prompt()
            self.assertIn("icanon", terminal.ask_shell("stty -a"))
            terminal.resize(*size)
            terminal.type("fg")
            terminal.press("Enter")
            terminal.wait_for("Accounts", "No accounts yet.", "? help")
            self.assertTrue(terminal.is_full_screen)
            # Its previous screen may be visible for a moment.
            wait_until(lambda: max(map(len, terminal.screen.splitlines())) == size[0], 10, lambda: terminal.screen)
        self.quit_to_a_sane_shell(terminal)

    def test_stopped_and_continued_in_a_window_that_keeps_its_size(self):
        """Job control of interactive shells: text, looks and cursor are as before, however the program was stopped."""
        for shell in (Terminal.BASH, Terminal.ZSH):
            for kind in ("xterm-256color", "screen-256color"):
                with self.subTest(shell=shell[0], kind=kind):
                    terminal = self.open_terminal(shell=shell, kind=kind)
                    terminal.enter(f"{KEYTURN} demo")
                    terminal.wait_for("No accounts yet.", "? help")
                    program = wait_until(lambda: terminal.program, 5, "no program")
                    picture = terminal.settled_picture()
                    for continued in ("fg", "fg", "bg", "kill -CONT %1"):
                        terminal.press("C-z")
                        terminal.wait_for_prompt()
                        terminal.enter(continued)
                        if continued != "fg":
                            # In the background it stops again rather than draw.
                            wait_until(lambda: is_stopped(program), 10, "the program goes on in the background")
                            terminal.wait_for_prompt()
                            terminal.enter("fg")
                        terminal.wait_for_picture(picture)
                    os.kill(program, signal.SIGSTOP)
                    wait_until(lambda: is_stopped(program), 10, "the program is not stopped")
                    terminal.enter("fg")
                    terminal.wait_for_picture(picture)
                    self.quit_to_a_sane_shell(terminal)
                    terminal.close()

    def test_continued_in_the_background_and_fetched_at_once(self):
        """A read in the background stops the program, and in the foreground it then waits for a key before anything is drawn."""
        for shell in (Terminal.BASH, Terminal.ZSH):
            with self.subTest(shell=shell[0]):
                terminal = self.open_terminal(shell=shell)
                terminal.enter(f"{KEYTURN} demo")
                terminal.wait_for("No accounts yet.", "? help")
                picture = terminal.settled_picture()
                for _ in range(4):
                    terminal.press("C-z")
                    terminal.wait_for_prompt()
                    terminal.enter("kill -CONT %1")
                    terminal.enter("fg")
                    terminal.wait_for_picture(picture)
                self.quit_to_a_sane_shell(terminal)
                terminal.close()

    def test_control_l_and_sigcont_draw_every_screen_again(self):
        """After another program has written over it."""
        terminal = self.open_keyturn("demo")
        program = wait_until(lambda: terminal.program, 5, "no program")
        for key, words in (
            (None, "No accounts yet."), ("?", "Keys: Accounts"), ("o", "Only for redirect URIs"), ("v", "No check failed."),
            ("w", "Plain sign-in"), ("P", "No profiles yet."),
        ):
            with self.subTest(screen=words):
                if key:
                    terminal.press(key)
                terminal.wait_for(words, "close" if key == "?" else "? help")
                if key:
                    terminal.wait_until_gone("q quit")
                picture = terminal.settled_picture()
                for draws_again in (lambda: terminal.press("C-l"), lambda: os.kill(program, signal.SIGCONT)):
                    terminal.write("\033[2J\033[Hwritten by another program")
                    wait_until(lambda: terminal.picture != picture, 10, "nothing was written over the screen")
                    draws_again()
                    terminal.wait_for_picture(picture)
                if key:
                    terminal.press("Escape")
                    terminal.wait_for("No accounts yet.", "? help")
        self.quit(terminal)

    def test_a_sign_in_that_ends_while_the_program_is_stopped(self):
        """The user signs in on another device meanwhile; when continued, the program has the token and draws its
        claims."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        terminal = self.open_terminal(shell=Terminal.BASH)
        terminal.enter(str(KEYTURN))
        terminal.wait_for("No accounts yet.")
        terminal.press("m")
        screen = terminal.wait_for("Enter this code", "Code expires in")
        terminal.press("C-z")
        terminal.wait_for_prompt()
        self.enter_code(screen)
        terminal.enter("fg")
        self.wait_for_claims(terminal)
        terminal.press("q", "q")
        terminal.wait_for_prompt()

    def test_a_terminal_without_abilities_is_rejected(self):
        """On a dumb terminal the program suggests commands, and leaves the terminal alone."""
        self.workspace.environment["TERM"] = "dumb"
        refused = self.workspace.run()
        self.assertNotEqual(refused.returncode, 0)
        self.assertNotEqual(refused.stderr, "")
        self.assertNotIn("\x1b", refused.stdout + refused.stderr)


if __name__ == "__main__":
    unittest.main()
