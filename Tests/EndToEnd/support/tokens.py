"""The content of a token, without any checks."""

import base64
import json


def decoded(part):
    """The JSON of one part of a compact token, or of client_info."""
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
