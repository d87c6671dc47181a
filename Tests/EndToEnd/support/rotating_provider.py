"""An OpenID provider whose refresh tokens are valid once, and that can hold its responses back after the redemption."""

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
        return {**super().claims(), **({"nonce": self.nonce} if self.nonce else {})}
