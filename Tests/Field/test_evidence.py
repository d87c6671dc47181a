"""Evidence as it is: long lines, pictures, thousands of requests; and advice that doesn't send users in circles."""

import base64
import json
import os
import subprocess
import unittest
import urllib.parse

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support.workspace import KEYTURN, needs_release

# Seconds of the processor. A slow machine needs a third of it; a search that grows with the square needs hours.
MOST = 40
CODE = "AADSTS50011: The redirect URI specified in the request does not match.\n"


@needs_release
class LongTextRow(FieldCase):
    def explain(self, text, *options):
        """The output, within the time."""
        file = self.workspace.path / "evidence.txt"
        file.write_text(text)
        return self.run_in_time("explain", file, "--offline", *options)

    def run_in_time(self, *arguments):
        command = ["bash", "-c", f'ulimit -t {MOST}; exec "$0" "$@"', KEYTURN, *arguments]
        result = subprocess.run(
            command, env=self.workspace.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def redact(self, text):
        copy = self.workspace.path / "copy.txt"
        copy.unlink(missing_ok=True)
        self.explain(text, "--redact", copy)
        return copy.read_text()

    @complaint(
        "https://github.com/teemtee/tmt/issues/4657",
        "A log has a line with an attestation in base64, of a megabyte. The search for the failure takes two hours of CPU time",
        "One pass: a second for 10 MB, and the error beside the line is found")
    def test_a_line_of_ten_megabytes(self):
        picture = base64.urlsafe_b64encode(b"\x00\x10\x83\x10\x51\x87" * 1_200_000).decode()
        for line in (picture, f"https://example.org/?response_type={picture}", f"grant_type {picture}=&"):
            self.assertIn("AADSTS50011", self.explain(line + "\n" + CODE))

    @complaint(
        "https://github.com/CortexLM/cortex/pull/66",
        "The redaction of a log is one expression with nested repetitions. The output of a package manager, one line with "
        "dotted and hyphenated names, stops the server's loop",
        "The redacted copy takes one pass, also for names without an end")
    def test_a_redacted_copy_of_package_names(self):
        names = " ".join(f"agent-challenge-{number}.0.1_aiohappyeyeballs-2.7.{number}" for number in range(20_000))
        copy = self.redact(f"Successfully installed {names} https://alice.example/x\n" + CODE)
        self.assertIn("AADSTS50011", copy)
        self.assertNotIn("alice", copy)
        self.assertIn("AADSTS50011", self.redact("a.b-" * 2_000_000 + "\n" + CODE))

    @complaint(
        "https://github.com/devops-thiago/ThrillhouseBot/issues/731",
        "An error body is redacted before it is cut, and the pattern for a token starts anew at each `eyJ`: 200 KB of a "
        "response cost 24 s",
        "Each body is read once, whatever it repeats")
    def test_a_response_that_repeats_the_start_of_a_token(self):
        body = "eyJ" * 80_000
        message = f"HTTP/1.1 400 Bad Request\nContent-Type: application/json\n\n{{\"error\": \"{body}\"}}\n"
        self.explain(message + CODE)
        self.assertNotIn("eyJeyJ", self.redact(message + CODE))

    @complaint(
        "https://github.com/affaan-m/ECC/issues/2278",
        "A hook hides secrets in what tools print. Source code with names like authorization and credentials keeps it busy "
        "for days, and nobody sees the process",
        "Names of secrets without values cost what other text costs")
    def test_source_code_about_secrets(self):
        words = ["authorization", "access_token", "credentials", "code=", "error=", "grant_type", "client_secret", "eyJ"]
        source = "\n".join(f"{word} {other}{word * 40}" for _ in range(80) for word in words for other in words)
        self.assertIn("AADSTS50011", self.explain(source + "\n" + CODE))
        self.assertIn("AADSTS50011", self.redact(source + "\n" + CODE))


class FreezeRow(FieldCase):
    def write_log(self):
        """250 MB with a number in each line that no dictionary has."""
        file = self.workspace.path / "long.log"
        with open(file, "w", encoding="ascii") as log:
            for number in range(1_000_000, 8_000_000):
                log.write(f"AADSTS{number} https://a.example/{number}\n")
        # The limit of the program is 256 MiB.
        os.truncate(file, 250 << 20)
        return file

    def explain(self, terminal, evidence):
        terminal.press("e")
        terminal.wait_for("Paste an error")
        terminal.type(str(evidence))
        terminal.press("Enter")

    def explain_and_leave(self, terminal, file):
        self.explain(terminal, file)
        terminal.wait_for("Reading the input.")
        terminal.press("Escape")
        terminal.wait_until_gone("Reading the input.")

    @complaint(
        "https://github.com/openai/codex/issues/29368",
        "The loop of the screen waits for work that doesn't end. Neither Esc nor any other key does anything; only a kill "
        "from outside helps",
        "Work has threads of its own, and stops when its screen is left: Esc, q and Ctrl-C act at once")
    def test_keys_while_evidence_is_read(self):
        file = self.write_log()
        # The first q, and the first Ctrl-C, closes the view.
        for keys in (["q", "q"], ["C-c", "C-c"]):
            with self.subTest(keys):
                terminal = self.open_keyturn("demo", shows="No accounts yet.")
                for _ in range(6):
                    self.explain_and_leave(terminal, file)
                terminal.press("?")
                terminal.wait_for("Keys: Accounts")
                terminal.press("Escape")
                terminal.wait_until_gone("Keys: Accounts")
                self.explain(terminal, file)
                terminal.wait_for("Reading the input.")
                terminal.press(keys[0])
                # Two signals at once would be one.
                terminal.wait_until_gone("Reading the input.")
                terminal.press(keys[1])
                terminal.wait_for_prompt()

    @complaint(
        "https://github.com/ayunis-core/ayunis-core/pull/1096",
        "Documents are read in a pool of two threads without a limit. Two that take forever occupy it, and all later ones wait",
        "Abandoned readings end, so that the next one is read")
    def test_a_reading_after_abandoned_ones(self):
        file = self.write_log()
        terminal = self.open_keyturn("demo", shows="No accounts yet.")
        for _ in range(6):
            self.explain_and_leave(terminal, file)
        self.explain(terminal, "AADSTS50076")
        terminal.wait_for("MFA needed")


class RejectingProvider(StrictProvider):
    """Rejects each sign-in with an error of Microsoft's."""

    error = {}

    def authorize(self, handler, query):
        answer = urllib.parse.urlencode({**self.error, "state": query["state"]})
        return handler.answer(302, "", Location=f"{query['redirect_uri']}?{answer}")


class AdviceRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(RejectingProvider())
        self.workspace._use_browser(CURL)

    def assert_one_advice(self, error, description, advice):
        """The command, its JSON, the explanation of both, and the screen."""
        self.provider.error = {"error": error, "error_description": description}
        for options in ((), ("-o", "json")):
            failed = self.workspace.run("sign-in", "--method", "browser", *options)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn(advice, failed.stderr)
            explained = json.loads(self.workspace.run("explain", "-", "-o", "json", input=failed.stderr).stdout)
            self.assertEqual([finding.get("fix") for finding in explained["findings"]], [advice], explained)
        terminal = self.open_keyturn(shows="No accounts yet.")
        terminal.press("i")
        terminal.wait_for_words(advice, "d shows the codes.")
        terminal.press("d")
        terminal.wait_for_words("What the codes mean")

    @complaint(
        "https://github.com/Azure/azure-cli/issues/32809",
        "A policy blocks each sign-in. The error's only advice is to log out and in again, which a user did for four weeks",
        "The advice comes from the error's number: ask which policy applies, and quote the correlation ID")
    def test_a_policy_that_blocks(self):
        self.assert_one_advice(
            "access_denied",
            "AADSTS53003: Access has been blocked by Conditional Access policies. Trace ID: 2f8ccb7a-459e-44fb-b615-232475945800",
            "Ask the administrator which policy applies, and quote the correlation ID.")

    @complaint(
        "https://github.com/Azure/azure-sdk-for-net/issues/29109",
        "A library replaces the server's reason by the sentence that the user should sign in, also when a policy for device "
        "platforms is the reason",
        "The reason is printed, and the advice belongs to it")
    def test_an_unsupported_platform(self):
        self.assert_one_advice(
            "access_denied",
            "AADSTS50005: User tried to log in to a device from a platform (Unknown) that's currently not supported.",
            "Use a platform that the organisation allows.")


if __name__ == "__main__":
    unittest.main()
