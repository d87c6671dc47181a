"""A user without a browser: completes sign-in and consent pages by HTTP, quickly. Runs no scripts and shows nothing.

usage: person.py USERNAME PASSWORD ADDRESS

$PERSON_REFUSES is what the user declines: `everything`, or one permission, such as Mail.Read.
"""

import html.parser
import http.cookiejar
import os
import pathlib
import re
import shlex
import sys
import urllib.error
import urllib.parse
import urllib.request

# As in Sources/DemoAuthority/Directory.
DEMO_CLIENT_ID = "6b657974-7572-4e00-8000-64656d6f0001"
ANN = ("ann@contoso.example", "ann-likes-tea")
WANG = ("wang@contoso.example", "wang-likes-jazz")

MOST_PAGES = 8
REFUSALS = re.compile(r"cancel|deny|decline|refuse|reject|\bno\b|back|another|different|sign.?out", re.IGNORECASE)


def browser_command(workspace, username, password):
    """The value of $BROWSER with which this user opens pages."""
    script = workspace.path / "person"
    here = shlex.quote(str(pathlib.Path(__file__).resolve()))
    line = f'exec {shlex.quote(sys.executable)} {here} {shlex.quote(username)} {shlex.quote(password)} "$1"'
    script.write_text(f"#!/bin/sh\n{line}\n")
    script.chmod(0o700)
    return str(script)


def walk(address, username, password, *handlers):
    """Returns the URL of the first page of another origin."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), *handlers)
    page = opener.open(address)
    origin = origin_of(page.url)
    for _ in range(MOST_PAGES):
        if origin_of(page.url) != origin:
            return page.url
        form = FormReader(page.read().decode())
        if form.action is None:
            raise LookupError(f"no form on the page: {form.text.strip()[:300]}")
        target = urllib.parse.urljoin(page.url, form.action)
        data = urllib.parse.urlencode(form.answers(username, password)).encode()
        try:
            page = opener.open(target, data) if form.method == "post" else opener.open(f"{target}?{data.decode()}")
        except urllib.error.HTTPError as refused:
            # It follows no redirects to other programs, which this one may be.
            with refused:
                if urllib.parse.urlsplit(refused.url).scheme in ("http", "https"):
                    raise
                return refused.url
    raise LookupError(f"still at {page.url} after {MOST_PAGES} pages")


def landing_of(address, username, password):
    """Returns the first URL of another origin without opening it: a browser on a machine without a listener."""
    origin = origin_of(address)

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, request, response, code, message, headers, target):
            if origin_of(target) != origin:
                raise Landed(target)
            return super().redirect_request(request, response, code, message, headers, target)

    try:
        walk(address, username, password, Stay())
    except Landed as landed:
        return landed.address
    raise LookupError("the pages led nowhere else")


def enter_code(address, username, password):
    """Signs in for another device, whose code is in the URL. Returns the text of the last page."""
    try:
        walk(address, username, password)
    except LookupError as end:
        return str(end)
    raise LookupError("the pages led somewhere else")


class Landed(Exception):
    def __init__(self, address):
        super().__init__(address)
        self.address = address


def origin_of(address):
    parts = urllib.parse.urlsplit(address)
    return parts.scheme, parts.netloc


class FormReader(html.parser.HTMLParser):
    """The first form of a page that continues."""

    def __init__(self, page):
        super().__init__()
        self.action = None
        self.method = "get"
        self.text = ""
        self._fields = []
        self._buttons = []
        self._refusals = []
        self._refused = os.environ.get("PERSON_REFUSES", "")
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action") or ""
            self.method = attributes.get("method", "get").lower()
        elif tag in ("input", "button"):
            kind = attributes.get("type", "submit" if tag == "button" else "text")
            field = (kind, attributes.get("name"), attributes.get("value", ""))
            if kind == "checkbox" and self._refused and field[2].lower().endswith(self._refused.lower()):
                return
            if kind != "submit":
                self._fields.append(field)
            elif not REFUSALS.search(f"{field[1] or ''} {field[2]}"):
                self._buttons.append(field)
            else:
                self._refusals.append(field)

    def handle_data(self, data):
        self.text += data

    def answers(self, username, password):
        typed = {"text": username, "email": username, "password": password}
        # Prefilled values stay, such as a device's code, but not another user's name.
        signs_in = any(kind == "password" for kind, _, _ in self._fields)
        filled = [
            (name, typed.get(kind, value) if signs_in else value or typed.get(kind, ""))
            for kind, name, value in self._fields if name
        ]
        refuses = self._refused == "everything" and any(name == "decline" for _, name, _ in self._refusals)
        buttons = self._refusals if refuses else self._buttons
        return filled + [(name, value) for _, name, value in buttons[:1] if name]


if __name__ == "__main__":
    walk(sys.argv[3], sys.argv[1], sys.argv[2])
