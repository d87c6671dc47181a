"""`keyturn step`: a real sign-in that holds each request, at the built-in authority and at foreign ones."""

import json
import pathlib
import re
import subprocess

from support import person
from support.authority import start_authority
from support.lax_provider import LaxProvider
from support.provider import DjangoProviders, start_provider
from support.stepping import HELD, StepCase
from support.workspace import KEYTURN

EVIDENCE = pathlib.Path(__file__).parents[1] / "DiagnosisTests/Explanation/Evidence"
# A browser without pages: the server redirects at once.
CURL = 'exec curl --noproxy "*" --silent --location --output /dev/null "$1"'


class BuiltInAuthorityJourney(StepCase):
    def setUp(self):
        super().setUp()
        self.configure_for_authority(start_authority(self))

    def test_a_whole_sign_in(self):
        for size in self.sizes:
            with self.subTest(size=size):
                self.workspace.use_person(*person.ANN)
                terminal = self.step("--method", "browser", size=size)
                self.send_until(terminal, "/oauth2/v2.0/token")
                self.assertEqual(self.accounts(), [])
                terminal.press("n")
                terminal.wait_for("The flow has ended: succeeded.")
                terminal.press("Escape")
                self.wait_for_claims(terminal)
                self.close_claims(terminal)
                self.remove_account(terminal, *person.ANN[:1])
                self.quit(terminal)
                self.assert_sane(terminal)
                self.assert_no_secrets(terminal)

    def test_a_device_code(self):
        terminal = self.step("--method", "device")
        self.send_until(terminal, "/devicecode")
        terminal.press("n")
        self.enter_code(terminal.wait_for("Enter ", "at http"))
        terminal.wait_for(HELD)
        terminal.press("G")
        terminal.wait_for("The flow has ended: succeeded.")
        self.assertEqual(len(self.accounts()), 1)
        terminal.press("q")

    def test_a_small_window(self):
        terminal = self.step("--method", "device", size=(40, 12))
        terminal.press("n")
        terminal.wait_for(HELD)

    def test_ctrl_c_while_a_code_is_held(self):
        """The code isn't sent, and the program goes on."""
        self.workspace.use_person(*person.ANN)
        terminal = self.step("--method", "browser")
        self.send_until(terminal, "/oauth2/v2.0/token")
        terminal.press("C-c")
        terminal.wait_for("Cancelled")
        self.quit(terminal)
        self.assertEqual(self.accounts(), [])

    def test_a_profile_that_does_not_exist(self):
        result = self.workspace.run("step", "nowhere", "-o", "json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("nowhere", result.stderr)

    def test_lines_of_json(self):
        self.workspace.use_person(*person.ANN)
        result = self.workspace.run("step", "-o", "json", "--method", "browser")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        held = [line["held"]["role"] for line in lines if "held" in line]
        self.assertEqual(held[-2:], ["authorize", "codeGrant"])
        answers = [line["exchange"] for line in lines if "exchange" in line]
        self.assertEqual([a["status"] for a in answers if a["role"] == "codeGrant"], [200])
        self.assertEqual(lines[-1]["signedIn"]["username"], person.ANN[0])
        # Each request is told before its response.
        token = next(i for i, line in enumerate(lines) if line.get("held", {}).get("role") == "codeGrant")
        self.assertTrue(all(line.get("exchange", {}).get("role") != "codeGrant" for line in lines[:token]))
        self.assertNotRegex(result.stdout, r"eyJ|" + re.escape(person.ANN[1]))

    def test_at_a_pipe(self):
        """Line mode asks at each request."""
        self.workspace.use_person(*person.ANN)
        done = subprocess.run(
            [KEYTURN, "--plain", "step", "--method", "browser"], input="n\nn\nn\nG\nq\nq\n", capture_output=True, text=True,
            env=self.workspace.environment, timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Held: GET", done.stdout)
        self.assertIn("Not sent yet.", done.stdout)


class LikeJourney(StepCase):
    """Recordings of several kinds, redacted or not, walked with own values."""

    def setUp(self):
        super().setUp()
        self.configure_for_authority(start_authority(self))
        self.workspace.use_person(*person.ANN)

    def test_five_recordings(self):
        copy, case = self.workspace.path / "copy.har", self.workspace.path / "case.zip"
        self.explain("declined.har", "--redact", copy)
        self.explain("wrong_verifier.har", "--case", case)
        for recording, difference in (
            (EVIDENCE / "good.har", "The recordings differ in nothing that the application decides."),
            (EVIDENCE / "code_used_twice.har", "First difference: your sign-in has no further token request."),
            (EVIDENCE / "oauthlib_other_redirect_uri.log", "First difference: the token request"),
            (copy, "First difference: the authorization response"),
            (case, "First difference: the token request"),
        ):
            with self.subTest(recording=recording.name):
                output = self.walk(recording)
                self.assertIn(difference, output)
                self.assertNotRegex(output, r"eyJ|code=[^&\s]{8}|" + re.escape(person.ANN[1]))
                self.assertEqual(self.accounts(), [])

    def walk(self, recording):
        self.workspace.forget_browser()
        done = subprocess.run(
            [KEYTURN, "--plain", "step", "--like", recording, "--method", "browser"], input="G\nG\nq\nq\n",
            capture_output=True, text=True, env=self.workspace.environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return " ".join(done.stdout.split())

    def explain(self, name, *arguments):
        result = self.workspace.run("explain", EVIDENCE / name, *arguments)
        self.assertIn(result.returncode, (0, 1), result.stderr)


class ForeignProviderJourney(DjangoProviders, StepCase):
    """Django's providers refuse what they must, and the screen says so."""

    def journey(self, name):
        provider = self.closing(start_provider(name))
        self.configure_for_provider(provider.address)
        for path, title, words in (
            ("token", "Another verifier", "The authority rejected it"),
            ("token", "Another redirect URI", "The authority rejected it"),
            ("token", "The code twice", "The authority rejected it"),
            ("authorize", "A wrong nonce", "Keyturn rejected what came back"),
        ):
            with self.subTest(title=title, path=path):
                self.workspace.use_person("alice", "password1")
                self.workspace.forget_browser()
                terminal = self.step("--method", "browser", size=(120, 40))
                self.send_until(terminal, f"/{path}")
                self.change(terminal, title)
                terminal.press("G")
                terminal.wait_for_words(words, seconds=60)
                self.assertEqual(self.accounts(), [])
                terminal.press("q")
                terminal.close()


class LaxProviderJourney(StepCase):
    """A provider that returns to a client or an address that it doesn't know."""

    def setUp(self):
        super().setUp()
        self.provider = self.closing(LaxProvider("client_id"))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"})
        self.workspace._use_browser(CURL)

    def accepted(self, title):
        terminal = self.step("--method", "browser", size=(120, 40))
        self.send_until(terminal, "/authorize")
        self.change(terminal, title)
        terminal.press("n")
        terminal.wait_for_words("The authority accepted it, which it must not", seconds=40)
        self.assertEqual(self.accounts(), [])
        return terminal

    def test_a_code_for_another_client(self):
        """The token request fails later, but that excuses nothing."""
        terminal = self.accepted("Another client ID")
        self.assertIn("authorize, changed", terminal.screen)
        self.export(terminal, self.workspace.path / "walk.txt", "Wrote the flow")
        text = (self.workspace.path / "walk.txt").read_text()
        self.assertIn("Changed by the user: client_id changed.", text)
        self.assertIn("Another client ID: The authority accepted it", text)

    def test_a_code_for_another_path(self):
        self.assertIn("ignored response", self.accepted("Another redirect URI").screen)

    def test_a_value_that_makes_no_request(self):
        """It's rejected while it can be mended, and the parameter stays as it is."""
        terminal = self.step("--method", "browser")
        self.send_until(terminal, "/authorize")
        terminal.press("E")
        terminal.wait_for("WHAT FOLLOWS")
        terminal.press("End", "Enter")
        terminal.wait_for("Parameter and value")
        terminal.type("redirect_uri=a b")
        terminal.press("Enter")
        terminal.wait_for_words("The value of redirect_uri is no URL")
        terminal.press("C-u")
        for _ in range(7):
            terminal.paste("y" * 10_000)
        terminal.wait_for_words("The text is too long")


class ModelContextProtocolJourney(StepCase):
    """From a server's 401 to a token, without a configuration."""

    def test_from_url_to_token(self):
        server = self.closing(start_provider("mcp"))
        self.workspace._use_browser(CURL)
        terminal = self.step(server.address, "--method", "browser")
        self.assertIn("held before request 1", terminal.screen)
        # Nothing has reached the server.
        self.assertNotIn("register", server.lines)
        terminal.press("n")
        terminal.wait_for("401", HELD)
        self.send_until(terminal, "/authorize")
        self.assertIn("register", server.lines)
        terminal.press("G")
        terminal.wait_for("The flow has ended: succeeded.")
        self.assertEqual(len(self.accounts("--resource", server.address)), 1)
