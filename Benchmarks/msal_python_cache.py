"""Token caches as MSAL Python writes them, with any number of accounts."""

import base64
import json
import time

import msal

import msal_python_token as theirs


def sign_in(number=0):
    """The cache entries of a token response for the user with this number."""

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    now = int(time.time())
    claims = {
        "sub": "s",
        "oid": f"o{number}",
        "tid": "t",
        "preferred_username": f"person-{number}@contoso.test",
        "exp": now + 3600,
        "iat": now,
    }
    return {
        "client_id": theirs.CLIENT_ID,
        "scope": theirs.SCOPES,
        "token_endpoint": theirs.AUTHORITY + "/oauth2/v2.0/token",
        "response": {
            "access_token": "a" * 1200,
            "refresh_token": "r" * 900,
            "token_type": "Bearer",
            "expires_in": 3600,
            "client_info": part({"uid": f"o{number}", "utid": "t"}),
            "id_token": ".".join([part({"alg": "RS256", "typ": "JWT"}), part(claims), "c2ln"]),
            "id_token_claims": claims,
        },
    }


def text(accounts=1):
    """The JSON of a cache with this many accounts.

    The library writes the first account; the others are derived from its text, because the library reads every token
    when it adds one.
    """
    cache = msal.SerializableTokenCache()
    cache.add(sign_in(0))
    first = json.loads(cache.serialize())
    return json.dumps({section: dict(_copies(entries, accounts)) for section, entries in first.items()})


def _copies(entries, accounts):
    for key, entry in entries.items():
        for number in range(accounts if "home_account_id" in entry else 1):
            copy = dict(entry)
            if "home_account_id" in copy:
                copy["home_account_id"] = f"o{number}.t"
            if "username" in copy:
                copy["username"] = f"person-{number}@contoso.test"
            yield key.replace("o0.t", f"o{number}.t"), copy
