#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs manifests as jobs of the Slurm cluster that Tests/SlurmTests/with-cluster has started.

Each test has its own folder and manifest, so tests run in parallel; those that disturb the cluster
itself run alone at the end. On a cluster with several nodes other tests run. `NAME…` selects some of
them, as does
`make test-slurm SLURM_TESTS="kill_at_random --kills 100 --seed 7"`.
"""
import argparse, concurrent.futures, hashlib, json, os, random, re, shutil, signal, subprocess, sys
import tempfile, time, traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A held job says that it has begun, waits until its gate exists and then runs the commands in it.
GATED = """#!/bin/sh
: >'%s'".$(basename "$2")"
while [ ! -e '%s' ]; do sleep 0.1; done
. '%s'
cksum <"$1" >"$2"
"""
tests, lonely_tests, node_tests = [], [], []


class Broken(Exception):
    """A test that failed."""


class Impossible(Exception):
    """Why this machine cannot run a test."""


def require(is_kept, what):
    if not is_kept:
        raise Broken(what)


def test(function):
    tests.append(function)
    return function


def lonely_test(function):
    lonely_tests.append(function)
    return function


def node_test(function):
    """For a cluster with more than one node."""
    node_tests.append(function)
    return function


def wait_for(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise Broken("%s: not within %d s" % (what, seconds))


class World:
    """A manifest of the sample's two regions with two more stages: `hold`, which waits for the gate,
    and `behind`, which depends on it."""

    def __init__(self, folder, binaries, more=""):
        self.folder, self.binaries = folder, binaries
        self.gate = os.path.join(folder, "gate")
        self.begun = os.path.join(folder, "begun")
        self.out = os.path.join(folder, "out")
        self.manifest = os.path.join(folder, "m.yaml")
        os.makedirs(folder)
        for name, gate in (("hold.sh", self.gate), ("behind.sh", "/dev/null")):
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write(GATED % (self.begun, gate, gate))
            os.chmod(path, 0o755)
        text = open(os.path.join(ROOT, "pipelines/sample.yaml")).read()
        text = text.replace("../sample-data", os.path.join(ROOT, "sample-data"))
        text = text.replace("../build/sample", "out")
        self.write(text + """
stages:
  - name: hold
    command: [./hold.sh, "{input}", "{output}"]
    after: sample-elevation
    outputs: ["{region}.hold"]
  - name: behind
    command: [./behind.sh, "{input}", "{output}"]
    after: hold
    outputs: ["{region}.behind"]
