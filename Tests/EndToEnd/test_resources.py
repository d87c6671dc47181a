"""From the address of a resource to a token that it accepts, at foreign servers and at the built-in authority's API."""

import http.server
import json
import os
import signal
import subprocess
import threading
import unittest
import urllib.error
import urllib.request

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.provider import PageServer, start_provider
from support.provider import start_authority as start_faulty_authority
from support.pseudo_terminal import PseudoTerminal
from support.tokens import without_random
from support.waiting import wait_until
from support.workspace import KEYTURN

TOOLS = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
# A browser without pages: the server redirects at once.
CURL = 'exec curl --noproxy "*" --silent --location --output /dev/null "$1"'


class ResourceCase(JourneyCase):
    def browse(self, script):
        self.workspace._use_browser(script)

    def run_well(self, *arguments, **others):
        result = self.workspace.run(*arguments, **others)
        self.assertEqual(result.returncode, 0, result.stderr or result.stdout)
        return result

    def run_badly(self, code, words, *arguments):
        """One sentence and a next step, no token, and the exit status."""
        result = self.workspace.run(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertRegex(result.stderr, words)
        self.assertNotIn("eyJ", without_random(result.stderr))
        return result

    def status(self, url, header):
        """The status of a request with a printed header."""
        name, _, value = header.strip().partition(": ")
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers={name: value})) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code


