"""Programs between an agent and a remote server (MCP): what went wrong with other relays and clients."""

import json
import time

from field import CURL, FieldCase, complaint
from support.mcp_client import INITIALIZE, MCPClient
from support.mcp_server import MCPServer
from support.provider import start_provider


class RelayRow(FieldCase):
    def serve(self, **settings):
        return self.closing(MCPServer(**settings))

    def opened(self, server, *arguments):
        client = self.closing(MCPClient(self.workspace, *arguments, server.address))
        client.open()
        return client


class TransportRow(RelayRow):
    @complaint(
        "https://github.com/punkpeye/mcp-remote/issues/106",
        "After a restart of the server, the relay keeps its old session and every call fails",
        "mcp starts another session with the client's initialize, and sends the call again")
    def test_a_restart(self):
        server = self.serve()
        client = self.opened(server)
        server.sessions.clear()
        self.assertEqual(client.text("echo", 1, text="a"), "a")

    @complaint(
        "https://github.com/punkpeye/mcp-remote/issues/269",
        "The connection comes back, but nobody repeats the initialize, so that the server rejects all calls",
        "The new session has its initialize and its notifications/initialized before the call")
    def test_the_whole_handshake(self):
        server = self.serve()
        client = self.opened(server)
        client.text("echo", 1)
        server.sessions.clear()
        before = len(server.methods())
        client.text("echo", 2)
        self.assertEqual(server.methods()[before:], ["tools/call", "initialize", "notifications/initialized", "tools/call"])

    @complaint(
        "https://github.com/punkpeye/mcp-remote/pull/289",
        "The relay leaves out MCP-Protocol-Version, and strict servers reject everything after initialize",
        "Each message has the revision that the server chose")
    def test_the_revision(self):
        server = self.serve(version="2025-06-18")
        client = self.opened(server)
        client.text("echo", 1)
        self.assertEqual(server.headers_of("tools/call")["mcp-protocol-version"], "2025-06-18")
        self.assertEqual(server.headers_of("notifications/initialized")["mcp-protocol-version"], "2025-06-18")

    @complaint(
        "https://github.com/sparfenyuk/mcp-proxy/issues/163",
        "A call right after notifications/initialized overtakes it, and the server says that it isn't initialized",
        "What follows waits until the server has taken the notification")
    def test_the_order(self):
        server = self.serve()
        client = self.closing(MCPClient(self.workspace, server.address))
        lines = [{"id": 1, "method": "initialize", "params": INITIALIZE}, {"method": "notifications/initialized"},
                 *({"id": number, "method": "tools/call", "params": {"name": "echo"}} for number in range(2, 12))]
        client.write("".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines).encode())
        for number in range(1, 12):
            client.response(number)
        self.assertEqual(server.methods()[:2], ["initialize", "notifications/initialized"])

    @complaint(
        "https://github.com/modelcontextprotocol/python-sdk/issues/3441",
        "A stream that ends without the response leaves the caller waiting until its own time limit",
        "The request gets an error at once, and isn't sent a second time")
    def test_a_stream_without_a_response(self):
        server = self.serve()
        client = self.opened(server)
        client.call("lost", 1)
        self.assertEqual(client.response(1, 10)["error"]["data"]["name"], "brokenStream")
        self.assertEqual(server.methods().count("tools/call"), 1)

    @complaint(
        "https://github.com/modelcontextprotocol/inspector/issues/723",
        "The client connects again without Last-Event-ID, and the events between are lost",
        "The stream continues after its last event")
    def test_the_last_event(self):
        server = self.serve()
        client = self.opened(server)
        self.assertEqual(client.text("broken", 1, text="whole"), "whole")
        self.assertIn("b1", [headers.get("last-event-id") for _, headers, _ in server.requests])

    @complaint(
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/2002",
        "The server stays when the client has gone: dozens of processes after a day",
        "The end of the input ends the session and the process, and nothing is left at the server")
    def test_the_client_goes(self):
        server = self.serve()
        client = self.opened(server)
        begin = time.monotonic()
        self.assertEqual(client.end(10), 0)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(server.deleted, ["session-1"])

    @complaint(
        "https://github.com/microsoft/azure-devops-mcp/issues/147",
        "A text of the program on standard output breaks the client's parser",
        "Only messages go there, also with -v, after errors, and when the server sends a page")
    def test_only_messages(self):
        server = self.serve()
        client = self.opened(server, "-vv")
        for tool in ("page", "nonsense", "failing", "echo"):
            client.call(tool, tool)
            client.response(tool)
        client.write(b"{broken\n")
        client.response(None)
        self.assertEqual(client.end(), 0)
        rest = [client.lines.get_nowait() for _ in range(client.lines.qsize())]
        self.assertTrue(all(line is None or json.loads(line)["jsonrpc"] == "2.0" for line in rest))


