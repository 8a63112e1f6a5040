#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts cairn serve, uses its page in a headless Chromium, and takes pictures of it.

Usage: viewer.py --bin FOLDER --shots FOLDER DB... [--elevation FOLDER] [--search WORD]
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import jsonschema
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import report_pages
from report_pages import browser, expect, requests, resize, shot

PATIENCE = 20


class Viewer:
    """cairn serve in a process of its own."""

    def __init__(self, cairn, words):
        # A shell has its jobs in the background ignore Ctrl-C, and so does all that they start.
        self.process = subprocess.Popen(
            [cairn, "serve", *words, "--port", "0"], stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.url = self.process.stdout.readline().strip()

    def ask(self, path, **query):
        text = self.url + path + ("?" + urllib.parse.urlencode(query, True) if query else "")
        with urllib.request.urlopen(text) as answer:
            return answer.read()

    def end(self):
        """Ends it by Ctrl-C; how long that takes in seconds."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        return time.monotonic() - start


def wait(driver, what):
    return WebDriverWait(driver, PATIENCE).until(what)


def script(driver, text, *arguments):
    return driver.execute_script("return " + text, *arguments)


def routed(driver):
    return int(script(driver, "document.body.dataset.routed || 0"))


def figures(driver):
    return script(driver, "document.querySelector('#figures').innerText.split('\\n')")


def after(driver, action, statement):
    """Does something, after which there is another route."""
    before = routed(driver)
    action()
    try:
        wait(driver, lambda _: routed(driver) > before)
        wait(driver, lambda _: not script(driver, "document.querySelector('#chart').hidden"))
        expect(True, statement)
    except Exception as error:  # What is missing is said, and the other statements are looked at.
        expect(False, f"{statement} ({type(error).__name__}: {figures(driver)})")


def open_viewer(driver, url, width, height=900, dark=False):
    resize(driver, width, height, dark)
    driver.get("about:blank")
    driver.get(url)
    wait(driver, lambda _: script(driver, "!!document.body.dataset.ready"))


def settle(driver):
    """Until all tiles of the map are there."""
    wait(driver, lambda _: script(
        driver, "document.querySelectorAll('.leaflet-tile').length > 0 && "
        "![...document.querySelectorAll('.leaflet-tile')]"
        ".some(e => !e.classList.contains('leaflet-tile-loaded'))"))
    time.sleep(0.4)  # They fade in.


def names(driver):
    """Names of places lie on the map, and none covers another."""
    wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "#map .name"))
    boxes = script(driver, """[...document.querySelectorAll('#map .name span')].map(
      e => e.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])""")
    covered = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]
               if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
    expect(len(boxes) > 5 and not covered, f"{len(boxes)} names are on the map, none covered ({covered[:1]})")


def uncovered(driver):
    """No name is cut off by the map's edge, or below a pin or a warning."""
    hidden = script(driver, """(() => {
      const map = document.querySelector('#map').getBoundingClientRect();
      const marks = [...document.querySelectorAll('#map .pin, #map .bang')].map(e => e.getBoundingClientRect());
      return [...document.querySelectorAll('#map .name span')].filter(e => {
        const a = e.getBoundingClientRect();
        return a.left < map.left || a.right > map.right || a.top < map.top
          || marks.some(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
      }).map(e => e.textContent);
    })()""")
    expect(not hidden, f"no name is cut off or below a mark ({hidden})")


