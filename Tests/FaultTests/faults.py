#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Disturbs `cairn run` in every way that a night may bring, and looks whether anything is lost.

Each trial puts an output folder into a known state (empty, or as an earlier profile left it), runs
the manifest with one fault, and requires:

  at the fault  what has a final name is whole: each region's folder is the old bundle or the new
                one, the index can be read, each result is what its record says;
  its ending    the exit code is one of the contract, and an error says what failed;
  afterwards    the next run ends well, with the same bytes as a run that was never disturbed, and
                the one after it has nothing to do.

A trial's random numbers depend on the seed and its number alone: `--seed S --first N --count 1`
repeats it.
"""
import argparse, collections, errno, glob, hashlib, json, os, random, re, shutil, signal, subprocess
import sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STAGES = ["decode-pbf", "sample-elevation", "build-graph", "compute-costs", "validate"]
CODES = {0, 1, 64, 65, 66, 70, 73, 74, 75, 78}


class Broken(Exception):
    """A promise that was not kept."""


class World:
    """A folder with the sample's manifest in two states, and what they give undisturbed."""

    def __init__(self, folder, binaries):
        self.folder, self.binaries = folder, binaries
        self.cairn = os.path.join(binaries, "cairn")
        self.shim = os.path.join(folder, "shim.so")
        self.manifest = os.path.join(folder, "m.yaml")
        self.out = os.path.join(folder, "out")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, os.path.join(HERE, "shim.c"), "-ldl"],
            check=True)
        text = open(os.path.join(ROOT, "pipelines/sample.yaml")).read()
        text = text.replace("../sample-data", os.path.join(ROOT, "sample-data"))
        self.text = text.replace("../build/sample", "out")
        self.old = os.path.join(folder, "old")
        self.write_manifest("[cycling]")
        self.must_succeed()
        self.before = published(self.out)
        os.rename(self.out, self.old)
        self.write_manifest("[hiking, cycling]")
        start = time.monotonic()
        self.must_succeed()
        self.seconds = time.monotonic() - start
        self.after = published(self.out)
        shutil.rmtree(self.out)
        if self.before == self.after:
            raise Broken("the two states of the manifest give the same")

    def write_manifest(self, profiles):
        open(self.manifest, "w").write(
            self.text.replace("profiles: [hiking, cycling]", "profiles: " + profiles))

    def reset(self, is_empty):
        clear(self.out)
        if not is_empty:
            # Onto what may be a mounted file system.
            subprocess.run(["cp", "-a", self.old + "/.", self.out], check=True)

    def start(self, fault=None, options=()):
        environment = dict(os.environ, **(fault or {}))
        if fault:
            environment["LD_PRELOAD"] = self.shim
        return subprocess.Popen(
            [self.cairn, "run", self.manifest, "--progress", "plain", *options],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace")

    def finish(self, process, seconds=120):
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            threads = stacks(process.pid)
            process.kill()
            text, _ = process.communicate()
            raise Broken("the run did not end within %d s:\n%s\n%s" % (seconds, text, threads))
        return process.returncode, text

    def must_succeed(self):
        code, text = self.finish(self.start())
        if code != 0:
            raise Broken("an undisturbed run ended with %d:\n%s" % (code, text))
        return text

    def check_names(self):
        """What has a final name is whole."""
        for region in ("valley-west", "valley-east"):
            found = published(os.path.join(self.out, region))
            wanted = [
                {k.split("/", 1)[1]: v for k, v in state.items() if k.startswith(region + "/")}
                for state in (self.before, self.after)]
            if found and found not in wanted:
                raise Broken("%s is neither the old bundle nor the new one: %s" % (region, found))
        index = os.path.join(self.out, "index.json")
        if os.path.exists(index):
            json.load(open(index))
        for result in glob.glob(os.path.join(self.out, ".cairn/actions/*/result.json")):
            folder = os.path.dirname(result)
            for name, record in json.load(open(result))["outputs"].items():
                if digest(os.path.join(folder, name)) != record["sha256"]:
                    raise Broken("%s is not what its record says" % os.path.join(folder, name))

    def check_next_run(self):
        self.must_succeed()
        found = published(self.out)
        if found != self.after:
            names = [n for n in set(found) | set(self.after) if found.get(n) != self.after.get(n)]
            raise Broken("the next run does not give the same bytes: %s" % sorted(names))
        if "nothing to do" not in self.must_succeed():
            raise Broken("the run after the next one still found something to do")


def stacks(process):
    """What the threads of a process are at, and its children, as far as tools for that are there."""
    found = ["child: " + " ".join(
        open("/proc/%d/cmdline" % child).read().split("\0")) for child in children(process)]
    if shutil.which("gdb"):
        found.append(subprocess.run(
            ["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt 12"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace").stdout)
    return "\n".join(found)


def digest(path):
    return hashlib.sha256(open(path, "rb").read()).hexdigest()


def published(folder):
    """The digests of all files that are not below .cairn."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != ".cairn"]
        for name in names:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = digest(path)
    return found


def clear(folder):
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def children(process):
    """The processes that a process has started, by their names."""
    found = []
    for path in glob.glob("/proc/%d/task/*/children" % process):
        try:
            found += [int(word) for word in open(path).read().split()]
        except OSError:
            pass
    return found


def check_code(code, text, allowed=CODES):
    if code not in allowed:
        raise Broken("ended with %d, expected one of %s:\n%s" % (code, sorted(allowed), text[-3000:]))
    if code != 0 and not re.search(r"fail|error|cannot|stopped", text, re.I):
        raise Broken("ended with %d and said nothing of it:\n%s" % (code, text[-3000:]))


# The faults. Each gets the world and a source of random numbers, does its harm in one run, and
# returns what happened in a word or two.


def kill_run(world, dice):
    """kill -9 of the orchestrator, at any instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds))
    run.kill()
    code, _ = world.finish(run)
    return "killed" if code == -signal.SIGKILL else "was done"


def kill_stage(world, dice):
    """kill -9 of a stage, at any instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds * 0.7))
    killed = 0
    end = time.monotonic() + world.seconds
    while not killed and run.poll() is None and time.monotonic() < end:
        for process in children(run.pid):
            try:
                os.kill(process, signal.SIGKILL)
                killed += 1
                break
            except ProcessLookupError:
                pass
        time.sleep(0.0005)
    code, text = world.finish(run)
    # Once is made good by another attempt.
    check_code(code, text, {0})
    return "killed" if killed else "was done"


def interrupt(world, dice):
    """Ctrl-C or SIGTERM, at any instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds))
    run.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
    code, text = world.finish(run)
    # A signal that comes before the run has begun does what it always does.
    if code < 0:
        return "had not begun"
    check_code(code, text, {0, 75})
    if code == 75 and "run the same command again to continue" not in text:
        raise Broken("does not say how to go on:\n" + text)
    return "stopped" if code else "was done"


