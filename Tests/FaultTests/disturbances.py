# SPDX-License-Identifier: Apache-2.0
"""The faults. Each gets the world and a source of random numbers, disturbs one run, and returns
whether the fault took effect and how the run ended, in a word or two."""
import errno, glob, os, re, signal, subprocess, time

from world import REGIONS, Broken, check_code, children, clear, clear_file, published

STAGES = ["decode-pbf", "sample-elevation", "collect-places", "index-places", "build-tiles",
          "build-graph", "compute-costs", "validate"]
PROGRAMS = ["cairn"] + ["cairn-" + stage for stage in STAGES]
# The programs that run when a profile is added.
AFTER_A_PROFILE = ["cairn", "cairn-compute-costs", "cairn-validate"]


def kill_run(world, dice):
    """kill -9 of the orchestrator at any instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds))
    run.kill()
    code, _ = world.finish(run)
    return outcome(code == -signal.SIGKILL, "killed")


def kill_stage(world, dice):
    """kill -9 of a stage at any instant"""
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
    # A stage that is killed once gets another attempt.
    check_code(code, text, {0})
    return outcome(killed, "tried again" if "trying again" in text else "had ended")


def kill_all(world, dice):
    """kill -9 of all processes of a run at one instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds))
    stages = children(run.pid)
    for process in [run.pid] + stages:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    code, _ = world.finish(run)
    return outcome(code == -signal.SIGKILL, "with a stage" if stages else "without one")


def interrupt(world, dice):
    """SIGINT, SIGTERM or SIGHUP at any instant"""
    run = world.start()
    time.sleep(dice.uniform(0, world.seconds))
    run.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
    code, text = world.finish(run)
    # A signal before the run handles it has its default effect.
    if code < 0:
        return True, "had not started"
    check_code(code, text, {0, 75})
    if code == 75 and "run the same command again to continue" not in text:
        raise Broken("does not say how to continue:\n" + text)
    return outcome(code == 75, "exit 75")


def kill_at_call(world, dice):
    """the orchestrator dies in its nth write, flush, rename …"""
    call = dice.choice(["any", "rename", "fsync", "create"])
    fault = shim("cairn", call, "kill", number(dice, 80))
    code, text = world.finish(world.start(fault))
    if code != -signal.SIGKILL:
        check_code(code, text, {0})
    return outcome(world.struck(), "killed")


def kill_stage_at_call(world, dice):
    """a stage dies in its nth write, flush, rename …"""
    call = dice.choice(["any", "write", "rename", "fsync", "create"])
    fault = shim(a_stage(world, dice), call, "kill", number(dice, 12))
    once(world, fault)
    code, text = world.finish(world.start(fault))
    check_code(code, text, {0})
    return outcome(world.struck(), "tried again")


def kill_gc(world, dice):
    """kill -9 of cairn gc at any instant"""
    world.reset(is_empty=False)
    world.must_succeed()
    collector = world.start(options=["--keep-previous", "0"], command="gc")
    time.sleep(dice.uniform(0, 0.025))
    collector.kill()
    code, _ = world.finish(collector)
    # It must not remove what a run that finished before needs.
    if "nothing to do" not in world.must_succeed():
        raise Broken("needed results were removed")
    return outcome(code == -signal.SIGKILL, "killed")


def kill_rollback(world, dice):
    """cairn rollback dies in its nth write, flush, rename …"""
    world.reset(is_empty=False)
    world.must_succeed()
    fault = shim("cairn", "any", "kill", number(dice, 12))
    code, text = world.finish(world.start(fault, [REGIONS[0]], command="rollback"))
    if code != -signal.SIGKILL:
        check_code(code, text, {0})
    world.check_names()
    # Whether or not the rollback took effect, afterwards the inputs decide again.
    code, text = world.finish(world.start(None, [REGIONS[0], "--undo"], command="rollback"))
    check_code(code, text, {0, 66})
    return outcome(world.struck(), "killed")


