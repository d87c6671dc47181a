"""The screen's own journeys: the form of a sign-in, the palette, the account list, the mouse, the clipboard."""

import unittest

from support import person
from support.case import SIZES, JourneyCase
from support.waiting import wait_until
from support.workspace import KEYTURN

STORM = [(40, 8), (400, 100), (39, 7), (100, 30), (60, 20), (200, 12)]


class ScreenJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def storm(self, terminal, size):
        """Resizes without waiting, and ends at the size it began with."""
        for other in (*STORM, size):
            terminal.resize(*other)

    def test_the_form_signs_in(self):
        """A scope is taken in by name, a user name is given, and Enter signs in."""
        for size in SIZES:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.press("o")
                terminal.wait_for("How to sign in", "User.Read")
                self.storm(terminal, size)
                terminal.press("End", "Up", "Up", "Up")
                terminal.wait_for("The page has this name filled in already")
                terminal.type("ann@contoso.example")
                terminal.wait_for("User name      ann@contoso.example")
                self.storm(terminal, size)
                terminal.wait_for("User name      ann@contoso.example")
                terminal.press("Enter")
                self.wait_for_claims(terminal)
                self.close_claims(terminal)
                self.wait_for_account(terminal, person.ANN[0], "min")
                self.quit(terminal)
                self.assert_sane(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_the_palette_does_what_is_typed(self):
        terminal = self.open_keyturn("demo")
        terminal.press(":")
        terminal.wait_for("Commands: Accounts")
        terminal.type("remove the selected")
        terminal.wait_for("Not now: There is no account yet")
        self.storm(terminal, (80, 24))
        terminal.press("C-u")
        terminal.type("choose how")
        terminal.wait_for("o       Choose how")
        terminal.press("Enter")
        terminal.wait_for("How to sign in")
        terminal.press("Escape")
        terminal.wait_for("No account yet.")
        self.quit(terminal)

    def test_the_mouse_selects_and_scrolls(self):
        """Only when it was asked for; afterwards the terminal has its own mouse again."""
        for asked in (True, False):
            with self.subTest(asked=asked):
                terminal = self.open_keyturn("demo", *(["--mouse"] if asked else []))
                self.assertEqual(terminal.has_mouse, asked)
                self.quit(terminal)
                self.assertFalse(terminal.has_mouse)
                terminal.close()

    def test_what_is_copied_reaches_the_terminal(self):
        """tmux takes it for its own buffer; where nothing takes it, Y writes a file that only its owner can read."""
        self.workspace.environment["BROWSER"] = "false"
        terminal = self.open_keyturn("demo")
        terminal.allow_clipboard()
        terminal.press("c")
        code = terminal.wait_for_match(r"\b[B-Z]{4}-[B-Z]{4}\b").group()
        terminal.press("y")
        terminal.wait_for("Sent the code to the terminal's clipboard")
        wait_until(lambda: terminal.clipboard == code, 5, lambda: f"{terminal.clipboard!r} is not {code}")
        terminal.press("Y")
        terminal.wait_for("Wrote the code to")
        saved = self.workspace.path / "home/.local/share/keyturn/code.txt"
        self.assertEqual(saved.read_text(), code)
        self.assertEqual(saved.stat().st_mode & 0o777, 0o600)
        terminal.press("Escape")
        terminal.wait_for("No account yet.")
        self.quit(terminal)

    def test_themes_and_a_locale_without_utf8(self):
        for arguments, environment in (
            (["--theme", "contrast"], {}),
            (["--theme", "mono", "--no-motion"], {}),
            (["--ascii", "--no-color"], {}),
            ([], {"LANG": "C", "LC_ALL": "C"}),
            ([], {"NO_COLOR": "1", "TERM": "vt100"}),
        ):
            with self.subTest(arguments=arguments, environment=environment):
                self.workspace.environment.update(environment)
                terminal = self.open_keyturn("demo", *arguments)
                screen = terminal.wait_for("No account yet.", "? help")
                if "--ascii" in arguments or "LC_ALL" in environment:
                    self.assertTrue(screen.isascii(), screen)
                self.quit(terminal)
                self.assert_sane(terminal)
                terminal.close()
                for name in environment:
                    self.workspace.environment.pop(name)
                self.workspace.environment["LANG"] = "C.UTF-8"

    def test_an_unknown_terminal_gets_the_program_in_lines(self):
        terminal = self.open_terminal()
        terminal.start("env", "TERM=nonsense-of-a-terminal", KEYTURN, "demo", stderr=self.stderr)
        terminal.wait_for_words("End the program. (q)")
        terminal.type("q")
        terminal.press("Enter")
        terminal.wait_for_prompt()
        self.assertRegex(self.stderr.read_text(), "does not know the terminal .*as with --plain")


if __name__ == "__main__":
    unittest.main()
