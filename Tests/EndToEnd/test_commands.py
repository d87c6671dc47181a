"""Runs the table of tables/commands.py with the real program, without a terminal."""

import json
import re
import shlex
import shutil
import unittest

import jsonschema

from support import person
from support.provider import start_authority
from support.tokens import without_random
from support.workspace import ROOT, Workspace
from tables.commands import ROWS

SCHEMA = json.loads((ROOT / "docs/output.schema.json").read_text())
PROFILE = {"clientId": person.DEMO_CLIENT_ID, "authorityType": "aad", "scopes": ["User.Read"], "cache": {"key": "keyFile"}}

SUGGESTED = re.compile(r"[Rr]un 'keyturn ([^'\n]+)'")
# A word that the user replaces.
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z-]+\b|\u2026|\.\.\.")

# The permission that Ann does not grant.
REFUSING = {"declining": "everything", "unticking": "Mail.Read"}


class CommandTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.homes = {}
        cls.authority = cls.start_authority()
        changed = cls.start_authority("--scenario", "password-changed")
        gone = cls.start_authority()
        cls.make_home("nothing")
        cls.make_home("mistaken", cls.authority, mistakes={"clientID": "x", "method": "phone"})
        cls.make_home("configured", cls.authority)
        cls.make_home("ann", cls.authority, people=[person.ANN])
        cls.make_home("two", cls.authority, people=[person.ANN, person.WANG])
        cls.make_home("changed", changed, people=[person.ANN])
        cls.make_home("gone", gone, people=[person.ANN])
        gone.close()
        cls.make_home("unreachable")
        # Port 1 on loopback: no listener, so connections are rejected at once.
        cls.set_up(cls.homes["unreachable"], "http://127.0.0.1:1")
        cls.make_home("damaged", cls.authority)
        state = cls.homes["damaged"].path / "state/keyturn"
        state.mkdir()
        (state / "com.microsoft.identity.universalstorage.db").write_bytes(b"no database\n" * 100)
        cls.make_home("keyless", cls.authority, people=[person.ANN])
        [key] = (cls.homes["keyless"].path / "state/keyturn").glob("*.key")
        key.unlink()

    @classmethod
    def start_authority(cls, *options):
        workspace = Workspace()
        cls.addClassCleanup(workspace.close)
        authority = start_authority(workspace, *options)
        cls.addClassCleanup(authority.close)
        return authority

    @classmethod
    def make_home(cls, name, authority=None, people=(), mistakes={}):
        workspace = cls.homes[name] = Workspace()
        cls.addClassCleanup(workspace.close)
        cls.set_up(workspace, authority and authority.address, people, mistakes)

    @classmethod
    def set_up(cls, workspace, origin, people=(), mistakes={}):
        if origin:
            address = f"{origin}/contoso"
            workspace.configure(**mistakes, **PROFILE, authority=address, knownAuthorities=[address])
        for one in people:
            workspace.environment["BROWSER"] = person.browser_command(workspace, *one)
            signed_in = workspace.run("sign-in")
            assert signed_in.returncode == 0, signed_in.stderr
        # Nothing in the table may open a browser.
        workspace.environment.pop("BROWSER", None)

    def home(self, situation):
        """A separate home for the row."""
        if situation in REFUSING:
            workspace = Workspace.copy(self.homes["configured"])
            workspace.environment["BROWSER"] = person.browser_command(workspace, *person.ANN)
            workspace.environment["PERSON_REFUSES"] = REFUSING[situation]
            return workspace
        if situation != "fresh":
            return Workspace.copy(self.homes[situation])
        workspace = Workspace()
        self.set_up(workspace, self.authority.address, [person.ANN])
        return workspace

    def test_rows(self):
        for situation, line, status, output, errors, *rest in ROWS:
            with self.subTest(situation=situation, line=line):
                workspace = self.home(situation)
                try:
                    words = shlex.split(line.format(home=workspace.path, authority=self.authority.address))
                    result = workspace.run(*words, input=rest[0] if rest else "")
                finally:
                    workspace.close()
                said = f"\nstdout: {result.stdout}\nstderr: {result.stderr}"
                self.assertEqual(result.returncode, status, said)
                self.check(result.stdout, output, said)
                self.check(result.stderr, errors, said)
                self.assertNotIn("eyJ", without_random(result.stderr))
                self.assertNotIn("\x1b", result.stdout + result.stderr)

    def check(self, text, expected, said):
        if expected == "":
            self.assertEqual(text, "", said)
        elif expected.startswith("json:"):
            name = expected.removeprefix("json:")
            jsonschema.validate(json.loads(text), {**SCHEMA, "$ref": f"#/$defs/{name}"})
        else:
            self.assertRegex(text, expected, said)

    def test_every_command_is_in_the_table(self):
        words = self.homes["nothing"].run("complete", "--", "").stdout.splitlines()
        commands = {line.split("\t")[0] for line in words}
        in_table = {shlex.split(row[1].format(home="", authority=""))[0] for row in ROWS if row[1]}
        # test_demo.py tests it.
        self.assertEqual(commands - in_table - {"demo"}, set())


class SuggestedCommands(CommandTable):
    """With homes and authorities of its own, whose users consent to what is suggested."""

    test_rows = test_every_command_is_in_the_table = None

    def test_every_suggested_command_works_where_it_is_suggested(self):
        """No command that a text suggests is a wrong command line or lacks a configuration in the same situation."""
        tried = set()
        for situation, line, _, _, _, *rest in ROWS:
            if not line or "help" in line:
                continue
            workspace = self.home(situation)
            self.addCleanup(workspace.close)
            words = shlex.split(line.format(home=workspace.path, authority=self.authority.address))
            result = workspace.run(*words, input=rest[0] if rest else "")
            workspace.environment["BROWSER"] = person.browser_command(workspace, *person.ANN)
            for command in SUGGESTED.findall(result.stdout + result.stderr):
                suggested = shlex.split(command)
                if (situation, command) in tried or not suggested or PLACEHOLDER.search(command):
                    continue
                tried.add((situation, command))
                with self.subTest(situation=situation, line=line, command=command):
                    again = workspace.run(*suggested, "--timeout", "5", input="")
                    self.assertNotEqual(again.returncode, 2, again.stderr)
                    self.assertNotIn("No configuration", again.stderr)
        self.assertGreater(len(tried), 10, tried)


if __name__ == "__main__":
    unittest.main()
