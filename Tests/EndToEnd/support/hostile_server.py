"""A server of somebody else's: its metadata names any authority and any scopes, and it counts the tokens that it gets."""

import json

from .local_server import Handler, LocalServer


class HostileServer(LocalServer):
    def __init__(self, authority, scopes=None, challenged=None, first=401, then=None, leads=None):
        """`scopes`: those of the metadata; `challenged`: those of the challenge; `first`: the status of a request without a token.

        `then`: the parameters of a challenge for each further token, and then 200; `leads`: where a request with a token is
        redirected. All can change later."""
        self.requests, self.tokens, self.reached = [], [], []
        self.authority, self.scopes, self.challenged = authority, scopes, challenged
        self.then, self.leads = then, leads
        owner = self

        class Hostile(Handler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                owner.requests.append(self.path)
                token = self.headers.get("Authorization")
                if token:
                    owner.tokens.append(token)
                    owner.reached.append(self.path)
                if self.path.startswith("/.well-known/oauth-protected-resource"):
                    document = {"resource": owner.address, "authorization_servers": [owner.authority]}
                    if owner.scopes is not None:
                        document["scopes_supported"] = owner.scopes
                    return self.answer(200, json.dumps(document).encode())
                challenge = f'Bearer resource_metadata="{owner.origin}/.well-known/oauth-protected-resource/mcp"'
                if owner.leads and self.path == "/mcp" and token:
                    return self.answer(307, Location=owner.leads)
                if token and owner.then is not None:
                    if not owner.then:
                        return self.answer(200)
                    return self.answer(403, WWW_Authenticate=f"Bearer {owner.then.pop(0)}")
                if owner.challenged:
                    challenge += f', scope="{" ".join(owner.challenged)}"'
                if token:
                    return self.answer(403, WWW_Authenticate=challenge + ', error="insufficient_scope"')
                return self.answer(first, WWW_Authenticate=challenge)

            do_GET = do_POST = do_DELETE = do_HEAD = handle_any

        self.serve(Hostile)
        self.address = f"{self.origin}/mcp"
