"""On a full disk, nothing is spent that can't be stored; what was spent nevertheless is handed out."""

import json
import sqlite3
import subprocess
import unittest

from support.case import JourneyCase
from support.secure_provider import SecureProvider, make_authority
from support.volume import Volume
from support.workspace import KEYTURN

FREE_KIBIBYTES = (0, 4, 16, 32)


@unittest.skipUnless(Volume.is_possible(), "this process may not mount a file system")
class FullDiskJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        make_authority(self.workspace.path)
        self.provider = self.closing(SecureProvider(self.workspace.path))
        self.volume = self.closing(Volume(self.workspace.path / "state"))
        # Each refresh token can be redeemed once.
        self.issued = []
        usual = self.provider.documents["/token"]
        self.provider.documents["/token"] = lambda: {**usual(), **self.issue()}
        shared = str(self.workspace.path / "state/shared.json")
        self.caches = ({"key": "keyFile"}, {"kind": "unified", "path": shared})

    def sign_in(self, cache=None):
        self.volume.empty()
        self.configure_for_provider(self.provider.issuer, cache=cache or self.caches[0])
        self.keyturn("sign-in", "--method", "device")

    def issue(self):
        number = len(self.issued) + 1
        self.issued.append(f"refresh-{number}")
        return {"access_token": f"access-{number}", "refresh_token": self.issued[-1]}

    def keyturn(self, *arguments, status=0):
        self.provider.forms.clear()
        self.provider.paths.clear()
        result = self.workspace.run(*arguments, "--ca-file", str(self.workspace.path / "ca.pem"))
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def refresh(self, *options, status=0):
        return self.keyturn("token", "--force-refresh", "--no-interaction", *options, status=status)

    @property
    def spent(self):
        return [form["refresh_token"] for path, form in self.provider.forms if path == "/token"]

    def must_refresh_with_the_newest(self):
        self.volume.empty()
        newest = self.issued[-1]
        self.refresh()
        self.assertEqual(self.spent, [newest])

    def test_no_refresh_token_is_spent(self):
        for cache in self.caches:
            self.sign_in(cache)
            for free in FREE_KIBIBYTES:
                with self.subTest(cache, free=free):
                    self.volume.empty()
                    self.volume.fill(free)
                    result = self.refresh(status=7)
                    self.assertEqual((self.spent, result.stdout), ([], ""))
                    self.assertIn("Check the disk's free space", result.stderr)
                    # The cached token needs no room.
                    self.assertTrue(self.keyturn("token", "--no-interaction").stdout)
                    self.must_refresh_with_the_newest()

    def test_no_sign_in_starts(self):
        for cache in self.caches:
            self.sign_in(cache)
            for free in FREE_KIBIBYTES:
                with self.subTest(cache, free=free):
                    self.volume.empty()
                    self.volume.fill(free)
                    self.keyturn("sign-in", "--method", "device", status=7)
                    self.assertEqual(self.provider.paths, [])

    def test_nothing_is_spent_on_a_read_only_file_system(self):
        for cache in self.caches:
            with self.subTest(cache):
                self.sign_in(cache)
                self.volume.lock()
                try:
                    for command in (["sign-in", "--method", "device"], ["sign-in", "--method", "browser"]):
                        result = self.keyturn(*command, status=7)
                        self.assertEqual(self.provider.paths, [])
                        self.assertIn("Read-only file system", result.stderr)
                    self.refresh(status=7)
                    self.assertEqual(self.spent, [])
                finally:
                    self.volume.lock(False)
                self.must_refresh_with_the_newest()

    def when_redeemed(self, act):
        """Calls `act` while the next token request waits for its response."""
        usual = self.provider.documents["/token"]

        def act_once():
            self.provider.documents["/token"] = usual
            act()
            return usual()

        self.provider.documents["/token"] = act_once

    def test_a_disk_that_fills_up_during_a_refresh(self):
        for cache in self.caches:
            with self.subTest(cache):
                self.sign_in(cache)
                self.when_redeemed(lambda: self.volume.fill(0))
                self.refresh()
                # Reading it needs no room either.
                result = self.keyturn("token", "--no-interaction")
                self.assertEqual(result.stdout.strip(), f"access-{len(self.issued)}")
                self.must_refresh_with_the_newest()

    def lose_the_room(self):
        """Another process empties the log, and the disk fills up before the tokens are saved."""
        with sqlite3.connect(next((self.workspace.path / "state").rglob("*.db"))) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        self.volume.fill(0)

    def test_a_token_that_cannot_be_stored_is_handed_out(self):
        self.sign_in()
        for options in ((), ("-q",), ("-o", "json")):
            with self.subTest(options):
                self.when_redeemed(self.lose_the_room)
                result = self.refresh(*options)
                self.assertIn(f"access-{len(self.issued)}", result.stdout)
                told = json.loads(result.stdout)["cachingError"] if "json" in options else result.stderr
                for words in ("could not be cached", "is full", "expect a sign-in"):
                    self.assertIn(words, " ".join(told.split()))
                self.assertEqual(result.stderr != "", "json" not in options)
                self.volume.empty()

    def test_a_sign_in_that_cannot_be_stored_fails(self):
        self.sign_in()
        self.when_redeemed(self.lose_the_room)
        result = self.keyturn("sign-in", "--method", "device", status=7)
        self.assertEqual(result.stdout, "")
        self.assertIn("The cache lacks this sign-in", " ".join(result.stderr.split()))
        self.assertIn("then sign in again", " ".join(result.stderr.split()))

    def test_a_limit_on_the_size_of_files(self):
        self.sign_in()
        self.provider.forms.clear()
        line = 'ulimit -f 64; exec "$0" token --force-refresh --no-interaction --ca-file "$1"'
        result = subprocess.run(
            ["sh", "-c", line, KEYTURN, self.workspace.path / "ca.pem"], env=self.workspace.environment,
            capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual((result.returncode, self.spent), (7, []), result.stderr)
        self.assertIn("File too large", result.stderr)
        self.must_refresh_with_the_newest()


if __name__ == "__main__":
    unittest.main()
