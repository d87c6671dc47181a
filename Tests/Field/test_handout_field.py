"""Handouts: exported pages that need a network, run a server's text, print one tab of many, or show what should stay secret."""

import json
import re

from field import FieldCase, complaint
from selenium.webdriver.common.by import By
from support.reading import ReadingCase

from test_case import entry

PLANTED = "planted-5kQ2vX9"


class HandoutRow(ReadingCase, FieldCase):
    def tearDown(self):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def handout(self, *entries):
        """The page of a case with these entries of a recording, or of a scenario, opened in Chromium."""
        if entries:
            recording = self.workspace.path / "customer.har"
            recording.write_text(json.dumps({"log": {"entries": list(entries)}}), encoding="utf-8")
            page = self.succeed("explain", str(recording), "--diagram", "html")
        else:
            page = self.succeed("demo", "plain-sign-in", "--diagram", "html")
        path = self.workspace.path / "handout.html"
        path.write_text(page, encoding="utf-8")
        self.driver.get(path.as_uri())
        return page

    def visible(self):
        return [part.is_displayed() for part in self.driver.find_elements(By.CSS_SELECTOR, ".part")]

    @complaint(
        "https://github.com/jgraph/drawio-desktop/issues/2195",
        "An exported HTML file loads its viewer from the Internet, and shows nothing without it.",
        "The handout is one file: it names no other resource, and its policy allows none")
    def test_without_a_network(self):
        page = self.handout()
        self.assertEqual(self.driver.execute_script("return performance.getEntriesByType('resource').length"), 0)
        self.assertFalse(re.search(r"<(?:link|img|iframe|object)\b|\bsrc=|\bhref=|url\(|@import", page))
        self.assertIn("default-src &#39;none&#39;", page)

    @complaint(
        "https://github.com/Orange-OpenSource/hurl/issues/5228",
        "An HTML report has headers of a server as they are, so that a script in one runs at the reader.",
        "Each text of a server is escaped, and what runs is named by its hash: markup in parameters, errors and names is shown as text")
    def test_markup_of_a_server(self):
        attack = "<img src=x onerror=\"document.title='attacked'\">"
        self.handout(
            entry(1, "GET", "https://idp.example/authorize", {"client_id": attack, "response_type": "code", attack: attack}, 302),
            entry(2, "POST", "https://idp.example/token", {"grant_type": "authorization_code", "code": attack}, 400,
                  json.dumps({"error": "invalid_grant", "error_description": attack, attack: attack})))
        self.assertNotEqual(self.driver.title, "attacked")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "img, [onerror]"), [])

    @complaint(
        "https://github.com/KaykCaputo/oracletrace/pull/85",
        "A name with </script> ends the report's own script, because the data is inside it.",
        "The handout's script is the same in each file: the data is in elements")
    def test_the_end_of_a_script(self):
        end = "</script><script>document.title='attacked'</script>"
        pages = [
            self.handout(),
            self.handout(entry(1, "POST", "https://idp.example/token", {"grant_type": end, "code": end}, 400,
                               json.dumps({"error": "invalid_grant", "error_description": end})))]
        self.assertNotEqual(self.driver.title, "attacked")
        scripts = [re.findall(r"<script>.*?</script>", page, re.DOTALL) for page in pages]
        self.assertEqual(len(scripts[0]), 1)
        self.assertEqual(*scripts)

    @complaint(
        "https://github.com/httprunner/httprunner/issues/155",
        "A response with a form and a script sends the reader of the report to another site.",
        "No form of a server is in the handout, and its policy allows no form to be sent")
    def test_a_form_that_sends_itself(self):
        form = "<form id=f action='https://evil.example/'></form><script>document.getElementById('f').submit()</script>"
        page = self.handout(
            entry(1, "GET", "https://idp.example/authorize", {"client_id": "a", "response_type": "code"}, 400, form))
        self.assertTrue(self.driver.current_url.startswith("file:"))
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "form, input"), [])
        self.assertIn("form-action &#39;none&#39;", page)

    @complaint(
        "https://github.com/mozilla/learning.mozilla.org/issues/641",
        "On paper, only the tab is there that was open.",
        "The printed handout has each message, its parameters, pages and results, and no controls")
    def test_on_paper(self):
        self.handout()
        self.assertEqual(self.visible().count(True), 1)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.assertTrue(all(self.visible()))
        self.assertFalse(self.driver.find_element(By.TAG_NAME, "nav").is_displayed())

    @complaint(
        "https://github.com/daisy/ace/issues/119",
        "A report is empty where the browser blocks the scripts of local files.",
        "The text is in the page itself: without the script, all of it is shown")
    def test_without_scripts(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.handout()
        visible = self.visible()
        self.assertTrue(visible and all(visible))

    @complaint(
        "https://github.com/microsoft/playwright/issues/17159",
        "A report stays blank on a server whose policy allows no inline scripts and styles.",
        "The page is readable without both, and its policy has the hashes that such a server needs to allow them")
    def test_behind_a_strict_policy(self):
        page = self.handout()
        path = self.workspace.path / "strict.html"
        path.write_text(re.sub(r"(style|script)-src &#39;sha256-[^;]*&#39;", r"\1-src &#39;self&#39;", page), encoding="utf-8")
        self.driver.get(path.as_uri())
        self.assertTrue(all(self.visible()))
        self.assertEqual(len(re.findall(r"-src &#39;sha256-[A-Za-z0-9+/]{43}=&#39;", page)), 2)

    @complaint(
        "https://github.com/sgrastar/HARlytics/issues/3",
        "The tables and sequence diagrams made from a recording have its tokens and names, and are passed on.",
        "The handout of a case is made from the redacted copy: placeholders replace secrets, names and addresses")
    def test_what_a_recording_hides(self):
        page = self.handout(
            entry(1, "GET", f"https://{PLANTED}.example/authorize", {
                "client_id": PLANTED, "response_type": "code", "login_hint": f"{PLANTED}@contoso.example", "state": PLANTED,
                "redirect_uri": f"https://app.example/{PLANTED}"}, 302),
            entry(2, "POST", f"https://{PLANTED}.example/token", {
                "grant_type": "authorization_code", "code": PLANTED, "client_secret": PLANTED}, 400,
                json.dumps({"error": "invalid_grant", "error_description": f"The code {PLANTED} has expired."})))
        self.assertNotIn(PLANTED.lower(), page.lower())
        self.assertIn("client_id-1", page)
