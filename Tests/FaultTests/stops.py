# SPDX-License-Identifier: Apache-2.0
"""Commands that end at each step in turn: at the 1st, 2nd, … nth call that flushes, creates, renames,
exchanges or removes a name, until a command makes no nth one. After each stop the old state or the new
one is whole, the bundles before can be rolled back to, and what a user put beside them is there."""
import json, os, shutil, signal, subprocess

from disturbances import shim
from world import REGIONS, Broken, check_code, clear, clear_file, digest, folder_digests

NOTES = "notes.txt"


class Stopped:
    """A command in a state of the world, and what must be true after a stop and in the end."""

    def __init__(self, world):
        self.world = world
        self.folder = os.path.join(world.folder, "stops")
        self.tree = os.path.join(world.folder, "tree")
        self.regions = os.path.join(world.folder, "regions")

    def path(self, name):
        return os.path.join(self.folder, name)

    def save(self, name, folder):
        """Keeps a folder as the beginning of trials."""
        clear(self.path(name))
        subprocess.run(["cp", "-a", folder + "/.", self.path(name)], check=True)

    def restore(self, name, folder):
        clear(folder)
        subprocess.run(["cp", "-a", self.path(name) + "/.", folder], check=True)

    def prepare(self):
        """Makes what reset() gives back."""
        raise NotImplementedError

    def reset(self):
        raise NotImplementedError

    def words(self):
        """The arguments of the command."""
        raise NotImplementedError

    def check(self):
        """What must be true after a stop and, in the end, after the command has run again."""
        raise NotImplementedError


def put_notes(folder):
    """Puts a user's file into the folder of each region."""
    for region in REGIONS:
        with open(os.path.join(folder, region, NOTES), "w") as file:
            file.write("mine, " + region)


def check_notes(folder):
    """Each region's notes are somewhere below a folder, once and unchanged."""
    found = []
    for root, _, names in os.walk(folder):
        found += [open(os.path.join(root, name)).read() for name in names if name == NOTES]
    if sorted(found) != sorted("mine, " + region for region in REGIONS):
        raise Broken("of the user's files there is: %s" % found)


class Run(Stopped):
    """cairn run, which replaces bundles beside which a user's files are"""

    start = "old"

    def prepare(self):
        self.world.reset(is_empty=False)
        put_notes(self.world.out)
        self.save("old", self.world.out)

    def reset(self):
        self.restore(self.start, self.world.out)

    def words(self):
        return ["run", self.world.manifest, "--progress", "plain", "-j", "1"]

    def check(self):
        self.world.check_names()
        check_notes(self.world.out)
        self.world.check_next_run()
        check_notes(self.world.out)
        check_rollback(self.world)


def check_rollback(world):
    """The bundles before are there, and can be left again."""
    for region in REGIONS:
        world.must_succeed(["rollback", world.manifest, region])
        if folder_digests(os.path.join(world.out, region)) != world.bundle(world.before, region):
            raise Broken("the bundle of %s before is lost" % region)


class Recovery(Run):
    """cairn run after one that was stopped between the exchange and keeping the bundle before"""

    start = "exchanged"

    def prepare(self):
        def is_between():
            staged = os.path.join(self.world.out, ".cairn/staging", REGIONS[0])
            found = folder_digests(staged)
            found.pop(NOTES, None)
            return found == self.world.bundle(self.world.before, REGIONS[0])

        run = Run(self.world)
        run.prepare()
        stop_until(run, is_between)
        self.save("exchanged", self.world.out)


class First(Stopped):
    """cairn run into an empty folder"""

    def prepare(self):
        pass

    def reset(self):
        self.world.reset(is_empty=True)

    words = Run.words

    def check(self):
        self.world.check_names()
        self.world.check_next_run()


class Rollback(Stopped):
    """cairn rollback"""

    def prepare(self):
        self.world.reset(is_empty=False)
        self.world.must_succeed()
        put_notes(self.world.out)
        self.save("new", self.world.out)

    def reset(self):
        self.restore("new", self.world.out)

    def words(self):
        return ["rollback", self.world.manifest, REGIONS[0]]

    def check(self):
        self.world.check_names()
        check_notes(self.world.out)
        found = folder_digests(os.path.join(self.world.out, REGIONS[0]))
        found.pop(NOTES, None)
        if found != self.world.bundle(self.world.before, REGIONS[0]):
            self.world.must_succeed(self.words())
        self.world.must_succeed([*self.words(), "--undo"])
        self.world.check_next_run()
        check_notes(self.world.out)


