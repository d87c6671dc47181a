"""A small server of the Model Context Protocol over Streamable HTTP, whose mistakes a test chooses.

Sessions, streams with event IDs that can be resumed, and the tools that tests call. `requests` lists each request:
method, headers (lower case) and message.
"""

import http.server
import itertools
import json
import socket
import threading
import time

JSON, STREAM = "application/json", "text/event-stream"


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512


class MCPServer:
    def __init__(self, port=0, **settings):
        self.settings = {"stateful": True, "stream": False, "listens": True, **settings}
        self.requests, self.sessions, self.deleted, self.events = [], set(), [], {}
        self.opened = []
        self.lock = threading.Lock()
        self.numbers = itertools.count(1)
        self.release, self.brief = threading.Event(), threading.Event()
        self._server = Server(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        # A client that went away is part of the tests.
        self._server.handle_error = lambda *_: None
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/mcp"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def cut(self):
        """Ends all connections, and accepts no other."""
        self._server.shutdown()
        self._server.server_close()
        for connection in self.opened:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.release.set()
        self.brief.set()
        self._server.shutdown()
        self._server.server_close()

    def methods(self):
        """The methods of the messages, in order."""
        return [message.get("method") for verb, _, message in self.requests if verb == "POST" and isinstance(message, dict)]

    def headers_of(self, method):
        return next(headers for verb, headers, message in self.requests
                    if isinstance(message, dict) and message.get("method") == method)

    def _handler(server):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Header and body in one packet.
            wbufsize, disable_nagle_algorithm = -1, True

            def log_message(self, *_):
                pass

            def setup(self):
                super().setup()
                with server.lock:
                    server.opened.append(self.connection)

            def respond(self, status, body=b"", type=JSON, **headers):
                self.send_response(status)
                if body:
                    self.send_header("Content-Type", type)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()

            def begin_stream(self, **headers):
                self.send_response(200)
                self.send_header("Content-Type", STREAM)
                self.send_header("Connection", "close")
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.flush()
                self.close_connection = True

            def event(self, message, id=None, extra=""):
                text = message if isinstance(message, str) else json.dumps(message)
                data = "".join(f"data: {line}\n" for line in text.split("\n"))
                self.wfile.write(((f"id: {id}\n" if id else "") + extra + data + "\n").encode())
                self.wfile.flush()

            def note(self, message=None):
                headers = {name.lower(): value for name, value in self.headers.items()}
                with server.lock:
                    server.requests.append((self.command, headers, message))
                return headers

            def known(self, headers):
                if server.settings.get("forgets"):
                    server.sessions.clear()
                if not server.settings["stateful"] or headers.get("mcp-session-id") in server.sessions:
                    return True
                status = server.settings.get("lost", 404)
                self.respond(status, json.dumps({"jsonrpc": "2.0", "id": None, "error": {
                    "code": -32001, "message": "Session not found"}}).encode())
                return False

            def do_DELETE(self):
                headers = self.note()
                server.deleted.append(headers.get("mcp-session-id"))
                server.sessions.discard(headers.get("mcp-session-id"))
                self.respond(server.settings.get("delete", 204))

            def do_GET(self):
                headers = self.note()
                if server.settings.get("old"):
                    self.begin_stream()
                    self.wfile.write(b"event: endpoint\ndata: /messages?session=1\n\n")
                    self.wfile.flush()
                    server.release.wait(20)
                    return
                if not server.settings["listens"]:
                    return self.respond(405)
                if not self.known(headers):
                    return
                last = headers.get("last-event-id")
                if last in server.events:
                    self.begin_stream()
                    for number, message in server.events.pop(last):
                        self.event(message, number)
                    return
                self.begin_stream()
                if "retry" in server.settings:
                    self.wfile.write(f"retry: {server.settings['retry']}\n\n".encode())
                for number in range(server.settings.get("news", 1)):
                    self.event({"jsonrpc": "2.0", "method": "notifications/message",
                                "params": {"level": "info", "data": f"news {number}"}}, f"n{number}")
                server.release.wait(server.settings.get("news_seconds", 20))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                message = json.loads(body)
                headers = self.note(message)
                if "redirects" in server.settings:
                    return self.respond(307, Location=server.settings["redirects"])
                if server.settings.get("old"):
                    return self.respond(405)
                if isinstance(message, list):
                    answers = [server.answer(part) for part in message if "id" in part and "method" in part]
                    return self.respond(200, json.dumps(answers).encode()) if answers else self.respond(202)
                if message.get("method") == "initialize":
                    return self.initialize(message)
                if "io.modelcontextprotocol/protocolVersion" not in message.get("params", {}).get("_meta", {}):
                    if not self.known(headers):
                        return
                if "id" not in message or "method" not in message:
                    return self.respond(*server.settings.get("noted", (202,)))
                tool = message.get("params", {}).get("name", "")
                getattr(self, f"tool_{tool}", self.usual)(message)

            def initialize(self, message):
                extra = {}
                if server.settings["stateful"]:
                    session = f"session-{next(server.numbers)}"
                    server.sessions.add(session)
                    extra = {"Mcp_Session_Id": session}
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": {
                    "protocolVersion": server.settings.get("version", message["params"]["protocolVersion"]),
                    "capabilities": {"tools": {}}, "serverInfo": {"name": "small", "version": "1"}}}
                if server.settings["stream"]:
                    self.begin_stream(**extra)
                    return self.event(answer)
                self.respond(200, json.dumps(answer).encode(), **extra)

            def usual(self, message):
                answer = server.answer(message)
                if server.settings["stream"]:
                    self.begin_stream()
                    return self.event(answer)
                self.respond(200, json.dumps(answer, indent=server.settings.get("indent")).encode())

            def tool_slow(self, message):
                server.release.wait(20)
                self.usual(message)

            def tool_brief(self, message):
                server.brief.wait(20)
                self.usual(message)

            def tool_events(self, message):
                """Many notifications before the response."""
                self.begin_stream()
                for number in range(message["params"]["arguments"]["count"]):
                    self.event({"jsonrpc": "2.0", "method": "notifications/progress",
                                "params": {"progressToken": 1, "progress": number}})
                self.event(server.answer(message))

            def tool_broken(self, message):
                """The connection ends after the first event; the rest is under its ID."""
                server.events["b1"] = [("b2", {"jsonrpc": "2.0", "method": "notifications/progress",
                                               "params": {"progressToken": 1, "progress": 2}}), ("b3", server.answer(message))]
                self.begin_stream()
                self.event("", "b1", "retry: 100\n")

            def tool_lost(self, message):
                """The connection ends, and nothing is under an ID."""
                self.begin_stream()
                self.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}})

            def tool_page(self, message):
                self.respond(200, b"<html>Welcome</html>", "text/html")

            def tool_accepted(self, message):
                self.respond(202)

            def tool_refused(self, message):
                self.respond(400, json.dumps({"jsonrpc": "2.0", "id": "server-error", "error": {
                    "code": -32602, "message": "No such tool"}}).encode())

            def tool_routed(self, message):
                """Wants its argument in a header, too (2026-07-28)."""
                if self.headers.get("Mcp-Param-Region") == message["params"]["arguments"]["region"]:
                    return self.usual(message)
                self.respond(400, json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {
                    "code": -32020, "message": "HeaderMismatch"}}).encode())

            def tool_failing(self, message):
                self.respond(500, b"Traceback: secret")

            def tool_lines(self, message):
                """JSON in several lines of one event, and line ends of the other kind."""
                self.begin_stream()
                text = json.dumps(server.answer(message), indent=1)
                self.wfile.write(b"\xef\xbb\xbf: hello\r\n" + b"".join(
                    b"data:" + line.encode() + b"\r\n" for line in text.split("\n")) + b"\r\n")

            def tool_nonsense(self, message):
                self.begin_stream()
                self.event("not JSON")
                self.event(server.answer(message))

            def tool_ask(self, message):
                """A request of the server to the client; the client's response comes as a message of its own."""
                self.begin_stream()
                self.event({"jsonrpc": "2.0", "id": "from server", "method": "roots/list"})
                deadline = time.monotonic() + 10
                while time.monotonic() < deadline:
                    if any(isinstance(m, dict) and m.get("id") == "from server" for _, _, m in list(server.requests)):
                        break
                    time.sleep(0.01)
                self.event(server.answer(message))

        return Handler

    def answer(self, message):
        arguments = message.get("params", {}).get("arguments", {})
        if message["method"] == "tools/list" and "tools" in self.settings:
            return {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": self.settings["tools"]}}
        return {"jsonrpc": "2.0", "id": message["id"], "result": {
            "content": [{"type": "text", "text": arguments.get("text", message["method"])}]}}
