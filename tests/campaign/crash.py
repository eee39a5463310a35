#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a killed acesim leaves: nothing lost, nothing half, and the same bytes when it is asked again.

  tests/campaign/crash.py ACESIM [--kills N] [--seed S] [--folders DIR,DIR] [KIND...]

Each kind of work is done once and left alone.  Then it is begun again and again, and killed (signal 9)
at a random moment of its time, N times in all [100], on each of the folders in turn (give one on each file
system at hand).  After each kill the files it leaves must be whole or absent; begun again until it ends, it must give
the bytes of the one that was left alone.

  run          iterations of training, and the page about them
  checkpoint   a run that keeps its state, and goes on from it
  output       --output DIR over the results of another run: a result and a timeline are of one run
  timeline     a Chrome trace
  record       the pins of a node, and a waveform made from them
  sweep        points into a database, two at a time
  study        cells, tables, page
  calibrate    experiments into a database, two at a time, then the fit
  search       iterations into a database, two at a time, then the ranking
  train        measured events into a database, then an iteration composed of them, and its picture

The last line says how many kills there were and how many of them lost something.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

COLLECTIVE = ["collective", "all-reduce", "--topology", "4x2x2", "--fold", "off", "--quiet"]

SWEEP = """# SPDX-License-Identifier: Apache-2.0
name: killed
command: [collective all-reduce, collective all-gather]
options: {topology: 2x2x1}
grid:
  size: [64KiB, 100001, 1MiB]
  memory-bandwidth: [32GB/s, 128GB/s]
"""


class Work:
    """A kind of work: commands in a folder, what they leave, and what must then hold."""

    def __init__(self, acesim, folder, rng):
        self.acesim = acesim
        self.folder = folder
        self.logs = folder      # where standard output and errors go
        self.rng = rng

    def path(self, name):
        return os.path.join(self.folder, name)

    def prepare(self):
        """What stands there before the first run."""

    def command(self):
        """The command, as it is begun now: it may look at what a kill has left."""
        raise NotImplementedError

    def result(self):
        """Bytes that must be those of the run left alone."""
        return open(os.path.join(self.logs, "out"), "rb").read()

    def whole(self):
        """After a kill: why something is lost, or nothing."""

    def start(self):
        with open(os.path.join(self.logs, "out"), "wb") as out, open(os.path.join(self.logs, "err"), "wb") as err:
            return subprocess.Popen([self.acesim, *self.command()], stdout=out, stderr=err, cwd=self.folder,
                                    start_new_session=True)


class Run(Work):
    def prepare(self):
        with open(self.path("cluster.yaml"), "w") as file:
            file.write("topology: 2x2x1\n")
        with open(self.path("layers.txt"), "w") as file:
            file.write("DATA\n2\na -1 900 NONE 0 900 NONE 0 9000 ALLREDUCE 400000 90\n"
                       "b -1 900 NONE 0 900 NONE 0 9000 ALLREDUCE 900000 90\n")

    def command(self):
        return ["run", "cluster.yaml", "layers.txt", "--fold", "off", "--fast-forward", "off", "--iterations", "20",
                "--report", "page.html", "--format", "json", "--quiet"]

    def whole(self):
        text = open(self.path("page.html")).read() if os.path.exists(self.path("page.html")) else "</html>"
        return None if text.rstrip().endswith("</html>") else "page.html is cut short"

    def result(self):
        return super().result() + open(self.path("page.html"), "rb").read()


class Checkpoint(Work):
    arguments = COLLECTIVE + ["--size", "4MiB", "--format", "json"]

    def command(self):
        more = ["--checkpoint", "state", "--checkpoint-every", "5000"]
        if os.path.exists(self.path("state")):
            more += ["--resume", "state"]
        return self.arguments + more


