"""An OpenID provider whose refresh tokens are valid once, and that can hold its responses back after the redemption."""

import datetime
import threading
import urllib.parse

from .secure_provider import SecureProvider, make_authority


class RotatingProvider(SecureProvider):
    """Supports the code, device and refresh grants, without pages: it has issued the code to whoever asks, and the user
    has entered every device code."""

    def __init__(self, folder):
        super().__init__(folder)
        self._lock = threading.Lock()
        self._valid = None
        # The number of redeemed codes and refresh tokens.
        self.redeemed = 0
        # Whether a refresh token came twice. Then the provider has revoked the grant (RFC 9700 section 4.14.2).
        self.is_revoked = False
        self.lifetime = 3600
        # Further members of the tokens.
        self.others = {}
        self.nonce = None
        self.user = "ada"
        # The response to the next refresh instead of tokens.
        self.rejection = None
        self._gate = threading.Event()
        self._gate.set()
        self.documents["/token"] = self._tokens

    @classmethod
    def of(cls, case):
        """A provider until the end of the test, and a profile for it."""
        folder = case.workspace.path
        make_authority(folder)
        provider = case.closing(cls(folder))
        case.configure_for_provider(provider.issuer, cache={"key": "keyFile"}, caFile=str(folder / "ca.pem"))
        return provider

    def hold(self):
        """Redeems, but holds the responses back until `let_go`."""
        self._gate.clear()

    def let_go(self):
        self._gate.set()

    def close(self):
        self.let_go()
        super().close()

    def _tokens(self):
        form = urllib.parse.parse_qs(self.request.body.decode())
        with self._lock:
            if form["grant_type"] == ["refresh_token"] and form["refresh_token"] != [self._valid]:
                self.is_revoked = True
            if form["grant_type"] == ["refresh_token"] and self.rejection:
                rejection, self.rejection = self.rejection, None
                return 400, rejection
            if self.is_revoked:
                return 400, {"error": "invalid_grant"}
            self.redeemed += 1
            number = self.redeemed
            self._valid = f"refresh-{number}"
            tokens = {
                "access_token": f"access-{number}", "token_type": "Bearer", "expires_in": self.lifetime,
                "scope": "openid profile email offline_access", "refresh_token": self._valid,
                "id_token": self.id_token(), **self.others}
        self._gate.wait(60)
        return tokens

    def claims(self):
        user = {"sub": self.user, "preferred_username": self.user}
        return {**super().claims(), **user, **({"nonce": self.nonce} if self.nonce else {})}

    def rejects_for_age(self, seconds):
        """The next refresh, like Microsoft Entra ID after the time that a policy allows."""
        self.rejection = entra_rejection(70043, seconds, f"the maximum allowed lifetime for this request is {seconds}")

    def rejects_for_inactivity(self, span, seconds=90 * 86400):
        """The next refresh, like Microsoft Entra ID after a long time without one."""
        self.rejection = entra_rejection(700082, seconds, f"was inactive for {span}")


def entra_rejection(code, seconds, words):
    issued = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=seconds + 60)
    text = f"AADSTS{code}: It has expired.\u00a0The token was issued on {issued:%Y-%m-%dT%H:%M:%S}.1234567Z and {words}.\r\nTrace ID: x"
    return {"error": "invalid_grant", "error_description": text, "error_codes": [code]}
