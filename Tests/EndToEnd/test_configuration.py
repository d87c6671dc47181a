"""Valid and invalid configuration files, with the program and with docs/config.schema.json."""

import json
import os
import pwd
import re
import shutil
import subprocess
import unittest

import jsonschema

from support.workspace import KEYTURN, ROOT, Workspace
from tables.configurations import BAD, BEYOND, GOOD, profile

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

    def test_valid_files(self):
        for name, text in GOOD:
            with self.subTest(name):
                self.schema.validate(json.loads(text))
                result = self.accounts(text)
                self.assertEqual(result.returncode, 0, result.stderr)
        for name, text in GOOD:
            if "passphraseFile" in text:
                with self.subTest(f"{name}: a missing file is an error of the store, which a sign-in creates"):
                    self.file.write_text(text)
                    self.assertEqual(self.workspace.run("sign-in", "-q").returncode, 7)

    def test_invalid_files(self):
        for name, text, message in BAD + BEYOND:
            with self.subTest(name):
                result = self.accounts(text)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertRegex(" ".join(result.stderr.split()), re.escape(str(self.file)) + message)

    def test_the_schema_rejects_invalid_files_too(self):
        for name, text, _ in BAD:
            with self.subTest(name):
                self.assertFalse(self.schema.is_valid(json.loads(text)))

    def test_the_schema_has_the_keys_of_the_reader(self):
        profile = SCHEMA["$defs"]["profile"]["properties"]
        cases = [
            ('{ "x!": 1, "profiles": {} }', set(SCHEMA["properties"])),
            ('{ "profiles": { "a": { "x!": 1 } } }', set(profile)),
            ('{ "profiles": { "a": { "cache": { "x!": 1 } } } }', set(profile["cache"]["properties"])),
        ]
        for text, keys in cases:
            with self.subTest(text):
                known = re.search(r"Known keys: (.*)\.\n", self.accounts(text).stderr).group(1)
                self.assertEqual(set(known.split(", ")), keys)

    def test_the_place_of_the_file(self):
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
            (0o646, 3, "every user of this computer can change it. Run: chmod o-w"),
        ]:
            with self.subTest(oct(mode)):
                self.file.chmod(mode)
                result = self.workspace.run("accounts", "-q")
                self.assertEqual(result.returncode, status)
                self.assertIn(message, " ".join(result.stderr.split()))

    def test_files_that_decide_what_runs_or_is_trusted(self):
        """Each is rejected with exit code 3 when another user could change or replace it."""
        open_folder = self.workspace.path / "open"
        open_folder.mkdir()
        open_folder.chmod(0o777)
        for name in ("browser", "ca.pem", "passphrase", "Info.plist"):
            (open_folder / name).write_text("-----BEGIN CERTIFICATE-----\n")
            (open_folder / name).chmod(0o700 if name == "browser" else 0o600)
        for members, what in [
            (f'"browser": "{open_folder}/browser %s"', "The browser "),
            (f'"caFile": "{open_folder}/ca.pem"', "The CA file "),
            (f'"infoPlist": "{open_folder}/Info.plist"', "The Info.plist "),
            (f'"cache": {{ "key": "passphrase", "passphraseFile": "{open_folder}/passphrase" }}', "The passphrase file "),
        ]:
            with self.subTest(what):
                self.file.write_text(profile(members))
                result = self.workspace.run("accounts", "-q")
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn(what, result.stderr)
                self.assertIn(f"every user of this computer can change {open_folder}.", result.stderr)
                self.assertIn(f"chmod o-w '{open_folder}'", result.stderr)

    def test_a_ca_file_without_a_certificate(self):
        for name, problem in [("config.json", "contains no certificate"), ("none.pem", "is unreadable: No such file or directory")]:
            with self.subTest(name):
                result = self.accounts(profile(f'"caFile": "{name}"'))
                self.assertEqual(result.returncode, 3)
                self.assertIn(f"The CA file {self.folder / name} {problem}.", result.stderr)

    def test_files_that_never_end(self):
        """A FIFO without a writer is rejected at once wherever a file can be named; so is a device."""
        fifo = self.folder / "fifo"
        os.mkfifo(fifo, 0o600)
        for name in (str(fifo), "/dev/zero"):
            for members, arguments in [
                (f'"caFile": "{name}"', ["accounts"]),
                (f'"infoPlist": "{name}"', ["accounts"]),
                (f'"cache": {{ "key": "passphrase", "passphraseFile": "{name}" }}', ["sign-in"]),
                ("", ["accounts", "--config", name]),
                ("", ["accounts", "--ca-file", name]),
                ("", ["check", "--offline", "--info-plist", name]),
                ("", ["import", "unified", name]),
            ]:
                with self.subTest(members=members, arguments=arguments):
                    self.file.write_text(profile(members) if members else GOOD[0][1])
                    result = self.workspace.run(*arguments)
                    self.assertIn(result.returncode, (1, 3, 7), result)
                    self.assertRegex(result.stderr + result.stdout, "not a (regular|plain) file|unreadable")
        self.file.unlink()
        os.mkfifo(self.file, 0o600)
        result = self.workspace.run("accounts")
        self.assertEqual(result.returncode, 3)
        self.assertIn("it is not a regular file", result.stderr)

    def test_a_script_behind_a_shell(self):
        script = self.folder / "open.sh"
        script.write_text("exit 0\n")
        script.chmod(0o777)
        for browser in (f"sh {script}", f"env {script} %s"):
            with self.subTest(browser):
                self.file.write_text(profile(f'"browser": "{browser}"'))
                result = self.workspace.run("accounts")
                self.assertEqual(result.returncode, 3)
                self.assertIn(f"every user of this computer can change {script}", result.stderr)

    def test_the_folder_of_the_configuration(self):
        self.file.write_text(GOOD[0][1])
        self.file.parent.chmod(0o777)
        result = self.workspace.run("accounts", "-q")
        self.file.parent.chmod(0o700)
        self.assertEqual(result.returncode, 3)
        self.assertIn(f"every user of this computer can change {self.file.parent}", result.stderr)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("useradd"), "only root can make users")
    def test_a_group_that_may_write(self):
        """The user's own group is allowed, until another user is in it."""
        names = [f"kt-{letter}{os.getpid()}" for letter in "ab"]
        for name in names:
            subprocess.run(["useradd", "--user-group", "--no-create-home", name], check=True)
            self.addCleanup(subprocess.run, ["userdel", name], check=False, stderr=subprocess.DEVNULL)
        user = pwd.getpwnam(names[0])
        self.workspace.path.chmod(0o755)
        self.file.write_text(GOOD[0][1])
        for path in (self.file.parent.parent, self.file.parent, self.file):
            os.chown(path, user.pw_uid, user.pw_gid)
        self.file.chmod(0o660)
        self.assertEqual(self.accounts_as(user).returncode, 0)
        subprocess.run(["usermod", "--append", "--groups", names[0], names[1]], check=True)
        refused = self.accounts_as(user)
        self.assertEqual(refused.returncode, 3)
        self.assertIn(
            f"the group {names[0]} can change it. Run: chmod g-w '{self.file}'", " ".join(refused.stderr.split()))

    def accounts_as(self, user):
        home = self.workspace.path / "home-of-user"
        home.mkdir(exist_ok=True)
        os.chown(home, user.pw_uid, user.pw_gid)
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "KEYTURN_CONFIG": str(self.file)}
        return subprocess.run(
            [KEYTURN, "accounts", "-q"], env=environment, user=user.pw_uid, group=user.pw_gid, extra_groups=[],
            capture_output=True, text=True, timeout=60)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_a_file_of_another_user(self):
        self.file.write_text(GOOD[0][1])
        os.chown(self.file, ANYBODY, ANYBODY)
        result = self.workspace.run("accounts", "-q")
        self.assertEqual(result.returncode, 3)
        self.assertIn("it belongs to another user", result.stderr)


if __name__ == "__main__":
    unittest.main()
