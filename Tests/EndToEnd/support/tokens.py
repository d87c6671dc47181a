"""JSON Web Tokens: how to find them, and their content without any checks."""

import base64
import json
import re

# A token's first part, the base64url of a JSON object, and a dot. The random `state` of a URL can have these letters, but no dot.
TOKEN = re.compile(r"eyJ[\w-]+\.")
TOKEN_IN_BYTES = re.compile(TOKEN.pattern.encode())


def decoded(part):
    """The JSON of one part of a compact token, or of client_info."""
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