class ModelContextProtocolJourney(ResourceCase):
    """The package mcp, as authorization server and as resource. No configuration, one command, one consent."""

    def setUp(self):
        super().setUp()
        self.server = self.closing(start_provider("mcp"))
        self.browse(CURL)

    def test_from_url_to_token(self):
        resource = self.server.address
        self.run_badly(4, "No account", "token", "--resource", resource, "--no-interaction")
        self.assertNotIn("register", self.server.lines)
        header = self.run_well("token", "--resource", resource, "-o", "header").stdout
        self.assertRegex(header, r"^Authorization: Bearer \S+\n$")
        self.assertNotIn(self.status(resource, header), (401, 403))
        self.assertEqual(self.server.lines[1:], ["register", f"authorize {resource}", f"token {resource}"])

        again = self.run_well("token", "--resource", resource, "-o", "header", "--no-interaction")
        self.assertEqual(again.stdout, header)
        self.assertEqual(again.stderr, "")
        self.assertEqual(len(self.server.lines), 4, self.server.lines)

        refreshed = self.run_well("token", "--resource", resource, "--force-refresh", "-o", "json", "--no-interaction")
        token = json.loads(refreshed.stdout)
        self.assertEqual(token["scopes"], ["letters"])
        self.assertEqual(token["account"]["username"], resource.removeprefix("http://"))
        self.assertNotIn("idToken", token)

    def test_its_account_needs_no_configuration(self):
        resource = ["--resource", self.server.address]
        next_step = rf"Run 'keyturn sign-in --resource {self.server.address}'"
        self.run_badly(4, f"No token for .* is cached.\n +{next_step}", "accounts", *resource)
        self.run_well("sign-in", *resource)
        [account] = json.loads(self.run_well("accounts", *resource, "-o", "json").stdout)
        self.assertEqual(account["username"], self.server.address.removeprefix("http://"))
        self.run_badly(1, "only its API can read it", "claims", "--token", "access", *resource)
        self.run_well("sign-out", account["identifier"], *resource)
        self.assertEqual(json.loads(self.run_well("accounts", *resource, "-o", "json").stdout), [])
        self.run_badly(4, "No account", "token", *resource, "--no-interaction")
        self.run_well("sign-in", *resource)
        self.run_well("remove", "--all", *resource)
        self.assertEqual(json.loads(self.run_well("accounts", *resource, "-o", "json").stdout), [])

    def test_without_a_configuration_commands_reach_every_resource(self):
        """Also a second resource, whose account has the same kind of name, and a port that is registered as chosen."""
        other = self.closing(start_provider("mcp"))
        self.run_badly(3, "No configuration", "accounts")
        self.run_well("sign-in", "--resource", self.server.address, "--listen", "28417")
        self.assertIn("127.0.0.1:28417/callback", self.run_well("check", "--resource", self.server.address).stdout)
        self.run_well("sign-in", "--resource", other.address)
        listed = json.loads(self.run_well("accounts", "-o", "json").stdout)
        self.assertEqual({account["resource"] for account in listed}, {self.server.address, other.address})
        table = self.run_well("accounts")
        for account in listed:
            self.assertRegex(table.stdout, rf"{account['resource']}\nUSERNAME .*\n.*{account['identifier']}")
        self.assertNotIn("Not included", table.stderr)
        self.run_well("sign-out", listed[0]["username"])
        [left] = json.loads(self.run_well("accounts", "-o", "json").stdout)
        self.assertEqual(left["resource"], listed[1]["resource"])

    def test_check_and_report_of_a_resource(self):
        resource = ["--resource", self.server.address]
        before = self.run_well("check", *resource)
        self.assertRegex(before.stdout, r"passed +Resource +Tokens for .* come from")
        self.assertRegex(before.stdout, r"passed +Client registration +A sign-in registers a client at")
        self.assertNotIn("register", self.server.lines)
        self.run_well("sign-in", *resource)
        after = self.run_well("check", *resource)
        self.assertRegex(after.stdout, r"passed +Client ID")
        self.assertRegex(after.stdout, r"passed +Token cache +1 account:")
        report = self.run_well("report", *resource).stdout
        self.assertIn("[passed] Resource", report)
        self.assertNotIn(self.server.address.removeprefix("http://"), report)

    def test_an_account_from_before_the_configuration(self):
        """The configuration is about another authority, and hides nothing."""
        resource = ["--resource", self.server.address]
        self.run_well("sign-in", *resource)
        self.configure_for_authority("https://login.example")
        [account] = json.loads(self.run_well("accounts", *resource, "-o", "json").stdout)
        self.run_well("token", *resource, "--no-interaction")
        # Its client has no other name for the user than the resource's.
        for command in (["accounts"], ["remove", "--all"]):
            told = self.run_well(*command).stderr
            self.assertIn(f"Not included: 1 account of {self.server.address} ('keyturn {' '.join(command)} {' '.join(resource)}')", told)
            self.assertNotIn("--client-id", told)
        self.run_well("sign-out", account["identifier"], *resource)
        self.assertEqual(json.loads(self.run_well("accounts", *resource, "-o", "json").stdout), [])

    def test_processes_that_start_together_share_one_registration_and_sign_in(self):
        command = [KEYTURN, "token", "--resource", self.server.address]
        processes = [
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.workspace.environment)
            for _ in range(3)
        ]
        results = [(*process.communicate(timeout=60), process.returncode) for process in processes]
        self.assertEqual([result[2] for result in results], [0, 0, 0], results)
        self.assertEqual(len({result[0] for result in results}), 1)
        self.assertEqual(self.server.lines.count("register"), 1)

    def test_five_processes_refresh_once(self):
        # Within the margin of expiry, so the first token needs a refresh at once.
        server = self.closing(start_provider("mcp", AT_TTL="45"))
        self.run_well("sign-in", "--resource", server.address)
        command = [KEYTURN, "token", "--resource", server.address, "--no-interaction"]
        processes = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.workspace.environment)
            for _ in range(5)
        ]
        results = [process.communicate(timeout=60) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0] * 5, results)
        self.assertEqual(len({output for output, _ in results}), 1, results)
        self.assertEqual(server.lines.count(f"token {server.address}"), 2, server.lines)

    def test_call(self):
        post = ("call", "-X", "POST", "-H", "Content-Type: application/json",
                "-H", "Accept: application/json, text/event-stream", "-d", TOOLS, self.server.address)
        self.run_badly(4, "keyturn sign-in", *post, "--no-interaction")
        called = self.run_well(*post)
        self.assertEqual(json.loads(called.stdout)["result"]["tools"][0]["name"], "unread")
        self.assertRegex(called.stderr, r"(?s)HTTP 401.*HTTP 200")
        self.assertNotIn("HTTP 401", self.run_well(*post).stderr)

    def test_data_from_standard_input(self):
        post = [KEYTURN, "call", "-H", "Content-Type: application/json",
                "-H", "Accept: application/json, text/event-stream", "-d", "@-", self.server.address]
        called = subprocess.run(post, input=TOOLS.encode(), capture_output=True, env=self.workspace.environment, timeout=60)
        self.assertEqual(called.returncode, 0, called.stderr)
        self.assertEqual(json.loads(called.stdout)["result"]["tools"][0]["name"], "unread")

    def test_deleted_registration(self):
        server = self.closing(start_provider("mcp", FORGETS="1"))
        self.run_well("sign-in", "--resource", server.address)
        silent = ["token", "--resource", server.address, "--force-refresh", "--no-interaction"]
        self.run_badly(4, "no longer knows the client(.|\n)*keyturn sign-in --resource", *silent)
        self.run_well("token", "--resource", server.address, "--force-refresh")
        self.assertEqual(server.lines.count("register"), 2, server.lines)
        self.assertEqual(server.lines.count(f"token {server.address}"), 2, server.lines)

    def test_names(self):
        account = json.loads(self.run_well("sign-in", "--resource", self.server.address, "--as", "work", "-o", "json").stdout)
        self.assertEqual(account["username"], "work")


