"""Gets a token from a cache file with MSAL Python: the counterpart of `keyturn token`.

usage: msal_python_token.py CACHE [IDENTIFIER]

The library requests the authority's discovery document before it reads the cache. A response from memory keeps the
network out of the measurement.
"""

import json
import sys

import msal

CLIENT_ID = "11111111-2222-3333-4444-555555555555"
AUTHORITY = "https://login.microsoftonline.com/contoso.test"
SCOPES = ["User.Read"]


class Discovery:
    """The part of requests' Response that the library uses."""

    status_code = 200
    headers = {}
    text = json.dumps(
        {
            "issuer": AUTHORITY + "/v2.0",
            "authorization_endpoint": AUTHORITY + "/oauth2/v2.0/authorize",
            "token_endpoint": AUTHORITY + "/oauth2/v2.0/token",
        }
    )

    def raise_for_status(self):
        pass


class Offline:
    def get(self, *_, **__):
        return Discovery()

    def post(self, *_, **__):
        raise RuntimeError("a token from the cache needs no request")

    def close(self):
        pass


def main():
    cache = msal.SerializableTokenCache()
    with open(sys.argv[1], encoding="utf-8") as file:
        cache.deserialize(file.read())
    application = msal.PublicClientApplication(
        CLIENT_ID, authority=AUTHORITY, token_cache=cache, http_client=Offline(), instance_discovery=False
    )
    accounts = application.get_accounts()
    wanted = sys.argv[2] if len(sys.argv) > 2 else accounts[0]["home_account_id"]
    account = next(account for account in accounts if account["home_account_id"] == wanted)
    result = application.acquire_token_silent(SCOPES, account=account)
    print(result["access_token"])


if __name__ == "__main__":
    main()
