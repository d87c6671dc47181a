"""A configured authority: `keyturn authority` alone, and tokens that outlive the program."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import ssl
import unittest
import urllib.request

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.waiting import wait_until


class ConfiguredAuthorityJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def test_the_list_survives_a_restart_and_needs_no_network(self):
        terminal = self.open_keyturn()
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, "ann@contoso.example")
        self.quit(terminal)
        terminal.close()

        # The server has stopped: from here on, everything comes from the cache.
        self.authority.close()
        self.workspace.environment["BROWSER"] = "false"
        terminal = self.open_keyturn(shows="ann@contoso.example")
        self.read_claims(terminal)
        self.close_claims(terminal)
        self.quit(terminal)
        self.assert_no_secrets(terminal)

    def test_the_store_is_private_and_encrypted(self):
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        files = [path for path in (self.workspace.path / "state").rglob("*") if path.is_file()]
        self.assertTrue(files)
        for path in files:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
            content = path.read_bytes()
            self.assertNotIn(b"eyJ", content, path)
            self.assertNotIn(b"ann@contoso", content, path)

    def test_reading_only_leaves_damage_to_be_reported(self):
        """Completion, check and report change nothing and leave the notice: the next command reports the damage."""
        state = self.workspace.path / "state/keyturn"
        store = state / "com.microsoft.identity.universalstorage.db"

        def change(sql):
            with contextlib.closing(sqlite3.connect(store)) as database, database:
                database.execute(sql)

        def content():
            """Except for SQLite's own files: its index in memory, and an empty log."""
            files = {path: path.read_bytes() for path in state.iterdir() if not path.name.endswith("-shm")}
            return {path: bytes for path, bytes in files.items() if bytes}

        def overwrite_key():
            key = next(state.glob("*.key"))
            key.write_bytes(os.urandom(32))

        damages = {
            "rows": lambda: change("DELETE FROM credential WHERE kind = 'RefreshToken'"),
            "a seal": lambda: change("DELETE FROM seal WHERE part != 'store'"),
            "the key": overwrite_key,
            "the file": lambda: store.write_bytes(b"nonsense"),
        }
        for name, damage in damages.items():
            for command in (["accounts"], ["token", "--no-interaction"], ["sign-in"]):
                with self.subTest(damage=name, command=command):
                    shutil.rmtree(state, ignore_errors=True)
                    self.assertEqual(self.workspace.run("sign-in").returncode, 0)
                    for log in state.glob(store.name + "-*"):
                        if name == "the file":
                            log.unlink()
                    damage()
                    before = content()
                    for _ in range(2):
                        self.assertEqual(self.workspace.run("complete", "--", "token", "--account", "").returncode, 0)
                        check = self.workspace.run("check")
                        self.assertEqual(check.returncode, 7, check)
                        self.assertIn("Nothing was changed.", check.stdout)
                        self.assertEqual(self.workspace.run("report").returncode, 0)
                    self.assertTrue(content() == before)
                    ending = self.workspace.run(*command)
                    # A sign-in finds missing rows when its code is spent: it reports them, and saves the tokens.
                    is_reported = name == "rows" and command == ["sign-in"]
                    self.assertEqual(ending.returncode, 0 if is_reported else 7, ending)
                    self.assertIn(str(store), ending.stderr)

    def test_check_before_the_first_sign_in(self):
        """The store does not exist, and is not created."""
        self.assertEqual(self.workspace.run("check").returncode, 0)
        self.assertEqual(self.workspace.run("report").returncode, 0)
        self.assertEqual(list((self.workspace.path / "state").iterdir()), [])
        self.assertEqual(list((self.workspace.path / "cache").iterdir()), [])

    def test_a_key_file_put_in_place_before_the_sign_in(self):
        """It is not used: the store creates its own key."""
        state = self.workspace.path / "state/keyturn"
        state.mkdir(mode=0o700)
        known = os.urandom(32)
        for name in ("key", "AAAAAAAAAAAAAAAA.key"):
            path = state / f"com.microsoft.identity.universalstorage.db.{name}"
            path.write_bytes(known)
            path.chmod(0o600)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        keys = [path.read_bytes() for path in state.glob("*.key")]
        self.assertEqual(len(keys), 3)
        with contextlib.closing(sqlite3.connect(state / "com.microsoft.identity.universalstorage.db")) as database:
            [(parameters,)] = database.execute("SELECT parameters FROM data_key").fetchall()
        own = state / json.loads(parameters)["file"]
        self.assertNotEqual(own.read_bytes(), known)

    def test_a_replaced_store_is_rejected(self):
        """An earlier database, or one with a known key: exit status 7 until it is accepted, and nothing changes."""
        state = self.workspace.path / "state/keyturn"
        name = "com.microsoft.identity.universalstorage.db"

        def put(files):
            for path in state.glob(name + "-*"):
                path.unlink()
            for path in files:
                shutil.copy(path, state / path.name)

        def refused(words, *command):
            before = (state / name).read_bytes()
            ending = self.workspace.run(*command)
            self.assertEqual(ending.returncode, 7, ending)
            self.assertIn(words, ending.stderr)
            self.assertIn("keyturn check --accept-cache", ending.stderr)
            self.assertEqual((state / name).read_bytes(), before)

        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        theirs = self.workspace.path / "theirs"
        shutil.move(state, theirs)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        ours = self.workspace.path / "ours"
        shutil.copytree(state, ours)
        self.assertEqual(self.workspace.run("token", "--force-refresh").returncode, 0)

        put([ours / name])
        refused("older than the version recorded", "token", "--no-interaction")
        put([theirs / name, *theirs.glob("*.key")])
        refused("another key", "sign-in")
        refused("another key", "accounts")
        self.assertEqual(self.workspace.run("check", "--offline").returncode, 7)
        self.assertEqual(self.workspace.run("check", "--offline", "--accept-cache").returncode, 0)
        self.assertEqual(self.workspace.run("token", "--no-interaction").returncode, 0)

        put([])
        (state / name).write_bytes(b"")
        emptied = self.workspace.run("accounts")
        self.assertEqual(emptied.returncode, 7, emptied)
        self.assertIn("set-aside", emptied.stderr)


