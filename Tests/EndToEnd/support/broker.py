"""A scripted identity broker for Linux (for real ones see docs/upstream-behaviour.md §13).

usage: broker.py FOLDER

It takes the broker's name on the session bus and responds to its methods. FOLDER/manner names its quirk, read again for
each call; FOLDER/calls gets one line of JSON per call. Its tokens are real: Ann signs in at the requested authority.
"""

import asyncio
import base64
import hashlib
import json
import os
import pathlib
import secrets
import sys
import urllib.parse
import urllib.request

from dbus_next import Message, MessageType
from dbus_next.aio import MessageBus
from dbus_next.constants import RequestNameReply

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support import person  # noqa: E402
from support.tokens import decoded  # noqa: E402

NAME = "com.microsoft.identity.broker1"
PATH = "/com/microsoft/identity/broker1"
INTERFACE = "com.microsoft.identity.Broker1"
REDIRECT = "http://localhost"


class Manner:
    """The differences between this broker and a correct one."""

    def __init__(self, folder):
        self.folder = folder

    @property
    def words(self):
        try:
            return (self.folder / "manner").read_text().split()
        except FileNotFoundError:
            return []

    def has(self, word):
        return word in self.words

    def once(self, word):
        """Whether the quirk was requested and has not happened yet."""
        mark = self.folder / f"{word}.done"
        if not self.has(word) or mark.exists():
            return False
        mark.touch()
        return True


class Person:
    """Ann's session: the authority's response, kept for the next call as real brokers do."""

    def __init__(self, folder):
        self.file = folder / "session.json"

    @property
    def tokens(self):
        return json.loads(self.file.read_text()) if self.file.exists() else None

    def _post(self, authority, form):
        request = urllib.request.Request(
            f"{authority}/oauth2/v2.0/token", urllib.parse.urlencode(form).encode(), headers={"Accept": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            tokens = json.loads(answer.read())
        self.file.write_text(json.dumps(tokens))
        return tokens

    def sign_in(self, authority, client, scopes):
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        query = urllib.parse.urlencode({
            "client_id": client, "response_type": "code", "redirect_uri": REDIRECT, "scope": " ".join(scopes),
            "state": "s", "nonce": "n", "client_info": "1", "code_challenge_method": "S256",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()})
        landing = person.landing_of(f"{authority}/oauth2/v2.0/authorize?{query}", *person.ANN)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(landing).query)["code"][0]
        return self._post(authority, {
            "client_id": client, "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT,
            "code_verifier": verifier, "scope": " ".join(scopes), "client_info": "1"})

    def renew(self, authority, client, scopes):
        return self._post(authority, {
            "client_id": client, "grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"],
            "scope": " ".join(scopes), "client_info": "1"})


def account_of(tokens):
    claims = decoded(tokens["id_token"].split(".")[1])
    info = decoded(tokens["client_info"])
    return {
        "homeAccountId": f"{info['uid']}.{info['utid']}", "localAccountId": claims["oid"], "realm": claims["tid"],
        "environment": "login.windows.net", "username": claims["preferred_username"], "name": claims.get("name", ""),
        "givenName": "Ann", "passwordExpiry": 0, "clientInfo": tokens["client_info"]}


class Broker:
    def __init__(self, folder):
        self.folder = folder
        self.manner = Manner(folder)
        self.person = Person(folder)

    def answer(self, method, request):
        """The response text; None: never respond."""
        if self.manner.has("hangs"):
            return None
        if self.manner.has("garbles"):
            return "\x1b[31mthis is not JSON"
        if self.manner.once("dies"):
            os._exit(1)
        return json.dumps(getattr(self, method)(request))

    def getLinuxBrokerVersion(self, _):  # noqa: N802  (as the interface has it)
        return {"linuxBrokerVersion": "2.0.1"}

    def getAccounts(self, _):  # noqa: N802
        tokens = self.person.tokens
        return {"accounts": [account_of(tokens)] if tokens and not self.manner.has("forgets") else []}

    def removeAccount(self, request):  # noqa: N802
        if self.manner.has("cannot-remove"):
            return {"error": "Not implemented"}
        self.person.file.unlink(missing_ok=True)
        return {}

    def cancelInteractiveFlow(self, _):  # noqa: N802
        return {}

    def acquireTokenInteractively(self, request):  # noqa: N802
        return self.tokens(self.person.sign_in, request)

    def acquireTokenSilently(self, request):  # noqa: N802
        return self.tokens(self.person.renew, request)

    def tokens(self, get, request):
        telemetry = {"broker_version": "2.0.1", "ui_visible": "false"}
        if self.manner.has("refuses"):
            return {"brokerTokenResponse": {
                "accessTokenType": 0, "expiresOn": 0, "extendedExpiresOn": 0,
                "error": {
                    "context": "AADSTS50078: the proof is too old\x1b[31m", "errorCode": 0, "status": 2, "subStatus": 0,
                    "tag": 0, "diagnostics": {
                        "raw_error_code": "invalid_grant", "oauth2_sub_error_code": "basic_action"}}},
                "telemetry": telemetry}
        parameters = request["authParameters"]
        tokens = get(parameters["authority"], parameters["clientId"], parameters["requestedScopes"])
        ends = decoded(tokens["access_token"].split(".")[1])["exp"]
        scopes = tokens["scope"]
        response = {
            "accessToken": tokens["access_token"], "accessTokenType": 0, "idToken": tokens["id_token"],
            "clientInfo": tokens["client_info"], "account": account_of(tokens),
            "expiresOn": ends if self.manner.has("counts-seconds") else ends * 1000,
            "extendedExpiresOn": ends, "grantedScopes": scopes.split() if self.manner.has("lists") else scopes}
        if self.manner.has("omits-account"):
            del response["account"]
        return {"brokerTokenResponse": response, "telemetry": telemetry}


async def serve(folder):
    bus = await MessageBus().connect()
    broker = Broker(folder)

    def handle(message):
        if message.message_type != MessageType.METHOD_CALL or message.path != PATH:
            return None
        with (folder / "calls").open("a") as log:
            log.write(json.dumps([message.member, *message.body]) + "\n")
        known = message.interface == INTERFACE and hasattr(broker, message.member)
        if not known or message.signature != "sss":
            # Introspection too: brokers no longer support it.
            return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "no such method")
        if broker.manner.has("breaks"):
            return Message.new_error(message, "org.freedesktop.DBus.Error.Failed", "no DISPLAY \x1b[31m")
        try:
            answer = broker.answer(message.member, json.loads(message.body[2]))
        except Exception as error:  # noqa: BLE001  (the test reports it)
            return Message.new_error(message, "org.freedesktop.DBus.Error.Failed", f"the script: {error!r}")
        return True if answer is None else Message.new_method_return(message, "s", [answer])

    bus.add_message_handler(handle)
    if await bus.request_name(NAME) != RequestNameReply.PRIMARY_OWNER:
        sys.exit("the name is taken")
    await bus.wait_for_disconnect()


if __name__ == "__main__":
    asyncio.run(serve(pathlib.Path(sys.argv[1])))
