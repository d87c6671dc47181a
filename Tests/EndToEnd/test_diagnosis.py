"""Tools for support staff: `check` on valid and wrong set-ups, the same on the screen, `explain` and `report`."""

import json
import os
import plistlib
import re
import socket
import subprocess
import time
import unittest
import zipfile

import jsonschema

from support import person
from support.case import JourneyCase
from support.provider import PageServer, make_self_signed_certificate, start_authority
from support.workspace import KEYTURN, ROOT, needs_release

SCHEMA = json.loads((ROOT / "docs/output.schema.json").read_text())
EVIDENCE = ROOT / "Tests/DiagnosisTests/Explanation/Evidence"
GUID = "11111111-2222-3333-4444-555555555555"


class CheckJourney(JourneyCase):
    def check(self, *arguments, **environment):
        """Runs it; returns the exit code and the findings by subject."""
        result = self.workspace.run("check", "-o", "json", *arguments, **environment)
        self.assertEqual(result.stderr, "")
        document = json.loads(result.stdout)
        jsonschema.validate(document, {**SCHEMA, "$ref": "#/$defs/check"})
        findings = {}
        for section in document["sections"]:
            for finding in section["findings"]:
                findings.setdefault(finding["subject"], finding)
        return result.returncode, findings

    def test_a_valid_set_up(self):
        self.configure_for_authority(self.closing(start_authority(self.workspace)).address)
        code, findings = self.check()
        self.assertEqual(code, 0, findings)
        for subject in ("Configuration", "Client ID", "Redirect URI", "Authority", "Issuer", "Signing keys", "Clock",
                        "Token cache", "Registration"):
            self.assertEqual(findings[subject]["verdict"], "passed", findings[subject])

    def test_every_line_of_the_text(self):
        self.configure_for_authority(self.closing(start_authority(self.workspace)).address)
        result = self.workspace.run("check")
        self.assertEqual(result.returncode, 0)
        for title in ("Configuration", "Application", "Authority", "Token cache", "This computer"):
            self.assertRegex(result.stdout, rf"(?m)^{title}$")
        self.assertRegex(result.stdout, r"(?m)^(No check failed|All checks passed)\.")

    def test_a_wrong_configuration(self):
        self.workspace.configure(clientId=GUID, authorty="https://id.example", method="bowser")
        code, findings = self.check()
        self.assertEqual(code, 3)
        self.assertEqual(findings["Configuration"]["verdict"], "failed")
        self.assertRegex(findings["Configuration"]["fact"], r"config\.json, line \d+: profiles\.test\.")
        self.assertNotIn("Authority", findings)

    def test_an_unregistered_redirect_uri(self):
        self.configure_for_authority("http://127.0.0.1:1", redirectUri="unregistered://auth")
        code, findings = self.check("--offline")
        self.assertEqual(code, 3)
        self.assertIn("unregistered", findings["Redirect URI"]["fact"])
        self.assertIn("http://localhost", findings["Redirect URI"]["fix"])
        self.assertNotIn("plist", str(findings["Redirect URI"]))
        self.assertEqual(findings["Authority"]["verdict"], "skipped")

    def test_no_network(self):
        self.configure_for_provider("http://127.0.0.1:1")
        code, findings = self.check()
        self.assertEqual(code, 6)
        self.assertIn("Can't reach 127.0.0.1:1", findings["Authority"]["fact"])
        self.assertTrue(findings["Authority"]["fix"])

    def test_an_untrusted_certificate(self):
        make_self_signed_certificate(self.workspace.path)
        server = self.closing(PageServer(tls_folder=self.workspace.path))
        self.configure_for_provider(server.address)
        code, findings = self.check()
        self.assertEqual(code, 6)
        self.assertEqual(findings["Encryption"]["verdict"], "failed")

    def test_another_systems_application(self):
        """Without a configuration: the gaps of an Info.plist, in both formats."""
        application = {
            "CFBundleIdentifier": "com.example.app",
            "CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.com.example.app"]}],
            "LSApplicationQueriesSchemes": ["msauthv2"],
        }
        for form in (plistlib.FMT_XML, plistlib.FMT_BINARY):
            with self.subTest(form=form):
                plist = self.workspace.path / "Info.plist"
                plist.write_bytes(plistlib.dumps(application, fmt=form))
                code, findings = self.check("--info-plist", str(plist), "--client-id", GUID)
                self.assertEqual(code, 3)
                self.assertIn("msauth.com.example.app://auth", findings["Redirect URI"]["fact"])
                self.assertEqual(findings["Broker query schemes"]["verdict"], "failed")
                self.assertIn("msauthv3", findings["Broker query schemes"]["fix"])

    def test_the_machine(self):
        self.configure_for_authority("http://127.0.0.1:1", method="browser")
        _, findings = self.check("--offline", BROWSER="", SSH_CONNECTION="10.0.0.1 2222 10.0.0.2 22", LANG="C")
        self.assertIn("Over ssh", findings["Sign-in method"]["fact"])
        self.assertEqual(findings["Characters"]["verdict"], "warning")

    def test_on_the_screen(self):
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.press("v")
                terminal.wait_for("Check", "Encryption", "No check failed.")
                terminal.press("G")
                terminal.wait_for("Sign-in method")
                terminal.press("r")
                terminal.wait_for("No check failed.")
                report = self.workspace.path / f"report-{size[0]}.txt"
                self.export(terminal, report, "Wrote the support report")
                self.assertEqual(report.stat().st_mode & 0o777, 0o600)
                self.assertTrue(report.read_text().startswith("# Keyturn support report\n"))
                terminal.press("Escape")
                terminal.wait_for("No accounts yet.")
                self.quit(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_a_silent_server_on_the_screen(self):
        """A line of stderr about a slow request would stay between the cells of the screen."""
        server = self.closing(socket.create_server(("127.0.0.1", 0)))
        self.configure_for_authority(f"http://127.0.0.1:{server.getsockname()[1]}")
        terminal = self.open_keyturn()
        terminal.press("v")
        terminal.wait_for("took too long to respond", seconds=60)
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)
        self.assert_no_secrets(terminal)