def kill_at_call(world, dice):
    """the orchestrator dies within its nth write, flush, rename or creation"""
    fault = shim("cairn", dice.choice(["any", "rename", "fsync", "create"]), "kill", dice)
    code, text = world.finish(world.start(fault))
    if code == -signal.SIGKILL:
        return "killed"
    check_code(code, text, {0})
    return "was done"


def error_in_run(world, dice):
    """the orchestrator's nth write, flush, rename or creation fails"""
    fault = shim("cairn", dice.choice(["any", "write", "rename", "fsync", "create"]), "error", dice)
    code, text = world.finish(world.start(fault))
    check_code(code, text)
    return "exit %d" % code


def full_in_run(world, dice):
    """from the nth write on the orchestrator finds the disk full"""
    fault = shim("cairn", "write", "full", dice)
    fault["FAULT_ERRNO"] = str(errno.ENOSPC)
    code, text = world.finish(world.start(fault))
    check_code(code, text)
    return "exit %d" % code


def error_in_stage(world, dice):
    """the nth write, flush, rename or creation of every process of a stage fails"""
    call = dice.choice(["any", "write", "rename", "fsync", "create"])
    fault = shim("cairn-" + dice.choice(STAGES), call, "error", dice, most=12)
    code, text = world.finish(world.start(fault, ["--timeout", "60"]))
    check_code(code, text, {0, 1})
    return "exit %d" % code