class Output(Work):
    """Over the results of another run, of which nothing may be lost before all of the new ones are there."""

    def prepare(self):
        subprocess.run([self.acesim, *COLLECTIVE, "--size", "64KiB", "--output", "kept"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)

    def command(self):
        return COLLECTIVE + ["--size", "512KiB", "--output", "kept"]

    def digests(self):
        result = json.load(open(self.path("kept/result.json")))["config_digest"]
        text = open(self.path("kept/timeline.json")).read()
        json.loads(text)
        return result, re.search(r'"config_digest":"([0-9a-f]*)"', text).group(1)

    def whole(self):
        try:
            self.digests()      # each is whole; that they differ tells that they are of two runs
        except (OSError, ValueError, AttributeError) as error:
            return f"kept: {error}"
        return None

    def result(self):
        a, b = self.digests()
        if a != b:
            raise AssertionError("a result and a timeline of two runs after one that ended")
        return b"".join(open(self.path("kept/" + name), "rb").read() for name in ("result.json", "timeline.json"))


class Timeline(Work):
    def command(self):
        return COLLECTIVE + ["--size", "512KiB", "--timeline", "trace.json", "--format", "json"]

    def whole(self):
        if not os.path.exists(self.path("trace.json")):
            return None
        try:
            json.load(open(self.path("trace.json")))
        except ValueError as error:
            return f"trace.json: {error}"
        return None

    def result(self):
        return open(self.path("trace.json"), "rb").read()


class Record(Work):
    def command(self):
        return COLLECTIVE + ["--size", "128KiB", "--record", "pins", "--record-node", "3"]

    def wave(self):
        return subprocess.run([self.acesim, "wave", "pins", "--from", "900", "--to", "950", "--output", "wave.fst"],
                              cwd=self.folder, capture_output=True, check=False)

    def whole(self):
        done = self.wave()
        if done.returncode not in (0, 2):
            return f"wave of what is left: status {done.returncode}: {done.stderr.decode()[-200:]}"
        return None

    def result(self):
        done = self.wave()
        if done.returncode:
            raise AssertionError(done.stderr.decode()[-200:])
        names = sorted(os.listdir(self.path("pins")))
        return b"".join(open(self.path("pins/" + name), "rb").read() for name in names)


class Sweep(Work):
    def prepare(self):
        with open(self.path("killed.yaml"), "w") as file:
            file.write(SWEEP)

    def command(self):
        return ["sweep", "killed.yaml", "--database", "points.db", "--jobs", "2", "--format", "csv", "--quiet"]

    def whole(self):
        done = subprocess.run([self.acesim, *self.command()[:4], "--list"], cwd=self.folder, capture_output=True,
                              check=False)
        if os.path.exists(self.path("points.db")) and done.returncode:
            return f"the database: status {done.returncode}: {done.stderr.decode()[-200:]}"
        return None


class Study(Work):
    def prepare(self):
        for name in ("small/sweeps", "small/tables"):
            os.makedirs(self.path(name))
        for name, text in (("sweeps/killed.yaml", SWEEP),
                           ("study.yaml", "name: small\nsweeps: [killed]\ntables: [sizes]\npage: page.md\n"),
                           ("tables/sizes.sql", "SELECT point, size, cycles FROM killed\n"),
                           ("page.md", "Sizes:\n\n@table sizes\n")):
            with open(self.path("small/" + name), "w") as file:
                file.write(text)

    def command(self):
        return ["study", "./small", "--output", "made", "--jobs", "2", "--quiet"]

    def result(self):
        kept = []
        for folder, _, names in sorted(os.walk(self.path("made"))):
            kept += [os.path.join(folder, name) for name in sorted(names) if not name.endswith((".db", ".sqlite"))]
        return b"".join(name[len(self.folder):].encode() + open(name, "rb").read() for name in kept)


class Calibrate(Work):
    def prepare(self):
        with open(self.path("small.yaml"), "w") as file:
            file.write("topology: 2x2x1\n")

    def command(self):
        return ["calibrate", "small.yaml", "--output", "fitted", "--quick", "--points", "8", "--jobs", "2", "--quiet"]

    def whole(self):
        if not os.path.exists(self.path("fitted")):
            return None
        done = subprocess.run([self.acesim, "collective", "all-reduce", "--topology", "2x2x1", "--size", "1MiB",
                               "--rung", "calibrated", "--calibration", "fitted", "--quiet"], cwd=self.folder,
                              capture_output=True, check=False)
        return f"the calibration: status {done.returncode}: {done.stderr.decode()[-200:]}" if done.returncode else None

    def result(self):
        return open(self.path("fitted"), "rb").read()


class Search(Work):
    def prepare(self):
        with open(self.path("model.yaml"), "w") as file:
            file.write("architecture: decoder\nlayers: 4\nhidden: 256\nheads: 8\nsequence: 128\nvocabulary: 1024\n")
        with open(self.path("cluster.yaml"), "w") as file:
            file.write("topology: 2x2x2\nnpu: {matrix: 100 TFLOPS}\n")

    # All, as which need not be run depends on which end first.
    def command(self):
        return ["search", "model.yaml", "--cluster", "cluster.yaml", "--batch", "8", "--vary", "none", "--all", "--jobs", "2",
                "--database", "found.db", "--format", "csv", "--quiet"]

    def whole(self):
        if not os.path.exists(self.path("found.db")):
            return None
        done = subprocess.run([self.acesim, *self.command(), "--jobs", "0"], cwd=self.folder, capture_output=True,
                              check=False)
        # A search that is not over exits with status 1 and no message.
        bad = done.returncode not in (0, 1) or done.stderr or not done.stdout
        return f"the database: status {done.returncode}: {done.stderr.decode()[-200:]}" if bad else None


class Train(Search):
    def command(self):
        return ["train", "model.yaml", "--cluster", "cluster.yaml", "--strategy", "tp2.pp2.dp2.m4", "--composed",
                "--events", "events.db", "--svg", "pipeline.svg", "--format", "json", "--quiet"]

    def whole(self):
        if not os.path.exists(self.path("pipeline.svg")):
            return None
        text = open(self.path("pipeline.svg"), encoding="utf-8").read()
        return None if text.rstrip().endswith("</svg>") else "pipeline.svg is cut short"

    def result(self):
        return super().result() + open(self.path("pipeline.svg"), "rb").read()


KINDS = {"run": Run, "checkpoint": Checkpoint, "output": Output, "timeline": Timeline, "record": Record, "sweep": Sweep,
         "study": Study, "calibrate": Calibrate, "search": Search, "train": Train}


def finish(work):
    process = work.start()
    status = process.wait(timeout=300)
    return status, open(os.path.join(work.logs, "err"), "rb").read().decode(errors="replace")[-300:]


def campaign(kind, asked, rng):
    """(kills, lost) of one kind."""
    kills = lost = 0
    folders = asked.folders.split(",")
    with tempfile.TemporaryDirectory(dir=folders[0]) as folder:
        work = KINDS[kind](asked.acesim, folder, rng)
        work.prepare()
        began = time.monotonic()
        status, said = finish(work)
        took = time.monotonic() - began
        if status:
            print(f"FAIL {kind}: left alone it ends with status {status}: {said}")
            return 0, 1
        alone = work.result()
    while kills < asked.kills:
        with tempfile.TemporaryDirectory(dir=folders[kills % len(folders)]) as folder:
            work = KINDS[kind](asked.acesim, folder, rng)
            work.prepare()
            why = None
            for _ in range(rng.randint(1, 4)):      # killed a few times, one after the other
                process = work.start()
                try:
                    process.wait(timeout=rng.uniform(0, 1.05 * took))
                    break                           # it has ended before
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    kills += 1
                why = why or work.whole()
            status, said = finish(work)
            if not why and status:
                why = f"begun again it ends with status {status}: {said}"
            try:
                if not why and work.result() != alone:
                    why = "other bytes than those of the one left alone"
            except (OSError, ValueError, AssertionError) as error:
                why = why or str(error)
            if why:
                lost += 1
                print(f"FAIL {kind}, {kills} kills, in {folder}: {why}", flush=True)
    return kills, lost


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", default=tempfile.gettempdir())
    parser.add_argument("kinds", nargs="*")
    asked = parser.parse_intermixed_args()
    asked.acesim = os.path.realpath(asked.acesim)
    failed = 0
    for kind in asked.kinds or KINDS:
        kills, lost = campaign(kind, asked, random.Random(f"{kind} {asked.seed}"))
        failed += lost
        print(f"{kind}: killed {kills} times, {lost} lost something", flush=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
