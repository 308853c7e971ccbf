"""The search page in a real browser, served by the command itself."""

import json
import shutil
import subprocess
import sys
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from indexer.embed import embed_pending
from indexer.library import create_library
from indexer.progress import Silent
from indexer.publish import publish
from indexer.upsert import upsert
from tests.citations import LIBRARY, citation

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver"),
]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SECONDS = 90
ARABIC = citation(
    200,
    "[Fasting and blood <b>glucose</b> $x_1$ in *diabetes*.]",
    "صيام رمضان ومرضى السكري من النوع الثاني.",
    vernacular_title="تأثير الصيام على مرضى السكري",
    languages=("ar",),
)


@pytest.fixture(scope="module")
def url(tmp_path_factory, encoder):
    """Where `bioglot ui` answers."""
    path = tmp_path_factory.mktemp("browser") / "library"
    library = create_library(path, encoder)
    with library.writing():
        upsert(library, [*LIBRARY, ARABIC])
        embed_pending(library, encoder, Silent())
        publish(library, Silent())
    command = [sys.executable, "-c", "from app.cli.main import main; main()", "ui", "--port", "0"]
    with subprocess.Popen(
        [*command, "--library", str(path)], stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        line = process.stderr.readline()
        assert line.startswith("the search page is at http://localhost:"), line + process.stderr.read()
        yield line.split()[5]
        process.terminate()


@pytest.fixture
def browser(tmp_path):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, "--window-size=1280,900", f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def find(browser, selector, text=""):
    """The first visible element that matches the selector and holds the text, waited for.

    The page is waited for as well: while it runs, hits are drawn anew once their evidence is there.
    """
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        script = (
            "return document.querySelector('[data-test-script-state=notRunning]') && "
            "[...document.querySelectorAll(arguments[0])]"
            ".find(node => node.checkVisibility() && node.textContent.includes(arguments[1]))"
        )
        if (element := browser.execute_script(script, selector, text)) is not None:
            return element
        time.sleep(0.1)
    raise AssertionError(f"no {selector} with {text!r} on {browser.find_element('tag name', 'body').text}")


def test_a_question_typed_brings_papers_and_stands_in_the_address(browser, url):
    browser.get(url)
    find(browser, ".bg-about")
    find(browser, "input[type=search]").send_keys("vacuna contra la gripe en embarazadas\n")
    title = find(browser, ".bg-title", "Influenza vaccination during pregnancy")
    link = title.find_element("tag name", "a")
    assert link.get_attribute("href") == "https://pubmed.ncbi.nlm.nih.gov/101/"
    assert "noopener" in link.get_attribute("rel")
    assert parse_qs(urlsplit(browser.current_url).query)["q"] == ["vacuna contra la gripe en embarazadas"]


def test_the_abstract_opens_in_place(browser, url):
    browser.get(f"{url}/?q=mammography&mode=Words")
    find(browser, ".bg-hit", "Breast cancer detection")
    assert not browser.find_element("css selector", ".bg-section").is_displayed()
    find(browser, "summary").click()
    find(browser, ".bg-section", "as accurately as two radiologists")


def test_training_runs_have_a_page_of_their_own(browser, url):
    browser.get(f"{url}/runs")
    find(browser, "h1", "Training runs")


def test_evidence_is_told_apart_in_the_abstract(browser, url):
    browser.get(f"{url}/?q=preterm+birth&mode=Words")
    word = find(browser, ".bg-excerpt b", "Preterm")
    assert int(browser.execute_script("return getComputedStyle(arguments[0]).fontWeight", word)) > 600
    find(browser, "summary").click()
    sentence = find(browser, ".bg-section mark", "Preterm birth was rarer.")
    assert sentence.text == "Preterm birth was rarer."
    colour = browser.execute_script("return getComputedStyle(arguments[0]).backgroundColor", sentence)
    assert colour != "rgba(0, 0, 0, 0)"


def test_an_example_is_asked_by_a_click(browser, url):
    browser.get(url)
    find(browser, "button", "心筋梗塞後のリハビリ").click()
    find(browser, ".bg-title", "cardiac rehabilitation after myocardial infarction")
    assert find(browser, "input[type=search]").get_attribute("value") == "心筋梗塞後のリハビリ"


def test_text_from_right_to_left_runs_so_and_markup_stays_text(browser, url):
    browser.get(f"{url}/?q=fasting+diabetes")
    vernacular = find(browser, ".bg-vernacular", "تأثير الصيام")
    assert vernacular.get_attribute("lang") == "ar"
    assert browser.execute_script("return getComputedStyle(arguments[0]).direction", vernacular) == "rtl"
    title = find(browser, ".bg-title", "[Fasting and blood <b>glucose</b> $x_1$ in *diabetes*.]")
    assert browser.execute_script("return getComputedStyle(arguments[0]).direction", title) == "ltr"


def test_nothing_leaves_the_machine_and_nothing_fails(browser, url):
    browser.get_log("performance")
    browser.get(f"{url}/?q=malaria")
    find(browser, ".bg-hit")
    entries = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [
        entry["params"]["request"] for entry in entries if entry["method"] == "Network.requestWillBeSent"
    ]
    asked += [entry["params"] for entry in entries if entry["method"] == "Network.webSocketCreated"]
    addresses = [urlsplit(request["url"]) for request in asked]
    hosts = {address.netloc for address in addresses if address.scheme in ("http", "https", "ws", "wss")}
    assert hosts == {urlsplit(url).netloc}
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(browser, url, scheme):
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(f"{url}/?q=diabetes")
    link = find(browser, ".bg-title a")
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    colour = browser.execute_script("return getComputedStyle(arguments[0]).color", link)
    assert colour == {"light": "rgb(11, 93, 116)", "dark": "rgb(125, 211, 232)"}[scheme]


def test_the_api_answers_beside_the_page(browser, url):
    browser.get(f"{url}/health")
    assert json.loads(browser.find_element("tag name", "body").text)["status"] == "ok"


def test_the_menu_tells_whose_records_these_are(browser, url):
    browser.get(url)
    find(browser, "[data-testid=stMainMenu] button, button[data-testid=stMainMenuButton]").click()
    find(browser, "[data-testid=stMainMenuList] *, [role=option], [role=menuitem]", "About").click()
    about = find(browser, "[role=dialog]", "National Library of Medicine").text
    assert "bioglot 0." in about
    assert "does not endorse bioglot" in about
