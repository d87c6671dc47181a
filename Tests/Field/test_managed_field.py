"""Servers to which the user's organisation grants access (enterprise-managed authorization), at the built-in authority: Contoso is the
organisation, and Fabrikam's authority issues the tokens of `/api/team`."""

import json

from field import FieldCase, complaint
from support import person
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.workspace import KEYTURN

CONTOSO = "0c047050-7a3e-4c1b-9d52-6f1e8a2b4c01"
FABRIKAM = "fab71ca3-51d8-4f0e-8b6a-2c9d7e3f5a02"
NO_BROWSER = {"BROWSER": "/nonexistent"}


class ManagedServerRow(FieldCase):
    def start(self, *faults, issuer=FABRIKAM, **server):
        arguments = [word for fault in faults for word in ("--fault", fault)]
        self.provider = self.closing(start_authority(self.workspace, *arguments))
        self.origin = self.provider.address
        self.team = ("--resource", f"{self.origin}/api/team")
        self.configure(issuer, **server)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def configure(self, issuer=FABRIKAM, profile=(), **server):
        self.workspace.configure(
            clientId=person.DEMO_CLIENT_ID, authority=f"{self.origin}/{CONTOSO}/v2.0", authorityType="oidc",
            cache={"key": "keyFile"}, scopes=["User.Read"], managedServers={self.origin: {
                "authority": f"{self.origin}/{issuer}/v2.0", "clientId": person.DEMO_CLIENT_ID, **server}}, **dict(profile))

    def fail(self, status, *words):
        result = self.workspace.run("token", *self.team)
        self.assertEqual(result.returncode, status, result.stderr)
        for word in words:
            self.assertIn(word, " ".join(result.stderr.split()))
        self.assertNotIn("eyJ", result.stderr + result.stdout)
        return result

    @complaint(
        "https://github.com/stacklok/toolhive/issues/5218",
        "A user of several servers that the organisation manages signs in and consents once for each, though all trust the organisation",
        "One sign-in at the organisation gives each server's token, with its account. No page of the server's authority opens")
    def test_one_sign_in(self):
        self.start()
        self.succeed("sign-in", *self.team)
        header = self.succeed("token", *self.team, "--no-interaction", "-o", "header")
        called = self.succeed("call", f"{self.origin}/api/team", "--no-interaction", **NO_BROWSER)
        self.assertEqual(json.loads(called)["username"], "ann@contoso.example")
        # A profile, scopes or an account on the command line don't change whose token the server gets.
        for named in (("--profile", "test"), ("--scope", "User.Read"), ("--account", "ann@contoso.example")):
            named += (f"{self.origin}/api/team", "--no-interaction")
            self.assertEqual(json.loads(self.succeed("call", *named, **NO_BROWSER))["username"], "ann@contoso.example")
        curl = ("--", "sh", "-c", 'curl -sf --noproxy "*" $KEYTURN_GATE_URL')
        gate = self.succeed("gate", "--profile", "test", f"{self.origin}/api/team", "--no-interaction", *curl, **NO_BROWSER)
        self.assertIn("ann@contoso.example", gate)
        # The organisation's ID token lets its holder sign in as the user at each server.
        self.configure(profile={"token": "id"})
        self.assertEqual(self.succeed("token", *self.team, "--no-interaction", "-o", "header"), header)
        self.configure()
        self.assertNotEqual(self.succeed("token", *self.team, "--force-refresh", "--no-interaction", "-o", "header"), header)
        self.assertIn("ann@contoso.example", self.succeed("accounts"))
        self.succeed("sign-out", "ann@contoso.example")
        self.assertEqual(self.workspace.run("token", *self.team, "--no-interaction").returncode, 4)

    @complaint(
        "https://github.com/oktadev/okta-cross-app-access-mcp/issues/10",
        "The organisation's assertion names another client than the one that redeems it. The error is a mismatch, with no word of whose",
        "The error says that the server's authority rejected the organisation's assertion, why, and which setting to compare")
    def test_an_assertion_for_another_client(self):
        self.start("assertion-of-another-client")
        self.fail(1, "The server's authority", "rejected your organisation's assertion", "another client", "clientId in managedServers")

    @complaint(
        "https://github.com/keycloak/keycloak/pull/50288",
        "An organisation's authority allows no audience by default, so the exchange fails until an administrator allows it",
        "The error says that the organisation gives no access, and whom to ask. The sign-in stays, for the next attempt")
    def test_an_organisation_that_refuses(self):
        self.start("assertion-refused")
        self.fail(1, "Your organisation's authority", "administrator")
        self.assertIn("ann@contoso.example", self.succeed("accounts"))
        again = self.workspace.run("token", *self.team, **NO_BROWSER)
        self.assertIn("Your organisation's authority", again.stderr)

    @complaint(
        "https://github.com/JanssenProject/jans/pull/14178",
        "An authority takes an assertion for an audience that only begins with its issuer",
        "An assertion for any other audience than the issuer in the profile isn't sent")
    def test_an_assertion_for_another_audience(self):
        self.start("assertion-for-another")
        self.fail(3, "https://elsewhere.example", "Nothing was sent")

    @complaint(
        "https://github.com/Cloudgeni-ai/opengeni/issues/2191",
        "Metadata that contradicts the configuration is used, or the client falls back to a weaker way",
        "If the server's metadata doesn't name the authority of the profile, nothing is sent to either")
    def test_metadata_against_the_profile(self):
        self.start(issuer=CONTOSO)
        result = self.workspace.run("sign-in", *self.team)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("managedServers", result.stderr)
        self.assertIn("Nothing was sent to either", result.stderr)

    @complaint(
        "https://github.com/apify/mcpc/pull/318",
        "After the organisation's session has ended, each call fails without a hint to sign in again",
        "Without a terminal, the command ends with exit status 4 and says which command signs in")
    def test_a_session_that_has_ended(self):
        self.start()
        self.succeed("sign-in", *self.team)
        self.succeed("remove", "ann@contoso.example")
        result = self.workspace.run("token", *self.team, "--no-interaction")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("keyturn sign-in", result.stderr)

    @complaint(
        "https://github.com/stacklok/toolhive-studio/issues/899",
        "The client asks for a secret, and names neither the client nor the server that it belongs to",
        "The question names the client and its authority. For a managed server, the error says where its secret belongs")
    def test_whose_secret(self):
        self.start()
        result = self.workspace.run("sign-in", *self.team, "--enter-client-secret", input="a-chat-servers-secret\n")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("clientSecret in managedServers", result.stderr)
        self.configure(clientSecret={"file": "chat.secret"})
        self.fail(3, "config/keyturn/chat.secret is missing")
        terminal = self.closing(
            PseudoTerminal([KEYTURN, "sign-in", "--enter-client-secret"], self.workspace.environment, columns=500))
        terminal.read_until(f"Client secret of {person.DEMO_CLIENT_ID} at {self.origin}/{CONTOSO}/v2.0 (not shown): ".encode())