def error_once(world, dice):
    """a stage fails once and then works"""
    fault = shim("cairn-" + dice.choice(STAGES), "any", "error", dice, most=2)
    fault["FAULT_ONCE"] = os.path.join(world.folder, "once")
    clear_file(fault["FAULT_ONCE"])
    code, text = world.finish(world.start(fault))
    check_code(code, text, {0})
    return "tried again" if "trying again" in text else "did not happen"


def hang(world, dice):
    """a stage hangs and does not hear SIGTERM"""
    fault = shim("cairn-" + dice.choice(STAGES), "any", "hang", dice, most=1)
    code, text = world.finish(world.start(fault, ["--timeout", "1"]))
    check_code(code, text, {0, 1})
    if code and "did not end within" not in text:
        raise Broken("does not say that the time was over:\n" + text)
    return "stopped" if code else "did not happen"


def babble(world, dice, megabytes=64):
    """a stage says more than any disk holds"""
    fault = shim("cairn-" + dice.choice(STAGES), "any", "babble", dice, most=1)
    fault["FAULT_MEGABYTES"] = str(megabytes)
    code, text = world.finish(world.start(fault), seconds=300)
    check_code(code, text, {0})
    largest = max(
        [os.path.getsize(p) for p in glob.glob(world.out + "/.cairn/a*/*/stderr.log")] + [0])
    if largest > 2 << 20:
        raise Broken("a log of %d bytes" % largest)
    return "log of %d kB" % (largest >> 10) if largest > 1 << 20 else "did not happen"


def clock(world, dice):
    """the clock jumps by years"""
    code, text = world.finish(
        world.start({"FAULT_PROGRAM": "none", "FAULT_CLOCK": "1"}))
    check_code(code, text, {0})
    if published(world.out) != world.after:
        raise Broken("the clock shows in what is published")
    return "exit 0"


def two_runs(world, dice):
    """two runs at once on one output"""
    first = world.start()
    time.sleep(dice.uniform(0, world.seconds / 2))
    second = world.start()
    endings = [world.finish(first), world.finish(second)]
    for code, text in endings:
        check_code(code, text, {0, 75})
        if code == 75 and not re.search(r"is held by process \d+", text):
            raise Broken("does not say who is at work:\n" + text)
    if all(code for code, _ in endings):
        raise Broken("neither run did the work")
    return "refused" if any(code for code, _ in endings) else "one after the other"


def small_disk(world, dice):
    """the disk is full for all"""
    mount(world, "size=%dk" % dice.randint(40, 1200))
    try:
        code, text = world.finish(world.start())
        check_code(code, text)
        if code and "No space left" not in text:
            raise Broken("does not say that the disk is full:\n" + text)
        world.check_names()
        subprocess.run(["mount", "-o", "remount,size=200M", world.out], check=True)
        world.check_next_run()
    finally:
        subprocess.run(["umount", "-l", world.out], check=True)
    return "exit %d" % code


def read_only(world, dice):
    """the output cannot be written"""
    mount(world, "size=200M")
    try:
        if dice.random() < 0.5:
            world.reset(is_empty=False)
        subprocess.run(["mount", "-o", "remount,ro", world.out], check=True)
        code, text = world.finish(world.start())
        check_code(code, text, {73, 74})
        subprocess.run(["mount", "-o", "remount,rw", world.out], check=True)
        world.check_next_run()
    finally:
        subprocess.run(["umount", "-l", world.out], check=True)
    return "exit %d" % code