class SharedRegistrationJourney(ResourceCase):
    """Several resources at one authority, and an authority that forgets its clients."""

    def setUp(self):
        super().setUp()
        self.browse(CURL)

    def start(self, *arguments, **environment):
        process = subprocess.Popen(
            [KEYTURN, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.workspace.environment, **environment})
        self.addCleanup(end, process)
        return process

    def sign_in_at_once(self, count, command):
        """Signs in to several resources at the same time. All sign-ins succeed, and all tokens can be used."""
        server = self.closing(start_provider("mcp", RESOURCES=str(count)))
        resources = [server.address, *(f"{server.address}{number + 1}" for number in range(1, count))]
        processes = [self.start(command, "--resource", resource) for resource in resources]
        results = [(*process.communicate(timeout=120), process.returncode) for process in processes]
        self.assertEqual([result[2] for result in results], [0] * count, results)
        self.assertEqual(server.lines.count("register"), 1, server.lines)
        for resource in resources:
            for extra in ([], ["--force-refresh"]):
                silent = ["token", "--resource", resource, "-o", "header", "--no-interaction", *extra]
                self.assertNotIn(self.status(resource, self.run_well(*silent).stdout), (401, 403))
        self.assertEqual(server.lines.count("register"), 1, server.lines)

    def test_four_sign_ins_at_once(self):
        self.sign_in_at_once(4, "sign-in")

    def test_sixteen_sign_ins_at_once(self):
        self.sign_in_at_once(16, "sign-in")

    def test_four_token_requests_at_once(self):
        self.sign_in_at_once(4, "token")

    def wait_for_page(self):
        return wait_until(lambda: self.workspace.opened_address, 30, lambda: "no page was opened")

    def test_a_cancelled_sign_in_takes_nothing_from_others(self):
        server = self.closing(start_provider("mcp", RESOURCES="2"))
        first, second = server.address, server.address + "2"
        self.run_well("sign-in", "--resource", first)
        self.workspace.use_recording_browser()
        waiting = self.start("sign-in", "--resource", second)
        self.wait_for_page()
        waiting.send_signal(signal.SIGINT)
        self.assertEqual(waiting.wait(timeout=30), 130)
        self.browse(CURL)
        self.run_well("token", "--resource", first, "--force-refresh", "--no-interaction")
        self.run_well("sign-in", "--resource", second)
        for resource in (first, second):
            self.run_well("token", "--resource", resource, "--force-refresh", "--no-interaction")

    def test_the_second_sign_in_waits_for_the_port(self):
        """Without a common folder for their locks, the sign-ins meet at the port of the registration."""
        server = self.closing(start_provider("mcp", RESOURCES="2"))
        self.workspace.use_recording_browser()
        first = self.start("sign-in", "--resource", server.address)
        page = self.wait_for_page()
        self.browse(CURL)
        runtime = self.workspace.path / "runtime2"
        runtime.mkdir(mode=0o700)
        second = self.start("sign-in", "--resource", server.address + "2", XDG_RUNTIME_DIR=str(runtime))
        told = []
        wait_until(lambda: "for the port" in (told.append(second.stderr.readline()) or told[-1]), 30, lambda: str(told))
        self.assertIn(f"for the port, which keyturn (process {first.pid}) uses", told[-1])
        subprocess.run(["curl", "--noproxy", "*", "-sLo", "/dev/null", page], check=True)
        self.assertEqual(first.wait(timeout=30), 0)
        self.assertEqual(second.wait(timeout=30), 0)
        self.assertEqual(server.lines.count("register"), 1, server.lines)
        for resource in (server.address, server.address + "2"):
            self.run_well("token", "--resource", resource, "--no-interaction")

    def test_cancel_and_start_again_at_a_server_that_forgot_us(self):
        """The documented way out, while the access token is still valid."""
        server = self.closing(start_provider("mcp"))
        resource = server.address
        self.run_well("sign-in", "--resource", resource)
        for _ in range(3):
            server.close()
            server = self.closing(start_provider("mcp", resource.split(":")[2].removesuffix("/mcp")))
            # The server shows its error in the browser, and nothing returns.
            self.workspace.forget_browser()
            self.workspace.use_recording_browser()
            lost = self.start("sign-in", "--resource", resource)
            with self.assertRaises(urllib.error.HTTPError) as shown:
                urllib.request.urlopen(self.wait_for_page())
            self.assertEqual(shown.exception.code, 400)
            lost.send_signal(signal.SIGINT)
            self.assertEqual(lost.wait(timeout=30), 130)
            self.assertNotIn("register", server.lines)
            self.browse(CURL)
            self.run_well("sign-in", "--resource", resource)
            self.assertEqual(server.lines.count("register"), 1, server.lines)
            header = self.run_well("token", "--resource", resource, "-o", "header", "--no-interaction").stdout
            self.assertNotIn(self.status(resource, header), (401, 403))

    def test_sign_in_after_a_rejected_refresh_at_a_server_that_forgot_us(self):
        server = self.closing(start_provider("mcp"))
        resource = server.address
        self.run_well("sign-in", "--resource", resource)
        server.close()
        server = self.closing(start_provider("mcp", resource.split(":")[2].removesuffix("/mcp")))
        refresh = ["token", "--resource", resource, "--force-refresh", "--no-interaction"]
        self.run_badly(4, "no longer knows the client", *refresh)
        self.run_well("sign-in", "--resource", resource)
        self.assertEqual(server.lines.count("register"), 1, server.lines)
        self.run_well(*refresh)


