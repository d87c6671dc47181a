"""Remains of accounts, damaged stores and killed processes, and their removal."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess

from support import person
from support.case import JourneyCase
from support.provider import start_authority

STORE = "com.microsoft.identity.universalstorage.db"
ANN = person.ANN[0]


class RemainsJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.state = self.workspace.path / "state/keyturn"

    def sign_in(self):
        self.succeed("sign-in")

    def succeed(self, *command):
        ending = self.workspace.run(*command)
        self.assertEqual(ending.returncode, 0, ending)
        return ending

    def told(self, words, *command):
        """Reported once, with exit status 7."""
        ending = self.workspace.run(*command)
        self.assertEqual(ending.returncode, 7, ending)
        self.assertIn(words, ending.stderr)

    def sql(self, statement):
        with contextlib.closing(sqlite3.connect(self.state / STORE)) as database, database:
            return database.execute(statement).fetchall()

    def sealed_tokens(self):
        return [bytes(row[0]) for row in self.sql("SELECT sealed FROM credential WHERE kind LIKE '%Token'")]

    def assert_nowhere(self, *parts):
        for path in self.state.iterdir():
            content = path.read_bytes()
            for part in parts:
                self.assertFalse(part in content, f"{path} still holds {part[:20]!r}")

    def test_an_account_without_its_record(self):
        for command in (["sign-out", ANN], ["remove", ANN], ["remove", "--all"]):
            with self.subTest(command):
                self.sign_in()
                tokens = self.sealed_tokens()
                self.assertGreaterEqual(len(tokens), 3)
                self.sql("DELETE FROM credential WHERE kind = 'Account'")
                self.told("lacks 1 entry", "accounts")
                self.assertIn(ANN, self.succeed("accounts").stdout)
                self.assertIn(f"Removed {ANN}", self.succeed(*command).stderr)
                self.assertEqual(self.sealed_tokens(), [])
                self.assert_nowhere(*tokens)
                self.assertIn("No accounts.", self.succeed("accounts").stderr)

    def test_remove_all_leaves_nothing_that_names_an_account(self):
        self.sign_in()
        [(home,)] = self.sql("SELECT DISTINCT home_account_id FROM credential WHERE home_account_id != ''")
        self.succeed("accounts")
        self.succeed("sign-out", ANN)
        # As MSAL does: the account stays known as signed out.
        self.assertEqual(
            self.sql("SELECT kind FROM credential WHERE home_account_id != '' ORDER BY kind"),
            [("Account",), ("AccountMetadata",)])
        self.assertIn("No accounts.", self.succeed("remove", "--all").stderr)
        self.assertEqual(self.sql("SELECT kind FROM credential WHERE home_account_id != ''"), [])
        self.assert_nowhere(home.encode())

    def test_an_access_token_alone(self):
        """The account stays listed, so that the user can remove it."""
        self.sign_in()
        self.sql("DELETE FROM credential WHERE kind NOT IN ('AccessToken', 'Document', 'AppMetadata')")
        self.told("lacks 4 entries", "accounts")
        _, account = self.succeed("accounts", "-q").stdout.splitlines()
        self.assertIn("valid", account)
        self.succeed("remove", "--all")
        self.assertEqual(self.sealed_tokens(), [])
        self.assertIn("No accounts.", self.succeed("accounts").stderr)

    def test_set_aside_files(self):
        self.sign_in()
        tokens = self.sealed_tokens()
        self.sql("DELETE FROM data_key")
        self.told("is damaged", "accounts")
        aside = self.state / f"{STORE}.set-aside-1"
        self.assertTrue(aside.exists())
        check = self.succeed("check", "--offline").stdout
        self.assertIn("Set-aside files", check)
        self.assertIn(str(aside), check)
        self.assertNotIn(STORE, self.succeed("report", "--offline").stdout)

        self.sign_in()
        warning = "1 damaged cache file that was set aside may still contain tokens."
        self.assertIn(warning, self.succeed("sign-out", ANN).stderr)
        self.assertTrue(aside.exists())
        self.assertIn("Removed 1 damaged cache file that was set aside.", self.succeed("remove", "--all").stderr)
        self.assertEqual([path.name for path in self.state.iterdir() if "set-aside" in path.name], [])
        self.assert_nowhere(*tokens)
        self.assertNotIn("Set-aside files", self.succeed("check", "--offline").stdout)

    def test_a_store_without_its_seal(self):
        for change in ("DELETE FROM seal", "UPDATE seal SET sealed = zeroblob(50)"):
            with self.subTest(change):
                self.sign_in()
                token = self.succeed("token", "--no-interaction").stdout
                self.sql(f"{change} WHERE part = 'store'")
                self.assertEqual(self.workspace.run("check", "--offline").returncode, 7)
                self.told("It was restored from", "accounts")
                self.assertIn(ANN, self.succeed("accounts").stdout)
                self.assertEqual(self.succeed("token", "--no-interaction").stdout, token)
                self.succeed("token", "--no-interaction", "--force-refresh")
                # Without any seal, no entry is proven current.
                self.sql(change)
                self.told("were set aside", "accounts")
                self.assertIn("No accounts.", self.succeed("accounts").stderr)
                self.assertIn("Damaged entries", self.succeed("check", "--offline").stdout)
                self.assertIn("damaged entries.", self.succeed("remove", "--all").stderr)
                self.assertEqual(self.sql("SELECT * FROM damaged_credential"), [])

    def test_restored_rows_bring_no_account_back(self):
        for loss in ("SELECT 1", "DELETE FROM seal WHERE part = 'store'"):
            with self.subTest(loss):
                self.sign_in()
                tokens = self.sealed_tokens()
                rows = self.sql("SELECT * FROM credential WHERE home_account_id != ''")
                self.succeed("sign-out", ANN)
                with contextlib.closing(sqlite3.connect(self.state / STORE)) as database, database:
                    database.executemany("INSERT OR REPLACE INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
                    database.execute(loss)
                self.told("were set aside", "accounts")
                self.assertNotIn(ANN, self.succeed("accounts").stdout)
                self.assertNotEqual(self.workspace.run("token", "--no-interaction", "--account", ANN).returncode, 0)
                self.assertIn("Damaged entries", self.succeed("check", "--offline").stdout)
                self.succeed("remove", "--all")
                self.assert_nowhere(*tokens)

    def test_a_trigger_of_another_program(self):
        self.sign_in()
        self.sql("CREATE TRIGGER keep BEFORE DELETE ON credential BEGIN SELECT RAISE(IGNORE); END")
        check = self.workspace.run("check", "--offline")
        self.assertEqual(check.returncode, 7, check)
        self.told("has triggers, views or tables of another program", "sign-out", ANN)
        self.assertIn("No accounts.", self.succeed("accounts").stderr)
        self.sign_in()
        keys = sorted(self.state.glob("*.key"))
        self.succeed("remove", "--all")
        # The old key is deleted with the store that it opens.
        self.assertEqual(len(keys), 2)
        self.assertEqual(len(list(self.state.glob("*.key"))), 1)
        self.assertEqual([path.name for path in self.state.iterdir() if "set-aside" in path.name], [])

    def test_a_damaged_cache_in_the_terminal_program(self):
        self.sign_in()
        self.sql("DELETE FROM data_key")
        self.assertIn("is damaged", self.workspace.run("--plain", input="q\n").stdout)

    def test_a_set_aside_file_that_cannot_be_deleted(self):
        self.sign_in()
        self.sql("DELETE FROM data_key")
        self.told("is damaged", "accounts")
        obstacle = self.state / f"{STORE}.set-aside-0"
        obstacle.touch(0o600)
        if subprocess.run(["chattr", "+i", obstacle], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no file can be made undeletable here")
        try:
            self.sign_in()
            self.told("set-aside-0: Operation not permitted.", "remove", "--all")
            self.assertEqual([path for path in self.state.iterdir() if "set-aside" in path.name], [obstacle])
            self.assertIn("No accounts.", self.succeed("accounts").stderr)
        finally:
            subprocess.run(["chattr", "-i", obstacle], check=True)
        self.succeed("remove", "--all")

    def test_a_folder_with_the_name_of_a_set_aside_file(self):
        self.sign_in()
        folder = self.state / f"{STORE}.set-aside-1"
        folder.mkdir()
        self.succeed("remove", "--all")
        self.assertTrue(folder.is_dir())

    def test_a_folder_above_that_others_may_change(self):
        self.sign_in()
        self.state.parent.chmod(0o777)
        for command in (["accounts"], ["token", "--no-interaction"], ["sign-in"]):
            self.told(f"Run: chmod o-w '{self.state.parent}'", *command)
        self.assertEqual(self.workspace.run("check", "--offline").returncode, 7)
        self.state.parent.chmod(0o1777)
        self.succeed("token", "--no-interaction")

    def test_what_killed_processes_left(self):
        self.sign_in()
        left = [self.state / f"{STORE}.{name}1qor0qlrtd1c4.part" for name in ("anchor.", "yQvI_3Qabc.key.", "")]
        for command in (["token", "--no-interaction", "--force-refresh"], ["sign-out", ANN]):
            for path in left:
                path.write_text("secret")
                path.chmod(0o600)
            self.succeed(*command)
            self.assertEqual([path.name for path in left if path.exists()], [])

    def test_a_changed_record_of_the_last_request(self):
        self.sign_in()
        kept = self.state / "last-attempt.json"
        good = kept.read_text()
        self.assertIn("succeeded", self.succeed("report", "--offline").stdout)
        record = json.loads(good)
        planted = "\x1b[2Jsecret.corp.example\u202e"
        changes = [
            {"kind": planted}, {"steps": [{**record["steps"][0], "name": planted}]},
            {"exchanges": [{**record["exchanges"][0], "address": f"https://{planted}/token"}]},
            {"exchanges": [{**record["exchanges"][0], "method": planted}]}, {"startDate": 1e300},
            {"correlationID": "61626364-6566-6768-696A-6B6C6D6E6F70"}, {"milliseconds": 4915550123456},
        ]
        for text in [*(json.dumps({**record, **change}) for change in changes), "", "{}", good[:-20]]:
            with self.subTest(text[:80]):
                kept.write_text(text)
                report = self.succeed("report", "--offline").stdout
                self.assertIn("The record was damaged or changed, and was left out.", report)
                self.assertNotIn("secret.corp", report)
                self.assertNotIn("\x1b", report)
        kept.unlink()
        os.mkfifo(kept)
        self.assertIn("was left out", self.succeed("report", "--offline").stdout)

    def test_a_truncated_index_of_the_log(self):
        """SQLite maps this file as shared memory: the open program ends, but the store stays complete."""
        self.sign_in()
        token = self.succeed("token", "--no-interaction").stdout
        terminal = self.open_keyturn(shows=ANN)
        os.truncate(self.state / f"{STORE}-shm", 0)
        terminal.press("R")
        self.assertEqual(terminal.exit_status(), 128 + signal.SIGBUS)
        self.assertIn(ANN, self.succeed("accounts").stdout)
        self.assertEqual(self.succeed("token", "--no-interaction").stdout, token)
