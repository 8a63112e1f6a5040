# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of documents and compares what they print with what the documents show.

A block ```console has lines that begin with "$ ", continued after a backslash, and below each what it
prints on stdout. "…" stands for anything within a line, and alone on a line for any lines; a command
without output below is only run. Every command must end with 0, or with the code of a line "# exit N".
All pages run in one folder, which has sample-data, pipelines, Examples and a photo, hut.jpg: README.md
first, then the pages in the order of docs/README.md, each block after the one above it. A program or
profile that a page says to "save as" a file is saved for its commands. A command that ends with " &" is
a server: until the end of the page it serves a free port instead of 8080.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def pages():
    """README.md, and the pages with commands in the order of docs/README.md."""
    index = open(os.path.join(ROOT, "docs/README.md"), encoding="utf-8").read()
    linked = ["README.md"]
    for name in re.findall(r"\]\(([\w./-]+\.md)", index):
        page = os.path.normpath(os.path.join("docs", name))
        text = open(os.path.join(ROOT, page), encoding="utf-8").read()
        if page not in linked and "```console\n" in text:
            linked.append(page)
    return linked


def commands(text):
    """The commands of a page with the line, the expected lines, and the expected exit code."""
    found = []
    for block in re.finditer(r"^```console\n(.*?)^```$", text, re.M | re.S):
        number = text.count("\n", 0, block.start(1)) + 1
        for offset, line in enumerate(block.group(1).splitlines()):
            if line.startswith("$ "):
                found.append({"line": number + offset, "command": line[2:], "output": [], "code": 0})
            elif found and found[-1]["command"].endswith("\\"):
                found[-1]["command"] += "\n" + line
            elif found and re.fullmatch(r"# exit \d+", line):
                found[-1]["code"] = int(line.split()[2])
            elif found:
                found[-1]["output"].append(line)
            else:
                raise SystemExit("line %d: output without a command" % (number + offset))
    return found


def pattern(lines):
    """A regular expression for the lines of an output, in which no-break spaces are spaces."""
    parts = []
    for line in lines:
        if line == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append("".join(".*?" if c == "…" else re.escape(c) for c in line.rstrip()) + r"[ ]*\n")
    return re.compile("".join(parts))


def run_command(command, folder, environment, servers):
    """Runs a command to its end, or starts a server, which later commands find on its own port."""
    if command.endswith(" &"):
        servers.append(Server(command[:-2], folder, environment))
        return servers[-1].started
    for server in servers:
        command = command.replace("localhost:8080", server.host)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=120)


def check_page(page, folder, binaries):
    """Runs a page in a folder; returns what is wrong and how many commands there were."""
    text = open(os.path.join(ROOT, page), encoding="utf-8").read()
    problems, found = [], commands(text)
    for name, content in re.findall(r"[Ss]ave\s+(?:it|this)\s+as\s+`(\w+\.(?:py|yaml))`[.:]\n\n"
                                    r"```(?:python|yaml)\n(.*?)^```$", text, re.M | re.S):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    environment = dict(os.environ, PATH=binaries + ":" + os.environ["PATH"], LC_ALL="C.UTF-8",
                       CAIRN_CACHE=os.path.join(folder, "cache"), NO_COLOR="1")
    servers = []
    try:
        for item in found:
            run = run_command(item["command"], folder, environment, servers)
            place = "%s:%d: %s" % (page, item["line"], item["command"])
            if run.returncode != item["code"]:
                problems.append("%s\n  ended with %d, not %d: %s"
                                % (place, run.returncode, item["code"], run.stderr.strip()))
            elif item["output"] and not pattern(item["output"]).fullmatch(run.stdout.replace("\u00a0", " ")):
                problems.append("%s\n  prints something else:\n%s" % (place, run.stdout))
    finally:
        for server in servers:
            server.stop()
    return problems, len(found)


class Server:
    """A server on a free port, with the line that it prints first as if that were port 8080."""

    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(["bash", "-c", "exec " + command + " --port 0"], cwd=folder,
                                        env=environment, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        self.host = (re.findall(r"localhost:\d+", line) or ["localhost:8080"])[0]
        self.started = subprocess.CompletedProcess(command, 0 if line else self.process.wait(),
                                                   line.replace(self.host, "localhost:8080"), "")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="the folder of the executables")
    parser.add_argument("pages", nargs="*", help="only these")
    arguments = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="cairn-docs-") as folder:
        for name in ("sample-data", "pipelines", "Examples"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
        shutil.copy(os.path.join(ROOT, "Tests/Fixtures/progressive.jpg"), os.path.join(folder, "hut.jpg"))
        for page in arguments.pages or pages():
            problems, count = check_page(page, folder, os.path.abspath(arguments.bin))
            print("%s: %d commands, %d wrong" % (page, count, len(problems)))
            bad += len(problems)
            if not count:
                bad += 1
                print("  a page without commands tests nothing")
            for problem in problems:
                print(problem)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
