"""An API for the tests of doors, which says what it got, streams, redirects, and misbehaves on request."""

import contextlib
import http.server
import json
import threading

from .secure_provider import Threaded


class Origin(Threaded):
    def __init__(self):
        # (method, path, headers) of each request.
        self.seen = []
        self.rejected = set()
        # The fields and the body of a rejection.
        self.challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        self.reason = b"no"
        self.received = 0
        # Lets a stream of events go on.
        self.step = threading.Semaphore(0)
        self.left = threading.Event()
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def answer(self):
                origin.seen.append((self.command, self.path, dict(self.headers)))
                path = self.path.partition("?")[0]
                body = self.read_body(keeps=path != "/sink")
                if self.headers.get("Authorization", "") in origin.rejected:
                    self.reply(401, origin.reason, origin.challenge)
                elif path == "/switch":
                    self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
                    origin.left.wait(60)
                elif path == "/latin":
                    self.reply(200, b"{}", {"X-Name": "caf\u00e9"})
                elif path == "/two-lengths":
                    self.send_response(200)
                    self.send_header("Content-Length", "0")
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"5\r\nhello\r\n0\r\n\r\n")
                elif path == "/events":
                    self.events()
                elif path.startswith("/bytes/"):
                    self.bytes(int(path.split("/")[2]))
                elif path == "/cut":
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b"x" * 10)
                    self.close_connection = True
                elif path == "/cookies":
                    self.reply(200, b"{}", {
                        "Set-Cookie": "session=1", "Access-Control-Allow-Origin": "*", "X-Kept": "yes"})
                elif path == "/header":
                    self.reply(200, b"", {f"X-{number}": "x" * 4000 for number in range(100)})
                elif path.startswith("/to/"):
                    self.reply(302, b"", {"Location": self.path.partition("=")[2]})
                elif path == "/silent":
                    origin.left.wait(60)
                else:
                    self.reply(200, json.dumps({
                        "method": self.command, "path": self.path, "headers": dict(self.headers),
                        "body": body.decode(errors="replace")}).encode())

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_COPY = do_PROPFIND = answer

            def read_body(self, keeps):
                parts = []
                for part in self.parts():
                    origin.received += len(part)
                    if keeps:
                        parts.append(part)
                return b"".join(parts)

            def parts(self):
                if self.headers.get("Transfer-Encoding") == "chunked":
                    while size := int(self.rfile.readline(), 16):
                        yield self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                    return
                left = int(self.headers.get("Content-Length") or 0)
                while left:
                    part = self.rfile.read(min(left, 1 << 16))
                    if not part:
                        return
                    left -= len(part)
                    yield part

            def reply(self, status, body, headers=None):
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    with contextlib.suppress(OSError):
                        self.wfile.write(body)

            def events(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.flush()
                self.close_connection = True
                try:
                    for number in range(1000):
                        if not origin.step.acquire(timeout=60):
                            return
                        self.wfile.write(f"data: {number}\n\n".encode())
                except OSError:
                    origin.left.set()

            def bytes(self, count):
                self.send_response(200)
                self.send_header("Content-Length", str(count))
                self.end_headers()
                piece = b"0123456789abcdef" * 4096
                while count:
                    self.wfile.write(piece[:count])
                    count -= min(count, len(piece))

            def log_message(self, *_):
                pass

        super().__init__(Handler)
        self.address = f"http://127.0.0.1:{self.port}"

    def close(self):
        self.left.set()
        super().close()