class TLSJourney(JourneyCase):
    def test_its_certificate_is_trusted_only_if_configured(self):
        authority = self.closing(start_authority(self.workspace, "--tls"))
        certificate = wait_until(
            lambda: re.search(r"--ca-file (/\S+)", "\n".join(authority.lines)), 10, lambda: authority.lines).group(1)
        self.configure_for_authority(authority.address)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        # The user's browser is Python, which takes its certificates from here.
        self.workspace.environment["SSL_CERT_FILE"] = certificate
        refused = self.workspace.run("sign-in", "--ca-file", "/etc/ssl/certs/ca-certificates.crt")
        self.assertEqual(refused.returncode, 6, refused.stderr)
        signed_in = self.workspace.run("sign-in", "--ca-file", certificate)
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.assertIn(person.ANN[0], signed_in.stdout)
        refresh = ["token", "--force-refresh", "--no-interaction"]
        system = {"SSL_CERT_FILE": "/etc/ssl/certs/ca-certificates.crt"}
        self.assertEqual(self.workspace.run(*refresh, **system).returncode, 6)
        self.configure_for_authority(authority.address, caFile=certificate)
        refreshed = self.workspace.run(*refresh, **system)
        self.assertEqual(refreshed.returncode, 0, refreshed.stderr)

    def test_one_bundle_holds_the_certificates_of_two_runs(self):
        authorities, bundle = [], ""
        for _ in range(2):
            authority = self.closing(start_authority(self.workspace, "--tls"))
            certificate = wait_until(
                lambda: re.search(r"--ca-file (/\S+)", "\n".join(authority.lines)), 10,
                lambda: authority.lines).group(1)
            authorities.append(authority.address)
            bundle += pathlib.Path(certificate).read_text()
        file = self.workspace.path / "bundle.pem"
        file.write_text(bundle)
        context = ssl.create_default_context(cafile=str(file))
        names = {tuple(certificate["subject"]) for certificate in context.get_ca_certs()}
        serials = {certificate["serialNumber"] for certificate in context.get_ca_certs()}
        self.assertEqual((len(names), len(serials)), (2, 2))
        for address in authorities:
            with urllib.request.urlopen(f"{address}/common/v2.0/.well-known/openid-configuration", context=context):
                pass

    def test_its_exit_status_after_a_signal(self):
        """A service manager stops it by SIGTERM, which is no failure."""
        for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            with self.subTest(number.name):
                self.assertEqual(start_authority(self.workspace).end(number), status)

    def test_it_stays_on_loopback_unless_configured(self):
        for arguments in (["--port", "0.0.0.0:8400"], ["--listen", "0.0.0.0:8400"]):
            with self.subTest(arguments=arguments):
                refused = self.workspace.run("authority", *arguments)
                self.assertEqual(refused.returncode, 2)
                self.assertIn("--listen", refused.stderr)


if __name__ == "__main__":
    unittest.main()
