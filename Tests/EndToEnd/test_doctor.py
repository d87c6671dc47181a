"""`check --resource`: foreign servers that are healthy, unhealthy ones, and servers that are no resources."""

import http.server
import json
import threading
import time
import unittest

import jsonschema

from support.case import JourneyCase
from support.provider import PageServer, start_authority, start_provider
from support.pseudo_terminal import PseudoTerminal
from support.workspace import KEYTURN, ROOT

SCHEMA = json.loads((ROOT / "docs/output.schema.json").read_text())


class DoctorCase(JourneyCase):
    def check(self, url, *arguments, seconds=60):
        """The exit status, and the findings about the resource and its authority by subject."""
        result = self.workspace.run("check", "--resource", url, "-o", "json", *arguments, seconds=seconds)
        self.assertTrue(result.stdout, result.stderr)
        document = json.loads(result.stdout)
        jsonschema.validate(document, {**SCHEMA, "$ref": "#/$defs/check"})
        sections = {section["area"]: section["findings"] for section in document["sections"]}
        found = {}
        for finding in sections.get("resource", []) + sections.get("authority", []):
            found.setdefault(finding["subject"], finding)
        return result.returncode, found


class HealthyJourney(DoctorCase):
    def test_mcp(self):
        """Nothing is registered without --register, and one client with it. Its redirect URI is tested with another port."""
        server = self.closing(start_provider("mcp"))
        code, found = self.check(server.address)
        self.assertEqual(code, 0, found)
        self.assertNotIn("failed", [finding["verdict"] for finding in found.values()])
        for subject in ("Resource", "Resource metadata", "Authorization server", "Client registration", "PKCE", "Scopes"):
            self.assertEqual(found[subject]["verdict"], "passed", found[subject])
        self.assertEqual(found["Loopback redirect"]["verdict"], "skipped")
        self.assertEqual(server.lines[1:], [])

        code, found = self.check(server.address, "--register")
        self.assertEqual(code, 0, found)
        self.assertEqual(found["Registration"]["verdict"], "passed", found)
        self.assertNotIn("Nothing was registered", found["Client registration"]["fact"])
        self.assertEqual(found["Loopback redirect"]["verdict"], "warning", found)
        self.assertIn("RFC 8252 §7.3", found["Loopback redirect"]["fact"])
        self.assertEqual(server.lines.count("register"), 1)
        # The client is kept, and a sign-in uses it.
        self.check(server.address, "--register")
        self.workspace._use_browser('exec curl --noproxy "*" --silent --location --output /dev/null "$1"')
        signed_in = self.workspace.run("sign-in", "--resource", server.address)
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.assertEqual(server.lines.count("register"), 1)

    def test_toolkit(self):
        provider = self.closing(start_provider("toolkit"))
        code, found = self.check(provider.address.removesuffix("/o") + "/api/letters")
        self.assertEqual(code, 0, found)
        self.assertNotIn("failed", [finding["verdict"] for finding in found.values()])

    def test_the_report(self):
        server = self.closing(start_provider("mcp"))
        report = self.workspace.run("report", "--resource", server.address)
        self.assertEqual(report.returncode, 0, report.stderr)
        self.assertIn("[passed] PKCE", report.stdout)
        self.assertNotIn(server.address.removeprefix("http://"), report.stdout)


