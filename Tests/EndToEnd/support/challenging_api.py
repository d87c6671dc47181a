"""An API that accepts only tokens of users who completed MFA, and otherwise sends a claims challenge."""

import base64
import urllib.error
import urllib.request

from . import tokens
from .local_server import Handler, LocalServer

CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'


class ChallengingAPI(LocalServer):
    def __init__(self):
        class Challenging(Handler):
            def do_GET(self):
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                accepted = "c1" in (tokens.decoded(token.split(".")[1]).get("acrs", []) if token else [])
                self.send_response(200 if accepted else 401)
                if not accepted:
                    claims = base64.b64encode(CLAIMS.encode()).decode()
                    self.send_header("WWW-Authenticate", f'Bearer error="insufficient_claims", claims="{claims}"')
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.serve(Challenging)
        self.address = self.origin

    def response(self, token):
        """The status and the challenge for a token."""
        request = urllib.request.Request(self.address, headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["WWW-Authenticate"]
