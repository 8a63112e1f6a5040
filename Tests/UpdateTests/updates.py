#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nights of edited data, published and served from this machine, and an updater that is killed.

  updates.py --bin DIR --pbf EXTRACT [--nights 10] [--kills 200] [--seed 1] [--other EXTRACT]

Each night a thousandth of the ways is edited (tags, moved nodes, ways removed), the region is built
and published, and cairn update is killed at random instants and meets a server that lies about
lengths, stops, is slow, sends something else or another version's delta, has no files, no signature,
that of another key or the index of two nights before, and a disk that is full. After each call the installed bundle must be that of
the night before or of this one, byte for byte; at the end of the night it must be this one's. Prints
how many bytes were sent, and with --other what an update to that extract takes.
"""
import argparse
import hashlib
import http.server
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

MANIFEST = """cairn: 1
name: updates
output: out
sources: { now: { pbf: now.osm.pbf } }
elevation: %s
deltas: { keep: 3 }
regions: [{ id: region, name: Region, source: now, bbox: [%s] }]
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves a folder with ranges and strong tags, and does what `fault` says."""
    root = fault = None
    # What is served in place of the signature, and of deltas with the fault of that name.
    signature = delta = None
    sent = 0
    seconds_per_piece = 0.0
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = os.path.join(self.root, self.path.lstrip("/"))
        fault = Handler.fault if self.path.startswith(("/files", "/deltas")) else None
        unsigned = self.path == "/index.json.sig" and Handler.signature == b""
        if not os.path.isfile(path) or fault == "missing" or unsigned:
            self.send_error(404)
            return
        with open(path, "rb") as file:
            data = file.read()
        if self.path == "/index.json.sig" and Handler.signature is not None:
            data = Handler.signature
        if fault == "delta" and self.path.startswith("/deltas"):
            data = Handler.delta
        tag = '"%s"' % hashlib.sha256(data).hexdigest()[:16]
        if fault == "other":
            # Half of it is of another version, and the server does not say so.
            data = data[:len(data) // 2] + os.urandom(len(data) - len(data) // 2)
        start, whole = 0, len(data)
        wanted = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if wanted and int(wanted[1]) < whole:
            start = int(wanted[1])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{whole - 1}/{whole}")
        else:
            self.send_response(200)
        data = data[start:]
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(data) + (1000 if fault == "lies" else 0)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        if fault == "stops":
            data = data[:len(data) // 2]
        for at in range(0, len(data), 16384):
            if fault == "slow":
                time.sleep(30)
            elif Handler.seconds_per_piece:
                time.sleep(Handler.seconds_per_piece)
            try:
                self.wfile.write(data[at:at + 16384])
            except OSError:
                return
            Handler.sent += len(data[at:at + 16384])


def content(folder):
    """The files of a folder by their digests; None without the folder."""
    if not os.path.isdir(folder):
        return None
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


class Nights:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.random = random.Random(options.seed)
        self.lines = self.read(options.pbf)
        self.signatures = []
        box = options.bbox or self.box()
        hgt = f"[{{ hgt: {options.hgt} }}]" if options.hgt else "none"
        self.write("m.yaml", (MANIFEST % (hgt, box)).encode())
        self.cairn("keygen", "key")
        handler = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Handler.root = self.path("tree")
        self.url = f"http://127.0.0.1:{handler.server_port}"
        threading.Thread(target=handler.serve_forever, daemon=True).start()

    def box(self):
        """The edges of all nodes."""
        places = [re.search(r" x(-?[0-9.]+) y(-?[0-9.]+)", line) for line in self.lines
                  if line.startswith("n")]
        longitudes = [float(place[1]) for place in places if place]
        latitudes = [float(place[2]) for place in places if place]
        return "%.3f, %.3f, %.3f, %.3f" % (min(longitudes), min(latitudes), max(longitudes),
                                           max(latitudes))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def read(self, pbf):
        text = subprocess.run(["osmium", "cat", pbf, "-f", "opl"], check=True,
                              capture_output=True).stdout.decode()
        return text.split("\n")

    def cairn(self, *words, check=True, **more):
        result = subprocess.run([os.path.join(self.options.bin, "cairn"), *words], cwd=self.folder,
                                capture_output=True, check=False, **more)
        if check and result.returncode != 0:
            sys.exit(f"cairn {' '.join(words)}: {result.stderr.decode()}")
        return result

    def edit(self):
        """Edits a thousandth of the ways. Returns how many."""
        ways = [i for i, line in enumerate(self.lines) if line.startswith("w") and "highway=" in line]
        nodes = {line[:line.index(" ")]: i for i, line in enumerate(self.lines)
                 if line.startswith("n")}
        chosen = self.random.sample(ways, max(1, len(ways) // 1000))
        for i in chosen:
            line, kind = self.lines[i], self.random.randrange(4)
            if kind == 0:
                self.lines[i] = ""
            elif kind == 1:
                tags = re.sub(r",surface=[^, ]*|surface=[^, ]*,", "", line)
                surface = self.random.choice(["gravel", "asphalt", "ground"])
                self.lines[i] = tags.replace("highway=", f"surface={surface},highway=", 1)
            else:
                refs = line[line.rindex(" N") + 2:].split(",")
                at = nodes.get(self.random.choice(refs))
                if at is not None:
                    self.lines[at] = re.sub(
                        r" x(-?[0-9.]+)",
                        lambda found: " x%.7f" % (float(found[1]) + self.random.uniform(-1, 1) * 2e-4),
                        self.lines[at])
        return len(chosen)

    def build(self, *, pbf=None):
        if pbf is None:
            self.write("now.opl", "\n".join(line for line in self.lines if line).encode() + b"\n")
            pbf = self.path("now.opl")
        # Written beside and renamed, as a download would be.
        subprocess.run(["osmium", "cat", pbf, "-o", self.path("next.osm.pbf"), "--overwrite"],
                       check=True, capture_output=True)
        os.rename(self.path("next.osm.pbf"), self.path("now.osm.pbf"))
        self.cairn("run", "-q", "m.yaml", "--accept-drift", "region",
                   *(["--bin", self.options.stages] if self.options.stages else []))
        self.cairn("publish", "-q", "m.yaml", "--to", "tree", "--sign", "key")
        with open(self.path("tree/index.json.sig"), "rb") as file:
            self.signatures.append(file.read())
        return content(self.path("out/region"))

    def update(self, *more, **options):
        return self.cairn("update", "-q", "regions", self.url, "region", "--key", "key.pub",
                          "--stall", "2", "--retries", "0", *more, **options)

    def installed(self):
        return content(self.path("regions/region"))

    def expect(self, allowed, what):
        found = self.installed()
        if found not in allowed:
            sys.exit(f"{what}: the installed bundle is neither the old one nor the new one")
        return found

    def killed(self, seconds):
        """An update that is killed after a time, every other time without its downloads."""
        process = subprocess.Popen(
            [os.path.join(self.options.bin, "cairn"), "update", "-q", "regions", self.url, "region",
             "--key", "key.pub", "--stall", "5"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.random.uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.expect_nobody()
        return process.returncode == -signal.SIGKILL

    def expect_nobody(self):
        """Nothing goes on downloading where the updater was killed."""
        deadline = time.monotonic() + 5
        while self.downloads():
            if time.monotonic() > deadline:
                sys.exit("killed: a download goes on without its updater")
            time.sleep(0.001)

    def downloads(self):
        """Programs that were started with the URL of the tree."""
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if self.url.encode() in file.read():
                        found.append(name)
            except OSError:
                pass
        return found

    def night(self, old, kills):
        edited = self.edit()
        new = self.build()
        self.refused(old)
        # A full disk, as far as a limit of file sizes is one.
        self.update(check=False, preexec_fn=limit_files)
        self.expect([old], "no space")
        for fault in ["lies", "stops", "other", "missing", "slow"]:
            Handler.fault = fault
            self.update(check=False)
            self.expect([old, new], fault)
            if self.installed() == new:
                # The files were all there; the next fault meets nothing.
                break
        Handler.fault = None
        self.restore(old)
        # Deltas of another version cost whole files.
        Handler.fault, Handler.delta = "delta", self.a_delta()
        self.update()
        self.expect([new], "delta")
        Handler.fault = None
        self.restore(old)
        # As long as a whole call takes: the last instants count, too.
        Handler.seconds_per_piece = 0.05
        killed = 0
        while killed < kills:
            killed += self.killed(self.options.longest)
            self.expect([old, new], "killed")
            if self.installed() == new:
                # Begun anew, with the old bundle in place.
                self.restore(old)
        Handler.seconds_per_piece = 0.0
        self.restore(old)
        Handler.sent = 0
        self.update()
        self.expect([new], "updated")
        return new, edited, killed

    def refused(self, old):
        """Indexes that the updater must not take."""
        signed = self.signatures[-1]
        other = json.loads(signed)
        other["signature"] = other["signature"][::-1]
        found = [("changed", json.dumps(other).encode()), ("no signature", b"")]
        if len(self.signatures) > 2:
            found.append(("old", self.signatures[-3]))
        for what, signature in found:
            Handler.signature = signature
            status = self.update(check=False).returncode
            if status != 65:
                sys.exit(f"{what}: exit code {status}, not 65")
            self.expect([old], what)
        Handler.signature = None

    def a_delta(self):
        """Some delta of the tree."""
        for folder, _, names in sorted(os.walk(self.path("tree/deltas"))):
            for name in sorted(names):
                with open(os.path.join(folder, name), "rb") as file:
                    return file.read()
        sys.exit("the tree has no delta")

    def keep(self):
        subprocess.run(["rm", "-rf", self.path("kept")], check=True)
        subprocess.run(["cp", "-a", self.path("regions/region"), self.path("kept")], check=True)

    def restore(self, old):
        if old is None:
            return
        for path in ["regions/region", "regions/.cairn-updates"]:
            subprocess.run(["rm", "-rf", self.path(path)], check=True)
        subprocess.run(["cp", "-a", self.path("kept"), self.path("regions/region")], check=True)
        self.expect([old], "restored")


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def size(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="the folder of the executables")
    parser.add_argument("--stages", help="the folder of the stages, if it is another one")
    parser.add_argument("--pbf", required=True, help="the extract that is edited")
    parser.add_argument("--hgt", help="a folder of elevations")
    parser.add_argument("--bbox", help="west, south, east, north of the region (default: all of it)")
    parser.add_argument("--other", help="an extract of another time")
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--kills", type=int, default=200, help="in all nights together")
    parser.add_argument("--longest", type=float, default=2.5, help="seconds before a kill at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in ["bin", "stages", "pbf", "hgt", "other"]:
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    with tempfile.TemporaryDirectory() as folder:
        nights = Nights(options, folder)
        old = nights.build()
        nights.update()
        nights.expect([old], "installed")
        print(f"night 0: {Handler.sent} bytes sent, {size(nights.path('regions/region'))} installed",
              flush=True)
        total = 0
        for number in range(1, options.nights + 1):
            nights.keep()
            old, edited, killed = nights.night(old, options.kills // options.nights)
            total += killed
            print(f"night {number}: {edited} ways edited, killed {killed} times; {Handler.sent} bytes "
                  f"sent for {size(nights.path('regions/region'))}", flush=True)
        # A month in one step.
        nights.keep()
        edited = sum(nights.edit() for _ in range(30))
        new = nights.build()
        Handler.sent = 0
        nights.update()
        nights.expect([new], "a month")
        print(f"a month: {edited} ways edited; {Handler.sent} bytes sent for "
              f"{size(nights.path('regions/region'))}", flush=True)
        if options.other:
            # As much as can change: the extract of another time, and back.
            nights.keep()
            for pbf in [options.other, options.pbf]:
                new = nights.build(pbf=pbf)
                Handler.sent = 0
                nights.update()
                nights.expect([new], "another extract")
                print(f"{os.path.basename(pbf)}: {Handler.sent} bytes sent for "
                      f"{size(nights.path('regions/region'))}", flush=True)
        print(f"passed: {total} kills in {options.nights} nights")


if __name__ == "__main__":
    main()
