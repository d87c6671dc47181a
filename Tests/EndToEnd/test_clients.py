"""Foreign clients at the built-in authority: MSAL Python, and Authlib with every check on."""

import base64
import os
import re
import subprocess
import sys
import unittest
import urllib.parse
import warnings

from support import person
from support.case import JourneyCase
from support.challenging_api import ChallengingAPI
from support.msal_python import application
from support.provider import start_authority
from support.workspace import ROOT

REDIRECT_URI = "http://localhost:50123/"
CONTOSO = "0c047050-7a3e-4c1b-9d52-6f1e8a2b4c01"
AUTHLIB = ROOT / "Tests/EndToEnd/support/authlib_client.py"


class MSALPython(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.app = application(
            person.DEMO_CLIENT_ID, self.authority.address, "contoso", self.workspace.path / "python.json")

    def signed_in(self, scopes, **others):
        with warnings.catch_warnings():
            # It prefers form_post, which only a page of its own could receive.
            warnings.simplefilter("ignore")
            flow = self.app.initiate_auth_code_flow(scopes, redirect_uri=REDIRECT_URI, **others)
        address = flow["auth_uri"].replace("https://", "http://", 1)
        landing = person.landing_of(address, *person.ANN)
        answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landing).query))
        return self.app.acquire_token_by_auth_code_flow(flow, answer)

    def test_signs_in_refreshes_and_removes(self):
        result = self.signed_in(["User.Read"], login_hint=person.ANN[0])
        self.assertIn("access_token", result, result)
        self.assertEqual(result["id_token_claims"]["preferred_username"], person.ANN[0])

        account, = self.app.get_accounts()
        self.assertEqual(account["username"], person.ANN[0])
        cached = self.app.acquire_token_silent_with_error(["User.Read"], account)
        self.assertEqual(cached["token_source"], "cache")
        renewed = self.app.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
        self.assertEqual(renewed["token_source"], "identity_provider")
        self.assertNotEqual(renewed["access_token"], cached["access_token"])

        self.app.remove_account(account)
        self.assertEqual(self.app.get_accounts(), [])
        self.assertIsNone(self.app.acquire_token_silent_with_error(["User.Read"], account))

    def test_gets_missing_consent_and_claims_as_errors(self):
        self.signed_in(["User.Read"])
        account, = self.app.get_accounts()
        refused = self.app.acquire_token_silent_with_error(["Calendars.Read"], account)
        self.assertEqual(refused["error"], "invalid_grant")
        self.assertEqual(refused["suberror"], "consent_required")
        challenge = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
        refused = self.app.acquire_token_silent_with_error(["User.Read"], account, claims_challenge=challenge)
        self.assertEqual(refused["error"], "interaction_required")
        self.assertIn("c1", refused["claims"])

    def test_meets_the_same_challenge_as_this_program(self):
        api = self.closing(ChallengingAPI())
        self.configure_for_authority(self.authority.address, clientCapabilities=["CP1"])
        self.workspace.use_person(*person.ANN)
        first = self.workspace.run("token", seconds=90)
        self.assertEqual(first.returncode, 0, first.stderr)
        status, header = api.response(first.stdout.strip())
        self.assertEqual(status, 401)
        silent = self.workspace.run("token", "--challenge", header, "--no-interaction")
        self.assertEqual(silent.returncode, 4, silent.stderr)
        ours = self.workspace.run("token", "--challenge", header, seconds=90)
        self.assertEqual(ours.returncode, 0, ours.stderr)

        # MSAL Python takes the claims as JSON. This program takes the header as it is.
        [encoded] = re.findall(r'claims="([^"]+)"', header)
        challenge = base64.b64decode(encoded).decode()
        self.signed_in(["User.Read"])
        account, = self.app.get_accounts()
        refused = self.app.acquire_token_silent_with_error(["User.Read"], account, claims_challenge=challenge)
        self.assertEqual(refused["error"], "interaction_required")
        theirs = self.signed_in(["User.Read"], claims_challenge=challenge)
        for token in (ours.stdout.strip(), theirs["access_token"]):
            self.assertEqual(api.response(token), (200, None))

    def test_signs_in_with_a_device_code(self):
        flow = self.app.initiate_device_flow(["User.Read"])
        self.assertIn("user_code", flow, flow)
        person.enter_code(flow["verification_uri_complete"], *person.ANN)
        result = self.app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True)
        self.assertIn("access_token", result, result)


class Authlib(JourneyCase):
    def play(self, *arguments):
        authority = self.closing(start_authority(self.workspace, *arguments))
        issuer = f"{authority.address}/{CONTOSO}/v2.0"
        return subprocess.run(
            [sys.executable, AUTHLIB, issuer, person.DEMO_CLIENT_ID, REDIRECT_URI],
            # It uses loopback without TLS only if allowed.
            env={**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}, capture_output=True, text=True, timeout=60,
            check=False)

    def test_validates_everything(self):
        played = self.play()
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertEqual(
            played.stdout.split(), ["signed-in", "ann@contoso.example", "userinfo", "refreshed", "single-use"])

    def test_rejects_faults(self):
        """The faults are faults for it too, or its acceptance would prove nothing."""
        for fault in ("wrong-issuer", "wrong-audience", "wrong-nonce", "wrong-signature", "wrong-access-token-hash"):
            with self.subTest(fault=fault):
                played = self.play("--fault", fault)
                self.assertNotEqual(played.returncode, 0, played.stdout)
                self.assertRegex(played.stderr, r"(?i)claim|signature|mismatch")


if __name__ == "__main__":
    unittest.main()