""" + more)

    def write(self, text):
        with open(self.manifest, "w") as file:
            file.write(text)

    def open_gate(self, commands=""):
        with open(self.gate + ".new", "w") as file:
            file.write(commands + "\n")
        os.rename(self.gate + ".new", self.gate)

    def start(self, *options, executor="slurm", environment=None):
        return subprocess.Popen(
            [os.path.join(self.binaries, "cairn"), "run", self.manifest, "--executor", executor,
             "--progress", "plain", *options],
            env=dict(os.environ, **(environment or {})), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)

    def finish(self, run, code=0, seconds=100):
        try:
            text, _ = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            run.kill()
            text, _ = run.communicate()
            raise Broken("did not end within %d s:\n%s" % (seconds, text))
        require(run.returncode == code, "ended with %d, not %d:\n%s" % (run.returncode, code, text))
        return text

    def run(self, *options, code=0, **more):
        return self.finish(self.start(*options, **more), code)

    def planned_jobs(self):
        """How many jobs the plan needs. Actions share one or have their own; publishing needs none."""
        text = subprocess.run(
            [os.path.join(self.binaries, "cairn"), "plan", self.manifest, "--format", "json"],
            check=True, capture_output=True, text=True).stdout
        return len({action["job"] for action in json.loads(text)["actions"]
                    if action["stage"] != "publish"})

    def jobs(self):
        """This manifest's jobs, those that are over included, by their ids."""
        text = subprocess.run(
            ["squeue", "--noheader", "--states=all", "--format=%i|%T|%j|%N|%Z"],
            check=True, capture_output=True, text=True).stdout
        rows = [line.split("|") for line in text.splitlines()]
        return {row[0]: {"state": row[1], "name": row[2], "node": row[3]} for row in rows
                if row[4].startswith(self.folder + "/")}

    def job(self, part):
        """The id of the job with a part of a name that begins to wait or run, once there is one."""
        def look():
            return [id for id, job in self.jobs().items() if part in job["name"]]
        return wait_for("a job of " + part, look)[-1]

    def wait_until_running(self, part):
        id = self.job(part)
        # Slurm says RUNNING before the program begins, and one that never began is submitted again.
        wait_for(part + " at work", lambda: self.jobs()[id]["state"] == "RUNNING"
                 and os.path.exists(self.begun + "." + part))
        return id

    def alive(self):
        return {id: job for id, job in self.jobs().items()
                if job["state"] in ("PENDING", "RUNNING", "CONFIGURING", "COMPLETING")}

    def expect_no_jobs(self):
        """No job is left. One that is over is COMPLETING for an instant still; one that waits for a
        job that failed would wait for ever."""
        wait_for("the end of all jobs", lambda: not self.alive(), 15)

    def published(self):
        found = {}
        for root, folders, names in os.walk(self.out):
            folders[:] = [f for f in folders if f != ".cairn"]
            for name in names:
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
                found[os.path.relpath(path, self.out)] = digest
        return found

    def check_result(self, expected):
        found = self.published()
        different = [n for n in set(found) | set(expected) if found.get(n) != expected.get(n)]
        require(not different, "not the bytes of a local run: %s" % sorted(different))
        before = self.jobs()
        require("nothing to do" in self.run(), "the next run found something to do")
        require(self.jobs().keys() == before.keys(), "the next run submitted jobs")


def show_job(id):
    text = subprocess.run(
        ["scontrol", "show", "job", id], check=True, capture_output=True, text=True).stdout
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def broken_conf(folder):
    """A configuration that names no cluster."""
    path = os.path.join(folder, "broken.conf")
    with open(path, "w") as file:
        file.write("# nothing\n")
    return path


def unused_conf(folder):
    """The configuration of a cluster whose controller is down."""
    text = open(os.environ["SLURM_CONF"]).read()
    path = os.path.join(folder, "unused.conf")
    with open(path, "w") as file:
        file.write(re.sub(r"(?m)^SlurmctldPort=.*", "SlurmctldPort=1", text))
    return path


class Tests:
    """What the tests share: the binaries and what a local run gives."""

    def __init__(self, folder, binaries, seed, kills):
        self.folder, self.binaries, self.seed, self.kills = folder, binaries, seed, kills
        local = World(os.path.join(folder, "local"), binaries)
        local.open_gate()
        local.run(executor="local")
        self.expected = local.published()
        require("valley-west/valley-west.behind" in self.expected, "no result of the last stage")

    def world(self, name, more=""):
        return World(os.path.join(self.folder, name), self.binaries, more)


@test
def same_bytes(tests):
    """a run gives the bytes of a local one, and so does one with --force"""
    world = tests.world("same")
    world.open_gate()
    world.run()
    world.check_result(tests.expected)
    count, planned = len(world.jobs()), world.planned_jobs()
    require(count == planned, "%d jobs, not %d as planned" % (count, planned))
    world.run("--force")
    require(len(world.jobs()) == 2 * count, "--force did not submit all jobs again")
    world.check_result(tests.expected)


