"""Journeys of the full screen: the sign-in form, the palette, the account list, the mouse, the clipboard."""

import json
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.waiting import wait_until
from support.workspace import KEYTURN

STORM = [(40, 8), (400, 100), (39, 7), (100, 30), (60, 20), (200, 12)]


class ScreenJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def storm(self, terminal, size):
        """Resizes without waiting, and ends at the original size."""
        for other in (*STORM, size):
            terminal.resize(*other)

    def test_the_form_signs_in(self):
        """A scope is added by name, a username is typed, and Enter signs in."""
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.press("o")
                terminal.wait_for("Sign-in method", "User.Read")
                self.storm(terminal, size)
                terminal.press("End", "Up", "Up", "Up")
                terminal.wait_for("Username to fill in on the page")
                terminal.type("ann@contoso.example")
                terminal.wait_for("Username        ann@contoso.example")
                self.storm(terminal, size)
                terminal.wait_for("Username        ann@contoso.example")
                terminal.press("Enter")
                self.wait_for_claims(terminal)
                self.close_claims(terminal)
                self.wait_for_account(terminal, person.ANN[0], "min")
                self.quit(terminal)
                self.assert_sane(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_the_palette_runs_a_typed_command(self):
        terminal = self.open_keyturn("demo")
        terminal.press(":")
        terminal.wait_for("Commands: Accounts")
        terminal.type("sign out the account")
        terminal.wait_for("Unavailable: No accounts yet")
        self.storm(terminal, (80, 24))
        terminal.press("C-u")
        terminal.type("with options")
        terminal.wait_for("o       Sign in with options")
        terminal.press("Enter")
        terminal.wait_for("Sign-in method")
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)

    def test_the_mouse_selects_and_scrolls(self):
        """Only if enabled; afterwards the terminal has its own mouse again."""
        for asked in (True, False):
            with self.subTest(asked=asked):
                terminal = self.open_keyturn("demo", *(["--mouse"] if asked else []))
                self.assertEqual(terminal.has_mouse, asked)
                self.quit(terminal)
                self.assertFalse(terminal.has_mouse)
                terminal.close()

    def test_a_hint_is_clicked(self):
        terminal = self.open_keyturn("demo", "--mouse")
        last = terminal.wait_for("? help").split("\n")[-1]
        # xterm's report of a press (SGR): button, column and row from 1.
        terminal.type(f"\x1b[<0;{last.index('? help') + 1};24M")
        terminal.wait_for("Keys: Accounts")
        self.quit_from(terminal, "Keys: Accounts")

    def quit_from(self, terminal, shown):
        """Esc and a letter at once would be Alt and the letter."""
        terminal.press("Escape")
        terminal.wait_until_gone(shown)
        self.quit(terminal)

    def test_a_token_is_refreshed(self):
        """On the list and on the claims; without a refresh token, it says so."""
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.wait_for_claims(terminal)
        terminal.press("R")
        terminal.wait_for("Token refreshed.")
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0], "min")
        terminal.press("R")
        terminal.wait_for("Token refreshed.", "Claims of")
        self.close_claims(terminal)
        self.quit(terminal)
        self.assert_no_secrets(terminal)

    def test_choices_outlive_the_program(self):
        """The list's order and recently granted scopes: separate for each profile, readable only by the owner, and
        never required."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, method="browser")
        kept = self.workspace.path / "state/keyturn/screen.json"
        terminal = self.open_keyturn()
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        terminal.press("s")
        terminal.wait_for("NAME ↓")
        self.quit(terminal)
        settings = json.loads(kept.read_text())
        choices = settings["profiles"]["test"]
        self.assertEqual(choices["order"], "name")
        self.assertIn("User.Read", choices["scopes"])
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        terminal.close()
        choices["scopes"].append("Mail.Read")
        kept.write_text(json.dumps(settings))
        terminal = self.open_keyturn(shows="NAME ↓")
        terminal.press("o")
        terminal.wait_for("[ ] Mail.Read")
        self.assertNotIn("openid", terminal.screen)
        self.quit_from(terminal, "Sign-in method")
        terminal.close()
        kept.write_text("{ broken")
        terminal = self.open_keyturn(shows="Can't read your settings")
        terminal.wait_for("Ann Archer")
        terminal.press("s")
        terminal.wait_for("NAME ↓")
        self.quit(terminal)
        self.assertEqual(json.loads(kept.read_text())["profiles"]["test"]["order"], "name")

    def test_the_demo_saves_no_choices(self):
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        terminal.press("s")
        terminal.wait_for("NAME ↓")
        self.quit(terminal)
        self.assertEqual(list((self.workspace.path / "state").rglob("screen.json")), [])

    def test_a_report_from_the_error_screen(self):
        self.configure_for_provider("http://127.0.0.1:1", method="browser")
        terminal = self.open_keyturn()
        terminal.press("i")
        terminal.wait_for("Can't reach 127.0.0.1", "Write a report without", seconds=40)
        report = self.workspace.path / "report.txt"
        self.export(terminal, report, "Wrote the support report to")
        self.assertEqual(report.stat().st_mode & 0o777, 0o600)
        self.assertIn("-42", report.read_text())
        self.quit_from(terminal, "shows the codes")

    def test_copied_text_reaches_the_terminal(self):
        """tmux puts it in its own buffer; if no terminal takes it, Y writes a file that only its owner can read."""
        self.workspace.environment["BROWSER"] = "false"
        terminal = self.open_keyturn("demo")
        terminal.allow_clipboard()
        terminal.press("m")
        code = terminal.wait_for_match(r"\b[B-Z]{4}-[B-Z]{4}\b").group()
        terminal.press("c")
        terminal.wait_for("Sent the code to the terminal's clipboard")
        wait_until(lambda: terminal.clipboard == code, 5, lambda: f"{terminal.clipboard!r} is not {code}")
        terminal.press("Y")
        terminal.wait_for("Save to a file?", "Saves the code to a new file")
        terminal.press("Enter")
        terminal.wait_for("Saved the code to")
        saved = self.workspace.path / "home/.local/share/keyturn/code.txt"
        self.assertEqual(saved.read_text(), code)
        self.assertEqual(saved.stat().st_mode & 0o777, 0o600)
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
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
                screen = terminal.wait_for("No accounts yet.", "? help")
                if "--ascii" in arguments or "LC_ALL" in environment:
                    self.assertTrue(screen.isascii(), screen)
                self.quit(terminal)
                self.assert_sane(terminal)
                terminal.close()
                for name in environment:
                    self.workspace.environment.pop(name)
                self.workspace.environment["LANG"] = "C.UTF-8"

    def test_a_locale_that_is_not_installed(self):
        """The screen uses C.UTF-8, and the check says so."""
        self.workspace.environment["LANG"] = "xx_XX.UTF-8"
        terminal = self.open_keyturn("demo")
        self.quit(terminal)
        said = " ".join(self.workspace.run("check").stdout.split())
        self.assertIn("The locale xx_XX.UTF-8 isn't installed. Keyturn uses C.UTF-8 instead.", said)

    def test_an_unknown_terminal_gets_line_mode(self):
        terminal = self.open_terminal()
        terminal.start("env", "TERM=nonsense-of-a-terminal", KEYTURN, "demo", stderr=self.stderr)
        terminal.wait_for_words("Quit. (q)")
        terminal.type("q")
        terminal.press("Enter")
        terminal.wait_for_prompt()
        self.assertRegex(self.stderr.read_text(), "No terminfo entry for the terminal .*Starting in line mode")


if __name__ == "__main__":
    unittest.main()