class Publish(Stopped):
    """cairn publish, which replaces the index of a tree"""

    def prepare(self):
        self.world.reset(is_empty=False)
        self.world.write_manifest("[bike-touring]")
        clear(self.tree)
        self.world.must_succeed(self.publish())
        with open(os.path.join(self.tree, NOTES), "w") as file:
            file.write("mine")
        self.save("tree", self.tree)
        self.world.write_manifest("[trail-hiking, bike-touring]")
        self.world.must_succeed()

    def reset(self):
        self.restore("tree", self.tree)

    def publish(self):
        return ["publish", self.world.manifest, "--to", self.tree, "--keep", "1"]

    words = publish

    def check(self):
        if os.path.exists(os.path.join(self.tree, "index.json")):
            self.check_tree((self.world.before, self.world.after))
        self.world.must_succeed(self.words())
        self.check_tree((self.world.after,))
        for folder, _, names in os.walk(self.tree):
            for name in names:
                if name.startswith(".") and name.endswith(".tmp"):
                    raise Broken(os.path.join(folder, name) + " is left")

    def check_tree(self, states):
        """All files that the index names are there and complete, of one of some states."""
        with open(os.path.join(self.tree, "index.json")) as file:
            index = json.load(file)
        for region in index["regions"]:
            files = dict(region["files"], **{"bundle.json": region["record"]})
            for name, record in files.items():
                path = os.path.join(self.tree, "files", record["sha256"], name)
                if digest(path) != record["sha256"]:
                    raise Broken(path + " is not what its name says")
            found = {name: record["sha256"] for name, record in files.items()}
            if found not in [self.world.bundle(state, region["id"]) for state in states]:
                raise Broken("the index names another bundle of %s" % region["id"])
        self.check_notes()

    def check_notes(self):
        if open(os.path.join(self.tree, NOTES)).read() != "mine":
            raise Broken("the user's file in the tree is lost")


class FirstPublish(Publish):
    """cairn publish into a new folder"""

    def reset(self):
        shutil.rmtree(self.tree, ignore_errors=True)

    def check_notes(self):
        pass


class Update(Publish):
    """cairn update, which replaces bundles beside which a user's files are"""

    def prepare(self):
        super().prepare()
        super().reset()
        clear(self.regions)
        self.world.must_succeed([*Update.words(self), *REGIONS])
        put_notes(self.regions)
        self.save("regions", self.regions)
        self.world.must_succeed(self.publish())

    def reset(self):
        self.restore("regions", self.regions)

    def words(self):
        return ["update", self.regions, "file://" + self.tree]

    def check(self):
        for region in REGIONS:
            self.world.check_region(self.regions, region)
            if not os.path.isdir(os.path.join(self.regions, region)) and self.is_installed:
                raise Broken(region + " is gone")
        self.check_notes_of_regions()
        self.world.must_succeed([*Update.words(self), *REGIONS])
        for region in REGIONS:
            found = folder_digests(os.path.join(self.regions, region))
            if found != self.world.bundle(self.world.after, region):
                raise Broken("%s is not the new bundle after another update" % region)
        self.check_notes_of_regions()

    is_installed = True

    def check_notes_of_regions(self):
        check_notes(self.regions)


class FirstUpdate(Update):
    """cairn update, which installs regions"""

    is_installed = False

    def reset(self):
        clear(self.regions)

    def words(self):
        return super().words() + REGIONS

    def check_notes_of_regions(self):
        pass


class UpdateRecovery(Update):
    """cairn update after one that was stopped after the exchange"""

    def prepare(self):
        super().prepare()

        def is_between():
            swapped = os.path.join(self.regions, ".cairn-updates", REGIONS[0] + "+swap")
            found = folder_digests(swapped)
            found.pop(NOTES, None)
            return found == self.world.bundle(self.world.before, REGIONS[0])

        stop_until(self, is_between)
        self.save("regions", self.regions)


SCENES = [First, Run, Recovery, Rollback, FirstPublish, Publish, FirstUpdate, Update, UpdateRecovery]


def stop(scene, number):
    """Restores the state, and ends the command at a step. Whether it has so many."""
    world = scene.world
    scene.reset()
    clear_file(world.mark)
    code, text = world.finish(
        world.start_words(shim("cairn", "step", "kill", number), scene.words()))
    if code != -signal.SIGKILL:
        check_code(code, text, {0})
    return world.struck() > 0


def stop_until(scene, is_wanted):
    """Ends the command at the first step after which something is so."""
    number = 1
    while stop(scene, number):
        if is_wanted():
            return
        number += 1
    raise Broken("no stop leaves the wanted state")