@test
def only_what_changed(tests):
    """other profiles rerun two stages, and the original ones none"""
    world = tests.world("changed")
    world.open_gate()
    world.run()
    text = open(world.manifest).read()
    world.write(text.replace("[trail-hiking, bike-touring]", "[hiking]"))
    before = world.jobs()
    world.run("--accept-drift", "all")
    new = sorted(job["name"].split(".")[2] for id, job in world.jobs().items() if id not in before)
    require(new == ["compute-costs"] * 2 + ["validate"] * 2, "rerun: %s" % new)
    world.write(text)
    before = world.jobs()
    world.run("--accept-drift", "all")
    require(world.jobs().keys() == before.keys(), "the original profiles submitted jobs")
    world.check_result(tests.expected)


@test
def resources_and_order(tests):
    """resources become options of the job, and each job waits for the previous one"""
    world = tests.world("resources", """
resources:
  hold: { threads: 2, memory: 96 MiB, time: 10 min }
  behind: { memory: 40 MiB }
""")
    run = world.start()
    hold = world.wait_until_running("valley-west.hold")
    job = show_job(hold)
    require(job["NumCPUs"] == "2" and job["CPUs/Task"] == "2", "processors: %s" % job["NumCPUs"])
    require(job["MinMemoryNode"] == "96M", "memory: %s" % job.get("MinMemoryNode"))
    require(job["TimeLimit"] == "00:12:00", "time: %s" % job["TimeLimit"])
    behind = show_job(world.job("valley-west.behind"))
    require(behind["JobState"] == "PENDING", "the job behind is %s" % behind["JobState"])
    require(behind["Dependency"].startswith("afterok:%s(" % hold), behind["Dependency"])
    require(behind["MinMemoryNode"] == "40M", "memory: %s" % behind.get("MinMemoryNode"))
    require(behind["TimeLimit"] == "UNLIMITED", "time: %s" % behind["TimeLimit"])
    world.open_gate()
    world.finish(run)
    world.check_result(tests.expected)


def kill_while_holding(world):
    """Kills a run while the jobs of both regions are running; returns all jobs."""
    run = world.start()
    world.wait_until_running("valley-west.hold")
    world.wait_until_running("valley-east.hold")
    run.kill()
    run.communicate()
    return world.jobs()


@test
def kill_and_adopt(tests):
    """a run adopts the running jobs of one that was killed"""
    world = tests.world("adopt")
    before = kill_while_holding(world)
    run = world.start()
    time.sleep(2)
    require(world.jobs().keys() == before.keys(), "the next run submitted existing jobs again")
    world.open_gate()
    text = world.finish(run)
    require(
        "valley-west: note: hold goes on as Slurm job" in text, "it does not say so:\n" + text)
    require(world.jobs().keys() == before.keys(), "the next run submitted jobs in the end")
    world.check_result(tests.expected)


@test
def kill_and_come_late(tests):
    """jobs complete after their run was killed, and the next run only publishes"""
    world = tests.world("late")
    before = kill_while_holding(world)
    world.open_gate()
    wait_for("the end of all jobs", lambda: not world.alive())
    states = {job["state"] for job in world.jobs().values()}
    require(states == {"COMPLETED"}, "states: %s" % states)
    text = world.run()
    require(
        "valley-west: note: behind was finished as Slurm job" in text,
        "it does not say so:\n" + text)
    require(world.jobs().keys() == before.keys(), "the next run submitted jobs")
    world.check_result(tests.expected)