def clicks(driver):
    """A route by two clicks, a via point by a drag, the start dragged elsewhere."""
    panel = driver.find_element(By.ID, "map")
    size = panel.size
    expect(script(driver, "document.querySelector('#message').textContent").startswith("Click the start"),
           "the page says what to do first")
    ActionChains(driver).move_to_element_with_offset(panel, -size["width"] // 6, size["height"] // 8) \
        .click().perform()
    after(driver, lambda: ActionChains(driver).move_to_element_with_offset(
        panel, size["width"] // 7, -size["height"] // 9).click().perform(),
        "two clicks on the map make a route")
    first = figures(driver)
    pins = driver.find_elements(By.CSS_SELECTOR, ".leaflet-marker-icon .pin:not(.ghost)")
    after(driver, lambda: ActionChains(driver).click_and_hold(pins[0]).move_by_offset(-30, 25)
          .move_by_offset(-20, 15).release().perform(), "a dragged start makes another route")
    expect(figures(driver) != first, f"its figures are others ({first}, {figures(driver)})")
    place = script(driver, """(() => {
      const path = document.querySelector('path.line.a'), at = path.getPointAtLength(path.getTotalLength() / 2);
      const point = at.matrixTransform(path.getScreenCTM());
      return [point.x, point.y];
    })()""")
    actions = ActionChains(driver)
    actions.w3c_actions.pointer_action.move_to_location(int(place[0]), int(place[1]))
    actions.perform()
    ghost = wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, ".pin.ghost"))
    after(driver, lambda: ActionChains(driver).click_and_hold(ghost[0]).move_by_offset(20, 40)
          .move_by_offset(20, 30).release().perform(), "a dragged line gets a via point")
    rows = driver.find_elements(By.CSS_SELECTOR, "#points li")
    expect(len(rows) == 3, f"which is in the list ({len(rows)})")
    expect("points=" in driver.current_url, "the address holds the points")
    settle(driver)
    uncovered(driver)


def profile_chart(driver):
    chart = driver.find_element(By.ID, "profile-chart")
    ActionChains(driver).move_to_element(chart).perform()
    here = driver.find_elements(By.CSS_SELECTOR, "path.here")
    text = driver.find_element(By.ID, "part").text
    expect(len(here) == 1 and text.startswith("at "), f"the profile's cursor is on the map ({text})")
    ActionChains(driver).move_to_element_with_offset(chart, -100, 0).click_and_hold() \
        .move_by_offset(120, 0).release().perform()
    text = driver.find_element(By.ID, "part").text
    expect(text.startswith("From ") and " up, " in text, f"a selected part has figures ({text})")
    chart.send_keys(Keys.ARROW_RIGHT)
    expect(chart.get_attribute("aria-valuetext").startswith("at "), "arrow keys move the cursor")
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    expect(not driver.find_element(By.ID, "part").text.startswith("From "), "Escape ends the selection")


def numbers(driver):
    """A number changed, two profiles, and what a route costs."""
    driver.find_element(By.CSS_SELECTOR, "#numbers summary").click()
    field = wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "[data-key='time-factor']"))[0]
    before = figures(driver)
    after(driver, lambda: (field.clear(), field.send_keys("2")), "a changed number prices anew")
    expect("set=time-factor=2" in urllib.parse.unquote(driver.current_url), "the address holds it")
    expect(before != figures(driver), f"and the figures are others ({before}, {figures(driver)})")
    cut = script(driver, "[...document.querySelectorAll('#number-list input')].filter("
                 "e => e.scrollWidth > e.clientWidth).map(e => e.value)")
    expect(not cut, f"every number is seen whole ({cut[:2]})")
    field.clear()
    field.send_keys("x")
    expect(field.get_attribute("aria-invalid") == "true", "what is no number is refused in the page")
    after(driver, driver.find_element(By.ID, "number-reset").click, "Reset gives the profile back")
    driver.find_element(By.CSS_SELECTOR, "#numbers summary").click()
    other = driver.find_element(By.CSS_SELECTOR, "#profile-b option:nth-child(3)")
    after(driver, other.click, "another profile is shown beside it")
    expect(len(driver.find_elements(By.CSS_SELECTOR, ".figures")) == 2, "with figures of its own")
    wait(driver, lambda _: len(driver.find_elements(By.CSS_SELECTOR, "#chart .curve")) == 2)
    expect(True, "and a curve of its own")
    driver.find_element(By.CSS_SELECTOR, "#why summary").click()
    rows = wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "#why-list li"))
    text = driver.find_element(By.ID, "figures").text
    expect(not re.search(r"\d{4,} m|costs \d{4}|to [\d ]+ h 00", text),
           f"numbers and times are written as by cairn route ({text!r})")
    expect("costs" in rows[0].text, f"the route's costs are explained ({rows[0].text})")
    driver.find_element(By.CSS_SELECTOR, "#reach option:nth-child(2)").click()
    wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "path.reach"))
    expect(True, "what can be reached is drawn")
    driver.find_element(By.CSS_SELECTOR, "#region-part summary").click()
    wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "#runs h3"))
    text = driver.find_element(By.ID, "region-part").text
    expect("data of" in text, f"regions say their age ({text[:80]!r})")
    driver.find_element(By.CSS_SELECTOR, "#region-part summary").click()


