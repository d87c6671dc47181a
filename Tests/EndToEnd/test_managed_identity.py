"""Tokens for Azure SDKs, as from a managed identity of App Service."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import unittest
import urllib.parse

import requests

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.tokens import decoded
from support.waiting import wait_until
from support.workspace import KEYTURN

PATIENCE = 30
RESOURCE = "https://graph.microsoft.com"
SDK = f"""
import sys
from azure.identity import DefaultAzureCredential, ManagedIdentityCredential
for credential in (ManagedIdentityCredential(), DefaultAzureCredential()):
    token = credential.get_token("{RESOURCE}/.default")
    print(token.token[:3], token.expires_on)
try:
    ManagedIdentityCredential().get_token("https://vault.azure.net/.default")
except Exception as error:
    print(type(error).__name__, error.message.replace("\\n", " "))
"""
MSAL = f"""
import json, msal, requests
client = msal.ManagedIdentityClient(msal.SystemAssignedManagedIdentity(), http_client=requests.Session())
print(json.dumps(client.acquire_token_for_client(resource="{RESOURCE}")))
"""


class ManagedIdentityCase(JourneyCase):
    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def sign_in(self):
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)

    def serve(self, *arguments):
        """Starts the endpoint; returns its variables."""
        process = subprocess.Popen(
            [str(KEYTURN), "serve", "managed-identity", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.workspace.environment)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = [process.stdout.readline() for _ in range(4)]
        return dict(re.fullmatch(r"export (\w+)='(.*)'\n", line).groups() for line in lines)

    def within(self, *command, **environment):
        return self.workspace.run("serve", "managed-identity", "-q", "--", *command, **environment)


class ManagedIdentityJourney(ManagedIdentityCase):
    def get(self, variables, resource=RESOURCE, headers=None, version="2019-08-01", secret=None):
        query = urllib.parse.urlencode({"api-version": version, "resource": resource})
        return requests.get(
            f"{variables['IDENTITY_ENDPOINT']}?{query}",
            headers={"X-IDENTITY-HEADER": variables["IDENTITY_HEADER"] if secret is None else secret, **(headers or {})},
            timeout=PATIENCE)

    def test_azure_identity(self):
        self.sign_in()
        result = self.within(sys.executable, "-c", SDK, IMDS_ENDPOINT="http://127.0.0.1:1", http_proxy="http://127.0.0.1:1")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        for line in lines[:2]:
            self.assertRegex(line, r"^eyJ \d{10}$")
        self.assertRegex(lines[2], r"^CredentialUnavailableError .*No allowed scope belongs to https://vault\.azure\.net\.")

    def test_msal(self):
        self.sign_in()
        result = self.within(sys.executable, "-c", MSAL)
        answer = json.loads(result.stdout)
        self.assertRegex(answer["access_token"], "^eyJ")
        self.assertGreater(answer["expires_in"], 3000)

    def test_the_response(self):
        self.sign_in()
        variables = self.serve()
        self.assertEqual(variables["NO_PROXY"], variables["no_proxy"])
        self.assertIn("127.0.0.1", variables["NO_PROXY"])
        answer = self.get(variables)
        self.assertEqual(answer.status_code, 200)
        body = answer.json()
        self.assertEqual((body["resource"], body["token_type"]), (RESOURCE, "Bearer"))
        claims = decoded(body["access_token"].split(".")[1])
        # Counted from the arrival of the token.
        self.assertAlmostEqual(int(body["expires_on"]), claims["exp"], delta=5)
        self.assertIn("User.Read", claims["scp"])
        self.assertEqual(answer.headers["Cache-Control"], "no-store")

    def test_who_gets_nothing(self):
        self.sign_in()
        variables = self.serve()
        secret = variables["IDENTITY_HEADER"]
        for wanted, request in (
            (401, {"secret": ""}), (401, {"secret": secret[:-1]}), (401, {"secret": secret + "0"}),
            (403, {"headers": {"Origin": "https://evil.example"}}), (403, {"headers": {"X-Forwarded-For": "10.0.0.1"}}),
            (403, {"headers": {"Sec-Fetch-Site": "cross-site"}}), (421, {"headers": {"Host": "evil.example"}}),
            (421, {"headers": {"Host": "127.0.0.1"}}), (403, {"resource": "https://vault.azure.net"}),
            (403, {"resource": "https://graph.microsoft.com.evil.example"}), (403, {"resource": "https://graph"}),
            (400, {"resource": ""}), (400, {"version": "2017-09-01"}),
        ):
            answer = self.get(variables, **request)
            self.assertEqual(answer.status_code, wanted, request)
            self.assertEqual(answer.json()["statusCode"], wanted)
            self.assertGreater(len(answer.json()["message"]), 20)
            self.assertEqual([name for name in answer.headers if name.lower().startswith("access-control")], [])
        post = requests.post(variables["IDENTITY_ENDPOINT"], headers={"X-IDENTITY-HEADER": secret}, timeout=PATIENCE)
        self.assertEqual(post.status_code, 404)
        preflight = requests.options(
            variables["IDENTITY_ENDPOINT"], timeout=PATIENCE,
            headers={"Origin": "https://evil.example", "Access-Control-Request-Headers": "x-identity-header"})
        self.assertEqual(preflight.status_code, 403)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_another_user(self):
        self.sign_in()
        variables = self.serve()
        port = urllib.parse.urlsplit(variables["IDENTITY_ENDPOINT"]).port
        request = f"GET /msi/token?api-version=2019-08-01&resource={RESOURCE} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n" \
            f"X-IDENTITY-HEADER: {variables['IDENTITY_HEADER']}\\r\\n\\r\\n"
        script = f"import socket; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'{request}'); print(s.recv(99))"
        own = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertIn(" 200 ", own.stdout)
        other = subprocess.run(
            ["/usr/bin/python3", "-c", script], capture_output=True, text=True, check=False, user=65534, group=65534,
            extra_groups=[], cwd="/")
        self.assertNotIn("HTTP", other.stdout)

    def test_the_variables_of_another_identity(self):
        """An SDK must not find the endpoint or the secret of another identity, which it would ask first."""
        self.sign_in()
        others = {name: f"http://127.0.0.1:9/{name}" for name in (
            "MSI_ENDPOINT", "MSI_SECRET", "IMDS_ENDPOINT", "IDENTITY_SERVER_THUMBPRINT", "IDENTITY_ENDPOINT",
            "IDENTITY_HEADER")}
        seen = self.within(sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))", **others)
        variables = json.loads(seen.stdout)
        self.assertEqual({name for name in others if name in variables}, {"IDENTITY_ENDPOINT", "IDENTITY_HEADER"})
        self.assertFalse(set(variables.values()) & set(others.values()))

    def test_nothing_runs_without_a_sign_in(self):
        failed = self.workspace.run("serve", "managed-identity", "--no-interaction", "--", "echo", "ran")
        self.assertEqual((failed.returncode, failed.stdout), (4, ""))

    def test_a_closed_endpoint_of_a_program_that_stays(self):
        """From the signal on, it gives no token, and its program is ended after a while."""
        self.sign_in()
        first, refused = self.workspace.path / "first", self.workspace.path / "refused"
        ask = (
            "curl -sf -o /dev/null -m 5 -H \"X-IDENTITY-HEADER: $IDENTITY_HEADER\" "
            f"\"$IDENTITY_ENDPOINT?api-version=2019-08-01&resource={RESOURCE}\"")
        program = (
            f"trap '' TERM; {ask} && touch {first}; while {ask}; do sleep 0.1; done; touch {refused}; "
            "while :; do sleep 0.1; done")
        process = subprocess.Popen(
            [str(KEYTURN), "serve", "managed-identity", "-q", "--", "sh", "-c", program], stdin=subprocess.DEVNULL,
            env=self.workspace.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(first.exists, PATIENCE, "the program gets no token")
        self.assertFalse(refused.exists())
        process.send_signal(signal.SIGTERM)
        wait_until(refused.exists, PATIENCE, "the endpoint stays open")
        self.assertEqual(process.wait(timeout=PATIENCE), 128 + signal.SIGKILL)

    def test_the_status_of_the_program(self):
        self.sign_in()
        self.assertEqual(self.within("sh", "-c", "exit 7").returncode, 7)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            failed = self.workspace.run("serve", "managed-identity", "--port", str(port), "--", "echo", "ran")
        self.assertEqual((failed.returncode, failed.stdout), (1, ""))
        self.assertIn(f"Port {port} of 127.0.0.1 is taken", failed.stderr)


if __name__ == "__main__":
    unittest.main()
