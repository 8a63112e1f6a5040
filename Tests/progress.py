#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs swift test and shows how far it is.

    Tests/progress.py swift test …

Lines of the build and of failures come at once, and every few seconds the number of tests that are done,
by the stream of events: what is printed tells most tests that pass at the very end, when they run in
parallel. What failed stands at the end once more. Ends as swift test does.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

SECONDS = 10
UNEVENTFUL = re.compile(r"^[◇✔➜] (Test case|Test|Suite) (?!run )")
FAILED = re.compile(r"^✘ (Test|Suite) (?!run )|Fatal error|unexpected signal")


def tell_progress(events, is_over):
    """Prints the number of tests with a case that has ended, until nothing more happens."""
    tests, done, rest, begun = set(), set(), b"", None
    while not is_over.wait(SECONDS):
        rest += events.read()
        *lines, rest = rest.split(b"\n")
        for line in lines:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test" and payload["kind"] == "function":
                begun = begun or time.monotonic()
                tests.add(payload["id"])
            elif payload["kind"] in ("testCaseEnded", "testSkipped"):
                done.add(payload["testID"])
        if begun:
            print(f"{len(done & tests)} of {len(tests)} tests done after "
                  f"{time.monotonic() - begun:.0f} s", flush=True)


def main(command):
    failed = []
    is_over = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "events")
        with open(path, "w+b") as events:
            run = subprocess.Popen(
                command + ["--event-stream-output-path", path, "--event-stream-version", "0"],
                # Bytes that are no text, such as those of a broken file in a message, must not end it.
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            teller = threading.Thread(target=tell_progress, args=(events, is_over))
            teller.start()
            try:
                for line in run.stdout:
                    if not UNEVENTFUL.match(line):
                        sys.stdout.write(line)
                        sys.stdout.flush()
                        if FAILED.search(line):
                            failed.append(line)
                code = run.wait()
            except KeyboardInterrupt:
                code = 130
            finally:
                is_over.set()
                teller.join()
    if failed:
        print("\nWhat failed:")
        sys.stdout.writelines(failed)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")
    sys.exit(main(sys.argv[1:]))
