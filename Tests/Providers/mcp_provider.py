"""A foreign server for agents, and its authorization server: the package mcp (Model Context Protocol).

usage: mcp_provider.py [PORT]

Resource http://127.0.0.1:PORT/mcp with the scope `letters`; opaque tokens, no ID token, no keys. It registers every client
and compares redirect URIs whole, port included. Consent is given at once, for the user alice. AT_TTL is the lifetime of
the first access token in seconds; others last an hour. With FORGETS, it deletes the first client after its first token.
LIFE is the lifetime of all of them. RESOURCES is the number of resources, at /mcp, /mcp2, /mcp3 and so on. With STATEFUL the
server has sessions, with STREAM its responses are streams of events. The tool `seal` requires the scope `seal`. Prints one
line for each request to the authorization server.
"""

import contextlib
import os
import secrets
import socket
import sys
import time

import anyio
import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, TokenError, construct_redirect_uri
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import Context, MCPServer
from pydantic import AnyHttpUrl

listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
ISSUER = f"http://127.0.0.1:{listener.getsockname()[1]}"
RESOURCE = ISSUER + "/mcp"
SCOPES = ["letters"]
SECONDS = int(os.environ.get("AT_TTL", "3600"))
LIFE = int(os.environ.get("LIFE", "3600"))


class Directory:
    """The storage that the package leaves to its user, in memory. Refresh tokens are for one use."""

    def __init__(self):
        self.clients, self.codes, self.access, self.refresh = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        print("register", flush=True)
        # Otherwise the package allows only the scopes that the client registered with.
        client.scope = " ".join([*SCOPES, "seal"])
        self.clients[client.client_id] = client

    async def authorize(self, client, parameters):
        print("authorize", parameters.resource, flush=True)
        code = AuthorizationCode(
            code=secrets.token_urlsafe(24), scopes=parameters.scopes or SCOPES, expires_at=time.time() + 60,
            client_id=client.client_id, code_challenge=parameters.code_challenge, redirect_uri=parameters.redirect_uri,
            redirect_uri_provided_explicitly=parameters.redirect_uri_provided_explicitly,
            resource=parameters.resource, subject="alice")
        self.codes[code.code] = code
        return construct_redirect_uri(str(parameters.redirect_uri), code=code.code, state=parameters.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        if not self.codes.pop(code.code, None):
            raise TokenError("invalid_grant", "used")
        tokens = self.issue(client, code)
        if "FORGETS" in os.environ and len(self.access) == 1:
            self.clients.clear()
        return tokens

    async def load_refresh_token(self, client, token):
        return self.refresh.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        if not self.refresh.pop(token.token, None):
            raise TokenError("invalid_grant", "used")
        return self.issue(client, token)

    def issue(self, client, grant):
        from mcp.shared.auth import OAuthToken

        print("token", grant.resource, flush=True)
        members = {
            "client_id": client.client_id, "scopes": grant.scopes, "resource": grant.resource, "subject": grant.subject}
        seconds = SECONDS if not self.access and "AT_TTL" in os.environ else LIFE
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.access[access] = AccessToken(token=access, expires_at=int(time.time()) + seconds, **members)
        self.refresh[refresh] = RefreshToken(token=refresh, **members)
        return OAuthToken(
            access_token=access, token_type="Bearer", expires_in=seconds, scope=" ".join(grant.scopes),
            refresh_token=refresh)

    async def load_access_token(self, token):
        return self.access.get(token)

    verify_token = load_access_token

    async def revoke_token(self, token):
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)


directory = Directory()


def unread() -> int:
    """The number of unread letters."""
    return 3


def seal(text: str) -> str:
    """Seals a letter."""
    return f"sealed {text}"


def echo(text: str) -> str:
    """Returns its text."""
    return text


async def count(number: int, context: Context) -> int:
    """Counts, with a notification for each number."""
    for index in range(number):
        await context.report_progress(index, number)
    return number


def stepping(resource):
    """A 403 with a challenge for the tool `seal`, unless the token has its scope."""

    async def site(scope, receive, send):
        body, more = b"", scope["type"] == "http" and scope["method"] == "POST"
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        given = dict(scope.get("headers", [])).get(b"authorization", b"").decode().removeprefix("Bearer ")
        token = directory.access.get(given)
        if b'"seal"' in body and b"tools/call" in body and token and "seal" not in token.scopes:
            print("step up", flush=True)
            challenge = 'Bearer error="insufficient_scope", scope="seal"'
            await send({"type": "http.response.start", "status": 403, "headers": [(b"www-authenticate", challenge.encode())]})
            return await send({"type": "http.response.body", "body": b""})
        parts = [{"type": "http.request", "body": body, "more_body": False}] if scope["type"] == "http" else []

        async def again():
            return parts.pop() if parts else await receive()

        await resource(scope, again, send)

    return site


def resource_at(path):
    server = MCPServer(
        "letters", token_verifier=directory, log_level="WARNING",
        auth=AuthSettings(
            issuer_url=ISSUER, resource_server_url=ISSUER + path, required_scopes=SCOPES, validate_token_resource=True))
    for tool in (unread, echo, count, seal):
        server.tool()(tool)
    return server.streamable_http_app(
        json_response="STREAM" not in os.environ, stateless_http="STATEFUL" not in os.environ, streamable_http_path=path)


async def main():
    count = int(os.environ.get("RESOURCES", "1"))
    resources = {path: resource_at(path) for path in ["/mcp", *(f"/mcp{number + 1}" for number in range(1, count))]}
    first = resources["/mcp"]
    registration = ClientRegistrationOptions(enabled=True, valid_scopes=[*SCOPES, "seal"], default_scopes=SCOPES)
    first.router.routes[:0] = create_auth_routes(directory, AnyHttpUrl(ISSUER), None, registration)

    async def site(scope, receive, send):
        resource = resources.get("/" + scope["path"].rpartition("/")[2], first)
        await stepping(resource)(scope, receive, send)

    async with contextlib.AsyncExitStack() as running:
        for resource in resources.values():
            await running.enter_async_context(resource.router.lifespan_context(resource))
        print(f"ready {RESOURCE}", flush=True)
        configuration = uvicorn.Config(site, log_level="warning", lifespan="off")
        await uvicorn.Server(configuration).serve(sockets=[listener])


anyio.run(main)