def error_in_run(world, dice):
    """EIO or ENOSPC at the orchestrator's nth write, flush, …"""
    call = dice.choice(["any", "write", "rename", "fsync", "create"])
    fault = shim("cairn", call, "error", number(dice, 80), either(dice))
    code, text = world.finish(world.start(fault))
    check_code(code, text)
    return outcome(world.struck(), "exit %d" % code)


def full_in_run(world, dice):
    """ENOSPC at all the orchestrator's writes from the nth on"""
    fault = shim("cairn", "write", "full", number(dice, 80), errno.ENOSPC)
    code, text = world.finish(world.start(fault))
    check_code(code, text)
    return outcome(world.struck(), "exit %d" % code)


def error_in_stage(world, dice):
    """EIO or ENOSPC at every attempt's nth write, flush, …"""
    call = dice.choice(["any", "write", "rename", "fsync", "create"])
    fault = shim(
        a_stage(world, dice), call, "error", number(dice, 12), either(dice))
    code, text = world.finish(world.start(fault, ["--timeout", "60"]))
    check_code(code, text, {0, 1})
    return outcome(world.struck(), "exit %d" % code)


def error_once(world, dice):
    """a stage fails once and then works"""
    # Trying again does not help where the disk is full.
    fault = shim(a_stage(world, dice), "any", "error", number(dice, 2), errno.EIO)
    once(world, fault)
    code, text = world.finish(world.start(fault))
    check_code(code, text, {0})
    return outcome(world.struck(), "tried again")


def hang(world, dice):
    """a stage hangs and ignores SIGTERM"""
    fault = shim(a_stage(world, dice), "any", "hang", 1)
    code, text = world.finish(world.start(fault, ["--timeout", "1"]))
    check_code(code, text, {0, 1})
    if code and "did not end within" not in text:
        raise Broken("does not say that the stage timed out:\n" + text)
    return outcome(world.struck(), "stopped")


def babble(world, dice):
    """a stage prints many times what a log holds"""
    fault = shim(a_stage(world, dice), "any", "babble", 1)
    fault["FAULT_MEGABYTES"] = str(world.megabytes)
    once(world, fault)
    code, text = world.finish(world.start(fault), seconds=300)
    check_code(code, text, {0})
    logs = glob.glob(world.out + "/.cairn/a*/*/stderr.log")
    largest = max([os.path.getsize(path) for path in logs] + [0])
    if largest > 2 << 20:
        raise Broken("a log of %d bytes" % largest)
    # The log of a process that cuts several regions is stored in parts, one per region.
    return outcome(world.struck(), "log below %d kB" % (1 + (largest >> 10)))


def clock(world, dice):
    """the clock jumps by years at every reading"""
    code, text = world.finish(world.start({"FAULT_PROGRAM": "none", "FAULT_CLOCK": "1"}))
    check_code(code, text, {0})
    if published(world.out) != world.after:
        raise Broken("the published files depend on the clock")
    return outcome(world.struck(), "exit 0")


def two_runs(world, dice):
    """two concurrent runs with the same output"""
    first = world.start()
    time.sleep(dice.uniform(0, world.seconds / 3))
    second = world.start()
    endings = [world.finish(first), world.finish(second)]
    for code, text in endings:
        check_code(code, text, {0, 75})
        if code == 75 and not re.search(r"is held by process (%d|%d)" % (first.pid, second.pid), text):
            raise Broken("does not say which process holds the output:\n" + text)
    if all(code for code, _ in endings):
        raise Broken("neither run succeeded")
    return outcome(any(code for code, _ in endings), "refused, holder named")