def mount(world, options):
    clear(world.out)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "cairn-faults", world.out], check=True)


def shim(program, call, action, dice, most=80):
    # Small numbers more often: a stage does few of these calls.
    number = max(1, int(most ** dice.random()))
    return {
        "FAULT_PROGRAM": program, "FAULT_CALL": call, "FAULT_NUMBER": str(number),
        "FAULT_ACTION": action, "FAULT_ERRNO": str(dice.choice([errno.EIO, errno.ENOSPC]))}


def clear_file(path):
    if os.path.exists(path):
        os.unlink(path)


# How often each is among a hundred trials.
FAULTS = {
    kill_run: 20, kill_at_call: 14, kill_stage: 10, interrupt: 8, error_in_run: 14, full_in_run: 5,
    error_in_stage: 10, error_once: 5, hang: 3, babble: 2, clock: 2, two_runs: 3, small_disk: 3,
    read_only: 1,
}
NEEDS_ROOT = {small_disk, read_only}


def may_mount(folder):
    place = os.path.join(folder, "mount")
    os.makedirs(place)
    status = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40k", "cairn-faults", place],
        stderr=subprocess.DEVNULL).returncode
    if status == 0:
        subprocess.run(["umount", "-l", place], check=True)
    return status == 0


def schedule(count, faults):
    """Which fault is whose: in a fixed order, so that even few trials have some of each."""
    shares = {fault: FAULTS[fault] for fault in faults}
    # The first trials are one of each.
    order = list(faults)[:count]
    total, given = sum(shares.values()), collections.Counter(order)
    for number in range(len(order), count):
        fault = max(shares, key=lambda f: shares[f] * (number + 1) / total - given[f])
        given[fault] += 1
        order.append(fault)
    return order


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--count", type=int, default=40, help="how many trials")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="only this fault: " + ", ".join(f.__name__ for f in FAULTS))
    parser.add_argument("--keep", action="store_true", help="keep the folder of a broken trial")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="cairn-faults-")
    faults = [f for f in FAULTS if arguments.only in (None, f.__name__)]
    if not faults:
        parser.error("no fault is called " + arguments.only)
    print("seed %d, folder %s" % (arguments.seed, folder), flush=True)
    if NEEDS_ROOT & set(faults) and not may_mount(folder):
        print("skipped, as mounting needs root: " + ", ".join(f.__name__ for f in NEEDS_ROOT))
        faults = [f for f in faults if f not in NEEDS_ROOT]
    world = World(folder, os.path.abspath(arguments.bin))
    print("an undisturbed run takes %.2f s" % world.seconds, flush=True)
    tallies = {fault: collections.Counter() for fault in faults}
    broken = []
    start = time.monotonic()
    order = schedule(arguments.first + arguments.count, faults)
    for number in range(arguments.first, arguments.first + arguments.count):
        fault = order[number]
        dice = random.Random("%d %d" % (arguments.seed, number))
        try:
            world.reset(is_empty=dice.random() < 0.4)
            ending = fault(world, dice)
            if fault not in NEEDS_ROOT:
                world.check_names()
                world.check_next_run()
            tallies[fault][ending] += 1
        except Broken as error:
            tallies[fault]["BROKEN"] += 1
            broken.append(number)
            print("trial %d (%s), seed %d: %s" % (number, fault.__name__, arguments.seed, error))
            sys.stdout.flush()
            if arguments.keep:
                shutil.copytree(world.out, "%s/broken-%d" % (folder, number), symlinks=True)
    for fault, tally in tallies.items():
        endings = ", ".join("%s %d" % pair for pair in sorted(tally.items()))
        print("%-14s %4d  %s: %s" % (fault.__name__, sum(tally.values()), fault.__doc__, endings))
    print("%d trials in %.0f s, %d broken" % (
        arguments.count, time.monotonic() - start, len(broken)))
    if not (broken and arguments.keep):
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if broken else 0


sys.exit(main())
