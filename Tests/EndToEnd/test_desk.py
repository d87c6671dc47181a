"""The command line at a terminal: drawn output, several accounts, and what it asks."""

import json
import re
import unittest

from support import person
from support.case import JourneyCase
from support.desk import DeskMixin

SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


class DeskJourney(DeskMixin, JourneyCase):
    def run_well(self, *arguments, **others):
        result = self.workspace.run(*arguments, **others)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_accounts_fit_80_columns(self):
        piped = self.run_well("accounts")
        self.assertEqual(piped, self.run_well("accounts", "-o", "wide"))
        self.assertRegex(piped, r"^USERNAME +ENVIRONMENT +IDENTIFIER +TOKEN\n")
        shown = self.draw("accounts")
        self.assertRegex(shown, r"^USERNAME +ENVIRONMENT +TOKEN\n")
        self.assertLessEqual(max(map(len, shown.splitlines())), 80)
        self.assertIn("IDENTIFIER", self.draw("accounts", "-o", "wide"))
        self.assertNotIn("IDENTIFIER", self.run_well("accounts", "-o", "table"))
        # Without an own width, the terminal has that of COLUMNS: too narrow for a row.
        self.assertRegex(self.draw("accounts", columns=0, COLUMNS="36"), r"(?m)^ann@contoso\.example +127\S+\n    valid ")

    def test_verdicts_are_drawn_on_terminals_only(self):
        words = self.run_well("check", "--offline")
        self.assertRegex(words, r"(?m)^  passed   ")
        self.assertNotIn("\x1b", words)
        shown = self.draw("check", "--offline", columns=60)
        self.assertIn("  \x1b[0;32m✓\x1b[0m  ", shown)
        for line in SEQUENCE.sub("", shown).splitlines():
            self.assertTrue(len(line) <= 60 or len(line.split()) <= 2, line)
        for options, environment in (([], {"NO_COLOR": "1"}), (["--ascii"], {}), (["--no-color"], {})):
            with self.subTest(options=options, environment=environment):
                plain = self.draw("check", "--offline", *options, **environment)
                self.assertRegex(plain, r"(?m)^  passed   ")
                self.assertNotIn("\x1b", plain)
                # It says whether it is at a terminal.
                others = [re.sub(r"(?m)^  \w+ +Terminal .*\n( {20}.*\n)*", "", text).split() for text in (plain, words)]
                self.assertEqual(*others)

    def test_the_choice_at_a_terminal(self):
        for keys, expected in ((b"2\n", person.WANG[0]), (b"nobody\n1\n", person.ANN[0])):
            terminal = self.start_on_terminal("claims")
            seen = terminal.read_until(b"Number of the account (1-2; Enter cancels): ")
            self.assertIn(f"  1  {person.ANN[0]}  ".encode(), seen)
            terminal.press(keys)
            status, text = self.end_on_terminal(terminal)
            self.assertEqual(status, 0, text)
            self.assertIn(f"Account  {expected}\n", text)
        for keys, expected in ((b"\n", 5), (b"\x04", 5), (b"\x03", 130)):
            with self.subTest(keys=keys):
                terminal = self.start_on_terminal("token")
                terminal.read_until(b"Enter cancels): ")
                terminal.press(keys)
                status, text = self.end_on_terminal(terminal)
                self.assertEqual(status, expected, text)
                self.assertNotIn("eyJ", text)

    def test_a_script_is_never_asked(self):
        result = self.workspace.run("token")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        for options in (["--no-interaction"], ["-o", "json"]):
            status, text = self.end_on_terminal(self.start_on_terminal("token", *options))
            self.assertEqual(status, 2, text)
            self.assertNotIn("Number of the account", text)

    def token_user(self, *options):
        return json.loads(self.run_well("token", "--no-interaction", "-o", "json", *options))["account"]["username"]

    def test_the_default_account(self):
        self.assertRegex(self.run_well("accounts", "--default", "wang"), r"(?m)^wang@\S+ .*  default$")
        self.assertEqual(self.token_user(), person.WANG[0])
        self.assertEqual(self.token_user("--account", "ann"), person.ANN[0])
        self.assertEqual(self.end_on_terminal(self.start_on_terminal("token"))[0], 0)
        self.run_well("remove", person.WANG[0])
        self.assertEqual(self.token_user(), person.ANN[0])
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.WANG)
        self.run_well("sign-in")
        del self.workspace.environment["BROWSER"]
        self.assertEqual(self.token_user(), person.WANG[0])
        self.run_well("accounts", "--no-default")
        self.assertEqual(self.workspace.run("token").returncode, 2)


if __name__ == "__main__":
    unittest.main()
