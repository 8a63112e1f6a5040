#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens reports in a headless Chromium, uses them, and takes pictures of them.

Usage: report_pages.py --bin FOLDER --shots FOLDER [--comparison FILE [--elevation FOLDER]
                       [--database DB]] [--output-folder FOLDER]
"""
import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FAILURES = []


def expect(condition, statement):
    print(("ok    " if condition else "FAILED ") + statement)
    if not condition:
        FAILURES.append(statement)


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for switch in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--hide-scrollbars", "--force-device-scale-factor=1"]:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service("/usr/bin/chromedriver", log_path=os.devnull)
    return webdriver.Chrome(service=service, options=options)


def resize(driver, width, height=900, dark=False):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                     # A page that is still scrolling is no place to click.
                     {"name": "prefers-reduced-motion", "value": "reduce"}]})


def open_page(driver, path, width, dark=False):
    resize(driver, width, dark=dark)
    driver.get("file://" + os.path.abspath(path))


def requests(driver):
    """The addresses that a page asked for, but for itself and what it holds."""
    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith("data:"):
                found.append(url)
    return found


def shot(driver, folder, name, whole=True):
    if whole:
        height = driver.execute_script("return document.documentElement.scrollHeight")
        width = driver.execute_script("return window.innerWidth")
        dark = driver.execute_script("return matchMedia('(prefers-color-scheme:dark)').matches")
        resize(driver, width, min(height, 5000), dark)
    image = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    with open(os.path.join(folder, name + ".png"), "wb") as file:
        file.write(base64.b64decode(image["data"]))


def check_page(driver, path, name, shots):
    """What holds for every page."""
    # What earlier pages asked for and said is not this one's.
    driver.get_log("performance")
    driver.get_log("browser")
    open_page(driver, path, 1280)
    asked = requests(driver)
    page = "file://" + os.path.abspath(path)
    expect(asked == [page], f"{name}: the page asks for nothing but itself ({asked[:3]})")
    errors = [entry["message"] for entry in driver.get_log("browser")]
    expect(not errors, f"{name}: the console is empty ({errors[:2]})")
    cut = driver.execute_script(
        "return [...document.querySelectorAll('.scroll')].filter("
        "e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute('aria-label'))")
    expect(not cut, f"{name}: 1280 pixels are wide enough for every table ({cut})")
    steps = driver.execute_script(
        "return [...document.querySelectorAll('.grid')].filter(e => e.children.length > 1 && "
        "e.children[0].getBoundingClientRect().top !== e.children[1].getBoundingClientRect().top)"
        ".length")
    expect(steps == 0, f"{name}: cards beside each other begin at one height")
    shot(driver, shots, name + "-light")
    for width in [320, 360]:
        open_page(driver, path, width)
        wide = driver.execute_script(
            "return document.documentElement.scrollWidth > window.innerWidth")
        expect(not wide, f"{name}: {width} pixels are wide enough")
    small = driver.execute_script("""
      return [...document.querySelectorAll('.map.regions text:not(.crowded)')]
        .map(e => e.getBoundingClientRect().height).filter(height => height > 0 && height < 11)""")
    expect(not small, f"{name}: names of regions are legible on a phone ({small})")
    covered = driver.execute_script("""
      const [a, b] = ['scale-line', 'attribution'].map(name =>
        document.querySelector('.leaflet-control-' + name)).map(e => e && e.getBoundingClientRect());
      return !!a && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom""")
    expect(not covered, f"{name}: the scale is not below the attributions")
    parts = driver.execute_script("""
      return [...document.querySelectorAll('td')].filter(e => getComputedStyle(e).display === 'flex'
        && e.children.length > 1 && e.querySelector(':scope > br')).length""")
    expect(parts == 0, f"{name}: a cell on a phone has its name and one figure ({parts})")
    shot(driver, shots, name + "-phone")
    open_page(driver, path, 1280, dark=True)
    paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    expect(paper == "rgb(20, 24, 27)", f"{name}: the page is dark in the dark ({paper})")
    shot(driver, shots, name + "-dark")
    resize(driver, 1280)
    pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    expect(pdf.startswith(b"%PDF") and len(pdf) > 10_000, f"{name}: it prints")
    with open(os.path.join(shots, name + ".pdf"), "wb") as file:
        file.write(pdf)
    names = driver.execute_script(
        "return [...document.querySelectorAll('svg[role=img]')].filter("
        "e => !e.getAttribute('aria-label')).length")
    expect(names == 0, f"{name}: every chart has a name")


def check_routes(driver, path, name):
    """What holds for a page with changed routes."""
    open_page(driver, path, 1280)
    buttons = driver.find_elements(By.CSS_SELECTOR, ".routes button")
    count = len(buttons)
    expect(count > 1, f"{name}: the list has routes ({count})")
    in_leaflet = driver.find_elements(By.CSS_SELECTOR, ".leaflet-container")
    scope = ".leaflet-container path.%s" if in_leaflet else ".route path.%s"
    paths = len(driver.find_elements(By.CSS_SELECTOR, scope % "candidate"))
    expect(paths >= count, f"{name}: the map shows the routes ({paths})")

    def shown():
        return driver.execute_script(
            "return [...document.querySelectorAll('.detail')].filter(e => !e.hidden)"
            ".map(e => e.dataset.route)")

    buttons[1].click()
    expect(shown() == [buttons[1].get_attribute("data-route")],
           f"{name}: a click in the list opens the route's profile")
    profile = driver.find_elements(By.CSS_SELECTOR, ".detail:not([hidden]) svg.profile .curve")
    expect(len(profile) >= 2, f"{name}: both versions have an elevation profile")
    buttons[0].send_keys(Keys.ENTER)
    expect(shown() == [buttons[0].get_attribute("data-route")],
           f"{name}: Enter in the list opens the route's profile")
    buttons[0].send_keys(Keys.ARROW_DOWN)
    expect(shown() == [buttons[1].get_attribute("data-route")],
           f"{name}: the arrow keys go through the list")
    driver.execute_script("""
      const id = arguments[0], leaflet = document.querySelector('.leaflet-container');
      const path = leaflet ? [...leaflet.querySelectorAll('path.candidate')][0]
        : document.querySelector('.route[data-route="' + id + '"] path.candidate');
      const box = path.getBoundingClientRect();
      path.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.x, clientY: box.y}));
    """, buttons[0].get_attribute("data-route"))
    expect(len(shown()) == 1, f"{name}: a click on the map opens a route's profile ({shown()})")
    shown_names, overlaps, hidden = driver.execute_script("""
      const boxes = [...document.querySelectorAll('.name:not(.crowded) span, .names text:not(.crowded)')]
        .map(e => e.getBoundingClientRect()).filter(b => b.width > 0);
      let overlaps = 0;
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
        if (a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3
          && b.top < a.bottom - 3) overlaps++;
      }));
      const map = document.querySelector('.leaflet-container');
      const frame = map && map.getBoundingClientRect();
      const pins = [...document.querySelectorAll('.pin')].map(e => e.getBoundingClientRect());
      // A name far outside is no name in view.
      const hidden = map ? boxes.filter(a => a.right > frame.left && a.left < frame.right
        && a.bottom > frame.top && a.top < frame.bottom && (a.left < frame.left - 3
        || a.right > frame.right + 3 || pins.some(b => a.left < b.right - 3 && b.left < a.right - 3
          && a.top < b.bottom - 3 && b.top < a.bottom - 3))).length : 0;
      return [boxes.length, overlaps, hidden];
    """)
    expect(shown_names > 0, f"{name}: places have names ({shown_names})")
    expect(overlaps == 0, f"{name}: no names cover each other ({overlaps})")
    expect(hidden == 0, f"{name}: no name is cut off or below a pin ({hidden})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--shots", required=True)
    parser.add_argument("--run", help="a manifest or an output folder")
    parser.add_argument("--comparison")
    parser.add_argument("--elevation")
    parser.add_argument("--database")
    arguments = parser.parse_args()
    os.makedirs(arguments.shots, exist_ok=True)
    cairn = os.path.join(arguments.bin, "cairn")
    with tempfile.TemporaryDirectory() as folder:
        pages = []
        if arguments.run:
            page = os.path.join(folder, "build.html")
            subprocess.run([cairn, "report", arguments.run, "--output", page], check=True)
            pages.append((page, "build"))
        if arguments.comparison:
            for kind in ["leaflet", "drawn"]:
                page = os.path.join(folder, kind + ".html")
                command = [cairn, "report", arguments.comparison, "--output", page, "--map", kind]
                if arguments.elevation:
                    command += ["--elevation", arguments.elevation]
                if arguments.database:
                    command += ["--database", arguments.database]
                subprocess.run(command, check=True)
                size = os.path.getsize(page)
                expect(size < 3_000_000, f"{kind}: the page is below 3 MB ({size})")
                pages.append((page, "comparison-" + kind))
        driver = browser()
        try:
            for page, name in pages:
                check_page(driver, page, name, arguments.shots)
                if name.startswith("comparison"):
                    check_routes(driver, page, name)
        finally:
            driver.quit()
    print(f"pictures are in {arguments.shots}")
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
