"""Signs Ann in with Authlib and all its checks, requests userinfo, refreshes, and tries the code again.

usage: authlib_client.py ISSUER CLIENT_ID REDIRECT_URI
"""

import pathlib
import secrets
import sys

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import person  # pylint: disable=wrong-import-position


def main(issuer, client_id, redirect_uri):
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=20).json()
    assert metadata["issuer"] == issuer, metadata["issuer"]
    session = OAuth2Session(
        client_id, redirect_uri=redirect_uri, scope="openid profile offline_access User.Read",
        code_challenge_method="S256", token_endpoint_auth_method="none")
    nonce, verifier = secrets.token_urlsafe(16), secrets.token_urlsafe(48)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier)
    landing = person.landing_of(address, *person.ANN)
    redeem = {"authorization_response": landing, "code_verifier": verifier, "state": state}
    tokens = session.fetch_token(metadata["token_endpoint"], **redeem)
    claims = validated(tokens, metadata, client_id, nonce)
    print("signed-in", claims["preferred_username"])

    userinfo = session.get(metadata["userinfo_endpoint"]).json()
    assert userinfo["sub"] == claims["sub"], userinfo
    print("userinfo")

    renewed = session.refresh_token(metadata["token_endpoint"], refresh_token=tokens["refresh_token"])
    assert validated(renewed, metadata, client_id, None)["sub"] == claims["sub"]
    assert renewed["refresh_token"] != tokens["refresh_token"]
    print("refreshed")

    try:
        session.fetch_token(metadata["token_endpoint"], **redeem)
    except AuthlibBaseError as refused:
        assert refused.error == "invalid_grant", refused.error
        print("single-use")


def validated(tokens, metadata, client_id, nonce):
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())
    algorithms = metadata["id_token_signing_alg_values_supported"]
    token = jwt.decode(tokens["id_token"], keys, algorithms=algorithms)
    options = {
        "iss": {"essential": True, "value": metadata["issuer"]},
        "aud": {"essential": True, "value": client_id},
        "exp": {"essential": True}, "iat": {"essential": True}, "sub": {"essential": True},
    }
    if nonce:
        options["nonce"] = {"essential": True, "value": nonce}
    parameters = {"nonce": nonce, "client_id": client_id, "access_token": tokens["access_token"]}
    claims = CodeIDToken(token.claims, token.header, options, parameters)
    claims.validate(leeway=0)
    return claims


if __name__ == "__main__":
    main(*sys.argv[1:])
