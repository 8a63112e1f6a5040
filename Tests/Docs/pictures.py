# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the documents into docs/images: a hike, the viewer, and the changed routes of a
comparison.

Needs the sample, built, its comparison as a page, and a browser: `make pictures` brings all of them. The
first picture is the same everywhere; the others depend on the browser and its fonts."""
import argparse, base64, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests/ReportPages"))
import report_pages  # noqa: E402
import viewer  # noqa: E402

HIKE = ["--from", "47.02484,10.04752", "--via", "47.05076,10.080916", "--to", "47.0603,10.099"]


def hike(binaries, target):
    """Draws a planned route of the sample."""
    def cairn(*words):
        subprocess.run([os.path.join(binaries, "cairn"), *words], check=True,
                       stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        route, routes = os.path.join(folder, "hike.json"), os.path.join(folder, "routes")
        cairn("route", "build/sample/valley-west/valley-west.routing.db", *HIKE, "--format", "planned",
              "--created", "2026-01-01T00:00:00Z", "--name", "Unterarven – Krähenjoch", "-o", route)
        cairn("planned", "import", routes, route)
        cairn("planned", "show", routes, "Unterarven – Krähenjoch", "--svg", "-o", target)


def changed_routes(page, target):
    """Takes a picture of the changed routes of a page, with a margin."""
    driver = report_pages.browser()
    try:
        report_pages.open_page(driver, page, 1180)
        box = driver.execute_script(
            "const b = document.getElementById('routes').getBoundingClientRect();"
            "return [b.x + scrollX, b.y + scrollY, b.width, b.height]")
        clip = {"x": box[0] - 20, "y": box[1] - 10, "width": box[2] + 40, "height": box[3] + 20,
                "scale": 1}
        # As tall as the page, or what is not in the window would not be drawn.
        report_pages.resize(driver, 1180, int(box[1] + box[3] + 100))
        picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
        with open(target, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
    finally:
        driver.quit()


def route_in_viewer(binaries, target):
    """Takes a picture of the viewer with the hike."""
    server = viewer.Viewer(os.path.join(binaries, "cairn"), ["build/sample"])
    driver = report_pages.browser()
    try:
        address = server.url + "#points=" + ";".join(HIKE[1::2]) + "&profile=trail-hiking"
        viewer.open_viewer(driver, address, 1180, 760)
        viewer.settle(driver)
        picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        with open(target, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
    finally:
        driver.quit()
        server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--page", required=True)
    arguments = parser.parse_args()
    images = os.path.join(ROOT, "docs/images")
    hike(arguments.bin, os.path.join(images, "hike.svg"))
    route_in_viewer(arguments.bin, os.path.join(images, "viewer.png"))
    changed_routes(arguments.page, os.path.join(images, "comparison.png"))


if __name__ == "__main__":
    main()
