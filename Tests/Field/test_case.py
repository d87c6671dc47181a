"""The support desk: which log is needed, works for one user only, what was ruled out, who must do what, and no way to reproduce it."""

import base64
import hashlib
import json
import unittest
import urllib.parse

from field import FieldCase, complaint

CALLBACK = "http://127.0.0.1:8765/"
VERIFIER = "a-verifier-of-this-recording-and-of-no-other-one"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def entry(second, method, url, parameters, status, body="", location="", headers=()):
    """An entry of a recording. The parameters are those of a POST's form, or of the URL."""
    form = urllib.parse.urlencode(parameters)
    request = {
        "method": method, "url": url if method == "POST" else f"{url}?{form}",
        "headers": [{"name": name, "value": value} for name, value in headers]}
    if method == "POST":
        request["postData"] = {"mimeType": "application/x-www-form-urlencoded", "text": form}
    answer = [{"name": "Date", "value": f"Mon, 23 Nov 2026 00:00:{second:02} GMT"}]
    if location:
        answer.append({"name": "Location", "value": location})
    response = {"status": status, "headers": answer}
    if body:
        response["content"] = {"mimeType": "text/html" if body.startswith("<") else "application/json", "text": body}
    return {"startedDateTime": f"2026-11-23T00:00:{second:02}Z", "request": request, "response": response}


