# SPDX-License-Identifier: Apache-2.0
"""Runs commands in turn and measures them: wall and CPU time, peak memory, bytes written."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# The corners of the extract of Andorra: west, south, east, north.
ANDORRA = (1.412368, 42.4276, 1.787481, 42.65717)
COPIES = 20


class Bench:
    """Where things are: set once from the arguments, read by all parts."""

    bin = data = work = ""
    runs = 7
    # Of each part what it measured, for a file that later runs are compared with.
    results = {}


def tool(name):
    return os.path.join(Bench.bin, name)


def temporary(name):
    return os.path.join(Bench.work, name)


def data(name):
    return os.path.join(Bench.data, name)


class Run:
    """One run of a command. `written` counts the bytes that its own process passed to write."""

    def __init__(self, command, log, environment=None):
        with open(log, "wb") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.wall = time.monotonic() - start
            # A process that ended keeps its counts until it is waited for.
            with open(f"/proc/{process.pid}/io") as counts:
                self.written = int(re.search(r"^wchar: (\d+)$", counts.read(), re.M)[1])
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            words = open(log, errors="replace").read()[-2000:]
            sys.exit(f"failed: {' '.join(command)}\n{words}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024


def in_turn(commands, rounds, before=None):
    """Runs `commands`, (name, command line) each, A B C A B C …, after one round to warm up caches.

    Returns the runs of each name. `before` is called before each command with its name.
    """
    logs = temporary("logs")
    os.makedirs(logs, exist_ok=True)
    runs = {name: [] for name, _ in commands}
    for turn in range(rounds + 1):
        for index, (name, command) in enumerate(commands):
            if before:
                before(name)
            run = Run(command, os.path.join(logs, str(index)))
            if turn > 0:
                runs[name].append(run)
    return runs


def median(runs, value):
    return statistics.median(getattr(run, value) for run in runs)


def ratio(left, right, value="wall"):
    """The median over the rounds of one command's value by another's."""
    return statistics.median(
        getattr(a, value) / getattr(b, value) for a, b in zip(left, right))


def summary(runs):
    """What is kept of some runs of a command: medians, the least and the greatest wall time."""
    walls = [run.wall for run in runs]
    return {
        "wallSeconds": round(statistics.median(walls), 4),
        "leastWallSeconds": round(min(walls), 4),
        "greatestWallSeconds": round(max(walls), 4),
        "cpuSeconds": round(median(runs, "cpu"), 4),
        "peakMegabytes": round(max(run.peak for run in runs), 1),
        "bytesWritten": int(median(runs, "written")),
    }


def compare(title, commands, rounds, targets=(), work=1.0, unit=None):
    """Prints a table of `commands`, (name, command line) each.

    `targets` are (A, B, bound, is_at_least): the wall time of A by that of B against a bound.
    `work` is how many units a run does, for a column of units a second.
    """
    runs = in_turn(commands, rounds)
    print(f"\n{title}")
    header = f"  {'':40}{'wall s':>9}{'least':>9}{'CPU s':>9}{'peak MB':>9}"
    print(header + (f"{unit + '/s':>14}" if unit else ""))
    for name, found in runs.items():
        wall = median(found, "wall")
        line = f"  {name:40}{wall:9.3f}{min(run.wall for run in found):9.3f}"
        line += f"{median(found, 'cpu'):9.3f}{max(run.peak for run in found):9.0f}"
        print(line + (f"{work / wall:14.1f}" if unit else ""))
    for left, right, bound, at_least in targets:
        wall, cpu = (ratio(runs[left], runs[right], value) for value in ("wall", "cpu"))
        is_met = wall >= bound if at_least else wall <= bound
        print(
            f"  {left} / {right}: {wall:.2f} in wall time, {cpu:.2f} in CPU time "
            f"(target: {'at least' if at_least else 'at most'} {bound}) {verdict(is_met)}"
        )
    return runs


def verdict(is_met):
    return "met" if is_met else "MISSED"


def copies_of(small, count):
    """`count` copies of the extract of Andorra side by side; made once."""
    if count == 1:
        return small
    path = temporary(f"k{count}.osm.pbf")
    if not os.path.exists(path):
        print(f"making {path}")
        command = [sys.executable, os.path.join(HERE, "replicate.py"), small, path + ".tmp"]
        subprocess.run(command + [str(count)], check=True)
        os.rename(path + ".tmp", path)
    return path


def tiles_for_copies(hgt, count=COPIES):
    """A folder with the tile of Andorra under the names of all tiles that its copies need."""
    folder = temporary(f"tiles-{count}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # Where one copy's northern tile lies on another's southern one the one with the data counts.
    for name in sorted(os.listdir(hgt), key=lambda name: name[:3] != "N42"):
        if not name[7:].startswith(".hgt"):
            continue
        north, east, rest = int(name[1:3]), int(name[4:7]), name[7:]
        for copy in range(count):
            link = os.path.join(folder, f"N{north + copy // 10:02}E{east + copy % 10:03}{rest}")
            if not os.path.lexists(link):
                os.symlink(os.path.abspath(os.path.join(hgt, name)), link)
    return folder


def shifted(copy):
    """The box of a copy."""
    west, south, east, north = ANDORRA
    x, y = copy % 10, copy // 10
    return tuple(round(v, 6) for v in (west + x, south + y, east + x, north + y))


def compiled(name, *libraries):
    """A program of this folder in C, compiled; nil where there is no compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler:
        print(f"no C compiler: {name} is not compared")
        return None
    binary = temporary(name)
    source = os.path.join(HERE, name + ".c")
    subprocess.run([compiler, "-O2", "-o", binary, source, *libraries], check=True)
    return binary


def without_missing(commands):
    """Of (name, command line) pairs those whose program is installed."""
    found = []
    for name, command in commands:
        if shutil.which(command[0]):
            found.append((name, command))
        else:
            print(f"{command[0]} is not installed: not compared")
    return found
