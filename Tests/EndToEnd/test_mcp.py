"""`keyturn mcp`: a client on standard input and output, and a server over Streamable HTTP."""

import json
import signal
import subprocess
import sys
import time
import unittest

from support import person
from support.case import JourneyCase
from support.mcp_client import INITIALIZE, MCPClient
from support.mcp_server import MCPServer
from support.origin import Origin
from support.provider import free_port, start_authority, start_provider
from support.waiting import wait_until
from support.workspace import IS_RELEASE, KEYTURN

# A browser without pages: the server redirects at once.
CURL = 'exec curl --noproxy "*" --silent --location --output /dev/null "$1"'


class RelayCase(JourneyCase):
    def serve(self, **settings):
        return self.closing(MCPServer(**settings))

    def client(self, address, *arguments):
        return self.closing(MCPClient(self.workspace, *arguments, address))

    def opened(self, server, *arguments):
        client = self.client(getattr(server, "address", server), *arguments)
        client.open()
        return client

    def memory(self, client, kind="VmRSS"):
        """The resident memory in MB. RssAnon is what the process shares with no other."""
        status = open(f"/proc/{client.process.pid}/status").read()
        return int(next(line for line in status.split("\n") if line.startswith(kind)).split()[1]) / 1024


class OpenServerJourney(RelayCase):
    """A server without authorization: the transport alone."""

    def test_a_session(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                server = self.serve(stream=stream)
                client = self.client(server.address)
                self.assertEqual(client.open()["result"]["serverInfo"]["name"], "small")
                self.assertEqual(client.text("echo", 1, text="ä\n"), "ä\n")
                # The server's own stream, which it offers after the start.
                news = client.waiting.pop() if client.waiting else client.message()
                self.assertEqual(news["params"]["data"], "news 0")
                self.assertEqual(client.end(), 0)
                first = server.headers_of("initialize")
                self.assertNotIn("mcp-session-id", first)
                self.assertEqual(first["accept"], "application/json, text/event-stream")
                called = server.headers_of("tools/call")
                self.assertEqual((called["mcp-session-id"], called["mcp-protocol-version"]), ("session-1", "2025-11-25"))
                self.assertNotIn("authorization", called)
                self.assertEqual(server.deleted, ["session-1"])
                self.assertEqual(client.errors, [])

    def test_without_sessions(self):
        server = self.serve(stateful=False, listens=False)
        client = self.opened(server)
        self.assertEqual(client.text("echo", 1, text="a"), "a")
        self.assertEqual(client.end(), 0)
        self.assertEqual(server.deleted, [])

    def test_without_a_start(self):
        """Revision 2026-07-28 has no `initialize`; each message names its revision, and headers repeat what it says."""
        server = self.serve()
        client = self.client(server.address)
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        client.send("tools/call", 1, name="écho", arguments={"text": "a"}, _meta=meta)
        self.assertEqual(client.response(1)["result"]["content"][0]["text"], "a")
        headers = server.headers_of("tools/call")
        self.assertEqual(
            (headers["mcp-protocol-version"], headers["mcp-method"], headers["mcp-name"]),
            ("2026-07-28", "tools/call", "=?base64?w6ljaG8=?="))
        client.send("tools/call", 2, name="slow", arguments={}, _meta=meta)
        wait_until(lambda: server.methods().count("tools/call") == 2, 10, "not called")
        client.send("notifications/cancelled", requestId=2)
        client.send("tools/call", 3, name="echo", arguments={"text": "b"}, _meta=meta)
        self.assertEqual(client.message()["id"], 3)
        self.assertNotIn("notifications/cancelled", server.methods())
        self.assertEqual(client.end(5), 0)

    def test_a_slow_call_holds_up_no_other(self):
        server = self.serve()
        client = self.opened(server)
        for number in range(1, 9):
            client.call("slow", number)
        self.assertEqual(client.text("echo", 9, text="quick"), "quick")
        client.send("notifications/cancelled", requestId=1, reason="no longer needed")
        wait_until(lambda: "notifications/cancelled" in server.methods(), 10, "not relayed")
        server.release.set()
        for number in range(2, 9):
            self.assertIn("result", client.response(number))
        self.assertEqual(client.end(5), 0)
        self.assertFalse([message for message in client.waiting if message.get("id") == 1])

    def fill(self, server, client, others):
        """As many messages as the relay has on the way at once: the first one stays."""
        client.call("slow", 0)
        for number in range(1, 256):
            client.call(others, number)
        wait_until(lambda: server.methods().count("tools/call") == 256, 30, "not all are on the way")

    def test_any_message_makes_room(self):
        server = self.serve(listens=False)
        client = self.opened(server)
        self.fill(server, client, "brief")
        client.call("echo", "next", text="a")
        server.brief.set()
        self.assertIn("result", client.response("next", 10))
        self.assertEqual(client.process.poll(), None)

    def test_a_signal_ends_a_full_relay(self):
        server = self.serve(listens=False)
        client = self.opened(server)
        self.fill(server, client, "slow")
        client.process.send_signal(signal.SIGTERM)
        self.assertEqual(client.finish(10), 143)

    def test_an_idle_server_is_listened_to(self):
        """It closes each stream without an event."""
        server = self.serve(news=0, news_seconds=0, retry=100)
        client = self.opened(server)
        wait_until(lambda: [verb for verb, *_ in server.requests].count("GET") >= 6, 60, "no longer listens")
        server.settings["news"] = 1
        # After five streams without an event, it asks twice a minute.
        self.assertEqual(client.message(60)["params"]["data"], "news 0")

    def test_a_response_to_a_notification(self):
        server = self.serve(noted=(200, b"{}"))
        client = self.opened(server)
        self.assertEqual(client.message()["params"]["data"], "news 0")
        self.assertEqual((client.end(), client.errors), (0, []))

    def test_events_arrive_as_they_come(self):
        server = self.serve()
        client = self.opened(server)
        client.call("events", 1, count=10_000)
        client.response(1, 60)
        before = self.memory(client)
        progress = [message["params"]["progress"] for message in client.waiting if message["method"] == "notifications/progress"]
        self.assertEqual(progress, list(range(10_000)))
        client.waiting.clear()
        client.call("events", 2, count=10_000)
        client.response(2, 60)
        self.assertLess(self.memory(client) - before, 2)
        self.assertLess(self.memory(client, "RssAnon"), 10)

    def test_a_broken_stream(self):
        server = self.serve(listens=True)
        client = self.opened(server)
        self.assertEqual(client.text("broken", 1, text="whole"), "whole")
        self.assertIn("b1", [headers.get("last-event-id") for verb, headers, _ in server.requests if verb == "GET"])
        client.call("lost", 2)
        error = client.response(2)["error"]
        self.assertEqual((error["code"], error["data"]["name"]), (-32000, "brokenStream"))

    def test_responses_of_every_kind(self):
        server = self.serve(indent=1)
        client = self.opened(server)
        self.assertEqual(client.text("echo", 1, text="a\nb"), "a\nb")
        self.assertEqual(client.text("lines", 2, text="c"), "c")
        self.assertEqual(client.text("nonsense", 3, text="d"), "d")
        for tool, code, words in (
            ("page", -32000, "isn't a JSON-RPC response"), ("accepted", -32000, "without a response"),
            ("refused", -32602, "^No such tool$"), ("failing", -32000, "HTTP 500"),
        ):
            client.call(tool, tool)
            error = client.response(tool)["error"]
            self.assertEqual(error["code"], code, error)
            self.assertRegex(error["message"], words)
            self.assertNotIn("Traceback", str(error))
        client.call("ask", 8, text="e")
        while (asked := client.message()).get("method") != "roots/list":
            pass
        client.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}}).encode() + b"\n")
        self.assertEqual(client.response(8)["result"]["content"][0]["text"], "e")
        client.write(b'[{"jsonrpc":"2.0","id":10,"method":"a"},{"jsonrpc":"2.0","id":11,"method":"b"}]\n')
        self.assertEqual({part["id"] for part in client.message()}, {10, 11})
        self.assertEqual(client.end(), 0)
        self.assertRegex("".join(client.errors), "aren't JSON-RPC")

    def test_a_lost_session(self):
        """The server forgets its sessions: one start, however many calls find out."""
        for status in (404, 400):
            with self.subTest(status=status):
                server = self.serve(lost=status)
                client = self.opened(server)
                self.assertEqual(client.text("echo", 0, text="a"), "a")
                server.sessions.clear()
                for number in range(1, 9):
                    client.call("echo", number, text=str(number))
                for number in range(1, 9):
                    self.assertEqual(client.response(number)["result"]["content"][0]["text"], str(number))
                self.assertEqual(server.methods().count("initialize"), 2)
                self.assertEqual(server.methods().count("notifications/initialized"), 2)
                self.assertEqual(client.end(), 0)
                self.assertEqual(server.deleted, ["session-2"])

    def test_another_revision_after_a_lost_session(self):
        server = self.serve()
        client = self.opened(server)
        server.sessions.clear()
        server.settings["version"] = "2025-03-26"
        client.call("echo", 1)
        self.assertEqual(client.response(1)["error"]["data"]["name"], "sessionLost")

    def test_a_session_that_is_lost_for_ever(self):
        """A server that forgets each session at once is asked once more, and then its error is the response."""
        server = self.serve(forgets=True)
        client = self.client(server.address)
        client.send("initialize", 0, **INITIALIZE)
        self.assertIn("result", client.response(0))
        client.call("echo", 1)
        self.assertEqual(client.response(1)["error"]["message"], "Session not found")
        self.assertEqual(server.methods().count("tools/call"), 2)
        self.assertEqual(server.methods().count("initialize"), 2)

    def test_a_server_that_goes_and_comes_back(self):
        port = free_port()
        server = self.serve(port=port)
        client = self.opened(server)
        client.call("slow", 1)
        wait_until(lambda: "tools/call" in server.methods(), 10, "not called")
        server.cut()
        self.assertIn("error", client.response(1))
        client.call("echo", 2)
        error = client.response(2)["error"]
        self.assertEqual((error["data"]["name"], error["data"]["code"]), ("network", 6))
        again = self.serve(port=port)
        self.assertEqual(client.text("echo", 3, text="back"), "back")
        self.assertEqual(again.methods()[:2], ["tools/call", "initialize"])

    def test_the_former_transport(self):
        server = self.serve(old=True)
        client = self.client(server.address)
        client.send("initialize", 1, **INITIALIZE)
        error = client.response(1)["error"]
        self.assertEqual(error["data"]["name"], "oldTransport")
        self.assertRegex(error["message"], r"^The server has only the former transport \(HTTP\+SSE, 2024-11-05\)\.")

    # Bad input, and the end

    def test_broken_lines(self):
        server = self.serve()
        client = self.opened(server)
        for line in (b"{broken\n", b"\xff\xfe\n", b'{"id":1}{\n'):
            client.write(line)
            error = client.response(None)
            self.assertEqual((error["id"], error["error"]["code"]), (None, -32700))
        client.write(b"\n \r\n[]\n")
        self.assertEqual(client.response(None)["error"]["code"], -32600)
        self.assertEqual(client.text("echo", 1, text="still here"), "still here")

    def test_large_messages(self):
        server = self.serve()
        client = self.opened(server)
        large = "x" * (20 << 20)
        self.assertEqual(len(client.text("echo", 1, text=large)), len(large))
        start = b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","text":"'
        client.write(start + b"x" * (100 << 20) + b'"}}\n')
        self.assertRegex(client.response(2)["error"]["message"], "larger than the limit of 32 MiB")
        self.assertEqual(client.text("echo", 3, text="after"), "after")
        self.assertLess(self.memory(client), 300)

    def test_the_end_of_the_input(self):
        """Responses that are still due come first, as in a pipeline."""
        server = self.serve()
        lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "a"}}}]
        result = subprocess.run(
            [KEYTURN, "mcp", server.address], input="".join(json.dumps(line) + "\n" for line in lines).rstrip("\n"),
            capture_output=True, text=True, env=self.workspace.environment, timeout=60)
        ids = [json.loads(line).get("id") for line in result.stdout.splitlines()]
        self.assertEqual((result.returncode, [id for id in ids if id]), (0, [1, 2]))
        self.assertEqual(server.deleted, ["session-1"])

    def test_signals(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            with self.subTest(number):
                server = self.serve()
                client = self.opened(server)
                client.call("slow", 1)
                wait_until(lambda: "tools/call" in server.methods(), 10, "not called")
                client.process.send_signal(number)
                self.assertEqual(client.finish(6), status)
                self.assertEqual(server.deleted, ["session-1"])

    def begin(self, server, count):
        """A session whose client has a call with many events, and reads nothing of it."""
        process = subprocess.Popen(
            [KEYTURN, "mcp", server.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=self.workspace.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        for id, method, params in (
            (1, "initialize", INITIALIZE), (2, "tools/call", {"name": "events", "arguments": {"count": count}}),
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n")
            process.stdin.flush()
            if id == 1:
                process.stdout.readline()
        wait_until(lambda: "tools/call" in server.methods(), 10, "not called")
        return process

    def test_a_client_that_goes(self):
        server = self.serve(news=0)
        process = self.begin(server, 100_000)
        process.stdout.close()
        self.assertEqual(process.wait(timeout=10), 1)
        self.assertEqual(server.deleted, ["session-1"])

    def test_a_client_that_does_not_read(self):
        """The pipe is full: the server waits, memory stays, and a signal still ends the process."""
        server = self.serve(news=0)
        process = self.begin(server, 500_000)

        def resident():
            status = open(f"/proc/{process.pid}/status").read()
            return int(status.split("VmRSS:")[1].split()[0])

        seen = []

        def rests():
            seen.append((len(server.requests), resident()))
            return seen[-3:] == [seen[-1]] * 3

        wait_until(rests, 20, "memory grows")
        # The debug program has the toolchain's libraries in its memory too.
        self.assertLess(resident(), 45_000 if IS_RELEASE else 60_000)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=15), 143)


class GuardedServerJourney(RelayCase):
    """The server of the package mcp, which requires tokens of its own authority."""

    def setUp(self):
        super().setUp()
        self.workspace._use_browser(CURL)

    def guarded(self, **environment):
        return self.closing(start_provider("mcp", **environment))

    def sign_in(self, server):
        result = self.workspace.run("sign-in", "--resource", server.address)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_from_nothing_to_a_call(self):
        """One registration, one visit to the browser, however many messages wait for it."""
        server = self.guarded()
        client = self.opened(server)
        for number in range(1, 6):
            client.call("unread", number)
        for number in range(1, 6):
            self.assertEqual(client.response(number)["result"]["content"][0]["text"], "3")
        self.assertEqual([line.split()[0] for line in server.lines[1:]], ["register", "authorize", "token"])
        self.assertEqual(client.end(), 0)

    def test_without_a_browser(self):
        """The error says what to type, and after that the next message works."""
        server = self.guarded()
        client = self.client(server.address, "--no-interaction")
        client.send("initialize", 1, **INITIALIZE)
        error = client.response(1)["error"]
        self.assertEqual((error["data"]["domain"], error["data"]["name"]), ("MSALErrorDomain", "interactionRequired"))
        self.assertIn(f"keyturn sign-in --resource {server.address}", error["message"])
        self.sign_in(server)
        self.assertIn("result", client.open())
        self.assertEqual(client.text("unread", 2), "3")

    def test_a_browser_opens_once(self):
        """A user who doesn't sign in isn't asked again by each message."""
        mark = self.workspace.path / "opened"
        self.workspace._use_browser(f'echo >>{mark}; exec curl --noproxy "*" --silent --output /dev/null "$(echo "$1" | sed s/client_id=/client_id=x/)"')
        server = self.guarded()
        client = self.client(server.address, "--timeout", "60")
        for number in range(1, 4):
            client.send("tools/list", number)
        wait_until(mark.exists, 20, "no browser")
        client.process.send_signal(signal.SIGTERM)
        self.assertEqual(client.finish(10), 143)
        self.assertEqual(mark.read_text(), "\n")

    def test_tokens_that_expire(self):
        """32 calls at a time while tokens live for 5 seconds: none fails, and each expiry costs one refresh."""
        server = self.guarded(LIFE="5")
        client = self.opened(server)
        begin, number = time.monotonic(), 0
        while time.monotonic() - begin < 12:
            for _ in range(32):
                client.call("unread", number := number + 1)
            for answered in range(number - 31, number + 1):
                self.assertIn("result", client.response(answered))
        seconds = time.monotonic() - begin
        refreshes = len([line for line in server.lines if line.startswith("token")]) - 1
        self.assertLessEqual(refreshes, seconds / 4.5 + 1)
        self.assertGreaterEqual(refreshes, 2)

    def test_a_rejected_token(self):
        """The server forgets all tokens: one refresh for all calls."""
        server = self.guarded(LIFE="3600", AT_TTL="1")
        self.sign_in(server)
        client = self.opened(server, "--no-interaction")
        for number in range(16):
            client.call("unread", number)
        for number in range(16):
            self.assertIn("result", client.response(number))
        self.assertLessEqual(len([line for line in server.lines if line.startswith("token")]), 2)

    def test_a_sign_in_that_ends_in_a_session(self):
        """The authority forgets everything: the error says what to type, and the relay stays."""
        server = self.guarded(STATEFUL="1")
        client = self.opened(server)
        self.assertEqual(client.text("unread", 1), "3")
        port = server.address.split(":")[2].removesuffix("/mcp")
        server.close()
        again = self.closing(start_provider("mcp", port, STATEFUL="1"))
        self.workspace._use_browser("exit 1")
        client.call("unread", 2)
        self.assertIn("keyturn sign-in", client.response(2, 60)["error"]["message"])
        self.workspace._use_browser(CURL)
        self.sign_in(again)
        self.assertEqual(client.text("unread", 3), "3")

    def test_step_up(self):
        """A tool that needs another scope: one more consent, and the token has both scopes."""
        server = self.guarded()
        client = self.opened(server)
        self.assertEqual(client.text("seal", 1, text="a"), "sealed a")
        self.assertEqual(client.text("seal", 2, text="b"), "sealed b")
        self.assertEqual(client.text("unread", 3), "3")
        names = [line.split()[0] for line in server.lines[1:]]
        self.assertEqual(names, ["register", "authorize", "token", "step", "authorize", "token"])

    def test_step_up_without_a_user(self):
        server = self.guarded()
        self.sign_in(server)
        client = self.opened(server, "--no-interaction")
        client.call("seal", 1, text="a")
        self.assertEqual(client.response(1)["error"]["data"]["name"], "interactionRequired")
        self.assertEqual(client.text("unread", 2), "3")

    def test_no_secrets(self):
        server = self.guarded(LIFE="2")
        client = self.opened(server, "-vv")
        client.text("unread", 1)
        self.assertEqual(client.end(), 0)
        said = "".join(client.errors)
        database = subprocess.run(
            [KEYTURN, "token", "--resource", server.address, "--no-interaction"], capture_output=True, text=True,
            env=self.workspace.environment).stdout.strip()
        self.assertTrue(database)
        self.assertNotIn(database, said)
        self.assertNotRegex(said, r"(?i)bearer [\w-]{20}")


class ProfileJourney(RelayCase):
    """A server that names no authority, and the tokens of a profile."""

    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)

    def test_a_server_that_is_never_content(self):
        """It asks for another sign-in each time, and each succeeds: three windows in an hour, then a sentence."""

        class Demands:
            number = 1000

            def items(self):
                self.number += 1
                return [("WWW-Authenticate", f'Bearer error="insufficient_user_authentication", max_age={self.number}')]

        class All:
            def __contains__(self, _):
                return True

        origin = self.closing(Origin())
        origin.rejected, origin.challenge = All(), Demands()
        mark = self.workspace.path / "opened"
        line = person.browser_command(self.workspace, *person.ANN)
        self.workspace._use_browser(f'echo >>{mark}; exec {line} "$1"')
        client = self.client(origin.address, "--scope", "User.Read", "--timeout", "120")
        errors = []
        for number in range(1, 6):
            client.send("tools/list", number)
            errors.append(client.response(number, 60)["error"])
        self.assertEqual(mark.read_text(), "\n" * 3, errors)
        self.assertIn("has required 3 sign-ins within an hour", errors[3]["message"])

    def test_client_lines_with_a_configuration(self):
        text = self.workspace.run("mcp", "--client", "json", "https://mail.example.com/mcp", KEYTURN_CONFIG="/etc/keyturn.json").stdout
        arguments = json.loads(text)["mcpServers"]["mail-example-com"]["args"]
        self.assertEqual(arguments, ["mcp", "--config", "/etc/keyturn.json", "https://mail.example.com/mcp"])

    def test_tokens_of_a_profile(self):
        """Only a command that names the profile sends its token."""
        for arguments, pattern in (([], r"^$"), (["--scope", "User.Read"], r"^Bearer eyJ"), (["--profile", "test"], r"^Bearer eyJ")):
            with self.subTest(arguments):
                server = self.serve(listens=True)
                client = self.opened(server, *arguments)
                self.assertEqual(client.text("echo", 1, text="a"), "a")
                self.assertEqual(client.end(), 0)
                sent = {headers.get("authorization", "") for _, headers, _ in server.requests}
                self.assertEqual(len(sent), 1)
                self.assertRegex(sent.pop(), pattern)

    def test_a_redirect_elsewhere(self):
        """Neither the message nor the token goes to another origin."""
        other = self.serve()
        server = self.serve(redirects=other.address)
        client = self.client(server.address, "--scope", "User.Read")
        client.send("initialize", 1, **INITIALIZE)
        self.assertRegex(client.response(1)["error"]["message"], "redirects the request with its data to another origin")
        self.assertEqual(other.requests, [])


class PackageJourney(RelayCase):
    """The client of the package mcp on our standard input and output, and its server."""

    def setUp(self):
        super().setUp()
        self.workspace._use_browser(CURL)

    SCRIPT = """
import asyncio, sys
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[3:], env=dict(__import__("os").environ))
    noted = []
    async def progress(done, total, message): noted.append(int(done))
    async with Client(stdio_client(server), mode=sys.argv[2]) as client:
        names = sorted(tool.name for tool in (await client.list_tools()).tools)
        texts = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(20)))
        count = await client.call_tool("count", {"number": 5}, progress_callback=progress)
        sealed = await client.call_tool("seal", {"text": "a"})
        print(names, [r.content[0].text for r in texts] == [str(n) for n in range(20)], count.content[0].text, noted,
              sealed.content[0].text, client.protocol_version)

asyncio.run(main())
"""

    def test_kinds_of_servers(self):
        for mode, environment, version in (
            ("legacy", {}, "2025-11-25"), ("legacy", {"STATEFUL": "1", "STREAM": "1"}, "2025-11-25"),
            ("auto", {"STATEFUL": "1", "STREAM": "1"}, "2026-07-28"), ("auto", {}, "2026-07-28"),
        ):
            with self.subTest(mode=mode, environment=environment):
                server = self.closing(start_provider("mcp", **environment))
                result = subprocess.run(
                    [sys.executable, "-c", self.SCRIPT, KEYTURN, mode, "mcp", server.address], capture_output=True, text=True,
                    env=self.workspace.environment, timeout=120)
                noted = [0, 1, 2, 3, 4] if "STREAM" in environment else []
                self.assertEqual(
                    result.stdout, f"['count', 'echo', 'seal', 'unread'] True 5 {noted} sealed a {version}\n", result.stderr)
