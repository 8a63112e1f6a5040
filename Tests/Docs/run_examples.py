# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of all help texts.

Each example runs in a folder that has the files that examples name, made of the sample data, and
nothing else: what the example before has changed is put right. It must end with 0, or with what EXPECTED says. A command without an example is an error, too.
"""
import argparse, os, re, shutil, stat, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What an example stands for on this machine.
SUBSTITUTES = [
    ("https://download.geofabrik.de/europe/andorra-latest.osm.pbf", "file://$PWD/sample-data/valley.osm.pbf"),
    ("/media/phone/", "phone/"),
    # A tree that is served from the disk.
    ("https://example.org/cairn", "file://$PWD/tree"),
    # Slurm has tests of its own.
    ("--executor slurm", "--executor local"),
    ("cairn serve", "timeout -s INT 3 cairn serve --port 0"),
]

# The beginnings of examples that end with another code than 0 on the little sample data, and a text of
# what they say then.
EXPECTED = {
    "cairn compare --suite alps.yaml --base hiking --set": (1, "breaks a threshold"),
    "cairn fit": (1, "Not an improvement"),
    # It serves until it is ended.
    "cairn serve": (124, "http://localhost:"),
    # No Overpass API is asked by a test.
    "cairn sources update": (1, "alps: a new version"),
}

# What happens before an example.
BEFORE = {
    "cairn-fetch": "rm andorra.osm.pbf",
}

def help_of(words, environment):
    run = subprocess.run([*words, "--help"], env=environment, capture_output=True, text=True, check=True)
    return run.stdout


def examples_of(text):
    """The examples of a help text, each as one command for a shell."""
    found = re.search(r"^Examples?:\n((?:  .*\n)+)", text, re.M)
    commands = []
    for line in found.group(1).splitlines() if found else []:
        if commands and commands[-1].endswith("\\"):
            commands[-1] += "\n" + line
        else:
            commands.append(line.strip())
    return commands


def all_examples(environment):
    """Every command, as its words, with its examples."""
    overview, _, stages = help_of(["cairn"], environment).partition("\nStages")
    names = lambda text: re.findall(r"^  (\S+(?: \S+)?)  ", text, re.M)
    commands = [["cairn", *name.split()] for name in names(overview)]
    commands += [["cairn-" + name] for name in names(stages)]
    return [(words, examples_of(help_of(words, environment))) for words in commands]


def is_listed(words, listing):
    """Whether the list of commands has a row for a command: `cairn bundle verify`, `pack`, `diff`."""
    rows = [row.split("|")[1] for row in listing.splitlines() if row.startswith("| `")]
    last = re.compile(r"[` ]%s[ `]" % re.escape(words[-1]))
    return any(" ".join(words[:2]) in row and last.search(row) for row in rows)


class Copy:
    """A copy of a folder, in which only what has changed is copied again."""

    def __init__(self, world, folder):
        self.world, self.folder = world, folder
        shutil.copytree(world, folder, symlinks=True)
        self.first = self.state()

    def state(self):
        """What tells whether a file is another one or has other bytes, by its path."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            for name in folders + files:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                is_folder = stat.S_ISDIR(status.st_mode)
                found[os.path.relpath(path, self.folder)] = (
                    status.st_mode, None if is_folder else (status.st_ino, status.st_size, status.st_mtime_ns,
                                                            status.st_ctime_ns))
        return found

    def restore(self):
        now = self.state()
        other = [path for path in {*now, *self.first} if now.get(path) != self.first.get(path)]
        for path in sorted(other):
            old, new = os.path.join(self.world, path), os.path.join(self.folder, path)
            if os.path.isdir(new) and not os.path.islink(new):
                shutil.rmtree(new)
            elif os.path.lexists(new):
                os.remove(new)
            if os.path.isdir(old) and not os.path.islink(old):
                shutil.copytree(old, new, symlinks=True)
            elif os.path.lexists(old):
                shutil.copy2(old, new, follow_symlinks=False)
        if other:
            self.first = self.state()


def run_example(example, copy, environment):
    """Runs an example in a folder; returns what is wrong."""
    command = example
    for name, substitute in SUBSTITUTES:
        command = command.replace(name, substitute)
    before = BEFORE.get(example.split()[0])
    command = (before + " && " if before else "") + command
    run = subprocess.run(["bash", "-c", command], cwd=copy.folder, env=environment,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    copy.restore()
    expected = [ending for beginning, ending in EXPECTED.items() if example.startswith(beginning)]
    code, words = expected[0] if expected else (0, "")
    if run.returncode != code or words not in run.stderr + run.stdout:
        return "%s\n  ended with %d: %s" % (example, run.returncode, (run.stderr or run.stdout).strip())
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="the folder of the executables")
    parser.add_argument("--only", default="", help="only examples that contain this text")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-examples-") as scratch:
        world = os.path.join(scratch, "world")
        os.mkdir(world)
        environment = dict(os.environ, PATH=os.path.abspath(arguments.bin) + ":" + os.environ["PATH"],
                           LC_ALL="C.UTF-8", ROOT=ROOT, NO_COLOR="1",
                           CAIRN_CACHE=os.path.join(scratch, "cache"), CAIRN_WAYPOINTS=scratch)
        subprocess.run(["bash", os.path.join(ROOT, "Tests/Docs/examples-world.sh")], cwd=world,
                       env=environment, check=True)
        listing = open(os.path.join(ROOT, "docs/commands.md"), encoding="utf-8").read()
        copy = Copy(world, os.path.join(scratch, "copy"))
        problems, count = [], 0
        for words, examples in all_examples(environment):
            if not examples:
                problems.append("%s has no example" % " ".join(words))
            if not is_listed(words, listing):
                problems.append("docs/commands.md does not name %s" % " ".join(words))
            for example in examples:
                if arguments.only in example:
                    count += 1
                    problem = run_example(example, copy, environment)
                    if problem:
                        problems.append(problem)
    for problem in problems:
        print(problem)
    print("help texts: %d examples, %d wrong" % (count, len(problems)))
    sys.exit(1 if problems or not count else 0)


if __name__ == "__main__":
    main()
