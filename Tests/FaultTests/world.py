# SPDX-License-Identifier: Apache-2.0
"""A folder with a manifest, the results of undisturbed runs, and the promises that are checked."""
import glob, hashlib, json, os, re, shutil, statistics, struct, subprocess, sys
import threading, time, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REGIONS = ["valley-west", "valley-east"]
# The documented exit codes.
CODES = {0, 1, 64, 65, 66, 70, 73, 74, 75, 78}


class Broken(Exception):
    """A promise that was not kept."""


def is_dynamic(path):
    """Whether an ELF-64 file asks for the dynamic loader (ELF-64 Object File Format 1.5, chapter 5)."""
    with open(path, "rb") as file:
        head = file.read(64)
        offset, size, count = struct.unpack_from("<32xQ14xHH", head)
        file.seek(offset)
        table = file.read(size * count)
    interpreter = 3
    return any(
        struct.unpack_from("<I", table, entry * size)[0] == interpreter for entry in range(count))


def place_executables(binaries, folder):
    """Puts executables into a folder into which a library can be preloaded: dynamic ones. The static
    ones of a release build are linked again."""
    for name in ["cairn", "cairn-stages", "cairn-fetch"]:
        path = os.path.join(binaries, name)
        if is_dynamic(path):
            shutil.copy(path, folder)
        else:
            link_dynamic(binaries, name, folder)
    stages = subprocess.run(
        [os.path.join(binaries, "cairn-stages"), "--list"], check=True, capture_output=True, text=True)
    for name in stages.stdout.split():
        os.symlink("cairn-stages", os.path.join(folder, name))


def link_dynamic(binaries, name, folder):
    """Links an executable of a build again, with shared libraries."""
    objects = os.path.join(binaries, name + ".product/Objects.LinkFileList")
    if not os.path.exists(objects):
        sys.exit(f"{binaries} has static executables: give the folder of a build as --bin")
    main = name.replace("-", "_") + "_main"
    subprocess.run(
        ["swiftc", "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims",
         "-use-ld=lld", "-Xlinker", "--build-id=sha1", "-Xlinker", "--defsym=main=" + main,
         "-o", os.path.join(folder, name), "@" + objects],
        check=True)


