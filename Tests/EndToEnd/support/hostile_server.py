"""A server of somebody else's: its metadata names any authority and any scopes, and it counts the tokens that it gets."""

import http.server
import json
import threading


class HostileServer:
    def __init__(self, authority, scopes=None, challenged=None, first=401):
        """`scopes`: those of the metadata; `challenged`: those of the challenge; `first`: the status of a request without a token."""
        self.requests, self.tokens = [], []
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body=b"{}", **headers):
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle_any(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                owner.requests.append(self.path)
                token = self.headers.get("Authorization")
                if token:
                    owner.tokens.append(token)
                if self.path.startswith("/.well-known/oauth-protected-resource"):
                    document = {"resource": owner.address, "authorization_servers": [authority]}
                    if scopes is not None:
                        document["scopes_supported"] = scopes
                    return self.answer(200, json.dumps(document).encode())
                challenge = f'Bearer resource_metadata="{owner.origin}/.well-known/oauth-protected-resource/mcp"'
                if challenged:
                    challenge += f', scope="{" ".join(challenged)}"'
                if token:
                    return self.answer(403, WWW_Authenticate=challenge + ', error="insufficient_scope"')
                return self.answer(first, WWW_Authenticate=challenge)

            do_GET = do_POST = do_DELETE = do_HEAD = handle_any

            def log_message(self, format, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.address = f"{self.origin}/mcp"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