def end(process):
    """Ends a process that a failed test left."""
    with process:
        process.kill()


class ToolkitJourney(ResourceCase):
    """django-oauth-toolkit: resource metadata, RFC 8414 with a path, registration, scopes in a challenge."""

    def test_from_url_to_response(self):
        provider = self.closing(start_provider("toolkit"))
        self.workspace.use_person("alice", "password1")
        letters = provider.address.removesuffix("/o") + "/api/letters"
        called = self.run_well("call", letters, seconds=90)
        self.assertEqual(json.loads(called.stdout), {"user": "alice"}, called.stderr)
        self.assertEqual(json.loads(self.run_well("call", letters, "--no-interaction").stdout), {"user": "alice"})


class StreamCase(ResourceCase):
    """A body in two pieces, and one that the client sends."""

    def setUp(self):
        super().setUp()
        self.rest = threading.Event()
        case = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"first\n")
                case.rest.wait(30)
                self.wfile.write(b"second\n")

            def do_POST(self):
                data = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format, *args):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(self.rest.set)
        self.address = f"http://127.0.0.1:{server.server_address[1]}/"

    def test_body_is_streamed(self):
        command = [KEYTURN, "call", "-q", self.address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=self.workspace.environment) as call:
            self.assertEqual(call.stdout.readline(), b"first\n")
            self.rest.set()
            self.assertEqual(call.stdout.read(), b"second\n")
        self.assertEqual(call.returncode, 0)

    def test_data_from_file(self):
        data = self.workspace.path / "data"
        data.write_text("a\0b\u00e9\n")
        self.assertEqual(self.run_well("call", "-d", f"@{data}", self.address).stdout, "a\0b\u00e9\n")
        self.run_badly(1, "Can't read .*missing", "call", "-d", f"@{data}-missing", self.address)


