"""Only the authority decides about a sign-in: pages of what is in between, and rejected tokens, lose no account."""

import json
import unittest

from field import FieldCase, complaint
from strict_provider import StrictProvider
from support.authority import start_authority_process
from support.clock import Clock
from support.crowd import CLIENT_ID, unified_cache
from support.person import DEMO_CLIENT_ID

PAGE = "<html><title>Blocked</title><p>Request ID: 1</p></html>"
STATUSES = (200, 302, 401, 403, 404, 407, 502)


class Filtered(StrictProvider):
    """A provider behind a filter, which answers for the token endpoint while it has pages."""

    def __init__(self):
        super().__init__()
        self.pages = []
        self.requests = 0

    def token(self, handler, form):
        self.requests += 1
        if self.pages:
            return handler.answer(self.pages.pop(0), PAGE, "text/html")
        return super().token(handler, form)


class VerdictRow(FieldCase):
    @complaint(
        "https://github.com/planningcenter/developers/issues/1310",
        "A firewall answers some refreshes with 403 and a page. The program takes that for the server's word, and discards "
        "tokens that are valid",
        "A page is no verdict: exit status 6, and the next refresh succeeds with the same token")
    def test_a_page_at_a_refresh(self):
        provider = self.setUpProvider(Filtered())
        self.sign_in()
        for status in STATUSES:
            with self.subTest(status):
                provider.pages = [status]
                result = self.workspace.run("token", "--force-refresh", "--no-interaction")
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertNotIn("rejected", result.stderr)
                if status < 500:
                    self.assertIn("Something between you and", result.stderr)
                    self.assertIn('titled "Blocked"', " ".join(result.stderr.split()))
                self.assertEqual(provider.pages, [])
        self.succeed("token", "--no-interaction")
        self.refresh()
        self.assertEqual(provider.revoked, set())

    @complaint(
        "https://github.com/nicosuave/comradex/pull/56",
        "A refresh that is rejected for good disables the account, although its access token is valid for some minutes",
        "The token is given out until it expires, lists and claims show the account, and watch says that a sign-in is needed")
    def test_a_valid_token_after_a_rejected_refresh(self):
        provider = self.setUpProvider(StrictProvider(lifetime=100))
        self.sign_in()
        token = self.succeed("token", "--no-interaction")
        provider.valid.clear()
        clock = Clock(self.workspace.path / "clock")
        # In its last minute, it is refreshed before each use.
        clock.set(70)
        self.workspace.environment |= clock.environment
        for _ in range(2):
            self.assertEqual(self.succeed("token", "--no-interaction"), token)
        self.assertIn("ada", self.succeed("accounts"))
        self.assertIn("ada", self.succeed("claims"))
        self.assertIn("ada", self.succeed("complete", "--", "sign-out", ""))
        clock.set(200)
        requests = provider.refreshes
        told = self.workspace.run("claims", "--token", "id")
        self.assertEqual((told.returncode, provider.refreshes), (0, requests), told.stderr)
        result = self.workspace.run("token", "--no-interaction")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("ada", self.succeed("accounts"))
        self.assertIn("Removed ada", self.workspace.run("sign-out", "ada").stderr)

    @complaint(
        "https://github.com/planningcenter/developers/issues/1310",
        "The program forgets the account when a refresh is rejected, and then says that there is no such account",
        "On the screen and for watch, the account stays with its state, and its claims and valid token too")
    def test_the_screen_and_watch_after_a_rejected_refresh(self):
        provider = self.setUpProvider(StrictProvider(lifetime=100))
        self.sign_in()
        provider.valid.clear()
        clock = Clock(self.workspace.path / "clock")
        clock.set(70)
        self.workspace.environment |= clock.environment
        watch = self.start("watch")
        terminal = self.open_keyturn(shows="ada")
        for _ in range(2):
            terminal.press("R")
            terminal.wait_for("Sign in again?", "The account stays in the")
            terminal.press("Escape")
            terminal.wait_until_gone("Sign in again?")
            self.wait_for_account(terminal, "ada")
        terminal.press("Enter")
        terminal.wait_for("Claims of", "ada")
        self.close_claims(terminal)
        self.wait_for_account(terminal, "ada")
        self.assertNotIn("not found", terminal.screen)
        self.quit(terminal)
        watch.terminate()
        _, told = watch.communicate(timeout=60)
        self.assertIn("Watching 1 account", told)
        self.assertIn("ada", self.succeed("accounts"))
        self.assertTrue(self.succeed("token", "--no-interaction"))

    @complaint(
        "https://github.com/Kilo-Org/kilocode/pull/14056",
        "While the user signs in with a device code, one failed poll ends the sign-in",
        "Polling goes on until the code expires, with longer pauses, also after a page of a proxy")
    def test_pages_while_a_device_code_waits(self):
        provider = self.setUpProvider(Filtered())
        provider.pages = [403, 407]
        result = self.workspace.run("sign-in", "--method", "device")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(provider.requests, 3)

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/2294",
        "An error about one refresh token deletes the account from the cache, and programs lose it from their lists",
        "The account stays listed, and its access token is given out while it is valid")
    def test_imported_accounts_whose_refresh_tokens_are_rejected(self):
        origin, _ = start_authority_process(self)
        self.configure_for_authority(origin, cache={"key": "keyFile"})
        cache = unified_cache(50).replace("login.microsoftonline.com", origin.removeprefix("http://"))
        (self.workspace.path / "msal.json").write_text(cache.replace(CLIENT_ID, DEMO_CLIENT_ID))
        text = self.succeed("import", "unified", str(self.workspace.path / "msal.json"))
        self.assertIn("50 accounts: 50 imported. All are listed by 'keyturn accounts'.", " ".join(text.split()))
        for _ in range(2):
            accounts = json.loads(self.succeed("accounts", "-o", "json"))
            self.assertEqual(len(accounts), 50)
            for account in accounts[:3]:
                result = self.workspace.run(
                    "token", "--force-refresh", "--no-interaction", "--account", account["username"])
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertNotIn("not found", result.stderr)


if __name__ == "__main__":
    unittest.main()