class SignInRow(RelayRow):
    def setUp(self):
        super().setUp()
        self.workspace._use_browser(CURL)

    def guarded(self, **environment):
        return self.closing(start_provider("mcp", **environment))

    def count(self, server, word):
        return len([line for line in server.lines if line.startswith(word)])

    @complaint(
        "https://github.com/punkpeye/mcp-remote/issues/68",
        "New windows open all the time, before one can type anything into the first",
        "However many messages wait, one window opens")
    def test_one_window(self):
        server = self.guarded()
        client = self.closing(MCPClient(self.workspace, server.address))
        for number in range(10):
            client.send("tools/list", number)
        for number in range(10):
            client.response(number, 60)
        self.assertEqual((self.count(server, "register"), self.count(server, "authorize")), (1, 1))

    @complaint(
        "https://github.com/github/copilot-cli/issues/4472",
        "Calls at the same time each refresh the expired token, and cancel one another",
        "One refresh, for which the others wait; no call fails")
    def test_one_refresh(self):
        server = self.guarded(LIFE="2")
        client = self.opened(server)
        begin, number = time.monotonic(), 0
        while self.count(server, "token") < 4:
            for number in range(number + 1, number + 17):
                client.call("unread", number)
            for answered in range(number - 15, number + 1):
                self.assertIn("result", client.response(answered))
        self.assertGreater(time.monotonic() - begin, 3)

    @complaint(
        "https://github.com/github/copilot-cli/issues/3456",
        "Several programs spend one refresh token, which rotates, and the authority revokes all of them",
        "The processes of a user share one refresh: no refresh token is spent twice")
    def test_several_relays(self):
        server = self.guarded(LIFE="3")
        clients = [self.opened(server) for _ in range(4)]
        end = time.monotonic() + 7
        number = 0
        while time.monotonic() < end:
            number += 1
            for client in clients:
                client.call("unread", number)
            for client in clients:
                self.assertIn("result", client.response(number))
        self.assertEqual(self.count(server, "authorize"), 1)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/28258",
        "A 403 for a missing scope leads to a refresh, which can't have more scopes, and the call fails",
        "The user consents to the scope, and the call is sent again")
    def test_another_scope(self):
        client = self.opened(self.guarded())
        self.assertEqual(client.text("seal", 1, text="a"), "sealed a")

    @complaint(
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/1582",
        "The new token has only the scopes of the last challenge, so that the next call asks again, for ever",
        "The scopes are united: two consents for calls of both kinds")
    def test_united_scopes(self):
        server = self.guarded()
        client = self.opened(server)
        for number in range(3):
            client.text("seal", f"s{number}", text="a")
            client.text("unread", f"u{number}")
        self.assertEqual(self.count(server, "authorize"), 2)

    @complaint(
        "https://github.com/vercel/ai/issues/15465",
        "The stream of the server and the first message both get a 401, and both refresh",
        "The stream starts after the session, and never refreshes on its own")
    def test_stream_and_message(self):
        server = self.guarded(STATEFUL="1", STREAM="1")
        client = self.opened(server)
        self.assertEqual(client.text("unread", 1), "3")
        self.assertEqual(self.count(server, "token"), 1)

    @complaint(
        "https://github.com/punkpeye/mcp-remote/issues/318",
        "After an update the relay finds no tokens, and a window opens in each session",
        "The tokens are in Keyturn's cache: a second process opens no window")
    def test_the_next_process(self):
        server = self.guarded()
        self.assertEqual(self.opened(server).end(), 0)
        client = self.opened(server, "--no-interaction")
        self.assertEqual(client.text("unread", 1), "3")
        self.assertEqual((self.count(server, "register"), self.count(server, "authorize")), (1, 1))


class HeaderRow(RelayRow):
    """Tools that want an argument in a header, too (MCP 2026-07-28)."""

    META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    TOOLS = [
        {"name": "routed", "inputSchema": {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}},
        {"name": "many", "inputSchema": {"properties": {"all": {"type": "array", "items": {"x-mcp-header": "Region"}}}}},
    ]

    def setUp(self):
        super().setUp()
        self.server = self.serve(stateful=False, tools=self.TOOLS)
        self.client = self.closing(MCPClient(self.workspace, self.server.address))

    @complaint(
        "https://github.com/modelcontextprotocol/python-sdk/issues/3483",
        "A server rejects a call for a header that the client can't know before it has listed the tools, and the client gives up",
        "mcp lists the tools and repeats the call once. The client gets the rejection of the second call")
    def test_a_call_before_the_list(self):
        self.client.send("tools/call", 1, name="routed", arguments={"region": "eu"}, _meta=self.META)
        self.assertIn("result", self.client.response(1))
        self.assertEqual(self.server.methods(), ["tools/call", "tools/list", "tools/call"])
        self.client.send("tools/call", 2, name="routed", arguments={"region": "us"}, _meta=self.META)
        self.assertIn("result", self.client.response(2))
        self.assertEqual(len(self.server.methods()), 4)
        self.client.send("tools/call", 3, name="routed", arguments={"region": ["us"]}, _meta=self.META)
        self.assertEqual(self.client.response(3)["error"]["code"], -32020)
        self.assertEqual(self.server.methods()[4:], ["tools/call", "tools/list", "tools/call"])

    @complaint(
        "https://github.com/stacklok/toolhive/pull/6013",
        "One tool with an invalid declaration makes a strict client reject the whole list, so all tools are gone",
        "mcp leaves out that tool alone and names it on standard error. For an older revision the list stays as it is")
    def test_an_invalid_declaration(self):
        self.client.send("tools/list", 1, _meta=self.META)
        self.assertEqual([tool["name"] for tool in self.client.response(1)["result"]["tools"]], ["routed"])
        self.client.send("tools/list", 2)
        self.assertEqual(self.client.response(2)["result"]["tools"], self.TOOLS)
        self.assertEqual(self.client.end(), 0)
        self.assertIn("many", "".join(self.client.errors))
