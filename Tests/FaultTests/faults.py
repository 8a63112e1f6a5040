#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Disturbs `cairn run` in every way that may happen at night, and checks that nothing is lost.

Each trial puts an output folder into a known state (empty, or as an earlier profile left it), runs
the manifest with one fault, and requires:

  all the time  whatever has a final name is complete: each region's folder is the old or the new
                bundle, the index can be read, each result matches its record;
  at the end    the exit code is a documented one, and an error says what failed;
  afterwards    the next run succeeds with the same bytes as an undisturbed run, and the one after
                it has nothing to do.

A trial's random numbers depend only on the seed and its number: `--seed S --first N --count 1`
repeats it. `--sweep` instead makes the 1st, 2nd, … nth write, flush, rename and creation of the
orchestrator and of each stage fail, until a run has no nth one. `--stops` ends cairn run, rollback,
publish and update, and what recovers from such an end, at each step in turn: see stops.py.
"""
import argparse, collections, ctypes, errno, os, random, shutil, signal, subprocess, sys, tempfile
import time

# No __pycache__ beside the sources.
sys.dont_write_bytecode = True
import disturbances
import stops
from world import ROOT, Broken, World, check_code

CALLS = ["write", "fsync", "rename", "create", "mkdir"]
MOUNT_NAMESPACE = 0x20000


class Table:
    """The outcomes of the trials, one row per kind."""

    def __init__(self):
        self.rows = {}
        self.broken = []

    def add(self, name, what, has_struck, ending):
        what, trials, struck, endings = self.rows.get(name, (what, 0, 0, collections.Counter()))
        endings[ending] += 1
        self.rows[name] = what, trials + 1, struck + has_struck, endings

    def print(self):
        rows = [("fault", "what", "trials", "struck", "endings")]
        for name, (what, trials, struck, endings) in self.rows.items():
            text = ", ".join("%s: %d" % pair for pair in sorted(endings.items()))
            rows.append((name, what, str(trials), str(struck), text))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for row in rows:
            print("%-*s  %-*s  %*s  %*s  %s" % (
                widths[0], row[0], widths[1], row[1], widths[2], row[2], widths[3], row[3], row[4]))

    def trials(self):
        return sum(row[1] for row in self.rows.values())

    def struck(self, names=None):
        return sum(row[2] for name, row in self.rows.items() if names is None or name in names)


def may_mount(folder):
    """Whether file systems may be mounted; then they are mounted in a namespace of this process, so
    that none outlives it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(MOUNT_NAMESPACE) != 0:
        return False
    point = os.path.join(folder, "mount")
    os.makedirs(point)
    commands = [
        ["mount", "--make-rprivate", "/"],
        ["mount", "-t", "tmpfs", "-o", "size=40k", "cairn-faults", point],
        ["umount", "-l", point],
    ]
    return all(
        subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 for command in commands)


def schedule(count, faults):
    """The fault of each trial: in a fixed order, so that even a few trials include each kind."""
    shares = {fault: disturbances.FAULTS[fault] for fault in faults}
    # The first trials are one of each kind.
    order = list(faults)[:count]
    total, given = sum(shares.values()), collections.Counter(order)
    for number in range(len(order), count):
        fault = max(shares, key=lambda f: shares[f] * (number + 1) / total - given[f])
        given[fault] += 1
        order.append(fault)
    return order


def run_trials(world, table, faults, arguments):
    order = schedule(arguments.first + arguments.count, faults)
    for number in range(arguments.first, arguments.first + arguments.count):
        fault = order[number]
        dice = random.Random("%d %d" % (arguments.seed, number))

        def trial():
            world.reset(is_empty=dice.random() < 0.4)
            has_struck, ending = fault(world, dice)
            if fault not in disturbances.NEEDS_ROOT:
                world.check_names()
                world.check_next_run()
            return has_struck, ending

        name = "trial %d (%s), seed %d" % (number, fault.__name__, arguments.seed)
        attempt(world, table, trial, fault.__name__, fault.__doc__, name, arguments.keep)
        if table.trials() % 50 == 0:
            print("%d trials, %d broken" % (table.trials(), len(table.broken)), flush=True)


def run_sweep(world, table, programs, arguments):
    """Makes every nth call fail in turn, in the same order each time, with one thread."""
    for program in programs:
        for call in CALLS:
            number = 1
            while True:
                fault = disturbances.shim(program, call, "error", number, errno.EIO)

                def trial():
                    # From the older state bundles are replaced, but only some stages run.
                    world.reset(is_empty=program not in disturbances.AFTER_A_PROFILE)
                    code, text = world.finish(world.start(fault, ["-j", "1"]))
                    check_code(code, text, {0, 1, 73, 74})
                    struck = world.struck()
                    world.check_names()
                    world.check_next_run()
                    return struck > 0, "exit %d" % code if struck else "no nth one"

                name = "%s, %s %d" % (program, call, number)
                has_struck = attempt(
                    world, table, trial, "%s %s" % (program, call), "EIO at the nth for every n",
                    name, arguments.keep)
                if not has_struck:
                    print("%s %s: %d" % (program, call, number - 1), flush=True)
                    break
                number += 1


