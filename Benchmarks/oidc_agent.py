"""Debian's oidc-agent with one account: it keeps tokens in a process, from which `oidc-token` gets one.

Its accounts come from an authority that gives every client a token, because oidc-agent has no public clients. The
measurement starts when the token is there.
"""

import http.server
import json
import os
import re
import subprocess
import threading

ACCOUNT = "bench"


class Authority(http.server.BaseHTTPRequestHandler):
    """A discovery document, and a token for an hour."""

    def do_GET(self):
        issuer = f"http://127.0.0.1:{self.server.server_port}/"
        self._answer(
            {
                "issuer": issuer,
                "authorization_endpoint": issuer + "authorize",
                "token_endpoint": issuer + "token",
                "scopes_supported": ["openid", "offline_access"],
                "grant_types_supported": ["refresh_token"],
            }
        )

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(
            {"access_token": "a" * 1200, "refresh_token": "r" * 900, "token_type": "Bearer", "expires_in": 3600}
        )

    def _answer(self, document):
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class OidcAgent:
    def __init__(self, home):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Authority)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "BENCH_PASSWORD": "x"}
        (home / ".oidc-agent").mkdir()
        started = self._run("oidc-agent")
        self.environment["OIDC_SOCK"] = re.search("OIDC_SOCK=([^;]+)", started).group(1)
        self.environment["OIDCD_PID"] = re.search("OIDCD_PID=([0-9]+)", started).group(1)
        self._run(
            "oidc-gen", ACCOUNT, "--manual", "--flow=refresh", "--rt=r", "--client-id=bench", "--client-secret=s",
            f"--issuer=http://127.0.0.1:{self._server.server_port}/", "--scope=openid offline_access",
            "--redirect-uri=http://localhost:4242", "--pw-env=BENCH_PASSWORD", "--prompt=none", "--confirm-default",
        )  # fmt: skip

    def _run(self, *command):
        return subprocess.run(
            command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=self.environment, timeout=30
        ).stdout

    def close(self):
        self._run("oidc-agent", "--kill")
        self._server.shutdown()
        self._server.server_close()
