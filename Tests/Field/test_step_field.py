"""Sign-ins that are walked step by step, and authorities that accept what they must reject."""

import json

from field import CURL, FieldCase, complaint
from support import person
from support.lax_provider import LaxProvider
from support.provider import start_authority, start_provider
from support.stepping import HELD, StepCase


class StepRow(StepCase, FieldCase):
    def lax(self, *checks):
        provider = self.closing(LaxProvider(*checks))
        self.configure_for_provider(provider.issuer, cache={"key": "keyFile"})
        self.workspace._use_browser(CURL)
        return provider

    def mcp(self):
        self.workspace._use_browser(CURL)
        return self.closing(start_provider("mcp"))

    def walk(self, path, title, *words):
        """Changes the request to a path, lets the flow go on, and waits for these words."""
        terminal = self.step("--method", "browser", size=(120, 40))
        self.send_until(terminal, path)
        self.change(terminal, title)
        terminal.press("G")
        terminal.wait_for_words(*words, seconds=40)
        self.assertEqual(self.accounts(), [])
        return terminal.screen


class GuidedRow(StepRow):
    @complaint(
        "https://github.com/modelcontextprotocol/inspector/issues/2048",
        "The second version of a debugger lost its guided flow: a sign-in works or fails, and nobody sees at which step",
        "prints each request before it is sent and each response, from the server's 401 to the account")
    def test_each_step_of_a_server(self):
        server = self.mcp()
        lines = [json.loads(line) for line in self.succeed("step", server.address, "-o", "json", "--method", "browser").splitlines()]
        roles = [line["held"]["role"] for line in lines if "held" in line]
        self.assertEqual(roles[:2], ["api", "resourceMetadata"])
        self.assertIn("registration", roles)
        self.assertEqual(roles[-2:], ["authorize", "codeGrant"])
        self.assertIn("signedIn", lines[-1])

    @complaint(
        "https://github.com/MCPJam/inspector/pull/3183",
        "One click of a step-by-step debugger ran through several requests",
        "sends exactly one request for each n")
    def test_one_request_for_each_key(self):
        server = self.mcp()
        terminal = self.step(server.address, "--method", "browser")
        for number in range(2, 5):
            terminal.press("n")
            terminal.wait_for(f"held before request {number} ", HELD)

    @complaint(
        "https://github.com/MCPJam/inspector/issues/5469",
        "The debugger stays at its first step: the button sends no request, and nothing says why",
        "sends the first request without a token, and shows the 401")
    def test_the_first_request(self):
        server = self.mcp()
        terminal = self.step(server.address, "--method", "browser")
        terminal.press("n")
        terminal.wait_for("401", HELD)

    @complaint(
        "https://github.com/NUWCDIVNPT/stig-manager/pull/1456",
        "Only after a token request had failed could its parameters be read, with the codes and verifiers in full",
        "shows them before the request is sent, and what would give the account away stays hidden")
    def test_parameters_before_the_request(self):
        self.lax()
        terminal = self.step("--method", "browser", size=(120, 40))
        screen = self.send_until(terminal, "/token")
        self.assertRegex(screen, r"code +‹redacted›")
        self.assertRegex(screen, r"code_verifier +‹redacted›")
        self.assertIn("authorization_code", screen)

    @complaint(
        "https://github.com/obot-platform/obot/pull/6575",
        "The tokens of a debugger's walk replace those that the user has",
        "keeps nothing of a walk with a changed request: the account and its tokens stay as they are")
    def test_the_tokens_stay(self):
        provider = self.lax()
        self.succeed("sign-in", "--method", "browser")
        before = self.succeed("token", "--no-interaction")
        terminal = self.step("--method", "browser", size=(120, 40))
        self.send_until(terminal, "/token")
        self.change(terminal, "No verifier")
        terminal.press("G")
        terminal.wait_for_words("The authority accepted it, which it must not.")
        self.assertEqual(len(provider.redeemed), 2)
        self.assertEqual(self.succeed("token", "--no-interaction"), before)


class RejectionRow(StepRow):
    @complaint(
        "https://github.com/thephpleague/oauth2-server/issues/1323",
        "Without a challenge in the page's request, the authority redeems the code for any verifier (PKCE downgrade)",
        "finds it by the change \"No PKCE\", and names the section that demands a rejection")
    def test_a_downgrade(self):
        self.lax()
        screen = self.walk("/authorize", "No PKCE", "The authority accepted it, which it must not.")
        self.assertIn("RFC 9700 §4.8.2", screen)

    @complaint(
        "https://github.com/keycloak/keycloak/issues/26430",
        "The token endpoint accepts a verifier although the page's request had no challenge",
        "shows a rejection as the demanded one, so that a mended authority can be told from others")
    def test_no_downgrade(self):
        self.lax("code_verifier")
        self.walk("/authorize", "No PKCE", "The authority rejected it (invalid_grant), as it must.")

    @complaint(
        "https://github.com/obot-platform/mcp-oauth-proxy/pull/49",
        "A token request without a verifier is accepted, although the page's request had a challenge",
        "finds it by the change \"No verifier\"")
    def test_no_verifier(self):
        self.lax()
        self.walk("/token", "No verifier", "The authority accepted it, which it must not.")

    @complaint(
        "https://github.com/InsForge/insforge-mcp/issues/102",
        "A code can be redeemed again and again within five minutes",
        "sends the token request twice, and says that the second one must fail")
    def test_a_code_twice(self):
        provider = self.lax()
        self.walk("/token", "The code twice", "The authority accepted it, which it must not.")
        self.assertEqual(provider.redeemed, ["code-1", "code-1"])

    @complaint(
        "https://github.com/simpleidserver/SimpleIdServer/issues/88",
        "The second use of a code isn't denied, and its tokens aren't revoked",
        "shows that the second use is denied, which an authority must do")
    def test_a_code_once(self):
        self.lax("code")
        self.walk("/token", "The code twice", "The authority rejected it (invalid_grant), as it must.")

    @complaint(
        "https://github.com/pfzetto/axum-oidc/issues/28",
        "The provider rejects the token request with redirect_uri_mismatch, and the traffic of the program can't be seen",
        "shows the URI of the page and of the token request, and the provider's word when they differ")
    def test_a_redirect_uri(self):
        self.lax("redirect_uri")
        self.walk("/token", "Another redirect URI", "The authority rejected it (redirect_uri_mismatch), as it must.")

    @complaint(
        "https://github.com/gravitee-io/issues/issues/7728",
        "A desktop program opens the browser, and nobody sees the redirect URI of its request when the page rejects it",
        "shows the redirect URI before the page opens")
    def test_the_redirect_uri_of_the_page(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        terminal = self.step("--method", "browser", size=(120, 40))
        self.assertRegex(self.send_until(terminal, "/authorize"), r"redirect_uri +http://localhost:\d+")
