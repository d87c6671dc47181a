"""A foreign JOSE implementation (joserfc) verifies our signed HTTP requests."""

import base64
import hashlib
import json
import os
import pathlib
import subprocess
import unittest

from joserfc import jws
from joserfc.errors import BadSignatureError
from joserfc.jwk import RSAKey

ROOT = pathlib.Path(__file__).parents[2]
URL = "https://graph.example:8443/v1.0/me?b=%20x&a=1"


def signed_request(*words):
    """The compact JWT and the req_cnf parameter of a new key."""
    keyturn = pathlib.Path(os.environ.get("KEYTURN", ROOT / ".build/tests/debug/keyturn"))
    program = keyturn.with_name("SignedRequest")
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.split()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class SignedRequestTests(unittest.TestCase):
    def setUp(self):
        self.compact, self.confirmation = signed_request("the-token", "POST", URL, "a-nonce", "1767225600")
        payload = self.compact.split(".")[1]
        self.key = RSAKey.import_key(json.loads(base64.urlsafe_b64decode(payload + "=="))["cnf"]["jwk"])

    def test_the_named_key_verifies_it(self):
        verified = jws.deserialize_compact(self.compact, self.key, algorithms=["RS256"])
        claims = json.loads(verified.payload)
        self.assertEqual(claims["at"], "the-token")
        self.assertEqual((claims["m"], claims["u"], claims["p"]), ("POST", "graph.example:8443", "/v1.0/me"))
        self.assertEqual((claims["ts"], claims["nonce"]), (1767225600, "a-nonce"))
        self.assertEqual(claims["q"], [["b", "a"], base64url(hashlib.sha256(b"b=%20x&a=1").digest())])

    def test_the_key_identifier_is_the_thumbprint(self):
        header = jws.deserialize_compact(self.compact, self.key, algorithms=["RS256"]).headers()
        self.assertEqual(header, {"alg": "RS256", "kid": self.key.thumbprint(), "typ": "JWT"})
        confirmation = json.loads(base64.urlsafe_b64decode(self.confirmation + "=="))
        self.assertEqual(confirmation, {"kid": self.key.thumbprint()})

    def test_a_changed_request_is_rejected(self):
        header, _, signature = self.compact.split(".")
        forged = base64url(b'{"at":"the-token","m":"DELETE"}')
        with self.assertRaises(BadSignatureError):
            jws.deserialize_compact(f"{header}.{forged}.{signature}", self.key, algorithms=["RS256"])


if __name__ == "__main__":
    unittest.main()
