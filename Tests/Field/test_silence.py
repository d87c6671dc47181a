"""Servers and services that accept and never answer."""

import contextlib
import json
import socket
import threading
import time

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider


class StreamingProvider(StrictProvider):
    """Its resource answers GET with a stream of events that doesn't end."""

    def __init__(self, status):
        super().__init__()
        self.status = status
        self.closes = threading.Event()

    def serve(self, handler, path):
        if handler.headers.get("Authorization"):
            return super().serve(handler, path)
        handler.send_response(self.status)
        handler.send_header("Content-Type", "text/event-stream")
        if self.status == 401:
            handler.send_header("WWW-Authenticate", "Bearer")
        handler.end_headers()
        handler.wfile.flush()
        return self.closes.wait(120)

    def close(self):
        self.closes.set()
        super().close()


class TricklingProvider(StrictProvider):
    """One of its documents takes 12 seconds: 1 kB/s, or silence before the end."""

    def __init__(self, path="/.well-known/openid-configuration", pauses=24 * (0.5,)):
        super().__init__()
        self.closes = threading.Event()
        self.path, self.pauses = path, pauses
        self.longest = 0
        # How long the document took, at each request for a code.
        self.codes_after = []

    def post(self, handler, body):
        if handler.path == "/device":
            self.codes_after.append(self.longest)
        return super().post(handler, body)

    def get(self, handler):
        if not handler.path.startswith(self.path):
            return super().get(handler)
        start = time.monotonic()
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        for pause in self.pauses:
            handler.wfile.write(b" " * 500)
            handler.wfile.flush()
            self.closes.wait(pause)
        document = {"keys": [self.key.as_dict(private=False)]} if self.path == "/keys" else self.metadata()
        with contextlib.suppress(ConnectionError):
            handler.wfile.write(json.dumps(document).encode())
        self.longest = time.monotonic() - start
        return None

    def close(self):
        self.closes.set()
        super().close()


class SilenceRow(FieldCase):
    def within(self, seconds, *arguments, **others):
        start = time.monotonic()
        result = self.workspace.run(*arguments, **others)
        self.assertLess(time.monotonic() - start, seconds, result.stderr)
        return result

    def sign_in_at(self, provider):
        self.setUpProvider(provider)
        self.workspace._use_browser(CURL)
        result = self.within(20, "sign-in", "--method", "browser", "--resource", provider.resource("mcp"))
        self.assertEqual(result.returncode, 0, result.stderr)

    @complaint(
        "https://github.com/BerriAI/litellm/issues/37499",
        "The search for a resource's authority reads the whole body of a GET, which is a stream of events that never ends",
        "The probe ends at the headers")
    def test_a_stream_of_events(self):
        self.sign_in_at(StreamingProvider(200))

    @complaint(
        "https://github.com/BerriAI/litellm/pull/32986",
        "The same where the stream comes with a status: the call blocks until its time limit",
        "The status and the challenge are enough")
    def test_a_stream_with_a_challenge(self):
        self.sign_in_at(StreamingProvider(401))

    def configure_silent_authority(self):
        """A socket that accepts and never answers. Returns its port."""
        server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.addCleanup(server.close)
        port = server.getsockname()[1]
        self.configure_for_provider(f"http://127.0.0.1:{port}", cache={"key": "keyFile"})
        return port

    @complaint(
        "https://github.com/esengine/DeepSeek-Reasonix/issues/7507",
        "A session bus that is unhealthy hangs the program for ever, without output",
        "The keyring as a whole gets 3 s; the message names it")
    def test_a_silent_session_bus(self):
        self.setUpProvider(StrictProvider())
        self.configure_for_provider(self.provider.issuer)
        path = f"{self.workspace.path}/bus"
        bus = socket.socket(socket.AF_UNIX)
        self.addCleanup(bus.close)
        bus.bind(path)
        bus.listen(64)
        self.workspace.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={path}"
        result = self.within(8, "sign-in", "--method", "device")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("keyring", result.stderr)

    @complaint(
        "https://github.com/modelcontextprotocol/csharp-sdk/pull/1719",
        "A request for a document and one that waits for a user have the same time limit, or none",
        "10 s without a byte of a document end the wait. The message names the server")
    def test_a_silent_authority(self):
        port = self.configure_silent_authority()
        result = self.within(18, "sign-in", "--method", "device", keeps_waits=True)
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn(f"Waiting for 127.0.0.1:{port} to send a document, 10 s of silence at most.", result.stderr)

    @complaint(
        "https://github.com/XenitAB/go-oidc-middleware/issues/148",
        "A slow line or a cold start can't sign in: the whole document must arrive within the limit",
        "The limit is for silence, and each byte extends it")
    def test_a_slow_line(self):
        provider = TricklingProvider()
        self.setUpProvider(provider)
        self.workspace._use_browser(CURL)
        result = self.workspace.run("sign-in", "--method", "browser", seconds=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(provider.longest, 10)

    @complaint(
        "https://github.com/erlef/oidcc/issues/145",
        "The keys are fetched while the user signs in, and a limit that they exceed costs the sign-in",
        "The keys come before the page or the code, so that nothing is spent; each byte, and --timeout, extends the limit")
    def test_slow_keys(self):
        provider = self.setUpProvider(TricklingProvider("/keys"))
        self.sign_in()
        self.assertGreater(provider.codes_after[0], 10)
        provider = self.setUpProvider(TricklingProvider("/keys", (20,)))
        result = self.workspace.run("sign-in", "--method", "device", seconds=60)
        self.assertEqual((result.returncode, provider.codes_after), (6, []), result.stderr)
        result = self.workspace.run("sign-in", "--method", "device", "--timeout", "50", seconds=60)
        self.assertEqual((result.returncode, len(provider.codes_after)), (0, 1), result.stderr)

    @complaint(
        "https://github.com/grafana/gcx/issues/964",
        "A script hangs in a call that nothing bounds, and nobody sees why",
        "`--timeout 3` ends the whole command with exit status 6")
    def test_a_time_limit(self):
        self.configure_silent_authority()
        result = self.within(8, "token", "--timeout", "3")
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn("The time limit (--timeout) has passed.", result.stderr)
        result = self.workspace.run("token", "--timeout", "0")
        self.assertEqual(result.returncode, 2)
