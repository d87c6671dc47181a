"""Another local user, process or page against a waiting sign-in: none gets a token, none stops the wait, and none of
their text reaches the terminal raw."""

import os
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.hostile_authority import HostileAuthority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN


class HostileJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.use_recording_browser()
        self.authority = start_authority(self)

    def start_sign_in(self, redirect="http://127.0.0.1"):
        """A waiting sign-in: the process, the URL it opened, and the URL's parameters."""
        self.configure_for_authority(self.authority, redirectUri=redirect)
        process = subprocess.Popen(
            [str(KEYTURN), "sign-in"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        address = self.opened_address()
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        return process, address, query["redirect_uri"][0].removesuffix("/") + "/", query["state"][0]

    def assert_signs_in(self, process, address):
        person.walk(address, *person.ANN)
        output, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, errors)
        self.assertTrue(output.startswith(person.ANN[0]), output)
        return output + errors

    def is_answered(self, target):
        try:
            self.refused(target)
        except OSError:
            return False
        return True

    def refused(self, target, **options):
        """Sends one request that must be rejected; returns the response's fields and text."""
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(urllib.request.Request(target, **options), timeout=10)
        with refusal.exception as answer:
            self.assertIn(answer.code, range(400, 500))
            return answer.headers, answer.read().decode()

    def test_hitting_the_port_first_and_guessing_the_state(self):
        process, address, redirect, state = self.start_sign_in()
        guesses = ["", "x", state[:-1], state + "x", state.swapcase(), state[::-1]]
        guesses += [f"{number:064x}" for number in range(200)]
        for guess in guesses:
            self.refused(f"{redirect}?code=attacker&state={urllib.parse.quote(guess)}")
        self.refused(f"{redirect}?code=attacker")
        self.refused(f"{redirect}?code=attacker&state=1&state={state}x")
        self.assertNotIn("attacker", self.assert_signs_in(process, address))

    def test_replaying_the_redirect(self):
        process, address, redirect, state = self.start_sign_in()
        self.assert_signs_in(process, address)
        answer = f"{redirect}?code=again&state={state}"
        with self.assertRaises(OSError):
            urllib.request.urlopen(answer, timeout=10)
        # The next sign-in, even with the same port, does not accept the last one's response either.
        port = urllib.parse.urlsplit(redirect).port
        self.workspace.forget_browser()
        process, address, redirect, _ = self.start_sign_in(f"http://127.0.0.1:{port}")
        self.refused(answer)
        self.assert_signs_in(process, address)

    def test_rebound_name_and_posting_page(self):
        """A foreign page has its own name resolved to 127.0.0.1, or posts a form to it."""
        process, address, redirect, state = self.start_sign_in()
        answer = f"{redirect}?code=attacker&state={state}"
        port = urllib.parse.urlsplit(redirect).port
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"localhost:{port}@evil"):
            self.refused(answer, headers={"Host": host})
        form = urllib.parse.urlencode({"code": "attacker", "state": "guessed"}).encode()
        headers, _ = self.refused(redirect, data=form, headers={"Origin": "https://evil.example"})
        self.assertNotIn("Access-Control-Allow-Origin", headers)
        self.refused(redirect, method="OPTIONS", headers={
            "Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
        self.refused(redirect, data=b'{"state":"x"}', headers={"Content-Type": "application/json"})
        self.assert_signs_in(process, address)

    def test_silent_connections(self):
        process, address, redirect, _ = self.start_sign_in()
        port = urllib.parse.urlsplit(redirect).port
        held = []
        self.addCleanup(lambda: [one.close() for one in held])
        for number in range(10_000):
            one = socket.create_connection(("127.0.0.1", port), timeout=10)
            if number < 9_900:
                one.close()
            else:
                held.append(one)
        # As many threads as connections, to check that all are closed.
        wait_until(lambda: self.is_answered(redirect), 30, "the listener rejects every connection")
        self.assert_signs_in(process, address)

    def test_control_characters_in_the_error(self):
        process, _, redirect, state = self.start_sign_in()
        evil = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\u202e\r\nkeyturn: done\x00"
        query = urllib.parse.urlencode({
            "error": "server_error\x1b[31m", "error_description": evil, "error_uri": evil, "state": state})
        with urllib.request.urlopen(f"{redirect}?{query}", timeout=10) as page:
            shown = page.read().decode()
        self.assertNotIn("done", shown)
        output, errors = process.communicate(timeout=30)
        self.assertNotIn(process.returncode, (0, None))
        self.assertEqual(output, "")
        self.assertEqual([one for one in errors if one != "\n" and not one.isprintable()], [])
        # Its text cannot look like a line of the program either.
        self.assertNotIn("\nkeyturn: done", errors)

    @unittest.skipUnless(os.geteuid() == 0, "only root can act as another user")
    def test_another_user_at_the_socket(self):
        process, _, _, state = self.start_sign_in("msauth.org.keyturn.app://auth")
        sockets = list((self.workspace.path / "runtime/keyturn").glob("*.socket"))
        self.assertEqual(len(sockets), 1)
        self.assertEqual(sockets[0].stat().st_mode & 0o777, 0o600)
        self.assertEqual(sockets[0].parent.stat().st_mode & 0o777, 0o700)
        # Even with open folders: the kernel reports the user.
        for folder in [sockets[0].parent, *sockets[0].parent.parents][:3]:
            folder.chmod(0o755)
        sockets[0].chmod(0o666)
        attack = (
            "import os, socket, sys; os.setuid(65534); one = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET);"
            "one.connect(sys.argv[1]); one.send(sys.argv[2].encode()); print(one.recv(64))")
        answer = f"msauth.org.keyturn.app://auth?code=attacker&state={state}"
        result = subprocess.run(
            [sys.executable, "-c", attack, str(sockets[0]), answer], capture_output=True, text=True, timeout=30, check=False)
        self.assertNotIn("taken", result.stdout)
        self.assertTrue(result.stdout.strip() == "b''" or "Error" in result.stderr, result)
        self.assertIsNone(process.poll())


class MixUpJourney(JourneyCase):
    """A hostile authority names the page of the built-in one, where the user has an account."""

    INITIALIZE = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"c","version":"1"}}}\n')

    def setUp(self):
        super().setUp()
        self.authority = start_authority(self)
        self.workspace.use_person(*person.ANN)

    def hostile(self, promises_issuer, *takes):
        return self.closing(HostileAuthority(self.authority, promises_issuer, takes or ("token_endpoint",)))

    def test_no_code_reaches_a_hostile_authority(self):
        for promises_issuer in (False, True):
            for command in (
                ["sign-in", "--resource"], ["sign-in", "-q", "--resource"],
                ["sign-in", "--method", "device", "--resource"], ["token", "--resource"],
                ["token", "--no-interaction", "--resource"], ["call"], ["mcp"],
            ):
                with self.subTest(command, promises_issuer=promises_issuer):
                    hostile = self.hostile(promises_issuer)
                    result = self.workspace.run(*command, hostile.resource, input=self.INITIALIZE)
                    self.assertEqual(hostile.stolen, [], result.stderr)
                    self.assertNotEqual(hostile.log, [], result.stderr)
                    if command[0] != "mcp":
                        self.assertNotEqual(result.returncode, 0)
                    if not promises_issuer and "--no-interaction" not in command:
                        self.assertIn("to another authority", result.stdout + result.stderr)
                        self.assertNotIn("POST /register", " ".join(hostile.log))

    def test_other_endpoints_that_get_tokens(self):
        for endpoint in ("userinfo_endpoint", "revocation_endpoint", "pushed_authorization_request_endpoint"):
            for command in (["sign-in", "--resource"], ["sign-in", "--method", "device", "--resource"], ["call"]):
                with self.subTest(endpoint, command=command):
                    hostile = self.hostile(False, endpoint)
                    result = self.workspace.run(*command, hostile.resource)
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn("to another authority", result.stderr)
                    self.assertEqual([line for line in hostile.log if line.startswith("POST")], [])
                    self.assertEqual(hostile.stolen, [])

    def test_a_user_at_a_terminal_hears_who_gets_the_code(self):
        self.workspace.use_recording_browser()
        hostile = self.hostile(False)
        terminal = self.closing(PseudoTerminal(
            [KEYTURN, "sign-in", "--resource", hostile.resource], self.workspace.environment, columns=200))
        page, recipient = (urllib.parse.urlsplit(url).netloc for url in (self.authority, hostile.address))
        terminal.read_until(f"The page is at {page}, but {recipient} gets its codes or tokens.".encode())
        self.assertTrue(self.opened_address().startswith(self.authority))
        self.assertEqual(hostile.stolen, [])

    def test_check_finds_a_hostile_authority(self):
        hostile = self.hostile(False)
        result = self.workspace.run("check", "--resource", hostile.resource)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("can be another authority's", " ".join(result.stdout.split()))
        self.assertEqual(hostile.stolen, [])


if __name__ == "__main__":
    unittest.main()
