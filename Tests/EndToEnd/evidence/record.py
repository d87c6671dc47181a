"""Records evidence for Tests/DiagnosisTests: sign-ins that fail, in Chromium, at the built-in authority.

usage: KEYTURN=PROGRAM record.py FOLDER [CASE...]

Writes FOLDER/CASE.har, and FOLDER/CASE.log for MSAL Python's log. Run it again when a browser changes its HAR format. The tests
contain the expected causes.
"""

import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from selenium.common.exceptions import WebDriverException  # noqa: E402  (found by the path above)

from evidence.chromium import Recorder  # noqa: E402
from support import person  # noqa: E402
from support.browser import answer, origin_of  # noqa: E402
from support.provider import PageServer, free_port, start_authority  # noqa: E402
from support.waiting import wait_until  # noqa: E402
from support.workspace import Workspace  # noqa: E402

VERIFIER = "a-verifier-of-this-recording-and-of-no-other-one"
OTHER_VERIFIER = "another-verifier-that-belongs-to-a-second-sign-in"
# A page of the authority's origin sends the requests that a program would send without a browser.
POST = """
const [url, body, finish] = arguments;
fetch(url, {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body})
    .then(response => response.text()).then(finish, error => finish(String(error)));
"""
FRAME = """
const [url, finish] = arguments;
const frame = document.createElement('iframe');
frame.onload = () => finish('');
frame.src = url;
document.body.append(frame);
"""


class SignIn:
    """One recording: a browser, an authority, and a page at the program's redirect URI."""

    def __init__(self, *arguments, flags=()):
        self.workspace = Workspace()
        self.authority = start_authority(self.workspace, *arguments)
        self.origin = self.authority.address
        self.landing = PageServer("<html><body>Signed in.</body></html>")
        self.redirect_uri = f"{self.landing.address}/"
        self.recorder = Recorder(*flags)
        self.driver = self.recorder.driver
        self.first = None

    def close(self):
        self.recorder.close()
        self.landing.close()
        self.authority.close()
        self.workspace.close()

    @property
    def endpoint(self):
        return f"{self.origin}/contoso/oauth2/v2.0"

    def address(self, **changes):
        parameters = {
            "client_id": person.DEMO_CLIENT_ID, "response_type": "code", "redirect_uri": self.redirect_uri,
            "scope": "openid offline_access User.Read", "state": "state-1", "nonce": "nonce-1",
            "code_challenge": challenge(VERIFIER), "code_challenge_method": "S256", **changes,
        }  # fmt: skip
        kept = {name: value for name, value in parameters.items() if value is not None}
        return f"{self.endpoint}/authorize?{urllib.parse.urlencode(kept)}"

    def open(self, address):
        self.first = self.first or address
        try:
            self.driver.get(address)
        except WebDriverException:
            pass  # The recording is about the failure.

    def sign_in(self, who=person.ANN, decline=False, **changes):
        """Signs in. Returns the parameters of the response."""
        self.open(self.address(**changes))
        user = {"username": who[0], "password": who[1], "decline": decline}
        for _ in range(6):
            if origin_of(self.driver.current_url) != origin_of(self.origin):
                break
            try:
                answer(self.driver, user)
            except (WebDriverException, LookupError):
                break
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.driver.current_url).query))

    def redeem(self, **form):
        # The endpoint's own origin, so that the browser allows the request.
        if origin_of(self.driver.current_url) != origin_of(self.origin):
            self.open(f"{self.origin}/contoso/v2.0/.well-known/openid-configuration")
        parameters = {
            "client_id": person.DEMO_CLIENT_ID, "redirect_uri": self.redirect_uri, "grant_type": "authorization_code",
            "code_verifier": VERIFIER, **form,
        }  # fmt: skip
        kept = {name: value for name, value in parameters.items() if value is not None}
        text = self.driver.execute_async_script(POST, f"{self.endpoint}/token", urllib.parse.urlencode(kept))
        try:
            return json.loads(text)
        except ValueError:
            return {}