def flush_order(world, dice):
    """what is published is on the disk before it gets its name"""
    log = os.path.join(world.folder, "trace")
    clear_file(log)
    code, text = world.finish(
        world.start({"FAULT_PROGRAM": "cairn", "FAULT_CALL": "none", "FAULT_TRACE": log}))
    check_code(code, text, {0})
    calls = [line.split(" ", 1) for line in open(log).read().splitlines()]
    for region in REGIONS:
        staged = ".cairn/staging/" + region
        names = [region + ".routing.db", "bundle.json", "region.json"]
        published = position(calls, "rename", "out/" + region, 0)
        for name in names:
            made = max(
                position(calls[:published], call, "%s/%s" % (staged, name), -1)
                for call in ("link", "rename"))
            flushed = position(calls[:published], "fsync", "%s/%s" % (staged, name), -1)
            if not 0 <= made < flushed:
                raise Broken("%s of %s was published before it was flushed" % (name, region))
            if position(calls[:published], "fsync", staged, -1) < flushed:
                raise Broken("the folder of %s was not flushed" % region)
        if position(calls, "fsync", "out", -1) < published:
            raise Broken("the name of %s was not flushed" % region)
    staged, index = ".cairn/staging/index.json", position(calls, "rename", "out/index.json", -1)
    if index >= 0 and not 0 <= position(calls[:index], "fsync", staged, -1):
        raise Broken("the index was published before it was flushed")
    return True, "in order"


def position(calls, call, ending, missing):
    """The last call on a path with this ending."""
    found = [
        at for at, (name, path) in enumerate(calls)
        if name == call and ("/" + path).endswith("/" + ending)]
    return found[-1] if found else missing


def small_disk(world, dice):
    """the disk is full for all processes"""
    mount(world, "size=%dk" % dice.randint(40, 1200))
    try:
        code, text = world.finish(world.start())
        check_code(code, text)
        if code and not re.search("No space left|disk is full", text):
            raise Broken("does not say that the disk is full:\n" + text)
        world.check_names()
        subprocess.run(["mount", "-o", "remount,size=200M", world.out], check=True)
        world.check_next_run()
    finally:
        subprocess.run(["umount", "-l", world.out], check=True)
    return outcome(code, "exit %d" % code)


def read_only(world, dice):
    """the output cannot be written"""
    mount(world, "size=200M")
    try:
        world.reset(is_empty=dice.random() < 0.5)
        subprocess.run(["mount", "-o", "remount,ro", world.out], check=True)
        code, text = world.finish(world.start())
        check_code(code, text, {73, 74})
        subprocess.run(["mount", "-o", "remount,rw", world.out], check=True)
        world.check_next_run()
    finally:
        subprocess.run(["umount", "-l", world.out], check=True)
    return outcome(code, "exit %d" % code)


def mount(world, options):
    clear(world.out)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "cairn-faults", world.out], check=True)


def outcome(has_struck, ending):
    return (True, ending) if has_struck else (False, "too late")


def number(dice, most):
    """Prefers small numbers: a stage makes few calls."""
    return max(1, int(most ** dice.random()))


def a_stage(world, dice):
    """One of the stages that run: another profile reruns the last two."""
    return "cairn-" + dice.choice(STAGES if world.is_empty else STAGES[-2:])


def either(dice):
    return dice.choice([errno.EIO, errno.ENOSPC])


def shim(program, call, action, number, error=errno.EIO):
    return {
        "FAULT_PROGRAM": program, "FAULT_CALL": call, "FAULT_NUMBER": str(number),
        "FAULT_ACTION": action, "FAULT_ERRNO": str(error)}


def once(world, fault):
    """Restricts a fault to one process."""
    fault["FAULT_ONCE"] = os.path.join(world.folder, "once")
    clear_file(fault["FAULT_ONCE"])


# How many of a hundred trials use each fault.
FAULTS = {
    kill_run: 22, kill_stage: 14, kill_all: 8, interrupt: 6, kill_at_call: 10,
    kill_stage_at_call: 5, kill_gc: 2, kill_rollback: 2, error_in_run: 8, full_in_run: 4,
    error_in_stage: 5, error_once: 4, hang: 2, babble: 2, clock: 1, two_runs: 2, small_disk: 2,
    read_only: 1, flush_order: 1,
}
NEEDS_ROOT = {small_disk, read_only}
# Faults at random instants.
KILLS_AT_RANDOM = {kill_run, kill_stage, kill_all, kill_gc}
