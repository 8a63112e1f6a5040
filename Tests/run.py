#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build and says how far it is.

    Tests/run.py FOLDER [SKIP]

FOLDER has the test bundle (.build/release); tests that match the regular expression SKIP are left out.
The modules run in as many processes as there are processors, the one with the most tests first, and in
each test after test: run in parallel by one process, they would end together, minutes after they began. A
single module does run so.
Failures come at once, the number of tests that are done every few seconds, and at the end the modules that
took longest and what failed. Exit code 1 if a test failed.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import threading
import time

SECONDS = 10
# What swift-testing prints of tests that go well.
QUIET = re.compile(r"^(◇|✔|➜|↳ (Testing Library|Target Platform))")
# Something without an end of line may stand before what swift-testing prints.
ENDED = re.compile(r"[✔✘] Test (?!run |case )|➜ Test ")
SUM = re.compile(r"Test run with (\d+) tests? in (\d+) suites? (passed|failed)")
FAILED = re.compile(r"^✘ (Test|Suite) (?!run )|Fatal error")


class Tests:
    """The tests of a bundle, and what became of them."""

    def __init__(self, bundle, skip):
        self.command = [bundle, "--testing-library", "swift-testing"]
        self.command += ["--skip", skip] if skip else []
        names = subprocess.run(
            self.command + ["--list-tests"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.counts = collections.Counter(
            name.split(".")[0] for name in names.splitlines() if not (skip and re.search(skip, name)))
        self.modules = [module for module, _ in self.counts.most_common()]
        self.done = collections.Counter()
        self.suites = 0
        self.failed = []
        self.seconds = {}
        self.begun = time.monotonic()
        self.lock = threading.Lock()

    def run(self, module):
        begun, passed = time.monotonic(), None
        process = subprocess.Popen(
            self.command + ["--filter", rf"^{module}\."]
            + (["--no-parallel"] if len(self.modules) > 1 else []),
            # Bytes that are no text, such as those of a broken file in a message, must not end it.
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env=dict(os.environ, NO_COLOR="1"))
        for line in process.stdout:
            with self.lock:
                self.done[module] += bool(ENDED.search(line))
                if FAILED.search(line):
                    self.failed.append(f"{module}: {line}")
                if match := SUM.search(line):
                    passed = int(match[1]) if match[3] == "passed" else None
                    self.suites += int(match[2])
                if not QUIET.match(line):
                    sys.stdout.write(line)
                    sys.stdout.flush()
        code = process.wait()
        with self.lock:
            self.seconds[module] = time.monotonic() - begun
            self.done[module] = self.counts[module]
            if code != 0 or passed != self.counts[module]:
                self.failed.append(
                    f"{module}: ended with {code}, {passed or 'not all'} of {self.counts[module]} passed\n")

    def seconds_so_far(self):
        return f"{time.monotonic() - self.begun:.0f}"

    def tell(self):
        with self.lock:
            print(f"{self.done.total()} of {self.counts.total()} tests done after {self.seconds_so_far()} s",
                  flush=True)

    def sum_up(self):
        """As swift-testing does for one process."""
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:8]
        print("slowest: " + ", ".join(f"{module} {seconds:.0f} s" for module, seconds in slowest))
        if self.failed:
            print("\nWhat failed:")
            sys.stdout.writelines(self.failed)
        mark, verb = ("✘", "failed") if self.failed else ("✔", "passed")
        print(f"{mark} Test run with {self.counts.total()} tests in {self.suites} suites {verb} "
              f"after {self.seconds_so_far()} seconds.")


def main(folder, skip=None):
    tests = Tests(os.path.join(folder, "cairnPackageTests.xctest"), skip)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(tests.run, module) for module in tests.modules]
        while concurrent.futures.wait(running, timeout=SECONDS).not_done:
            tests.tell()
    for run in running:
        run.result()
    tests.tell()
    tests.sum_up()
    return 1 if tests.failed else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        os._exit(130)
