"""A server of a test on 127.0.0.1, at a port of its own, until it is closed."""

import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"{}", **fields):
        """A JSON response. An underscore in a field's name stands for a hyphen."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **fields}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


class LocalServer:
    def serve(self, handler):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
