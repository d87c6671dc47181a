"""A wrong set-up on the screen: what happened, why, and what next."""

import json
import resource
import subprocess
import unittest
import urllib.error
import urllib.parse

from support import person
from support.case import JourneyCase
from support.clock import Clock
from support.provider import PageServer, make_self_signed_certificate, start_authority
from support.workspace import KEYTURN


class ProblemJourney(JourneyCase):
    def sign_in_fails(self, title, reason, next_step):
        """Signs in, waits for the screen that explains, and checks that the program continues."""
        terminal = self.open_keyturn()
        terminal.press("i")
        terminal.wait_for_words(f"✗ {title} " + (f"Why {reason}" if reason else ""), f"Next {next_step} Enter", seconds=40)
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)
        self.assert_sane(terminal)
        self.assert_no_secrets(terminal)

    def test_too_few_descriptors(self):
        """The error reads like any other failure."""
        for limit in (4, 5, 6):
            with self.subTest(limit):
                refused = subprocess.run(
                    [KEYTURN, "--version"], capture_output=True, text=True, env=self.workspace.environment, timeout=20,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
                )
                self.assertEqual((refused.returncode, refused.stdout), (1, ""))
                self.assertIn("Too many open files", refused.stderr)
                self.assertIn("ulimit -n", refused.stderr)

    def test_an_unreachable_host(self):
        # Port 1 on loopback: no listener, so connections are rejected at once.
        self.configure_for_provider("http://127.0.0.1:1")
        self.sign_in_fails(
            "Can't reach 127.0.0.1:1.",
            "Connection refused.",
            "Check the network and the URL, then try again.",
        )

    def test_a_host_that_does_not_exist(self):
        self.configure_for_provider("https://login.keyturn.invalid")
        self.sign_in_fails(
            "Can't resolve login.keyturn.invalid (DNS).",
            "",
            "Check the spelling of the URL, and the network.",
        )

    def test_an_untrusted_certificate(self):
        make_self_signed_certificate(self.workspace.path)
        server = self.closing(PageServer(tls_folder=self.workspace.path))
        self.configure_for_provider(server.address)
        self.sign_in_fails(
            "The server's certificate isn't trusted.",
            f"The certificate of localhost:{server.port} isn't trusted: ",
            "Check the URL. If your organisation runs its own certificate authority, pass its file.",
        )

    def test_a_server_that_is_not_an_authority(self):
        server = self.closing(PageServer())
        self.configure_for_provider(server.address)
        self.sign_in_fails(
            "Can't verify the authority.",
            "The authority's metadata is invalid: it is a web page.",
            f"Open {server.address}/.well-known/openid-configuration in a browser: a proxy or a login page may respond "
            "instead of the authority.",
        )

    def test_a_busy_server(self):
        """It says when to try again, and so do the command and the screen."""
        server = self.closing(PageServer(page="", status=429, fields=[("Retry-After", "600")]))
        self.configure_for_provider(server.address)
        failed = self.workspace.run("sign-in", "-o", "json")
        self.assertEqual(failed.returncode, 6, failed.stderr)
        error = json.loads(failed.stderr.splitlines()[-1])["error"]
        self.assertEqual((error["kind"], error["retryAfter"]), ("unavailable", 600))
        self.assertEqual(error["nextStep"], "Try again in 600 s.")
        terminal = self.open_keyturn()
        terminal.press("i")
        terminal.wait_for(f"✗ 127.0.0.1:{server.port} is busy (HTTP 429).", "Try again in 9:", seconds=40)
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_a_wrong_client_id(self):
        """The authority shows the error in the browser, as it must; the program keeps waiting and can be stopped."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, clientId="00000000-0000-0000-0000-00000000dead")
        self.workspace.use_recording_browser()
        clock = Clock(self.workspace.path / "clock")
        clock.set(0)
        self.workspace.environment |= clock.environment
        terminal = self.open_keyturn()
        terminal.press("i")
        address = self.opened_address()
        self.assertIn("00000000-0000-0000-0000-00000000dead", urllib.parse.unquote(address))
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            person.walk(address, *person.ANN)
        with refusal.exception as page:
            self.assertEqual(page.code, 400)
            self.assertIn("AADSTS700016", page.read().decode())
        clock.set(31)
        terminal.wait_for_words(
            "If the sign-in page rejects the redirect URI, register this one for client ID "
            "00000000-0000-0000-0000-00000000dead:"
        )
        redirect = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["redirect_uri"][0]
        port = urllib.parse.urlsplit(redirect).port
        terminal.wait_for_words(
            redirect, f"Register it without the port if the authority accepts any port. If not, always sign in with --listen {port}.")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_a_password_in_the_authority(self):
        """It is rejected, and no command or screen shows it."""
        self.configure_for_authority("https://ann:hunter2@login.keyturn.invalid/common")
        for command in ("token", "accounts", "check", "check --offline", "report"):
            shown = self.workspace.run(*command.split())
            self.assertNotIn("hunter2", shown.stdout + shown.stderr, command)
        self.assertIn("contains a username or password", self.workspace.run("accounts").stderr)
        for option in ("--authority", "--resource"):
            for address in ("https://ann:hunter2@login.keyturn.invalid/t", "http://ann:hunter2@login.keyturn.invalid:99999/"):
                shown = self.workspace.run("sign-in", "--client-id", "x", option, address)
                self.assertNotEqual(shown.returncode, 0)
                self.assertNotIn("hunter2", shown.stdout + shown.stderr, f"{option} {address}")
        terminal = self.open_terminal()
        terminal.start(KEYTURN, stderr=self.stderr)
        terminal.wait_for("contains a username or password")
        self.assertNotIn("hunter2", terminal.screen)
        terminal.press("q")
        terminal.wait_for_prompt()

    def test_a_redirect_uri_that_the_library_rejects(self):
        self.configure_for_authority("https://login.keyturn.invalid", redirectUri="unregistered://auth")
        self.start_problem(r"(?i)redirect", r"unregistered")

    def test_a_configuration_with_a_mistake(self):
        self.workspace.configure(clientID="x", authority="https://login.keyturn.invalid")
        self.start_problem(r"✗ The configuration is invalid\.", r"clientID: unknown key\. Did you")

    def start_problem(self, *expected):
        """The program opens on a screen that explains, and ends on q."""
        terminal = self.open_terminal()
        terminal.start(KEYTURN, stderr=self.stderr)
        for pattern in expected:
            terminal.wait_for_match(pattern)
        terminal.press("q")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)
        self.assert_no_secrets(terminal)


if __name__ == "__main__":
    unittest.main()
