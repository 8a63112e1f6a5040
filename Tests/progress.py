#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows what swift test prints while it works.

    swift test … 2>&1 | Tests/progress.py

Lines of the build and of failures come at once, those of tests that pass as a count every few seconds;
many of them are told late, when tests run in parallel. What failed stands at the end once more.
"""
import re
import sys
import time

SECONDS = 10
UNEVENTFUL = re.compile(r"^([◇✔➜]) (Test case|Test|Suite) (?!run )")
FAILED = re.compile(r"^✘ (Test|Suite) (?!run )|Fatal error|unexpected signal")


def main():
    started = done = 0
    failed = []
    begun = told = time.monotonic()
    for line in sys.stdin:
        if match := UNEVENTFUL.match(line):
            if match.groups() == ("◇", "Test"):
                begun = begun if started else time.monotonic()
                started += 1
            done += match.groups() == ("✔", "Test")
        else:
            sys.stdout.write(line)
            if FAILED.search(line):
                failed.append(line)
                done += line.startswith("✘ Test ") and " failed after " in line
        if started > done and time.monotonic() - told >= SECONDS:
            told = time.monotonic()
            print(f"{done} of {started} tests done after {told - begun:.0f} s", flush=True)
        sys.stdout.flush()
    if failed:
        print("\nWhat failed:")
        sys.stdout.writelines(failed)


if __name__ == "__main__":
    # Bytes that are no text, such as those of a broken file in a message, must not end it.
    sys.stdin.reconfigure(errors="replace")
    sys.stdout.reconfigure(errors="replace")
    main()
