"""Keys as terminals and slow lines send them: in pieces, in old and new forms, and pastes that never end."""

import unittest

from support.case import JourneyCase
from support.pseudo_terminal import PseudoTerminal
from support.typing_keys import TypingMixin
from support.waiting import wait_until
from support.workspace import KEYTURN


class InputJourney(TypingMixin, JourneyCase):
    def interrupt(self):
        """Ctrl-C always works."""
        self.terminal.send(b"\x03")
        self.assertEqual(self.terminal.exit_status(), 0)

    def assert_unchanged(self):
        """No byte before was a command."""
        self.terminal.press("%")
        self.terminal.wait_for("% has no effect here", "No accounts yet.")

    def test_a_paste_without_an_end(self):
        self.start_screen("demo")
        self.terminal.send(b"\x1b[200~half a paste")
        # Keys at the speed of typing: the paste ends meanwhile.
        def helped():
            self.terminal.send(b"?")
            return "Keys: Accounts" in self.terminal.screen

        wait_until(helped, 10, "no key works any more")

    def test_control_c_in_a_paste_without_an_end(self):
        self.start_screen("demo")
        self.terminal.send(b"\x1b[200~half a paste")
        self.interrupt()

    def test_a_paste_that_ends_reaches_its_dialog(self):
        self.start_screen("demo")
        self.terminal.send(b"e")
        self.terminal.wait_for("Paste an error")
        self.terminal.send(b"\x1b[200~AADSTS50011: no")
        self.terminal.send(b" match\x1b[201~")
        self.terminal.wait_for("AADSTS50011")
        self.terminal.wait_until_gone("Paste an error")

    def test_an_arrow_over_a_slow_line_cancels_nothing(self):
        for environment, seconds in (({"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, 0.2), ({"ESCDELAY": "2000"}, 1)):
            with self.subTest(environment=environment):
                self.start_sign_in(**environment)
                self.send_slowly(b"\x1b[B", seconds)
                # Shows that the arrow was read.
                self.terminal.send(b"5")
                self.terminal.wait_for("5 has no effect here", "Code expires in")
                self.terminal.send(b"\x1b")
                self.terminal.wait_for("Cancelled.")
                self.interrupt()

    def test_the_rest_of_a_sequence_is_no_command(self):
        """Later than any wait: Escape is a key then, but D doesn't remove an account."""
        self.workspace.environment["BROWSER"] = "false"
        self.start_screen("demo", ESCDELAY="50")
        self.send_slowly(b"\x1b[D", 0.4)
        self.send_slowly(b"\x1bOq", 0.4)
        self.assert_unchanged()
        self.interrupt()

    def test_a_split_character(self):
        self.start_screen("demo")
        self.terminal.send(b":")
        self.terminal.wait_for("Commands: Accounts")
        self.send_slowly("é漢".encode(), 0.2)
        self.terminal.wait_for("é漢")

    def test_a_click_in_the_old_form_is_no_key(self):
        self.start_screen("demo")
        # Column 73, which as a key would be i: sign in. The row would be Enter.
        for report in (b"\x1b[M ii", b"\x1b[M#ii", b"\x1b[M \x3b\x3a"):
            self.terminal.send(report)
        # Answers of terminals, and keys that no one knows.
        self.terminal.send(b"\x1b]11;rgb:iiii/iiii/iiii\x07\x1bP>|iTerm i\x1b\\\x1b[?62;i\x1bOz\x1b[5;9;9i")
        self.assert_unchanged()
        self.interrupt()

    def test_alt_backspace_deletes_a_word(self):
        for sequence in (b"\x1b\x7f", b"\x1b[127;3u", b"\x1b[27;3;127~"):
            with self.subTest(sequence=sequence):
                self.start_screen("demo")
                self.terminal.send(b":")
                self.terminal.wait_for("Commands: Accounts")
                self.terminal.send(b"help zzzz")
                self.terminal.wait_for(": help zzzz", "No matching command")
                self.terminal.send(sequence)
                self.terminal.wait_until_gone("No matching command")
                self.assertIn(": help", self.terminal.screen)
                self.interrupt()

    def test_control_c_in_new_forms(self):
        for sequence in (b"\x1b[99;5u", b"\x1b[27;5;99~", b"\x1b[1089::99;5u", b"\x1b[99;5:1u"):
            with self.subTest(sequence=sequence):
                self.start_screen("demo")
                self.terminal.send(sequence)
                self.assertEqual(self.terminal.exit_status(), 0)

    def test_the_keypad(self):
        self.start_screen("demo")
        self.terminal.send(b":")
        self.terminal.wait_for("Commands: Accounts")
        self.terminal.send(b"\x1bOq\x1bOn\x1bOt\x1bOo")
        self.terminal.wait_for(": 1.4/")
        self.interrupt()


class Background(JourneyCase):
    """The terminal is asked for its background once, and no other program reads the answer."""

    QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
    LIGHT = b"\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\\x1b[?62;4c"
    # Blue, which is readable on white.
    KEY = b"38;5;25m"

    def open(self, after="", **environment):
        terminal = PseudoTerminal(
            ["/bin/sh", "-c", f"{KEYTURN} demo; {after}"], {**self.workspace.environment, **environment})
        self.addCleanup(terminal.close)
        return terminal

    def test_a_light_background(self):
        terminal = self.open()
        terminal.read_until(self.QUESTION, b"No accounts yet")
        terminal.press(self.LIGHT)
        terminal.read_until(self.KEY)
        terminal.press(b"q")
        self.assertNotIn(self.QUESTION, terminal.read_to_end())

    def test_the_environment_tells_it(self):
        terminal = self.open(COLORFGBG="0;15")
        terminal.read_until(self.KEY)
        terminal.press(b"q")
        terminal.read_to_end()

    def test_an_answer_after_the_end(self):
        """Nor does one that never comes keep the program open."""
        for answer in (self.LIGHT, b""):
            terminal = self.open("exec cat")
            terminal.read_until(self.QUESTION)
            terminal.press(b"q")
            terminal.press(answer)
            terminal.read_until(b"\x1b[?1049l", seconds=5)
            terminal.press(b"the rest\n")
            self.assertNotIn(b"rgb", terminal.read_until(b"the rest\r\nthe rest"))

    def test_without_colours(self):
        terminal = self.open(NO_COLOR="1")
        self.assertNotIn(self.QUESTION, terminal.read_until(b"No accounts yet"))
        terminal.press(b"q")
        terminal.read_to_end()


if __name__ == "__main__":
    unittest.main()
