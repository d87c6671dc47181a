"""Runs the table of tables/commands.py with the real program, without a terminal."""

import json
import shlex
import unittest

import jsonschema

from support import person
from support.provider import start_authority
from support.tokens import without_random
from support.workspace import ROOT, Workspace
from tables.commands import ROWS

SCHEMA = json.loads((ROOT / "docs/output.schema.json").read_text())
PROFILE = {"clientId": person.DEMO_CLIENT_ID, "authorityType": "aad", "scopes": ["User.Read"], "cache": {"key": "keyFile"}}

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


if __name__ == "__main__":
    unittest.main()