def sign_in(code="code-1", **changes):
    """The browser's part of a sign-in: the request and the response at the loopback address."""
    sent = {
        "response_type": "code", "client_id": "native", "redirect_uri": CALLBACK, "scope": "openid", "state": "s1",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", **changes}
    sent = {name: value for name, value in sent.items() if value}
    back = {"code": code, "state": "s1"}
    return [
        entry(1, "GET", "https://idp.example/authorize", sent, 302, location=f"{CALLBACK}?{urllib.parse.urlencode(back)}"),
        entry(2, "GET", CALLBACK, back, 200)]


def redemption(status=400, body='{"error":"invalid_grant"}', second=3, **changes):
    sent = {
        "grant_type": "authorization_code", "code": "code-1", "client_id": "native", "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER, **changes}
    return entry(second, "POST", "https://idp.example/token", sent, status, body)


def pushed_sign_in(life, *openings):
    """A push, and the browser's requests: the second, the path and the status of each."""
    sent = {"response_type": "code", "client_id": "native", "redirect_uri": CALLBACK, "state": "s1"}
    accepted = json.dumps({"request_uri": "urn:example:1", "expires_in": life})
    reference = {"client_id": "native", "request_uri": "urn:example:1"}
    return [entry(0, "POST", "https://idp.example/par", sent, 201, accepted)] + [
        entry(second, "POST" if path == "login" else "GET", f"https://idp.example/{path}",
              {} if path == "login" else reference, status, "<html>An error page or a form.</html>")
        for second, path, status in openings]


TOKENS = {"status": 200, "body": '{"access_token":"a","refresh_token":"b"}'}


class DeskRow(FieldCase):
    def file(self, name, entries):
        file = self.workspace.path / name
        file.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "mitmproxy"}, "entries": entries}}))
        return file

    def explain(self, entries):
        return json.loads(self.succeed("explain", self.file("case.har", entries), "--offline", "-o", "json"))

    def section(self, explanation, title):
        found = [section for section in explanation["sections"] if section["title"] == title]
        return {row["name"]: row["value"] for row in found[0]["rows"]} if found else {}

    def explain_pushed(self, words, life, *openings):
        """The explanation of a pushed request that can't be used, whose finding has these words."""
        explanation = self.explain(pushed_sign_in(life, *openings))
        self.assertEqual(explanation["cause"], "pushed-request-unusable")
        self.assertIn(words, explanation["findings"][0]["fact"])
        return explanation

    def beside(self, failing, working):
        return self.succeed("explain", self.file("bo.har", failing), "--beside", self.file("ann.har", working))

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/pull/2190",
        "Reports come without the log and the trace that the maintainers need, so the form has to demand and explain them",
        "\"Missing\" says that the token request isn't in a browser's recording, and names the command that records it")
    def test_the_log_that_is_needed(self):
        missing = self.section(self.explain(sign_in()), "Missing")
        self.assertIn("mitmdump --set hardump=FILE", missing["Token request"])

    @complaint(
        "https://github.com/thobach/MMM-MicrosoftToDo/issues/47",
        "The message is invalid_grant, check the logs, and the user asks how",
        "The answer for the user has what to send, with the command")
    def test_how_to_check_the_logs(self):
        answer = self.succeed("explain", self.file("case.har", sign_in() + [redemption()]), "--answer", "user")
        self.assertIn("What to do: ", answer)
        self.assertIn("Please send: ", answer)

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/1222",
        "The user hopes that a list of hosts is the trace that was asked for: it has no request of the sign-in",
        "A recording without a sign-in request says so, and how to record one")
    def test_a_trace_of_nothing(self):
        explanation = self.explain([entry(1, "GET", "https://teams.example/", {}, 200)])
        self.assertIn("no request to a sign-in endpoint", explanation["findings"][0]["fact"])
        self.assertIn("Preserve log", explanation["findings"][0]["fix"])

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/6676",
        "Some users can't sign in, others can, and it takes weeks to find what differs between them",
        "--beside names the first step and parameter that differ")
    def test_works_for_ann_not_for_bo(self):
        text = self.beside(sign_in(response_mode="fragment"), sign_in())
        self.assertIn("First difference: the authorization request (entry 1).", text)
        self.assertIn("response_mode\n", text)

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/7452",
        "The sign-in loops in one browser with a session, and works in a private window",
        "--beside with the recording of the private window: the cookie that only one of them sends")
    def test_works_in_a_private_window(self):
        cookie = [("Cookie", "ESTSAUTH=x")]
        with_session, without = sign_in(), sign_in()
        with_session[0]["request"]["headers"] = [{"name": "Cookie", "value": "ESTSAUTH=x"}]
        for recording in (with_session, without):
            recording.append(entry(4, "POST", "https://idp.example/page", {"a": "b"}, 200, "<html>", headers=cookie))
        text = self.beside(with_session, without)
        self.assertIn("Cookie\n", text)
        self.assertNotIn("ESTSAUTH", text)

    @complaint(
        "https://github.com/httptoolkit/httptoolkit/issues/246",
        "Two recordings should be compared as flows, request by request, and not only as texts",
        "--beside compares their steps; what a redacted copy hides counts as neither alike nor different")
    def test_redacted_copies_as_flows(self):
        def copy(name, entries):
            copied = self.workspace.path / f"{name}-copy.har"
            self.succeed("explain", self.file(f"{name}.har", entries), "--redact", str(copied))
            return str(copied)

        # In the second one, the authority has another placeholder.
        other = [entry(0, "GET", "https://shop.example/", {}, 200)]
        failing = copy("bo", sign_in() + [redemption()])
        working = copy("ann", other + sign_in() + [redemption(**TOKENS)])
        text = self.succeed("explain", failing, "--beside", working)
        self.assertIn("First difference: the token request (entry 3).", text)
        self.assertIn("same  authorization request: entry 1", text)

    @complaint(
        "https://github.com/google/CodeCity/issues/268",
        "The first sign-in ends with invalid_grant, the second works, and the requests look alike",
        "--beside: everything before the token request is alike, and only its response differs")
    def test_the_second_time_it_works(self):
        text = self.beside(sign_in() + [redemption()], sign_in() + [redemption(**TOKENS)])
        self.assertIn("First difference: the token request (entry 3).", text)
        self.assertIn("HTTP 400 invalid_grant", text)
        self.assertIn("same  authorization request", text)

    @complaint(
        "https://github.com/outline/outline/issues/1245",
        "invalid_grant, and the maintainer's answer is a list of eleven possible reasons",
        "\"Ruled out\" has those that the recording excludes, with the proof")
    def test_eleven_reasons(self):
        excluded = self.section(self.explain(sign_in() + [redemption()]), "Ruled out")
        self.assertEqual(excluded["PKCE"], "The verifier matches the challenge.")
        self.assertEqual(excluded["Redirect URI"], "It's the same in the sign-in and the token request.")
        self.assertEqual(excluded["Authorization code"], "It was redeemed once.")
        self.assertIn("within 1 s", excluded["Clock"])

    @complaint(
        "https://github.com/google-gemini/gemini-cli/issues/29069",
        "invalid_grant: the callback may be consumed twice, or it's the clock, or the account. Nobody can tell",
        "The recording has the code twice, and excludes the clock")
    def test_consumed_twice_or_the_clock(self):
        explanation = self.explain(sign_in() + [redemption(**TOKENS), redemption(second=4)])
        self.assertEqual(explanation["cause"], "code-used-twice")
        self.assertIn("Clock", self.section(explanation, "Ruled out"))
        self.assertEqual(self.section(explanation, "Missing"), {})

    @complaint(
        "https://github.com/MicrosoftDocs/azure-docs/issues/80997",
        "Error 90095 only says that its text is specific to the run, not who has to do what",
        "The answer says that an administrator must act")
    def test_who_must_act(self):
        answer = self.succeed("explain", "AADSTS90095", "--answer", "administrator")
        self.assertIn("What happened: Admin consent required", answer)
        self.assertIn("What to do: ", answer)
        self.assertIn("Who must do it: ", answer)

    @complaint(
        "https://github.com/MicrosoftDocs/azure-docs/issues/20935",
        "\"Credential validation has failed\" doesn't say what to do",
        "The answer for the user has a next step")
    def test_what_to_do(self):
        answer = self.succeed("explain", "AADSTS50064", "--answer", "user")
        self.assertIn("What to do: Try again, with another method if necessary.", answer)
        self.assertIn("Who must do it: you.", answer)

    @complaint(
        "https://github.com/keycloak/keycloak/issues/51761",
        "A pushed request limits how long a user may take to sign in. After that, an error page of the server",
        "The finding has the lifetime and the age, and the next step is the operator's or the user's")
    def test_a_sign_in_longer_than_the_pushed_request(self):
        explanation = self.explain_pushed("during the sign-in", 30, (1, "authorize", 200), (45, "login", 500))
        self.assertEqual(self.section(explanation, "Evidence: Request URI")["Age"], "45 s")

    @complaint(
        "https://github.com/spring-attic/spring-authorization-server/issues/2043",
        "The server checks the pushed request again when the user has signed in: it expired meanwhile",
        "The same finding at the second authorization request")
    def test_a_second_look_at_the_pushed_request(self):
        self.explain_pushed("during the sign-in", 30, (1, "authorize", 200), (2, "login", 200), (40, "authorize", 400))

    @complaint(
        "https://github.com/keycloak/keycloak/pull/36830",
        "The browser repeats the request, by a reload or for Kerberos, and the authority has forgotten what was pushed",
        "The finding names both requests: each pushed request is for one use")
    def test_a_reloaded_pushed_request(self):
        self.explain_pushed("twice", 60, (1, "authorize", 401), (2, "authorize", 400))


if __name__ == "__main__":
    unittest.main()
