"""Refreshes a token with MSAL Python at the built-in authority: the counterpart of `keyturn token --force-refresh`.

usage: msal_python_refresh.py CACHE ORIGIN CLIENT_ID

CACHE is a file of the unified schema, which is written again with the new tokens.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/EndToEnd"))

from support import msal_python  # noqa: E402  (found by the path above)


def main():
    file, origin, client_id = sys.argv[1:4]
    application = msal_python.application(client_id, origin, "contoso", file)
    [account] = application.get_accounts()
    result = application.acquire_token_silent_with_error(["User.Read"], account=account, force_refresh=True)
    print(result["access_token"])


if __name__ == "__main__":
    main()