@test
def kill_at_random(tests):
    """nothing is lost when runs are killed at random instants, twice in a row"""
    def trial(number):
        generator = random.Random("%d %d" % (tests.seed, number))
        world = tests.world("random%d" % number)
        world.open_gate()
        # As many kills in the first second, when jobs are submitted, as in all later ones.
        instants = [generator.uniform(0, generator.choice((0.5, 8))) for _ in range(2)]
        try:
            for seconds in instants:
                run = world.start()
                time.sleep(seconds)
                run.kill()
                run.communicate()
            world.run()
            world.check_result(tests.expected)
        except Broken as error:
            raise Broken("--seed %d, number %d, killed after %s s: %s" % (
                tests.seed, number, instants, error))
    with concurrent.futures.ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(trial, range(tests.kills // 2)))


@test
def changed_while_away(tests):
    """results that a killed run's jobs make from outdated inputs are not used"""
    world = tests.world("away")
    text = open(world.manifest).read()
    world.write(text.replace("[trail-hiking, bike-touring]", "[cycling]"))
    run = world.start()
    world.wait_until_running("valley-west.hold")
    run.kill()
    run.communicate()
    world.open_gate()
    wait_for("the end of all jobs", lambda: not world.alive())
    world.write(text)
    world.run()
    world.check_result(tests.expected)


@test
def interrupt(tests):
    """Ctrl-C cancels all jobs of a run, including those submitted ahead"""
    world = tests.world("interrupt")
    run = world.start()
    world.wait_until_running("valley-west.hold")
    world.job("valley-east.behind")
    run.send_signal(signal.SIGINT)
    text = world.finish(run, 75)
    require(re.search(r"stopped: \d+ Slurm jobs cancelled", text), "it does not say so:\n" + text)
    world.expect_no_jobs()
    world.open_gate()
    world.run()
    world.check_result(tests.expected)


@test
def failing_stage(tests):
    """a stage that fails is reported with its log, and the jobs that wait for it are removed"""
    world = tests.world("failing")
    world.open_gate("""
      case "$1" in *valley-west*) echo "the data is odd" >&2; exit 65 ;; esac""")
    text = world.run(code=1)
    require("hold ended with exit code 65" in text, "no reason:\n" + text)
    require("the data is odd" in text, "no log:\n" + text)
    holds = [job for job in world.jobs().values() if "valley-west.hold" in job["name"]]
    require(len(holds) == 1, "%d attempts were made" % len(holds))
    require("valley-east/valley-east.behind" in world.published(), "the other region was not published")
    world.expect_no_jobs()
    world.open_gate()
    world.run()
    world.check_result(tests.expected)


@test
def passing_failure(tests):
    """a stage that asks for another attempt gets one, and so do those that depend on it"""
    world = tests.world("passing")
    world.open_gate("""
      mkdir '%s/'"$(basename "$2")" 2>/dev/null && exit 75""" % world.folder)
    world.run()
    world.check_result(tests.expected)


@test
def stage_time(tests):
    """a stage that takes too long is stopped by its job and reported"""
    world = tests.world("time", "\nresources: { hold: { time: 1 s } }\n")
    text = world.run(code=1)
    require("hold did not end within 1 s" in text, "no reason:\n" + text)


@test
def cluster_time(tests):
    """a job that reaches the cluster's time limit is reported, and not run again"""
    world = tests.world("limit")
    run = world.start()
    for region in ("valley-west", "valley-east"):
        id = world.wait_until_running(region + ".hold")
        subprocess.run(["scontrol", "update", "JobId=" + id, "TimeLimit=0"], check=True)
    text = world.finish(run, 1)
    require("hold reached the time limit of Slurm job" in text, "no reason:\n" + text)
    holds = [job for job in world.jobs().values() if ".hold" in job["name"]]
    require([job["state"] for job in holds] == ["TIMEOUT"] * 2, "states: %s" % holds)


@test
def cancelled_from_outside(tests):
    """a job that was cancelled from outside is reported, and not run again"""
    world = tests.world("cancelled")
    run = world.start("--regions", "valley-west")
    subprocess.run(["scancel", world.wait_until_running("valley-west.hold")], check=True)
    text = world.finish(run, 1)
    require("hold was cancelled by another user or program (Slurm job" in text, "no reason:\n" + text)
    world.expect_no_jobs()


@test
def dropped_before_it_started(tests):
    """a waiting job that Slurm drops, for example because it considers the previous one lost, is submitted again"""
    world = tests.world("dropped")
    run = world.start()
    world.wait_until_running("valley-west.hold")
    behind = world.job("valley-west.behind")
    subprocess.run(["scancel", behind], check=True)
    wait_for("the end of the job", lambda: world.jobs()[behind]["state"] == "CANCELLED")
    world.open_gate()
    world.finish(run)
    require(world.job("valley-west.behind") != behind, "the job was not submitted again")
    world.check_result(tests.expected)


@test
def too_much(tests):
    """a job that fits on no node is refused with a hint"""
    world = tests.world("much", "\nresources: { decode-pbf: { memory: 500 GiB } }\n")
    text = world.run(code=1)
    require("sbatch failed" in text and "resources: in the manifest" in text, text)


@test
def no_slurm(tests):
    """without Slurm, or without an answer, a run says so with a hint"""
    world = tests.world("none")
    text = world.run(code=78, environment={"PATH": "/nonexistent"})
    require("no sbatch in PATH" in text and "--executor local" in text, text)
    text = world.run(code=78, environment={"SLURM_CONF": broken_conf(world.folder)})
    require("this machine finds no cluster" in text, text)
    text = world.run(code=75, environment={"SLURM_CONF": unused_conf(world.folder)})
    require("is slurmctld up?" in text, text)
    require(not os.path.exists(os.path.join(world.out, "index.json")), "something was published")


@test
def doctor(tests):
    """cairn doctor says whether Slurm answers"""
    command = [os.path.join(tests.binaries, "cairn"), "doctor"]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    require(re.search(r"Slurm +answers", text), text)
    folder = os.path.join(tests.folder, "doctor")
    os.makedirs(folder)
    environment = dict(os.environ, SLURM_CONF=broken_conf(folder))
    text = subprocess.run(command, capture_output=True, text=True, env=environment).stdout
    require(re.search(r"Slurm .*finds no cluster", text, re.S), text)


@test
def one_query(tests):
    """a run asks Slurm once per interval for all its jobs"""
    world = tests.world("query")
    tools = os.path.join(world.folder, "bin")
    calls = os.path.join(world.folder, "calls")
    os.makedirs(tools)
    with open(os.path.join(tools, "squeue"), "w") as file:
        file.write("#!/bin/sh\necho >>'%s'\nexec '%s' \"$@\"\n" % (calls, shutil.which("squeue")))
    os.chmod(os.path.join(tools, "squeue"), 0o755)
    start = time.monotonic()
    run = world.start(environment={"PATH": tools + ":" + os.environ["PATH"]})
    world.wait_until_running("valley-west.hold")
    wait_for("three queries", lambda: len(open(calls).readlines()) >= 3, 60)
    world.open_gate()
    world.finish(run)
    count, most = len(open(calls).readlines()), (time.monotonic() - start) / 5 + 2
    require(count <= most, "%d queries, at most %.1f expected" % (count, most))


@test
def cluster_is_gone(tests):
    """with-cluster passes on the exit code and leaves nothing behind, however it ends"""
    script = os.path.join(ROOT, "Tests/SlurmTests/with-cluster")

    def inhabitants(folder):
        mark = ("SLURM_CONF=%s/slurm.conf" % folder).encode()
        found = []
        for id in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % id, "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(id)
            except OSError:
                pass
        return found

    job = "echo $CAIRN_TEST_CLUSTER; sbatch -Q -o /dev/null --wrap 'sleep 600'; "
    for ending, number in (("exit 7", None), ("sleep 600", "TERM"), ("sleep 600", "KILL")):
        process = subprocess.Popen(
            [script, "sh", "-c", job + ending], stdout=subprocess.PIPE, text=True)
        folder = process.stdout.readline().strip()
        require(folder and folder != os.environ["CAIRN_TEST_CLUSTER"], "no cluster of its own")
        if number:
            require(os.path.isdir(folder) and inhabitants(folder), "no cluster is running")
            process.send_signal(getattr(signal, "SIG" + number))
        code = process.wait(60)
        require(code == {None: 7, "TERM": 143, "KILL": -9}[number], "exit code %d" % code)
        wait_for("the end of the cluster after " + (number or ending),
                 lambda: not os.path.exists(folder) and not inhabitants(folder))
    with open(script) as file:
        result = subprocess.run(
            ["bash", "-s", "--", "true"], stdin=file, user=65534, cwd="/", capture_output=True,
            text=True)
    require(result.returncode == 69 and "needs root" in result.stderr, result.stderr)


@lonely_test
def lost_node(tests):
    """a job whose node is lost is run again"""
    world = tests.world("node")
    node = subprocess.run(
        ["sinfo", "--noheader", "--format=%n"], check=True, capture_output=True,
        text=True).stdout.split()[0]
    run = world.start("--regions", "valley-west")
    lost = world.wait_until_running("valley-west.hold")
    # A node that is down recovers by itself when its slurmd reports.
    update = ["scontrol", "update", "NodeName=" + node, "Reason=test"]
    subprocess.run([*update, "State=DOWN"], check=True)
    wait_for("the loss of the job", lambda: lost not in world.alive())
    subprocess.run([*update, "State=RESUME"], stderr=subprocess.DEVNULL)
    # The gate stays shut until the job is submitted again, or the lost one could still finish.
    wait_for("another job", lambda: any(
        "valley-west.hold" in job["name"] and id != lost for id, job in world.alive().items()), 60)
    world.open_gate()
    text = world.finish(run)
    require("was lost with its node" in text, "it does not say so:\n" + text)
    world.run()
    world.check_result(tests.expected)


@lonely_test
def silent_controller(tests):
    """a run outlasts a restart of Slurm"""
    world = tests.world("silent")
    run = world.start()
    world.wait_until_running("valley-west.hold")
    world.wait_until_running("valley-east.hold")
    pid = int(open(os.path.join(os.environ["CAIRN_TEST_CLUSTER"], "slurmctld.pid")).read())
    os.kill(pid, signal.SIGSTOP)
    try:
        world.open_gate()
        time.sleep(3)
    finally:
        os.kill(pid, signal.SIGCONT)
    world.finish(run)
    world.check_result(tests.expected)


# A job of each region that needs all processors of a node.
WHOLE_NODES = "resources: { hold: { threads: 8 } }\n"


@node_test
def nodes_share(tests):
    """two nodes share the jobs of a run, with the bytes of a local one"""
    world = tests.world("share", WHOLE_NODES)
    run = world.start()
    holds = [world.wait_until_running(region + ".hold") for region in ("valley-west", "valley-east")]
    nodes = {world.jobs()[id]["node"] for id in holds}
    require(nodes == {"node1", "node2"}, "both on %s" % nodes)
    world.open_gate()
    world.finish(run)
    world.check_result(tests.expected)


@node_test
def memory(tests):
    """a job that is killed for its memory is reported with what to change, and run again once at most"""
    if "CAIRN_TEST_MEMORY" not in os.environ:
        raise Impossible("no control groups of version 1, by which Slurm could limit memory")
    world = tests.world("memory", "resources: { hold: { memory: 64 MiB } }\n")
    # Who takes too much is killed, and with it here the stage, as one of Cairn's would be.
    world.open_gate("python3 -c 'x = bytearray(300 << 20); x[::4096] = b\"1\" * len(x[::4096])'"
                    " || kill -9 $$")
    text = world.run("--regions", "valley-west", code=1)
    require("needed more memory than the 64 MiB" in " ".join(text.split()) and "resources" in text,
            "it does not say so:\n" + text)
    holds = [job for job in world.jobs().values() if "valley-west.hold" in job["name"]]
    require({job["state"] for job in holds} == {"OUT_OF_MEMORY"} and len(holds) <= 2,
            "jobs: %s" % holds)
    world.write(open(world.manifest).read().replace("64 MiB", "600 MiB"))
    world.run("--regions", "valley-west")


@node_test
def dying_node(tests):
    """when a node dies with all that runs on it, its jobs run again on another one"""
    world = tests.world("dying", WHOLE_NODES)
    run = world.start()
    lost = world.wait_until_running("valley-west.hold")
    other = world.wait_until_running("valley-east.hold")
    node = world.jobs()[lost]["node"]
    require(world.jobs()[other]["node"] != node, "both on " + node)
    kill_node(node, world.alive())
    wait_for("the loss of the job", lambda: lost not in world.alive(), 60)
    world.open_gate()
    text = world.finish(run)
    require("was lost with its node" in text, "it does not say so:\n" + text)
    again = [job["node"] for id, job in world.jobs().items()
             if "valley-west.hold" in job["name"] and job["state"] == "COMPLETED"]
    require(again and node not in again, "run again on %s" % again)
    world.check_result(tests.expected)


def kill_node(name, jobs):
    """kill -9 of a node's daemon and of all that its jobs have started."""
    daemon = open(os.path.join(os.environ["CAIRN_TEST_CLUSTER"], "slurmd.%s.pid" % name)).read()
    os.kill(int(daemon), signal.SIGKILL)
    # The steps first, known by their titles: one that sees its job end would still say so.
    titles = {"slurmstepd: [%s.batch]" % id for id, job in jobs.items() if job["node"] == name}
    for are_steps in (True, False):
        for id in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = open("/proc/%s/cmdline" % id).read().strip("\0 ")
                environment = open("/proc/%s/environ" % id).read().split("\0")
                is_job = {"SLURM_CONF=" + os.environ["SLURM_CONF"],
                          "SLURMD_NODENAME=" + name} <= set(environment)
                if words in titles if are_steps else is_job:
                    os.kill(int(id), signal.SIGKILL)
            except OSError:
                continue


def attempt(function, shared):
    start = time.monotonic()
    try:
        function(shared)
        failure = None
    except Impossible as reason:
        print("skip %-22s          %s: %s" % (function.__name__, function.__doc__, reason), flush=True)
        return None
    except Broken as error:
        failure = str(error)
    except Exception:
        failure = traceback.format_exc()
    print("%s %-22s %5.1f s  %s" % (
        "ok  " if failure is None else "FAIL", function.__name__, time.monotonic() - start,
        function.__doc__), flush=True)
    return failure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--seed", type=int, default=1, help="seed of the random instants of kills")
    parser.add_argument("--kills", type=int, default=12, help="number of kills at random instants")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if "CAIRN_TEST_CLUSTER" not in os.environ:
        sys.exit("test_slurm.py: start it with Tests/SlurmTests/with-cluster or make test-slurm")
    has_nodes = os.environ.get("CAIRN_TEST_NODES", "1") != "1"
    together, alone = ([], node_tests) if has_nodes else (tests, lonely_tests)
    known = [t.__name__ for t in together + alone]
    for name in options.names:
        if name not in known:
            sys.exit("test_slurm.py: unknown test %s; the tests are %s" % (name, ", ".join(known)))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="test.", dir=os.environ["CAIRN_TEST_CLUSTER"])
    failures = {}
    try:
        shared = Tests(folder, os.path.abspath(options.bin), options.seed, options.kills)
        def chosen(all):
            return [t for t in all if not options.names or t.__name__ in options.names]
        with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
            endings = {t: pool.submit(attempt, t, shared) for t in chosen(together)}
            failures = {t.__name__: e.result() for t, e in endings.items()}
        for t in chosen(alone):
            failures[t.__name__] = attempt(t, shared)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    broken = {name: failure for name, failure in failures.items() if failure}
    for name, failure in broken.items():
        print("\n%s: %s" % (name, failure.rstrip()))
    print("\n%d tests with Slurm, %d failed" % (len(failures), len(broken)))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