def search(driver, word):
    driver.find_element(By.ID, "clear").click()
    field = driver.find_element(By.ID, "query")
    field.clear()
    field.send_keys(word)
    rows = wait(driver, lambda _: driver.find_elements(By.CSS_SELECTOR, "#found li"))
    expect(word.lower() in rows[0].text.lower(), f"search finds {word} ({rows[0].text!r})")
    field.send_keys(Keys.ENTER)
    wait(driver, lambda _: script(
        driver, "document.querySelector('#points span').textContent !== 'not chosen'"))
    expect(True, "Enter takes it as the start")
    body = driver.find_element(By.TAG_NAME, "body")
    script(driver, "document.activeElement.blur()")
    panel = driver.find_element(By.ID, "map")
    panel.send_keys(Keys.ARROW_RIGHT)
    after(driver, lambda: body.send_keys("b"), "B makes the centre of the map the end")


def hostile(driver, viewer):
    """Names that would do something if they were more than text."""
    names = ["</script><script>document.title='x'</script>", "<img src=x onerror=alert(1)>",
             "javascript:alert(1)", "a\u2028b", "\u202egnp.exe"]
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
      const names = %s, real = window.fetch;
      window.fetch = async (...all) => {
        const answer = await real(...all), headers = answer.headers;
        if (!String(all[0]).startsWith('/api/')) return answer;
        let turn = 0;
        const json = JSON.parse(await answer.text(), (key, value) =>
          ['name', 'description', 'title', 'subtitle', 'text', 'tag', 'hint', 'reason', 'osm', 'surface']
            .includes(key) && typeof value === 'string' ? names[turn++ %% names.length] : value);
        if (json.attributions) json.attributions = names;
        return { headers, json: async () => json };
      };""" % json.dumps(names)})
    open_viewer(driver, viewer, 1280)
    made = script(driver, "document.querySelectorAll('#panel img, #panel script, #map img:not(.leaflet-tile)').length")
    marks = script(driver, "/[\\u2028\\u202e]/.test(document.body.textContent)")
    links = script(driver, "[...document.querySelectorAll('a[href]')].filter("
                           "e => !/^(http:|https:|blob:)/.test(e.protocol)).length")
    expect(made == 0 and not marks and links == 0,
           f"hostile names are text ({made} elements, {links} links, marks: {marks})")
    expect("document.title" not in driver.title or "<script>" in driver.title,
           f"and run nothing ({driver.title})")


def rules(viewer):
    def status(path, method="GET", **headers):
        request = urllib.request.Request(viewer.url + path, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
    expect(status("") == 200 and status("", "HEAD") == 200, "GET and HEAD are answered")
    expect(status("", "POST") == 405, "POST is not")
    expect(status("", Host="evil.example") == 421, "another host is not served")
    port = viewer.url.split(":")[2].strip("/")
    other = subprocess.run([*viewer.process.args[:-1], port], capture_output=True, text=True)
    expect(other.returncode == 75 and "--port" in other.stderr,
           f"a port in use is said ({other.returncode}: {other.stderr.strip()})")


def schema(viewer, address):
    """Routes are what their schema says."""
    points = urllib.parse.parse_qs(address.split("#")[1])["points"][0].split(";")
    form = json.loads(viewer.ask("api/route.schema.json"))
    query = {"from": points[0], "to": points[-1]}
    routes = [json.loads(viewer.ask("api/route", **query, **more))
              for more in [{"via": points[1:-1]}, {"max-sac": "T1"}]]
    routes += json.loads(viewer.ask("api/route", **query, alternatives=3))
    jsonschema.Draft202012Validator.check_schema(form)
    problems = [error.message for route in routes
                for error in jsonschema.Draft202012Validator(form).iter_errors(route)]
    expect(not problems, f"{len(routes)} routes are as their schema says ({problems[:2]})")


def pictures(driver, shots, address):
    for width, height in [(1280, 900), (390, 844)]:
        for dark in [False, True]:
            open_viewer(driver, address, width, height, dark)
            settle(driver)
            name = f"viewer-{width}-{'dark' if dark else 'light'}"
            shot(driver, shots, name, whole=False)
            wide = script(driver, "document.documentElement.scrollWidth > window.innerWidth")
            expect(not wide, f"{width} pixels are wide enough")
            if width < 500:
                covered = script(driver, """(() => {
                  const [a, b] = ['scale-line', 'attribution'].map(name =>
                    document.querySelector('.leaflet-control-' + name).getBoundingClientRect());
                  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                })()""")
                expect(not covered, "the scale is not below the attributions")
                out = script(driver, """[...document.querySelectorAll('.figures dd')].filter(e =>
                  e.getBoundingClientRect().left + e.scrollWidth > e.closest('.figures')
                    .getBoundingClientRect().right).map(e => e.textContent)""")
                expect(not out, f"figures stay within their frame ({out})")
                script(driver, "window.scrollTo(0, 520)")
                time.sleep(0.2)
                shot(driver, shots, name + "-below", whole=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--shots", required=True)
    parser.add_argument("--elevation")
    parser.add_argument("--search", required=True)
    parser.add_argument("databases", nargs="+")
    arguments = parser.parse_args()
    os.makedirs(arguments.shots, exist_ok=True)
    words = arguments.databases + (["--elevation", arguments.elevation] if arguments.elevation else [])
    viewer = Viewer(os.path.join(arguments.bin, "cairn"), words)
    driver = browser()
    try:
        rules(viewer)
        driver.get("about:blank")
        driver.get_log("performance")
        driver.get_log("browser")
        open_viewer(driver, viewer.url, 1280)
        took = float(script(driver, "document.body.dataset.ready"))
        expect(took < 1000, f"the page is there in a second ({took:.0f} ms)")
        settle(driver)
        names(driver)
        clicks(driver)
        profile_chart(driver)
        numbers(driver)
        address = driver.current_url
        schema(viewer, address)
        search(driver, arguments.search)
        open_viewer(driver, address, 1280)
        expect(len(driver.find_elements(By.CSS_SELECTOR, ".figures")) == 2, "the address brings all back")
        pictures(driver, arguments.shots, address)
        errors = [entry["message"] for entry in driver.get_log("browser")]
        expect(not errors, f"the console is empty ({errors[:3]})")
        asked = requests(driver)
        foreign = [url for url in asked if not url.startswith((viewer.url, "about:", "blob:"))]
        expect(not foreign, f"nothing is asked of others ({len(asked)} requests, {foreign[:3]})")
        hostile(driver, address)
        took = viewer.end()
        expect(took < 1, f"Ctrl-C ends it at once ({took:.2f} s)")
    finally:
        driver.quit()
        viewer.process.kill()
    print(f"pictures are in {arguments.shots}")
    sys.exit(1 if report_pages.FAILURES else 0)


if __name__ == "__main__":
    main()