class World:
    """The sample's manifest in two states, and the results of undisturbed runs of both."""

    def __init__(self, folder, binaries, megabytes, measurements=5):
        self.folder = folder
        # How much a stage prints that babbles.
        self.megabytes = megabytes
        self.binaries = os.path.join(folder, "bin")
        os.mkdir(self.binaries)
        self.cairn = os.path.join(self.binaries, "cairn")
        place_executables(binaries, self.binaries)
        self.shim = os.path.join(folder, "shim.so")
        # Gets a byte for each fault that took effect.
        self.mark = os.path.join(folder, "mark")
        self.manifest = os.path.join(folder, "m.yaml")
        self.out = os.path.join(folder, "out")
        # Names in the folders of regions that are not looked at, since a user put them there.
        self.ignored = set()
        # How often the files with final names were checked during runs.
        self.looks = 0
        # How many runs after a fault gave the undisturbed bytes.
        self.recoveries = 0
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, os.path.join(HERE, "shim.c"), "-ldl"],
            check=True)
        text = open(os.path.join(ROOT, "pipelines/sample.yaml")).read()
        text = text.replace("../sample-data", os.path.join(ROOT, "sample-data"))
        self.text = text.replace("../build/sample", "out")
        self.old = os.path.join(folder, "old")
        self.before = self.after = None
        self.is_empty = True
        self.write_manifest("[bike-touring]")
        self.must_succeed()
        self.before = published(self.out)
        os.rename(self.out, self.old)
        self.write_manifest("[trail-hiking, bike-touring]")
        # The seconds that an undisturbed run takes from each of the two states.
        self.times = {
            is_empty: self.measure(is_empty, measurements) for is_empty in (True, False)}
        self.after = published(self.out)
        if self.before == self.after:
            raise Broken("the two states of the manifest give the same files")

    def measure(self, is_empty, count):
        times = []
        for _ in range(count):
            self.reset(is_empty)
            start = time.monotonic()
            self.must_succeed()
            times.append(time.monotonic() - start)
        return statistics.median(times)

    @property
    def seconds(self):
        """The seconds that an undisturbed run takes from the current state of the output."""
        return self.times[self.is_empty]

    def write_manifest(self, profiles):
        open(self.manifest, "w").write(
            self.text.replace("profiles: [trail-hiking, bike-touring]", "profiles: " + profiles))

    def reset(self, is_empty):
        self.is_empty = is_empty
        clear(self.out)
        clear_file(self.mark)
        if not is_empty:
            # The output may be a mounted file system, so it cannot be renamed.
            subprocess.run(["cp", "-a", self.old + "/.", self.out], check=True)

    def struck(self):
        """How many faults of the preloaded library took effect."""
        return os.path.getsize(self.mark) if os.path.exists(self.mark) else 0

    def start(self, fault=None, options=(), command="run"):
        """Starts `cairn run`, or another command on the manifest."""
        if command == "run":
            options = ["--progress", "plain", *options]
        return self.start_words(fault, [command, self.manifest, *options])

    def start_words(self, fault, words):
        """Starts `cairn` with these arguments."""
        environment = dict(os.environ, **(fault or {}))
        if fault:
            environment.update(LD_PRELOAD=self.shim, FAULT_MARK=self.mark)
        process = subprocess.Popen(
            [self.cairn, *words], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        process.watch = Watch(self)
        return process

    def finish(self, process, seconds=120):
        """Waits for the end of a run."""
        watch = process.watch
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            threads = stacks(process.pid)
            process.kill()
            text, _ = process.communicate()
            raise Broken("the run did not end within %d s:\n%s\n%s" % (seconds, text, threads))
        finally:
            watch.end()
        if watch.found:
            raise Broken("during the run: %s" % watch.found)
        return process.returncode, text

    def must_succeed(self, words=None):
        """Runs the manifest, or other arguments of `cairn`, undisturbed."""
        code, text = self.finish(self.start_words(None, words) if words else self.start())
        if code != 0:
            what = " ".join(words) if words else "run"
            raise Broken("an undisturbed %s ended with %d:\n%s" % (what, code, text))
        return text

    def check_published(self):
        """Each region's folder is the old bundle or the new one; the index can be read."""
        for region in REGIONS:
            self.check_region(self.out, region)
        try:
            json.load(open(os.path.join(self.out, "index.json")))
        except FileNotFoundError:
            pass
        except ValueError as error:
            raise Broken("index.json cannot be read: %s" % error)

    def bundle(self, state, region):
        """The digests of a region's files in one of the two states."""
        return {k.split("/", 1)[1]: v for k, v in state.items() if k.startswith(region + "/")}

    def check_region(self, folder, region):
        """A region's folder is missing, the old bundle or the new one."""
        found = folder_digests(os.path.join(folder, region))
        found = {name: sum for name, sum in found.items() if name not in self.ignored}
        expected = [self.bundle(state, region) for state in (self.before, self.after)]
        if found and found not in expected:
            raise Broken("%s is neither the old bundle nor the new one: %s" % (region, found))

    def check_results(self, known):
        """Each result matches its record; `known` are those that were checked before."""
        for path in glob.glob(os.path.join(self.out, ".cairn/actions/*/result.json")):
            try:
                identity = os.stat(path).st_ino, os.stat(path).st_mtime_ns
                if known.get(path) == identity:
                    continue
                folder = os.path.dirname(path)
                for name, record in json.load(open(path))["outputs"].items():
                    if result_digest(os.path.join(folder, name)) != record["sha256"]:
                        raise Broken("%s/%s does not match its record" % (folder, name))
                known[path] = identity
            except ValueError as error:
                raise Broken("%s cannot be read: %s" % (path, error))

    def check_names(self):
        """Whatever has a final name is complete."""
        self.check_published()
        self.check_results({})

    def check_next_run(self):
        self.must_succeed()
        found = {name: sum for name, sum in published(self.out).items()
                 if os.path.basename(name) not in self.ignored}
        if found != self.after:
            names = [n for n in set(found) | set(self.after) if found.get(n) != self.after.get(n)]
            raise Broken("the next run does not give the same bytes: %s" % sorted(names))
        self.check_results({})
        if "nothing to do" not in self.must_succeed():
            raise Broken("the run after the next one still found something to do")
        self.recoveries += 1


class Watch:
    """Repeatedly checks the files with final names during a run."""

    PAUSE = 0.01

    def __init__(self, world):
        self.world, self.found, self.known = world, None, {}
        self.is_over = threading.Event()
        self.thread = None
        # Until the bytes of both states are known there is nothing to compare with.
        if world.after is not None:
            self.thread = threading.Thread(target=self.look, daemon=True)
            self.thread.start()

    def look(self):
        while not self.is_over.wait(self.PAUSE):
            try:
                self.world.check_published()
                self.world.check_results(self.known)
                self.world.looks += 1
            except Broken as error:
                self.found = error
                return
            except OSError:
                # A result is being replaced, or the output does not exist yet.
                pass

    def end(self):
        self.is_over.set()
        if self.thread:
            self.thread.join()


def folder_digests(path):
    """The digests of a folder's files, all from one state of it; empty if it does not exist.

    If the folder is swapped in the meantime, the new one is read instead.
    """
    while True:
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return {}
        try:
            found = {}
            try:
                for name in os.listdir(folder):
                    with open(os.open(name, os.O_RDONLY, dir_fd=folder), "rb") as file:
                        found[name] = hashlib.sha256(file.read()).hexdigest()
            except FileNotFoundError:
                found = {"a file that disappeared": ""}
            try:
                now = os.stat(path)
            except FileNotFoundError:
                continue
            was = os.fstat(folder)
            if (now.st_dev, now.st_ino) == (was.st_dev, was.st_ino):
                return found
        finally:
            os.close(folder)


def stacks(process):
    """The stacks of a process's threads, if gdb is installed, and its children."""
    found = ["child: " + " ".join(
        open("/proc/%d/cmdline" % child).read().split("\0")) for child in children(process)]
    if shutil.which("gdb"):
        found.append(subprocess.run(
            ["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt 12"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace").stdout)
    return "\n".join(found)


def digest(path):
    return hashlib.sha256(open(path, "rb").read()).hexdigest()


def result_digest(path):
    """The digest that a run records of a file: of a container that of header, provenance and table.
    Each column is compared with its checksum in the table."""
    data = open(path, "rb").read()
    if data[:5] != b"CAIRN":
        return hashlib.sha256(data).hexdigest()
    (sections,) = struct.unpack_from("<I", data, 12)
    table_start, json_start, json_bytes = struct.unpack_from("<QQQ", data, 16)
    table = data[table_start:table_start + 64 * sections]
    sizes = {1: 1, 2: 4, 3: 4, 4: 8, 5: 4, 6: 8}
    for at in range(0, len(table), 64):
        kind, checksum, count, start = struct.unpack_from("<IIQQ", table, at + 32)
        if zlib.crc32(data[start:start + count * sizes[kind]]) != checksum:
            return "damaged"
    parts = data[:64] + data[json_start:json_start + json_bytes] + table
    return "columns:" + hashlib.sha256(parts).hexdigest()


def published(folder):
    """The digests of all files that are not below .cairn."""
    found = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != ".cairn"]
        for name in names:
            path = os.path.join(root, name)
            found[os.path.relpath(path, folder)] = digest(path)
    return found


def clear(folder):
    os.makedirs(folder, exist_ok=True)
    for attempt in range(50):
        try:
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
            return
        except OSError:
            # A stage that outlived its run may still write there.
            if attempt == 49:
                raise
            time.sleep(0.1)


def clear_file(path):
    if os.path.exists(path):
        os.unlink(path)


def children(process):
    """The processes that a process has started."""
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
        raise Broken("ended with %d without an error message:\n%s" % (code, text[-3000:]))
