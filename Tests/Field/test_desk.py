"""The command line as its daily users meet it: widths, colours, several accounts, no configuration, other programs' options."""

import json
import re
import unittest

from field import FieldCase, complaint
from support import person
from support.desk import DeskMixin
from support.workspace import KEYTURN


class DeskRow(DeskMixin, FieldCase):
    @complaint(
        "https://github.com/Azure/azure-cli/issues/13079",
        "-o table has lines that are far wider than the screen, so that the terminal wraps them and no column is left.",
        "accounts fits 80 columns; the identifiers, which don't, are in -o wide and -o json")
    def test_a_table_that_fits(self):
        self.assertLessEqual(max(map(len, self.draw("accounts", columns=80).splitlines())), 80)
        self.assertIn("identifier", json.loads(self.succeed("accounts", "-o", "json"))[0])

    @complaint(
        "https://github.com/Flexget/Flexget/issues/1361",
        "In narrow terminals the wrapped table can't be read, and in a pipe it has colour codes.",
        "Wraps texts in their column, or below it where the terminal is narrow. A pipe has whole lines without colours")
    def test_narrow_terminals_and_pipes(self):
        piped = self.succeed("check", "--offline")
        self.assertNotIn("\x1b", piped)
        for columns in (40, 80):
            shown = re.sub(r"\x1b\[[0-9;]*m", "", self.draw("check", "--offline", columns=columns))
            wide = [line for line in shown.splitlines() if len(line) > columns and len(line.split()) > 2]
            self.assertEqual(wide, [])

    @complaint(
        "https://github.com/Azure/azure-devops-cli-extension/issues/1229",
        "Without a named account the tool tries one signed-in account after the other, and may use another user's credential.",
        "With several accounts and no default, a script gets no token but exit status 2 and their names")
    def test_no_account_is_guessed(self):
        result = self.workspace.run("token", "--no-interaction")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(person.ANN[0], result.stderr)
        self.assertIn(person.WANG[0], result.stderr)

    @complaint(
        "https://github.com/ddollar/heroku-accounts/issues/77",
        "With a default account set, one command names it, but the token is always that of another account.",
        "The default that the list marks is the one whose token and claims the commands use")
    def test_the_default_is_used_everywhere(self):
        for user in (person.WANG[0], person.ANN[0]):
            self.succeed("accounts", "--default", user)
            marked = [one["username"] for one in json.loads(self.succeed("accounts", "-o", "json")) if one.get("isDefault")]
            token = json.loads(self.succeed("token", "-o", "json"))
            claims = json.loads(self.succeed("claims", "-o", "json"))
            self.assertEqual([marked, token["account"]["username"], claims["account"]["username"]], [[user], user, user])


class NewcomerRow(FieldCase):
    @complaint(
        "https://github.com/ahwurm/localharness/issues/119",
        "Without a configuration only one command says how to create it; the others fail without a next step.",
        "Every command that needs a configuration names the program that sets it up, and the demo")
    def test_the_same_next_step_everywhere(self):
        for command in ("sign-in", "accounts", "token", "claims", "remove ann", "sign-out ann", "export unified x.json"):
            with self.subTest(command):
                result = self.workspace.run(*command.split())
                self.assertEqual(result.returncode, 3)
                self.assertIn("Run 'keyturn' to set it up", result.stderr)
                self.assertIn("'keyturn demo'", result.stderr)

    @complaint(
        "https://github.com/infrahq/infra/issues/1108",
        "A sign-in before the set-up fails, and the user must run another command first, then sign in again.",
        "At a terminal, the command offers the set-up, which ends in a sign-in")
    def test_the_command_starts_the_set_up(self):
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "sign-in")
        terminal.wait_for("Set up Keyturn now?")
        terminal.press("Enter")
        terminal.wait_for("Where do users sign in?")

    @complaint(
        "https://github.com/Azure/azure-cli/issues/19496",
        "For --option=table it only says that the argument is not recognised; the user meant --output.",
        "Suggests the option that does it, also for other programs' spellings such as --json")
    def test_options_of_other_programs(self):
        for option, meant in (("--option=table", "--output"), ("--json", "-o json"), ("--format=json", "--output")):
            result = self.workspace.run("accounts", option)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"Did you mean {meant}?", result.stderr)


if __name__ == "__main__":
    unittest.main()
