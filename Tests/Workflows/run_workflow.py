#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_workflow.py WORKFLOW [JOB…]: runs the `run:` lines of a workflow's Linux jobs on this machine.

Each job gets a fresh clone of HEAD, as `actions/checkout` would give it, and the workflow's
environment. Other actions are named and skipped. Needs root, as the jobs' containers have it.
Prints a line for each step and ends with 1 if any failed.
"""
import os
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def run_job(name, job, environment):
    """Whether every line of the job ended with 0."""
    with tempfile.TemporaryDirectory(prefix="cairn-workflow-") as folder:
        # Real extracts are beside the checkout, if anywhere.
        clone = os.path.join(folder, "checkout")
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
        for step in job["steps"]:
            if "run" not in step:
                print(f"{name}: uses {step['uses']}", flush=True)
                continue
            start = time.monotonic()
            status = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=clone, env={**os.environ, **environment, **job.get("env", {})},
                stdin=subprocess.DEVNULL, check=False).returncode
            seconds = time.monotonic() - start
            print(f"{name}: {step['run'].strip()}: exit {status}, {seconds:.0f} s", flush=True)
            if status != 0:
                return False
    return True


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: run_workflow.py WORKFLOW [JOB…]")
    path = os.path.join(ROOT, ".github", "workflows", f"{sys.argv[1]}.yml")
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    jobs = workflow["jobs"]
    chosen = sys.argv[2:] or list(jobs)
    unknown = [name for name in chosen if name not in jobs]
    if unknown:
        sys.exit(f"{path}: no job {', '.join(unknown)}; there are {', '.join(jobs)}")
    elsewhere = [name for name in chosen if not jobs[name]["runs-on"].startswith("ubuntu")]
    if elsewhere:
        sys.exit(f"{path}: {', '.join(elsewhere)} runs on {jobs[elsewhere[0]]['runs-on']}, not here")
    environment = {key: str(value) for key, value in workflow.get("env", {}).items()}
    failed = [name for name in chosen if not run_job(name, jobs[name], environment)]
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
