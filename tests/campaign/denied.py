#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an acesim leaves that is denied what it needs: it says so, nothing that was there is lost, and asked
again it gives the same bytes.

  tests/campaign/denied.py ACESIM [--most N] [--seed S] [--of WORK,WORK] [WHAT...]

Each kind of work of crash.py is done once and left alone, which tells what it needs.  Then it is denied

  disk          pages of a file system: none left, one, two and so on, until there are enough
  inodes        files of a file system: none left, one, two and so on
  read-only     a file system that can be written
  quota         a write to a file: the first, the second and so on ends with EDQUOT (where strace is installed)
  descriptors   open files: as many as a process has at least, one more and so on

at most N of each [50], drawn at random where there are more.  Each run must end with status 0 and the bytes of the one
left alone, or with another status of its own and a message; what it leaves must be whole or absent; and given
everything it must then give those bytes.  File systems are tmpfs, in a mount namespace of this program's own.

The last line says how many denials there were and how many of them ended badly.
"""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import crash

LIMIT = 120                 # seconds of a run
SKIPPED = 77
ROOM = "size=1g,nr_inodes=100000"
PAGE = os.sysconf("SC_PAGE_SIZE")


class Disk:
    """A tmpfs on a folder."""

    def __init__(self, at):
        self.at = at
        subprocess.run(["mount", "-t", "tmpfs", "-o", ROOM, "none", at], check=True)

    def give(self, options=ROOM + ",rw"):
        subprocess.run(["mount", "-o", "remount," + options, self.at], check=True)

    def used(self):
        """Pages and inodes."""
        s = os.statvfs(self.at)
        return (s.f_blocks - s.f_bfree) * s.f_frsize // PAGE, s.f_files - s.f_ffree

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.at], check=True)


def run(work, logs, before=(), limit=None):
    """(status, what it said) of the work's command, whose standard output goes to where results are read."""
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with open(os.path.join(logs, "out"), "wb") as out, open(os.path.join(logs, "err"), "wb") as err:
        done = subprocess.run([*before, work.acesim, *work.command()], stdout=out, stderr=err, cwd=work.folder,
                              timeout=LIMIT, check=False, preexec_fn=limited)
    with open(os.path.join(logs, "err"), errors="replace") as said:
        return done.returncode, said.read()


def strace(more):
    return ["strace", "-f", "-qq", "-e", "trace=write,pwrite64,writev", "-e", "signal=none", *more]


def writes(work, logs):
    """Most writes of one process of the work."""
    trace = os.path.join(logs, "trace")
    run(work, logs, strace(["-o", trace]))
    counts = {}
    with open(trace, errors="replace") as file:
        for line in file:
            if re.match(r"\d+ +\w+\(", line):
                process = line.split()[0]
                counts[process] = counts.get(process, 0) + 1
    os.unlink(trace)
    return max(counts.values(), default=0)


def silenced(trace):
    """Was the message itself refused?  strace counts each kind of write by itself, those to the terminal too."""
    with open(trace, errors="replace") as file:
        return any("write(2," in line and "INJECTED" in line for line in file)


