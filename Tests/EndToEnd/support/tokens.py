"""The content of a token, without any checks, and text in which to look for one."""

import base64
import json
import re


def decoded(part):
    """The JSON of one part of a compact token, or of client_info."""
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def without_random(text):
    """The text without the random parameters of sign-in URLs, which can have the first letters of a token."""
    return re.sub(r"\b(state|nonce|code_challenge)=[\w-]{43}(?![\w.-])", r"\1=", text)
