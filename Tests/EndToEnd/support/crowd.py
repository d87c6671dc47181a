"""A cache with many users, as MSAL's other libraries write it."""

import base64
import json
import time

CLIENT_ID = "6731de76-14a6-49ae-97bc-6eba6914391e"
ENVIRONMENT = "login.microsoftonline.com"
TENANT = "0c047050-7a3e-4f0b-9a3c-000000000001"
GIVEN = ["Ann", "Björn", "Chidi", "Dolores", "Eleanor", "Farid", "Grace", "Hiroshi", "Ines", "Jomo", "Katarzyna", "Li"]
FAMILY = ["Archer", "Berg", "Castillo", "Dupont", "Eze", "Fujimoto", "Grabowska", "Haddad", "Iversen", "Jansen", "Kim"]


def unified_cache(people):
    """The JSON of a number of users, in which no two list rows look alike."""
    cache = {"Account": {}, "RefreshToken": {}, "IdToken": {}, "AccessToken": {}}
    for number in range(people):
        given, family = GIVEN[number % len(GIVEN)], FAMILY[number * 7 % len(FAMILY)]
        name = f"{given} {family}"
        username = f"{given}.{family}{number}@contoso.example".lower()
        home = f"{number:08x}-5b1f-4b6a-8d2e-1f4d3c2b1a09.{TENANT}"
        common = {"home_account_id": home, "environment": ENVIRONMENT}
        token = {**common, "client_id": CLIENT_ID}
        cache["Account"][f"{home}-{ENVIRONMENT}-{TENANT}"] = {
            **common, "realm": TENANT, "local_account_id": home.split(".")[0], "username": username, "name": name,
            "authority_type": "MSSTS",
        }
        cache["RefreshToken"][f"{home}-{ENVIRONMENT}-refreshtoken-{CLIENT_ID}--"] = {
            **token, "credential_type": "RefreshToken", "secret": f"refresh-{number}",
        }
        cache["IdToken"][f"{home}-{ENVIRONMENT}-idtoken-{CLIENT_ID}-{TENANT}-"] = {
            **token, "credential_type": "IdToken", "realm": TENANT, "secret": _id_token(number, name, username),
        }
    return json.dumps(cache)


def _id_token(number, name, username):
    now = int(time.time())
    claims = {
        "aud": CLIENT_ID, "exp": now + 3600, "iat": now, "iss": f"https://{ENVIRONMENT}/{TENANT}/v2.0", "name": name,
        "preferred_username": username, "sub": f"s{number}", "tid": TENANT, "ver": "2.0",
    }
    return ".".join([_part({"alg": "RS256", "typ": "JWT"}), _part(claims), "c2lnbmF0dXJl"])


def _part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