class Trial:
    """A kind of work on a disk of its own."""

    def __init__(self, kind, acesim, logs, rng):
        self.kind, self.acesim, self.logs, self.rng = kind, acesim, logs, rng
        self.folder = tempfile.mkdtemp(dir=logs)

    def begin(self):
        work = crash.KINDS[self.kind](self.acesim, self.folder, self.rng)
        work.logs = self.logs
        work.prepare()
        return work

    def alone(self):
        """What the work needs, and what it must give."""
        with Disk(self.folder) as disk:
            work = self.begin()
            pages, inodes = disk.used()
            status, said = run(work, self.logs)
            if status:
                raise RuntimeError(f"left alone it ends with status {status}: {said[-300:]}")
            used = disk.used()
            self.expected = work.result()
            # A temporary file, such as a new file next to the one it replaces or a journal, takes at most the same
            # space again.
            self.needs = {"disk": 2 * (used[0] - pages) + 4, "inodes": used[1] - inodes + 8, "read-only": 1, "descriptors": 32}
        if shutil.which("strace"):
            with Disk(self.folder):
                self.needs["quota"] = writes(self.begin(), self.logs)

    def denied(self, what, level):
        """Why it ended badly, or nothing; and whether it was told."""
        with Disk(self.folder) as disk:
            work = self.begin()
            pages, inodes = disk.used()
            before, limit, trace = (), None, os.path.join(self.logs, "injected")
            if what == "disk":
                disk.give(f"size={max(1, pages + level) * PAGE}")
            elif what == "inodes":
                disk.give(f"nr_inodes={inodes + level}")
            elif what == "read-only":
                disk.give("ro")
            elif what == "quota":
                before = strace(["-o", trace, "-e", f"inject=write,pwrite64,writev:error=EDQUOT:when={level + 1}"])
            else:
                limit = 3 + level
            try:
                status, said = run(work, self.logs, before, limit)
            except subprocess.TimeoutExpired:
                return "no end", True
            disk.give()
            if status < 0 or status > 128:
                return f"status {status}: {said[-200:]}", True
            if status and not said.strip() and not (what == "quota" and silenced(trace)):
                return f"status {status} without a word", True
            try:
                if not status and work.result() != self.expected:
                    return "status 0, and other bytes than those of the one left alone", False
                why = work.whole()
                if why:
                    return why, True
                again, words = run(work, self.logs)
                if again:
                    return f"asked again it ends with status {again}: {words[-200:]}", True
                if work.result() != self.expected:
                    return "asked again it gives other bytes than the one left alone", True
            except (OSError, ValueError, AssertionError) as error:
                return f"after status {status}: {error}", True
            return None, status != 0


def campaign(what, kinds, asked, logs):
    """(denials, told, bad)."""
    tried = told = bad = 0
    for kind in kinds:
        rng = random.Random(f"{kind} {what} {asked.seed}")
        trial = Trial(kind, asked.acesim, logs, rng)
        trial.alone()
        if what not in trial.needs:
            print(f"{what}: strace is not installed")
            return 0, 0, 0
        levels = range(trial.needs[what])
        if len(levels) > asked.most:
            levels = sorted(rng.sample(levels, asked.most))
        for level in levels:
            why, was_told = trial.denied(what, level)
            tried += 1
            told += was_told
            if why:
                bad += 1
                print(f"FAIL {what} {level}, {kind}: {why}", flush=True)
    return tried, told, bad


def main():
    whats = ["disk", "inodes", "read-only", "quota", "descriptors"]
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--most", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", default=",".join(crash.KINDS))
    parser.add_argument("whats", nargs="*")
    asked = parser.parse_intermixed_args()
    asked.acesim = os.path.realpath(asked.acesim)
    if "ACESIM_DENIED" not in os.environ:    # begins again in a mount namespace of its own
        os.environ["ACESIM_DENIED"] = "1"
        own = ["unshare", *([] if os.getuid() == 0 else ["-r"]), "-m"]
        if subprocess.run([*own, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()], check=False).returncode:
            print("denied.py: not allowed to mount a file system of its own: skipped")
            return SKIPPED
        os.execvp("unshare", [*own, sys.executable, *sys.argv])
    all_tried = all_bad = 0
    with tempfile.TemporaryDirectory() as logs:
        for what in asked.whats or whats:
            tried, told, bad = campaign(what, asked.of.split(","), asked, logs)
            all_tried += tried
            all_bad += bad
            print(f"{what}: denied {tried} times, told {told}, {bad} ended badly", flush=True)
    print(f"denied: {all_tried} times, {all_bad} ended badly")
    return all_bad != 0 or all_tried == 0


if __name__ == "__main__":
    sys.exit(main())