def challenge(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def good(run):
    run.redeem(code=run.sign_in()["code"])


def redirect_uri_case(run):
    run.sign_in()
    run.open(run.address(redirect_uri=run.redirect_uri + "Callback", state="state-2"))
    run.open(run.address(redirect_uri=run.redirect_uri + "callback", state="state-3"))


def redirect_uri_path(run):
    run.redeem(code=run.sign_in()["code"])
    run.open(run.address(redirect_uri="https://elsewhere.example/callback", state="state-2"))


def unknown_client(run):
    run.open(run.address(client_id="00000000-0000-4000-8000-000000000bad"))


def code_used_twice(run):
    code = run.sign_in()["code"]
    run.redeem(code=code)
    run.redeem(code=code)


def wrong_verifier(run):
    run.redeem(code=run.sign_in()["code"], code_verifier=OTHER_VERIFIER)


def missing_verifier(run):
    run.redeem(code=run.sign_in()["code"], code_verifier=None)


def state_changed(run):
    code = run.sign_in()["code"]
    run.open(f"{run.redirect_uri}?code={code}&state=state-of-another-tab")


def nobody_listens(run):
    run.redirect_uri = f"http://127.0.0.1:{free_port()}/"
    run.sign_in()


def declined(run):
    run.sign_in(person.WANG, decline=True, scope="openid Mail.Read", prompt="consent")


def abandoned(run):
    run.open(run.address())


def third_party_cookies(run):
    run.sign_in()
    # 127.0.0.1 and localhost are different sites.
    other = run.landing.address.replace("127.0.0.1", "localhost")
    run.open(other)
    run.driver.execute_async_script(FRAME, run.address(prompt="none", state="state-2"))


def cross_origin(run):
    run.open(run.landing.address)
    run.driver.execute_async_script(
        "const [url, finish] = arguments;"
        "fetch(url, {method: 'POST', headers: {'X-Client-SKU': 'web'}, body: 'grant_type=refresh_token'})"
        ".then(() => finish(''), error => finish(String(error)));", f"{run.endpoint}/token")


def busy(run):
    server = PageServer("Busy", status=503, fields=[("Retry-After", "30")])
    try:
        run.open(f"{server.address}/contoso/v2.0/.well-known/openid-configuration")
    finally:
        server.close()


def refresh_token_replaced(run):
    tokens = run.redeem(code=run.sign_in()["code"])
    for _ in range(2):
        run.redeem(grant_type="refresh_token", refresh_token=tokens["refresh_token"], code_verifier=None,
                   redirect_uri=None, scope="openid offline_access User.Read")


def untrusted_certificate(run):
    run.open(f"{run.origin}/contoso/v2.0/.well-known/openid-configuration")


def name_not_resolved(run):
    run.open("https://login.contoso.invalid/contoso/v2.0/.well-known/openid-configuration")


def captive_portal(run):
    run.open(f"{run.landing.address}/contoso/v2.0/.well-known/openid-configuration")


def wrong_redirect_token(run):
    run.redeem(code=run.sign_in()["code"], redirect_uri="http://localhost:9/other")


def wrong_password(run):
    run.sign_in((person.ANN[0], "wrong-password"))


def silent_signed_out(run):
    run.open(run.address(prompt="none"))


CASES = {
    good: (), redirect_uri_case: (), redirect_uri_path: (), unknown_client: (), code_used_twice: (), wrong_verifier: (),
    missing_verifier: (), refresh_token_replaced: (), state_changed: (), nobody_listens: (), declined: (), abandoned: (),
    third_party_cookies: (), cross_origin: (), busy: (), untrusted_certificate: ("--tls",), name_not_resolved: (),
    captive_portal: (), wrong_redirect_token: (), wrong_password: (), silent_signed_out: (),
}  # fmt: skip

# MSAL Python with logging, as a user pastes it into a ticket.
PYTHON = """
import logging, sys, msal
logging.basicConfig(level=logging.DEBUG)
authority, client, certificates = sys.argv[1:]
app = msal.PublicClientApplication(client, authority=authority, instance_discovery=False, verify=certificates or True)
print(app.acquire_token_by_refresh_token("a-refresh-token-of-nobody", ["User.Read"]))
"""
UNKNOWN_CLIENT = "00000000-0000-4000-8000-000000000bad"
LOGS = {
    "python_refresh_token": ("{origin}/contoso", person.DEMO_CLIENT_ID, True),
    "python_unknown_client": ("{origin}/contoso", UNKNOWN_CLIENT, True),
    "python_name_not_resolved": ("https://login.contoso.invalid/contoso", person.DEMO_CLIENT_ID, False),
    "python_untrusted_certificate": ("{origin}/contoso", person.DEMO_CLIENT_ID, False),
}  # fmt: skip


def record_log(path, authority, client, is_trusted):
    workspace = Workspace()
    server = start_authority(workspace, "--tls")
    try:
        certificates = wait_until(lambda: re.search(r"--ca-file (/\S+)", "\n".join(server.lines)), 10, "no file").group(1)
        command = [sys.executable, "-c", PYTHON, authority.format(origin=server.address), client,
                   certificates if is_trusted else ""]
        finished = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  env=workspace.environment)
    finally:
        server.close()
        workspace.close()
    # The folders of Python's packages differ from machine to machine.
    path.write_text(re.sub(r'"/[^"]*/', '"', finished.stdout))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case, arguments in CASES.items():
        if sys.argv[2:] and case.__name__ not in sys.argv[2:]:
            continue
        archive = record(case, arguments)
        path = folder / f"{case.__name__}.har"
        path.write_text(json.dumps(plain(archive), separators=(",", ":"), ensure_ascii=False) + "\n")
    for name, arguments in LOGS.items():
        if not sys.argv[2:] or name in sys.argv[2:]:
            record_log(folder / f"{name}.log", *arguments)


def record(case, arguments):
    while True:
        run = SignIn(*arguments)
        try:
            case(run)
            archive = run.recorder.save()
            # Sometimes the developer tools start recording only after the first page.
            if any(entry["request"]["url"].rstrip("/") == run.first.rstrip("/") for entry in archive["log"]["entries"]):
                return archive
        finally:
            run.close()


def plain(archive):
    """Leaves out what no rule reads, for example data URLs: the pictures of the browser's error pages."""
    entries = archive["log"]["entries"]
    entries[:] = [entry for entry in entries if not entry["request"]["url"].startswith("data:")]
    for entry in entries:
        for name in ("_initiator", "cache", "_securityState"):
            entry.pop(name, None)
        if entry["response"]["content"].get("mimeType") in ("text/css", "text/javascript", "image/svg+xml"):
            entry["response"]["content"].pop("text", None)
    return archive


if __name__ == "__main__":
    main()