class UnhealthyJourney(DoctorCase):
    def test_faults(self):
        """The built-in authority's faults, each by the finding that names it."""
        for fault, subject, words in [
            ("resource-other", "Resource metadata", "RFC 9728 §3.3"),
            ("server-wrong-issuer", "Authority metadata", "RFC 8414 §3.3"),
            ("resource-huge-challenge", "Challenge", "64 parameters"),
            ("resource-unsafe-authority", "Authorization server", "RFC 9728 §7.7"),
            ("resource-without-metadata", "Resource metadata", "RFC 9728 §3"),
        ]:
            with self.subTest(fault):
                origin = self.closing(start_authority(self.workspace, "--fault", fault)).address
                code, found = self.check(f"{origin}/api/me")
                self.assertIn(code, (1, 3), found)
                self.assertEqual(found[subject]["verdict"], "failed", found)
                self.assertIn(words, found[subject]["fact"])
                self.assertIn("operator", found[subject]["fix"])
                self.assertEqual(found["Resource"]["verdict"], "failed")

    def test_a_registration_that_is_refused(self):
        origin = self.closing(start_authority(self.workspace, "--fault", "registration-refused")).address
        self.assertEqual(self.check(f"{origin}/api/me")[0], 0)
        code, found = self.check(f"{origin}/api/me", "--register")
        self.assertNotEqual(code, 0)
        self.assertEqual(found["Client registration"]["verdict"], "failed", found)


class Raw(http.server.ThreadingHTTPServer):
    """Responds with `respond`, a function of the handler."""

    daemon_threads = True

    def __init__(self, respond):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                respond(self)

            def log_message(self, format, *args):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class NoResourceJourney(DoctorCase):
    def test_a_page(self):
        """A shop's home page at every path."""
        code, found = self.check(self.closing(PageServer()).address)
        self.assertEqual(code, 3, found)
        self.assertIn("HTTP 200 without a token", found["Challenge"]["fact"])
        self.assertIn("a web page", found["Resource metadata"]["fact"])

    def test_a_redirect_to_elsewhere(self):
        away = self.closing(PageServer("arrived"))
        redirect = self.closing(PageServer(status=302, fields=[("Location", f"{away.address}/start?code=s3cret")]))
        code, found = self.check(redirect.address)
        self.assertEqual(code, 3, found)
        self.assertIn(f"Redirects to {away.address}/start", found["Challenge"]["fact"])
        self.assertNotIn("s3cret", found["Challenge"]["fact"])

    def test_a_server_that_never_responds(self):
        """One request waits for its limit; the server gets no second one."""
        released, asked = threading.Event(), []

        def wait(handler):
            asked.append(handler.path)
            released.wait(60)

        server = self.closing(Raw(wait))
        self.addCleanup(released.set)
        start = time.monotonic()
        code, found = self.check(f"{server.address}/mcp")
        released.set()
        self.assertEqual(code, 6, found)
        self.assertEqual(found["Resource"]["verdict"], "failed")
        self.assertEqual(asked, ["/mcp"])
        self.assertLess(time.monotonic() - start, 30)

    def test_a_large_body(self):
        def send(handler):
            if ".well-known" not in handler.path:
                handler.send_response(401)
                handler.send_header("WWW-Authenticate", "Bearer")
                handler.send_header("Content-Length", "0")
                return handler.end_headers()
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(100 << 20))
            handler.end_headers()
            try:
                for _ in range(100):
                    handler.wfile.write(b" " * (1 << 20))
            except OSError:
                pass

        code, found = self.check(f"{self.closing(Raw(send)).address}/mcp")
        self.assertNotEqual(code, 0)
        self.assertIn("the limit for a response is", found["Resource metadata"]["fact"])

    def test_escape_sequences(self):
        """Values of a hostile server reach the terminal without control characters."""
        def send(handler):
            body = json.dumps({
                "resource": "https://x\u001b[2J\u202e", "authorization_servers": ["https://\u001b]0;t\u0007"]}).encode()
            handler.send_response(200 if ".well-known" in handler.path else 401)
            handler.send_header("WWW-Authenticate", 'Bearer error="\x1b[31m", realm="\x9b2J"')
            handler.send_header("Content-Type", "application/json\x1b[2J")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        address = f"{self.closing(Raw(send)).address}/mcp"
        printed = self.workspace.run("check", "--resource", address).stdout
        self.assertIn("RFC 9728 §3.3", printed)
        self.assertNotRegex(printed, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
        terminal = self.closing(PseudoTerminal([KEYTURN, "check", "--resource", address], self.workspace.environment))
        self.assertNotIn("\x1b[2J", terminal.read_until(b"failed.").decode())


if __name__ == "__main__":
    unittest.main()
