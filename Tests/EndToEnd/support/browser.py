"""A user with headless Chromium: completes sign-in and consent pages from a URL until another origin's page opens.

usage: browser.py PERSON.json ADDRESS          for $BROWSER

PERSON.json: username, password, result (the file to write), decline (true: decline consent), and done: a file that
appears once another program has the response, for a last page that stays open.
The result: pages (their titles), address and text of the last page, trouble (what stopped the user, or null).
"""

import json
import os
import re
import sys
import tempfile
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

MOST_PAGES = 8
PAGE_SECONDS = 20
# Words on a button that does not continue.
REFUSALS = re.compile(r"cancel|deny|decline|refuse|reject|\bno\b|back|another|different|sign.?out", re.IGNORECASE)


def main():
    person = json.load(open(sys.argv[1], encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="keyturn-chromium-", ignore_cleanup_errors=True) as profile:
        driver = start_chromium(profile)
        try:
            result = walk(driver, sys.argv[2], person)
        finally:
            driver.quit()
    part = person["result"] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=2)
    os.replace(part, person["result"])


def start_chromium(profile):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # Chromium refuses its sandbox to root, and a test runner often runs as root.
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.accept_insecure_certs = True
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def walk(driver, address, person):
    """Follows the pages of the origin of `address` until another origin's page is shown."""
    origin = origin_of(address)
    pages = []
    trouble = None
    driver.get(address)
    try:
        while origin_of(driver.current_url) == origin and len(pages) < MOST_PAGES and not is_done(person):
            pages.append(driver.title)
            answer(driver, person)
        wait_for_clean_address(driver)
    except (WebDriverException, LookupError) as problem:
        trouble = f"{type(problem).__name__}: {problem}"
    return {
        "pages": pages,
        "address": driver.current_url,
        "title": driver.title,
        "text": driver.find_element(By.TAG_NAME, "body").text,
        "trouble": trouble,
    }


def answer(driver, person):
    """Fills in the page's fields, and presses the button that continues."""
    for field in driver.find_elements(By.CSS_SELECTOR, "input:not([type=hidden])"):
        kind = field.get_attribute("type")
        if not field.is_displayed():
            continue
        if kind == "password":
            retype(field, person["password"])
        elif kind in ("text", "email"):
            retype(field, person["username"])
    button = choose_button(driver, refuses=person.get("decline", False))
    page = driver.find_element(By.TAG_NAME, "html")
    button.click()
    WebDriverWait(driver, PAGE_SECONDS, 0.05).until(lambda _: is_gone(page) or is_done(person))
    WebDriverWait(driver, PAGE_SECONDS, 0.05).until(
        lambda d: d.execute_script("return document.readyState") == "complete"
    )


def retype(field, text):
    field.clear()
    field.send_keys(text)


def choose_button(driver, refuses):
    selector = "form [type=submit], form button:not([type=button]):not([type=reset])"
    buttons = [button for button in driver.find_elements(By.CSS_SELECTOR, selector) if button.is_displayed()]
    asks = any(is_refusal(button) for button in buttons) and not driver.find_elements(
        By.CSS_SELECTOR, "input[type=password]"
    )
    for button in buttons:
        if is_refusal(button) == (refuses and asks):
            return button
    raise LookupError(f"no button to press on {driver.title!r}: {driver.find_element(By.TAG_NAME, 'body').text[:300]}")


def is_refusal(button):
    words = " ".join(filter(None, (button.get_attribute(name) for name in ("value", "name"))))
    return bool(REFUSALS.search(f"{button.text} {words}"))


def is_done(person):
    return "done" in person and os.path.exists(person["done"])


def is_gone(element):
    try:
        element.is_enabled()
        return False
    except WebDriverException:
        return True


def wait_for_clean_address(driver):
    """Gives the last page a moment to remove the code from the address bar; the test checks the result."""
    try:
        WebDriverWait(driver, 5, 0.05).until(lambda d: "code=" not in d.current_url and "error=" not in d.current_url)
    except WebDriverException:
        pass


def origin_of(address):
    parts = urllib.parse.urlsplit(address)
    return parts.scheme, parts.netloc


if __name__ == "__main__":
    main()