class ExplainJourney(JourneyCase):
    def test_codes_urls_and_tokens(self):
        for text, part in (
            ("-50002", "interactionRequired"),
            ("AADSTS50076", "MFA needed"),
            ("http://localhost/?code=abcdef&state=x", "hidden, 6 characters"),
            ("msauth.org.keyturn.app://auth", "Brokers and all authorities support it"),
        ):
            with self.subTest(text=text):
                result = self.workspace.run("explain", text)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(part, result.stdout)
                document = json.loads(self.workspace.run("explain", text, "-o", "json").stdout)
                jsonschema.validate(document, {**SCHEMA, "$ref": "#/$defs/explanation"})
        self.assertEqual(self.workspace.run("explain", "nothing that is known").returncode, 1)

    def test_a_token_from_standard_input(self):
        token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2EiLCJzdWIiOiJib2IifQ.c2lnbmF0dXJl"
        result = self.workspace.run("explain", "-", input=token)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("A JSON Web Token (JWT) from https://a", result.stdout)
        self.assertNotRegex(result.stdout, "c2ln|eyJ")


    def test_evidence_in_files(self):
        result = self.workspace.run("explain", str(EVIDENCE / "code_used_twice.har"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"failed +Authorization code")
        self.assertNotIn("state-1", result.stdout)
        result = self.workspace.run("explain", str(EVIDENCE / "good.har"), "-o", "json")
        document = json.loads(result.stdout)
        jsonschema.validate(document, {**SCHEMA, "$ref": "#/$defs/explanation"})
        self.assertEqual([finding["verdict"] for finding in document["findings"]], ["passed"])
        result = self.workspace.run("explain", "customer.har")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("The file doesn't exist.", result.stderr)

    def test_a_redacted_copy(self):
        recording = EVIDENCE / "code_used_twice.har"
        copy = self.workspace.path / "copy.har"
        result = self.workspace.run("explain", str(recording), "--redact", str(copy))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^Redacted copy$")
        self.assertRegex(result.stdout, r"(?m)^  code +\d values? replaced in \d places$")
        self.assertEqual(copy.stat().st_mode & 0o777, 0o600)
        text = copy.read_text()
        for entry in json.loads(recording.read_text())["log"]["entries"]:
            for secret in re.findall(r"(?:code|state|code_verifier|password|nonce)=([^&\s]{8,})", json.dumps(entry)):
                self.assertNotIn(secret, text)
        again = self.workspace.run("explain", str(copy))
        self.assertRegex(again.stdout, r"failed +Authorization code")
        self.assertEqual(self.workspace.run("explain", str(recording), "--redact", str(copy)).returncode, 1)

    def test_a_reviewed_copy(self):
        """The review shows original and copy, and writes the copy or the case without the text to hide."""
        log = self.workspace.path / "customer.log"
        log.write_text("Failed at https://vpn.contoso.example/x for ann@contoso.example: AADSTS50011\n")
        terminal = self.open_keyturn(
            "explain", str(log), "--offline", "--review", "--hide", "failed", shows="Copy of customer.log")
        terminal.wait_for("at https://vpn.contoso.", "… at https://host-1.invalid/")
        for name in ("copy.log", "case.zip"):
            self.export(terminal, self.workspace.path / name, "Wrote the")
        copy = (self.workspace.path / "copy.log").read_text()
        self.assertIn("https://host-1.invalid/", copy)
        self.assertNotIn("Failed", copy)
        self.assertNotIn("ann@", copy)
        with zipfile.ZipFile(self.workspace.path / "case.zip") as case:
            self.assertEqual(case.read("evidence.log").decode(), copy)
            self.assertIn("## Next step", case.read("answer.md").decode())

    def test_names_of_files_on_the_screen(self):
        """Tab completes a name with spaces and lists the others; a folder is listed; a mistyped name stays."""
        folder = self.workspace.path / "Customer logs"
        folder.mkdir()
        for name in ("case 01.har", "case 02.har"):
            (folder / name).write_bytes((EVIDENCE / "unknown_client.har").read_bytes())
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.wait_for("No accounts yet.")
                terminal.press("e")
                terminal.wait_for("enter the name of a file")
                terminal.type(f"{self.workspace.path}/Cust")
                terminal.press("Tab")
                terminal.wait_for("logs/")
                terminal.press("Enter")
                terminal.wait_for("case 01.har", "case 02.har")
                terminal.type("3.har")
                terminal.press("Enter")
                terminal.wait_for_words("The file doesn't exist.")
                for _ in range(5):
                    terminal.press("BSpace")
                terminal.type("1")
                terminal.press("Tab")
                terminal.wait_for("01.har")
                terminal.press("Enter")
                terminal.wait_for_words("doesn't know this client ID")
                terminal.press("q")
                terminal.wait_for("No accounts yet.")
                self.quit(terminal)
                terminal.close()

    def test_on_the_screen(self):
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.wait_for("No accounts yet.")
                terminal.press("e")
                terminal.wait_for("enter the name of a file")
                terminal.type(str(EVIDENCE / "unknown_client.har"))
                terminal.press("Enter")
                terminal.wait_for("Client ID", "doesn't know this client ID")
                terminal.press("f")
                terminal.wait_for("Browser", "AADSTS700016")
                terminal.press("f")
                terminal.wait_for("doesn't know this client ID")
                copy = self.workspace.path / f"{size[0]}-redacted.har"
                self.export(terminal, copy, "Wrote the redacted copy", "replaced in")
                self.assertIn("AADSTS700016", copy.read_text())
                self.export(terminal, copy, "The file already exists. Press Enter to replace it.")
                terminal.press("Enter")
                terminal.wait_for_words("Wrote the redacted copy")
                terminal.press("e")
                terminal.wait_for("enter the name of a file")
                terminal.type("AADSTS50076")
                terminal.press("Enter")
                terminal.wait_for("MFA needed")
                terminal.press("Escape")
                terminal.wait_for("No accounts yet.")
                self.quit(terminal)
                terminal.close()

    def test_in_line_mode(self):
        recording = str(EVIDENCE / "unknown_client.har")
        answers = ("e", recording, "f", "f", "q", "q")
        result = self.workspace.run("--plain", "demo", input="".join(f"{answer}\n" for answer in answers))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for said in ("doesn't know this client ID", "Browser to Authority: Authorization request (entry"):
            self.assertIn(said, result.stdout)

    def test_a_configuration(self):
        self.configure_for_authority("http://127.0.0.1:1", redirectUri="unregistered://auth")
        configuration = self.workspace.path / "config/keyturn/config.json"
        result = self.workspace.run("explain", str(configuration), "-o", "json")
        document = json.loads(result.stdout)
        jsonschema.validate(document, {**SCHEMA, "$ref": "#/$defs/explanation"})
        self.assertEqual(document["kind"], "configuration")
        self.assertIn(("Redirect URI", "failed"), [(each["subject"], each["verdict"]) for each in document["findings"]])

    def test_the_url_of_an_endpoint_as_authority(self):
        self.configure_for_authority("http://127.0.0.1:1", authority="http://127.0.0.1:1/tenant/oauth2/v2.0/authorize")
        configuration = self.workspace.path / "config/keyturn/config.json"
        for result in (self.workspace.run("explain", str(configuration)), self.workspace.run("check", "--offline")):
            self.assertRegex(result.stdout, r"failed +Authority +http\S+ is the URL of an endpoint")
            self.assertIn("Write http://127.0.0.1:1/tenant as the authority.", result.stdout)

    @needs_release
    def test_a_large_recording(self):
        """50 MB in 3 s and 300 MB, also with a redacted copy."""
        log = json.loads((EVIDENCE / "code_used_twice.har").read_text())
        other = {"startedDateTime": "2026-11-20T10:00:00.000Z", "request": {"method": "GET", "url": "https://cdn.example/x"},
                 "response": {"status": 200, "content": {"mimeType": "text/javascript", "text": "x" * 100_000}}}
        log["log"]["entries"] += [other] * 500
        recording = self.workspace.path / "large.har"
        recording.write_text(json.dumps(log))
        self.assertGreater(recording.stat().st_size, 50_000_000)
        for options in ((), ("--redact", str(self.workspace.path / "copy.har"))):
            with self.subTest(options):
                started = time.monotonic()
                process = subprocess.Popen(
                    [KEYTURN, "explain", recording, *options], stdout=subprocess.PIPE, env=self.workspace.environment)
                output = process.stdout.read().decode()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                process.stdout.close()
                self.assertEqual(process.returncode, 0)
                self.assertRegex(output, r"failed +Authorization code")
                self.assertLess(time.monotonic() - started, 3)
                self.assertLess(usage.ru_maxrss, 300_000)

    @needs_release
    def test_a_recording_of_ten_thousand_token_requests(self):
        """Pairs are found by key: also with a redacted copy in 40 s of the processor, of which a slow machine needs a third."""
        codes = range(10_000)

        def entry(number):
            form = f"grant_type=authorization_code&code={number}&code_verifier=v{number}"
            data = {"mimeType": "application/x-www-form-urlencoded", "text": form}
            content = {"mimeType": "application/json", "text": '{"error":"invalid_grant"}'}
            return {
                "request": {"method": "POST", "url": "https://login.example/token", "postData": data},
                "response": {"status": 400, "content": content},
            }

        recording = self.workspace.path / "many.har"
        recording.write_text(json.dumps({"log": {"entries": [entry(number) for number in [*codes, codes[1]]]}}))
        copy = self.workspace.path / "copy.har"
        command = ["bash", "-c", 'ulimit -t 40; exec "$0" "$@"', KEYTURN, "explain", recording, "--redact", copy]
        result = subprocess.run(command, env=self.workspace.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"failed +Authorization code")
        self.assertIn("invalid_grant", copy.read_text())

    def test_an_error_of_keyturn(self):
        self.configure_for_authority(self.closing(start_authority(self.workspace)).address)
        for options in ((), ("-o", "json")):
            error = self.workspace.run("token", "--no-interaction", *options)
            self.assertEqual(error.stdout, "")
            result = self.workspace.run("explain", "-", input=error.stderr)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("An error from Keyturn", result.stdout)
            self.assertRegex(result.stdout, r"failed +keyturn +[A-Z]")


class ReportJourney(JourneyCase):
    def test_a_report_contains_no_name(self):
        """Ann signs in, her password is rejected later; the report has the codes, and nothing of hers."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        kept = self.workspace.path / "state/keyturn/last-attempt.json"
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        result = self.workspace.run("report")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("interactive", result.stdout)
        self.assertIn("redeemCode succeeded", result.stdout)
        for text in (result.stdout, kept.read_text()):
            for word in ("ann", "contoso", "eyJ", str(self.workspace.path), person.DEMO_CLIENT_ID, "tea"):
                self.assertNotRegex(text, rf"(?i)\b{re.escape(word)}", word)

    def test_a_failure_is_in_it_with_its_code(self):
        self.configure_for_authority("http://127.0.0.1:1")
        self.assertEqual(self.workspace.run("sign-in").returncode, 6)
        report = self.workspace.run("report", "--offline").stdout
        self.assertIn("code -50000, internal code -42008", report)
        self.assertIn("NSURLErrorDomain", report)


if __name__ == "__main__":
    unittest.main()