def run_stops(world, table, scenes, arguments):
    """Ends each command at its 1st, 2nd, … nth step, until it has no nth one."""
    world.ignored = {stops.NOTES}
    for scene in scenes:
        current = scene(world)
        current.prepare()
        number, has_struck = 0, True

        def trial():
            nonlocal has_struck
            has_struck = stops.stop(current, number)
            current.check()
            return has_struck, "stopped" if has_struck else "no nth one"

        while has_struck:
            number += 1
            attempt(
                world, table, trial, scene.__name__, scene.__doc__,
                "%s, step %d" % (scene.__name__, number), arguments.keep)
        print("%s: %d steps" % (scene.__name__, number - 1), flush=True)


def attempt(world, table, trial, row, what, name, is_kept):
    """Whether the fault came about."""
    try:
        has_struck, ending = trial()
    except Broken as error:
        has_struck, ending = True, "BROKEN"
        print("%s: %s" % (name, error), flush=True)
        if is_kept:
            copy = "%s/broken-%d" % (world.folder, len(table.broken))
            shutil.copytree(world.out, copy, symlinks=True)
            print("kept in " + copy, flush=True)
        table.broken.append(name)
    table.add(row, what, has_struck, ending)
    return has_struck


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    names = [fault.__name__ for fault in disturbances.FAULTS]
    parser.add_argument(
        "--bin", default=os.path.join(ROOT, ".build/release"), help="where cairn and its stages are")
    parser.add_argument("--count", type=int, default=40, help="how many trials")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="only these faults, or programs of a sweep: " + ",".join(names))
    parser.add_argument("--sweep", action="store_true", help="each nth call instead of random ones")
    parser.add_argument("--stops", action="store_true", help="a stop at each step instead")
    parser.add_argument(
        "--megabytes", type=int, default=1024, help="how much a stage prints that babbles")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a broken trial")
    arguments = parser.parse_args()
    if arguments.sweep:
        names = disturbances.PROGRAMS
    if arguments.stops:
        names = [scene.__name__ for scene in stops.SCENES]
    chosen = arguments.only.split(",") if arguments.only else names
    if not set(chosen) <= set(names):
        parser.error("nothing is called " + ", ".join(sorted(set(chosen) - set(names))))
    faults = [fault for fault in disturbances.FAULTS if fault.__name__ in chosen]
    # What is to be cleaned up is so after these, too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="cairn-faults-")
    table = Table()
    start = time.monotonic()
    try:
        is_random = not arguments.sweep and not arguments.stops
        kind = "seed %d" % arguments.seed if is_random else "stops" if arguments.stops else "sweep"
        print(kind, "in", folder, flush=True)
        if is_random and disturbances.NEEDS_ROOT & set(faults) and not may_mount(folder):
            missing = [f.__name__ for f in disturbances.NEEDS_ROOT]
            print("skipped, as mounting needs root: " + ", ".join(sorted(missing)))
            faults = [fault for fault in faults if fault not in disturbances.NEEDS_ROOT]
        world = World(
            folder, os.path.abspath(arguments.bin), arguments.megabytes,
            measurements=1 if arguments.stops else 5)
        print(
            "an undisturbed run takes %.2f s, from the older state %.2f s" % (
                world.times[True], world.times[False]), flush=True)
        if arguments.stops:
            scenes = [scene for scene in stops.SCENES if scene.__name__ in chosen]
            run_stops(world, table, scenes, arguments)
        elif arguments.sweep:
            run_sweep(world, table, chosen, arguments)
        else:
            run_trials(world, table, faults, arguments)
        kills = {fault.__name__ for fault in disturbances.KILLS_AT_RANDOM}
        table.print()
        print(
            "%d trials in %.0f s: %d faults struck, %d of them kills at random instants; %d runs "
            "afterwards gave the undisturbed bytes; %d looks at final names meanwhile; %d broken" % (
                table.trials(), time.monotonic() - start, table.struck(), table.struck(kills),
                world.recoveries, world.looks, len(table.broken)))
        for name in table.broken:
            print("BROKEN: " + name)
        return 1 if table.broken else 0
    finally:
        if not (table.broken and arguments.keep):
            shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
