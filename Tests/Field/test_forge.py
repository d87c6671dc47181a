"""Servers without OpenID Connect, such as GitHub: what went wrong with other clients there."""

import json

from field import FieldCase, complaint
from support.forge_server import ForgeServer


class ForgeRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.forge = ForgeServer()
        self.addCleanup(self.forge.close)
        self.forge.first = []
        self.configure()

    def configure(self, **others):
        self.workspace.configure(**self.forge.profile(**others))

    def keyturn(self, *arguments):
        return self.workspace.run(*arguments)

    def enter(self):
        result = self.keyturn("sign-in", "--method", "device")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def headers(self, path):
        return next(headers for seen, _, headers in self.forge.seen if seen == path)

    @complaint(
        "https://github.com/cmd-johnson/deno-oauth2-client/issues/25",
        "The server rejects the client with status 200. The client says that the access token is missing",
        "A body with error is an error, whatever the status, and its code and description are shown")
    def test_an_error_with_status_200(self):
        self.forge.first = ["incorrect_client_credentials"]
        failed = self.keyturn("sign-in", "--method", "device")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("incorrect_client_credentials", failed.stderr)

    @complaint(
        "https://github.com/octokit/auth-oauth-app.js/issues/13",
        "An expired code gets an answer with status 200, which counts as a success without a token",
        "It is an error, and nothing is cached")
    def test_an_expired_code(self):
        self.forge.first = ["bad_verification_code"]
        self.assertNotEqual(self.keyturn("sign-in", "--method", "device").returncode, 0)
        self.assertEqual(json.loads(self.keyturn("accounts", "-o", "json").stdout), [])

    @complaint(
        "https://github.com/classmethod/aurl/issues/5",
        "The token comes as a form. The client expects JSON and fails at its first letter",
        "A form is read like JSON")
    def test_a_form(self):
        self.forge.sends_json = False
        self.enter()
        self.assertEqual(self.keyturn("token").stdout, "gho_1\n")

    @complaint(
        "https://github.com/ciaranj/node-oauth/pull/279",
        "The client doesn't ask for JSON, so it gets a form",
        "Each request for tokens and codes accepts JSON")
    def test_json_is_asked_for(self):
        self.enter()
        for path in ("/login/device/code", "/login/oauth/access_token"):
            self.assertEqual(self.headers(path)["Accept"], "application/json")

    @complaint(
        "https://github.com/sergiodxa/remix-auth-github/issues/41",
        "The tokens have no expires_in, and the client fails",
        "The token counts as valid, and the list says that there is no expiry")
    def test_no_expiry(self):
        self.enter()
        self.assertIn("valid, no expiry", self.keyturn("accounts").stdout)
        self.assertNotIn("expiresOn", json.loads(self.keyturn("token", "-o", "json").stdout))

    @complaint(
        "https://github.com/johnstonskj/simple-oauth2/pull/1",
        "There is no refresh token, and the client fails when it saves it",
        "A sign-in without a refresh token is complete")
    def test_no_refresh_token(self):
        self.enter()
        self.assertEqual(self.keyturn("token", "--no-interaction").returncode, 0)
        self.assertEqual(self.keyturn("token", "--no-interaction", "--force-refresh").returncode, 4)

    @complaint(
        "https://github.com/databk/rustdesk-console/pull/93",
        "The client wants an ID token and its sub. The server has neither, so each sign-in fails",
        "The account is named by the server's API; lists and claims say that nothing proves it")
    def test_no_id_token(self):
        self.enter()
        account = json.loads(self.keyturn("accounts", "-o", "json").stdout)[0]
        self.assertEqual(account["username"], "ann-forge")
        self.assertTrue(account["identifier"].startswith("4711."))

    @complaint(
        "https://github.com/softwerkskammer/Agora/issues/145",
        "The API that names the user rejects requests without a User-Agent, after the sign-in",
        "The request has one")
    def test_a_user_agent(self):
        self.enter()
        self.assertIn("User-Agent", self.headers("/api/user"))

    @complaint(
        "https://github.com/Arksine/moonraker/pull/1035",
        "The server has no metadata and no keys, which the client needs for the device flow",
        "The endpoints of the configuration are enough: no metadata and no keys are requested")
    def test_no_metadata(self):
        self.enter()
        paths = {path for path, _, _ in self.forge.seen}
        self.assertEqual(paths, {"/login/device/code", "/login/oauth/access_token", "/api/user"})

    @complaint(
        "https://github.com/travisghansen/external-auth-server/issues/120",
        "What names the user is known for one server only",
        "The configuration has the address and the member")
    def test_another_member(self):
        self.forge.account = {"uid": "u-1", "mail": "ann@forge.example"}
        self.configure(endpoints={**self.forge.endpoints, "accountMember": "mail"})
        self.enter()
        self.assertEqual(json.loads(self.keyturn("accounts", "-o", "json").stdout)[0]["username"], "ann@forge.example")