class BuiltInJourney(ResourceCase):
    """The built-in authority's API, with a profile and without one, and its faults."""

    def test_challenges(self):
        origin = start_authority(self)
        self.configure_for_authority(origin)
        self.workspace.use_person(*person.ANN)
        mail = self.run_well("call", "--profile", "test", f"{origin}/api/mail", seconds=90)
        self.assertEqual(json.loads(mail.stdout)["username"], "ann@contoso.example")
        # As with curl: its output is the challenge.
        challenge = subprocess.run(
            ["curl", "--noproxy", "*", "-si", f"{origin}/api/mail"], capture_output=True, text=True, check=True).stdout
        token = self.run_well("token", "--challenge", "-", "--no-interaction", "-o", "header", input=challenge).stdout
        self.assertEqual(self.status(f"{origin}/api/mail", token), 200)

    def test_call_with_the_account_of_a_registered_client(self):
        """--resource names the sign-in whose account a call uses."""
        origin = start_authority(self)
        self.workspace.use_person(*person.ANN)
        issuer = f"{origin}/0c047050-7a3e-4c1b-9d52-6f1e8a2b4c01/v2.0"
        client = ["--client-id", person.DEMO_CLIENT_ID, "--authority", issuer]
        named = ["--resource", f"{origin}/api/me", *client]
        self.run_well("sign-in", *named, seconds=90)
        called = self.run_well("call", *named, f"{origin}/api/me", "--no-interaction")
        self.assertEqual(json.loads(called.stdout)["username"], "ann@contoso.example")
        missing = self.run_badly(
            4, "keyturn sign-in", "call", "--resource", f"{origin}/api/mail", *client, f"{origin}/api/mail", "--no-interaction")
        self.assertEqual(missing.stderr.count("--resource"), 1)

    def test_claims_challenge(self):
        """A client that declares CP1 gets a claims challenge for MFA, in base64 as from Microsoft's APIs."""
        origin = start_authority(self)
        self.configure_for_authority(origin, clientCapabilities=["CP1"])
        self.workspace.use_person(*person.ANN)
        self.run_well("sign-in", seconds=90)
        self.run_badly(4, "insufficient_claims", "call", "--profile", "test", f"{origin}/api/admin", "--no-interaction")
        called = self.run_well("call", "--profile", "test", f"{origin}/api/admin", seconds=90)
        self.assertEqual(json.loads(called.stdout)["api"], "admin")

    def test_faults(self):
        for fault, words in [
            ("resource-other", "instead of"), ("server-wrong-issuer", "issuer"),
            ("resource-huge-challenge", "more than 64 parameters"), ("resource-unsafe-authority", "an unsafe URL"),
            ("resource-without-metadata", "doesn't say where"), ("registration-refused", "This client can't be registered at"),
        ]:
            with self.subTest(fault):
                origin = self.closing(start_faulty_authority(self.workspace, "--fault", fault)).address
                result = self.workspace.run("token", "--resource", f"{origin}/api/me")
                self.assertIn(result.returncode, (1, 3), result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(result.stdout, "")

    def test_endless_challenge(self):
        origin = self.closing(start_faulty_authority(self.workspace, "--fault", "resource-endless-challenge")).address
        self.workspace.use_person(*person.ANN)
        result = self.workspace.run("call", f"{origin}/api/me", seconds=90)
        self.assertEqual(result.returncode, 1, result.stderr)
        # With the token of the sign-in, and with a refreshed one in its place.
        self.assertEqual(result.stderr.count("Sending the request again"), 2, result.stderr)

    def test_bad_addresses(self):
        self.run_badly(3, "not the URL of a resource", "token", "--resource", "http://api.example/x")
        self.run_badly(2, "doesn't use https", "call", "http://api.example/x")
        self.run_badly(6, r"^keyturn: Can't reach 127\.0\.0\.1:1: Connection refused\.\n", "call", "http://127.0.0.1:1/x")
        for address in ("https://u:hunter2@api.example/x", "https://api.example/x#hunter2"):
            self.run_badly(2, "contains a username, password or fragment", "call", address)
            self.assertNotIn("hunter2", self.workspace.run("call", address).stderr)
        self.run_badly(2, "Invalid --resource", "token", "--resource", "nonsense")

    def assert_shows_little(self, words, location):
        """Of a long URL, only the beginning is printed, and no query."""
        server = self.closing(PageServer(status=302, fields=[("Location", location)]))
        result = self.workspace.run("call", server.address)
        self.assertIn(words, result.stderr)
        self.assertLess(len(result.stderr), 5000)
        self.assertNotIn("s3cret" * 40, result.stderr)

    def test_a_body_on_a_terminal(self):
        """Neither control characters nor bidirectional marks reach it; elsewhere the body is as it was sent."""
        body = "a\u202eb\u2066c\u200fd\u061ce\x1b[2Jf\x9bg\u2028h \u05d0\n"
        server = self.closing(PageServer(body))
        terminal = self.closing(PseudoTerminal([KEYTURN, "call", "-q", server.address], self.workspace.environment))
        self.assertIn("abcde[2Jfgh \u05d0", terminal.read_until("\u05d0".encode()).decode())
        self.assertEqual(self.run_well("call", "-q", server.address).stdout, body)
        # Nor by the name of the terminal.
        terminal = self.closing(
            PseudoTerminal([KEYTURN, "call", "-q", "-o", "/dev/tty", server.address], self.workspace.environment))
        self.assertIn("abcde[2Jfgh \u05d0", terminal.read_until("\u05d0".encode()).decode())

    def test_a_file_that_cannot_take_the_body(self):
        """A FIFO, at which writing would wait, a folder and a missing folder end the call before anything is sent."""
        seen = []

        class Counting(PageServer):
            def response(self, path, page):
                seen.append(path)
                return "text/html", page

        server = self.closing(Counting())
        fifo = self.workspace.path / "fifo"
        os.mkfifo(fifo)
        for path, reason in [
            (fifo, "is not a regular file"), (self.workspace.path, "Is a directory"),
            (self.workspace.path / "none/body", "No such file"),
        ]:
            with self.subTest(path):
                self.run_badly(1, reason, "call", "-o", str(path), server.address)
        self.assertEqual(seen, [])
        body = self.workspace.path / "body"
        for path in (body, "/dev/null"):
            self.run_well("call", "-o", str(path), server.address)
        self.assertIn("Welcome to the shop", body.read_text())

    def test_loops_and_large_headers(self):
        loop = self.closing(PageServer(status=302, fields=[("Location", "/again")]))
        self.run_badly(1, "redirected more than 10 times", "call", loop.address)
        # Metadata is read without redirects.
        self.run_badly(3, "redirects to /again", "token", "--resource", loop.address)
        huge = self.closing(PageServer(status=401, fields=[("WWW-Authenticate", "Bearer realm=" + "a" * 10_000_000)]))
        self.run_badly(1, "too large a header", "call", huge.address)
        self.run_badly(1, "too large a header", "token", "--resource", huge.address)
        many = "Bearer " + ", ".join(f'p{number}="x"' for number in range(100))
        hundred = self.closing(PageServer(status=401, fields=[("WWW-Authenticate", many)]))
        for code, command in ((1, ["call"]), (3, ["token", "--resource"])):
            self.run_badly(code, r"challenge (of [0-9.:]+ )?is unsupported\.\s+The challenge has more than 64 parameters\.", *command, hundred.address)
        self.assert_shows_little("redirected to", "/there?code=" + "s3cret" * 10_000)
        self.assert_shows_little("which is not safe", "http://api.example/" + "s3cret" * 10_000)
        page = "\0 a\r\nb \u00e9"
        plain = self.closing(PageServer(page))
        called = subprocess.run(
            [KEYTURN, "call", plain.address], capture_output=True, env=self.workspace.environment, timeout=60)
        self.assertEqual(called.stdout, page.encode())
        away = self.closing(PageServer("arrived"))
        redirect = self.closing(PageServer(status=302, fields=[("Location", away.address)]))
        self.assertEqual(self.run_well("call", redirect.address).stdout, "arrived")


if __name__ == "__main__":
    unittest.main()
