"""One-time secrets of a sign-in (codes, refresh tokens) are sent once, only to the authority's current endpoint."""

import collections
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse

from support import person
from support.authority import start_authority_process
from support.case import JourneyCase
from support.secure_provider import SecureProvider, make_authority
from support.waiting import wait_until
from support.workspace import KEYTURN

NOBODY = 65534


class SpendingJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        make_authority(self.workspace.path)
        self.provider = self.closing(SecureProvider(self.workspace.path))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"})

    def keyturn(self, *arguments, status=0, **environment):
        """Runs a command; returns the number of requests for each path, and the result."""
        self.provider.paths.clear()
        result = self.workspace.run(*arguments, "--ca-file", str(self.workspace.path / "ca.pem"), **environment)
        self.assertEqual(result.returncode, status, result.stderr)
        return collections.Counter(self.provider.paths), result

    def sign_in(self, **environment):
        return self.keyturn("sign-in", "--method", "device", **environment)

    def refresh(self, status=0):
        return self.keyturn("token", "--force-refresh", "--no-interaction", status=status)

    def test_a_server_that_closes_kept_connections(self):
        self.provider.closes_kept_connections = True
        asked, _ = self.sign_in()
        self.assertEqual((asked["/device"], asked["/token"]), (1, 1))
        asked, _ = self.refresh()
        self.assertEqual(asked, {"/token": 1})

    def test_a_server_in_trouble(self):
        self.sign_in()
        for status in (500, 502, 503, 504):
            with self.subTest(status):
                self.provider.statuses["/token"] = status
                self.provider.paths.clear()
                result = self.workspace.run(
                    "token", "--force-refresh", "--no-interaction", "--ca-file", str(self.workspace.path / "ca.pem"))
                self.assertNotEqual(result.returncode, 0)
                self.assertEqual(self.provider.paths, ["/token"])

    def test_a_token_endpoint_that_has_moved(self):
        self.sign_in()
        documents, discovery = self.provider.documents, "/.well-known/openid-configuration"
        described = documents[discovery]
        documents[discovery] = lambda: {**described(), "token_endpoint": f"{self.provider.issuer}/token2"}
        documents["/token2"] = documents["/token"]
        self.provider.statuses["/token"] = 404
        asked, _ = self.refresh()
        self.assertEqual(asked, {"/token": 1, discovery: 1, "/token2": 1})
        asked, _ = self.refresh()
        self.assertEqual(asked, {"/token2": 1})

    def test_a_token_endpoint_that_has_moved_to_another_server(self):
        self.sign_in()
        other = self.closing(SecureProvider(self.workspace.path))
        documents, discovery = self.provider.documents, "/.well-known/openid-configuration"
        described = documents[discovery]
        documents[discovery] = lambda: {**described(), "token_endpoint": f"{other.issuer}/token"}
        self.provider.statuses["/token"] = 404
        asked, result = self.refresh(status=6)
        self.assertEqual(asked, {"/token": 1, discovery: 1})
        self.assertEqual(other.paths, [])
        self.assertIn(f"moved to {other.issuer}", result.stderr)

    def test_a_key_replaced_under_its_name(self):
        self.sign_in()
        self.provider.replace_key()
        asked, _ = self.refresh()
        self.assertEqual(asked, {"/token": 1, "/.well-known/openid-configuration": 1, "/keys": 1})
        # `check` sends new requests, and leaves the cached documents unchanged.
        self.provider.replace_key()
        self.workspace.run("check", "--ca-file", str(self.workspace.path / "ca.pem"))
        asked, _ = self.refresh()
        self.assertEqual(asked, {"/token": 1, "/.well-known/openid-configuration": 1, "/keys": 1})

    def test_cached_documents_of_an_authority_are_encrypted(self):
        self.sign_in()
        self.assertEqual(list((self.workspace.path / "cache").iterdir()), [])
        kept = [one for one in (self.workspace.path / "state").rglob("*") if one.is_file()]
        self.assertTrue(kept)
        for one in kept:
            self.assertNotIn(f"{self.provider.issuer}/authorize".encode(), one.read_bytes(), one)

    def test_tls_keys_are_written_to_no_file(self):
        file = self.workspace.path / "tls-keys"
        _, result = self.sign_in(SSLKEYLOGFILE=str(file))
        self.assertIn("Ignored SSLKEYLOGFILE", result.stderr)
        self.assertFalse(file.exists())


class LoopbackJourney(JourneyCase):
    def sign_in_at_local_authority(self):
        origin, process = start_authority_process(self)
        self.workspace.use_recording_browser()
        self.configure_for_authority(origin, redirectUri="http://127.0.0.1", cache={"key": "keyFile"})
        signing_in = subprocess.Popen(
            [str(KEYTURN), "sign-in"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment)
        self.addCleanup(signing_in.kill)
        person.walk(self.opened_address(), *person.ANN)
        _, errors = signing_in.communicate(timeout=30)
        self.assertEqual(signing_in.returncode, 0, errors)
        return origin, process

    @unittest.skipUnless(os.geteuid() == 0, "only root can act as another user")
    def test_another_user_takes_the_port_of_a_local_authority(self):
        origin, process = self.sign_in_at_local_authority()
        seen = self.give_port_to_stranger(origin, process)
        result = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("another user's process", result.stderr)
        self.assertEqual(seen.read_bytes(), b"")

    @unittest.skipUnless(os.geteuid() == 0, "only root can act as another user")
    def test_no_page_of_another_users_process_is_opened(self):
        # Caches the metadata, so that the sign-in sends no request before it opens the page.
        origin, process = self.sign_in_at_local_authority()
        (self.workspace.path / "opened").unlink()
        seen = self.give_port_to_stranger(origin, process)
        for status, *arguments in (
            (3, "sign-in"), (3, "sign-in", "--method", "paste"), (3, "sign-in", "--method", "device"), (3, "check"),
        ):
            with self.subTest(arguments):
                result = self.workspace.run(*arguments)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                said = " ".join((result.stdout + result.stderr).split())
                self.assertIn("another user's process", said)
                self.assertIn("Stop that process", said)
                self.assertNotIn("/authorize?", said)
        self.assertIsNone(self.workspace.opened_address)
        self.assertEqual(seen.read_bytes(), b"")

    def give_port_to_stranger(self, origin, process):
        """Ends the authority, and lets another user's server listen on its port. Returns the file of what it gets."""
        process.terminate()
        process.wait()
        seen = pathlib.Path("/tmp") / f"keyturn-seen-{os.getpid()}"
        seen.unlink(missing_ok=True)
        self.addCleanup(lambda: seen.unlink(missing_ok=True))
        port = urllib.parse.urlsplit(origin).port
        stranger = subprocess.Popen([sys.executable, "-c", STRANGER, str(port), str(seen), str(NOBODY)])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        wait_until(seen.exists, 15, "the other user's server does not listen")
        return seen


# Accepts every connection as another user, and records the data.
STRANGER = """
import os, socket, sys
os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[3]))
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
with open(sys.argv[2], "ab", buffering=0) as seen:
    while True:
        connection, _ = listener.accept()
        connection.settimeout(2)
        try:
            seen.write(connection.recv(65536))
        except OSError:
            pass
        connection.close()
"""


if __name__ == "__main__":
    unittest.main()
