"""Good and bad configuration files, through the program and through docs/config.schema.json."""

import json
import os
import re
import unittest

import jsonschema

from support.workspace import ROOT, Workspace
from tables.configurations import BAD, BEYOND, GOOD

SCHEMA = json.loads((ROOT / "docs/config.schema.json").read_text())
ANYBODY = 65534


class ConfigurationTable(unittest.TestCase):
    def setUp(self):
        self.workspace = Workspace()
        self.addCleanup(self.workspace.close)
        self.folder = self.workspace.path / "config/keyturn"
        self.folder.mkdir()
        self.file = self.folder / "config.json"
        self.schema = jsonschema.Draft202012Validator(SCHEMA)

    def accounts(self, text):
        self.file.write_text(text)
        return self.workspace.run("accounts", "-q")

    def test_good_ones(self):
        for name, text in GOOD:
            with self.subTest(name):
                self.schema.validate(json.loads(text))
                result = self.accounts(text)
                # A passphrase's file that is not there is the store's matter.
                self.assertEqual(result.returncode, 7 if "passphraseFile" in text else 0, result.stderr)

    def test_bad_ones(self):
        for name, text, message in BAD + BEYOND:
            with self.subTest(name):
                result = self.accounts(text)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertRegex(result.stderr, "(?m)^keyturn: " + re.escape(str(self.file)) + message)

    def test_the_schema_refuses_the_bad_ones_too(self):
        for name, text, _ in BAD:
            with self.subTest(name):
                self.assertFalse(self.schema.is_valid(json.loads(text)))

    def test_the_schema_has_the_readers_keys(self):
        profile = SCHEMA["$defs"]["profile"]["properties"]
        cases = [
            ('{ "x!": 1, "profiles": {} }', set(SCHEMA["properties"])),
            ('{ "profiles": { "a": { "x!": 1 } } }', set(profile)),
            ('{ "profiles": { "a": { "cache": { "x!": 1 } } } }', set(profile["cache"]["properties"])),
        ]
        for text, keys in cases:
            with self.subTest(text):
                known = re.search(r"Known are: (.*)\.\n", self.accounts(text).stderr).group(1)
                self.assertEqual(set(known.split(", ")), keys)

    def test_where_the_file_is(self):
        text = GOOD[0][1]
        elsewhere = self.workspace.path / "elsewhere.json"
        elsewhere.write_text(text.replace('"a"', '"b"'))
        self.file.write_text(text)
        for options, variables, profiles in [
            ([], {}, ["a"]),
            ([], {"KEYTURN_CONFIG": str(elsewhere)}, ["b"]),
            (["--config", str(elsewhere)], {"KEYTURN_CONFIG": "/none"}, ["b"]),
        ]:
            result = self.workspace.run(*options, "complete", "--", *options, "--profile", "", **variables)
            self.assertEqual([line.split("\t")[0] for line in result.stdout.splitlines()], profiles)
        self.assertEqual(self.workspace.run("accounts", "-q", KEYTURN_PROFILE="a").returncode, 0)
        self.assertEqual(self.workspace.run("accounts", "-q", KEYTURN_PROFILE="b").returncode, 3)

    def test_permissions(self):
        self.file.write_text(GOOD[0][1])
        for mode, status, message in [
            (0o644, 0, ""),
            (0o664, 0, ""),
            (0o646, 3, "anybody on this computer can change it. Run: chmod o-w"),
        ]:
            with self.subTest(oct(mode)):
                self.file.chmod(mode)
                result = self.workspace.run("accounts", "-q")
                self.assertEqual(result.returncode, status)
                self.assertIn(message, result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_a_file_of_another_user(self):
        self.file.write_text(GOOD[0][1])
        os.chown(self.file, ANYBODY, ANYBODY)
        result = self.workspace.run("accounts", "-q")
        self.assertEqual(result.returncode, 3)
        self.assertIn("it belongs to another user", result.stderr)


if __name__ == "__main__":
    unittest.main()
