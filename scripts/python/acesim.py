# SPDX-License-Identifier: Apache-2.0
"""Runs acesim and reads its results; one file, the standard library alone.

    import acesim

    result = acesim.collective("all-reduce", topology="4x4x4", size="16MiB")
    print(result.cycles, result.network_bandwidth_GBps)

    training = acesim.run("clusters/torus-4x2x2.yaml", "resnet50.yaml", iterations=2)
    print([i.exposed_communication_cycles for i in training.iterations])

    for point in acesim.sweep({"name": "sizes", "command": "collective all-reduce",
                               "grid": {"size": ["1MiB", "16MiB"]}}, jobs=2):
        print(point.options["size"], point.result.cycles)

    for one in acesim.search("models/gpt2-345m.yaml", "clusters/torus-4x2x2.yaml", batch=16,
                             layers=2, sequence=128, endpoint="ideal"):
        print(one.strategy, one.training.tokens_per_s if one.training else one.state)

Every other command is called by its words, and gives what it prints: the JSON's own objects with
format="json", else the text.

    acesim.command("plan", "footprint", "models/gpt2-345m.yaml", "tp2.dp2", format="json")

Options are those of the command line with underscores for hyphens: `memory_bandwidth="64GB/s"` is
`--memory-bandwidth 64GB/s`.

    True          the option without a value: check=True is --check
    None          as if it were not given
    a list        its items with commas between: algorithm=["ring", "direct"]
    name_         an option whose name is a word of Python: from_=2 is --from 2

False is refused, as it would not say which value is meant: None leaves an option out, and those
that are switched take "on" or "off".

Whatever acesim refuses, and whatever check of its fails, raises AcesimError with the message and
the exit status.  The program is the one that the environment variable ACESIM names, else that of
the tree or the installation this file lies in, else `acesim` of the PATH; `Program("path")` has the
same functions for any other.

A result says what was run: `result.data["command"]` and `result.data["config_digest"]`.  The same
command gives the same bytes, so a result may be kept (`save`, `load`) in the place of its run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile

__all__ = ["AcesimError", "Iteration", "Result", "Training", "Strategy", "Point", "Program",
           "collective", "run", "train", "search", "calibrate", "sweep", "command", "read_sweep",
           "load", "version"]


class AcesimError(Exception):
    """What acesim said when it did not succeed.

    message   its words, as on the terminal
    status    its exit status: 1 a check failed, 2 bad usage or input, below 0 ended by that signal;
              None where it was not run
    command   the words it was run with
    result    what it had printed nevertheless: a Result, or the points of a sweep; or None
    """

    def __init__(self, message, status=None, command=(), result=None):
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = tuple(command)
        self.result = result


@dataclasses.dataclass(frozen=True)
class Iteration:
    """One iteration of training."""

    iteration: int
    cycles: int
    time_us: float
    compute_cycles: int
    exposed_communication_cycles: int
    contention_cycles: int
    forward_cycles: int


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a collective or of training.  `data` is all of the JSON; what has no meaning
    for a run, such as the bandwidth of a barrier, is None."""

    cycles: int
    time_us: float
    bytes_sent_per_npu: int
    check: str
    config_digest: str
    network_bandwidth_GBps: float | None = None
    ideal_network_bandwidth_GBps: float | None = None
    fraction_of_ideal: float | None = None
    compute_cycles: int | None = None
    exposed_communication_cycles: int | None = None
    iterations: tuple[Iteration, ...] = ()
    data: dict = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_data(cls, data):
        """From the JSON of a result.  AcesimError: it is none of acesim's."""
        if not isinstance(data, dict) or data.get("tool") != "acesim":
            raise AcesimError("found JSON of another tool, expected a result of acesim")
        iterations = tuple(_take(Iteration, i) for i in data.get("iterations", ()))
        return _take(cls, {**data, "iterations": iterations, "data": data})

    def save(self, path):
        """Writes the JSON, for `load` and for acesim report and explain."""
        _write(self.data, path)


def _write(data, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")


@dataclasses.dataclass(frozen=True)
class Training:
    """An iteration of a model under a strategy.  `data` is all of the JSON, `stages` too."""

    model: str
    strategy: str
    topology: str
    cycles: int
    time_us: float
    compute_cycles: float
    exposed_communication_cycles: float
    bubble_cycles: float
    tokens_per_s: float
    model_flops_utilization: float
    memory_peak_bytes: int
    config_digest: str
    data: dict = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_data(cls, data):
        """From the JSON of acesim train.  AcesimError: it is none."""
        if not isinstance(data, dict) or data.get("command", [None])[0] != "train":
            raise AcesimError("found no result of acesim train, expected one")
        return _take(cls, {**data, "data": data})

    def save(self, path):
        """Writes the JSON, for acesim explain, report and diff."""
        _write(self.data, path)


@dataclasses.dataclass(frozen=True)
class Strategy:
    """A strategy that a search has met.  `training` is None unless `state` is "done"."""

    strategy: str
    placement: str
    state: str
    memory_peak_bytes: int
    bound_cycles: int
    training: Training | None


@dataclasses.dataclass(frozen=True)
class Point:
    """A point of a sweep.  `result` is None unless `state` is "done"; then `message` says why."""

    options: dict
    state: str
    message: str | None
    result: Result | None
    command: str


def _take(cls, data):
    """The fields of cls that data has."""
    try:
        return cls(**{f.name: data[f.name] for f in dataclasses.fields(cls) if f.name in data})
    except TypeError as error:
        raise AcesimError(f"found a result without all its keys, expected one of a collective or "
                          f"of training: {error}") from None


def _words(options):
    """The words of the command line for the options of a call."""
    words = []
    for name, value in options.items():
        name = name.rstrip("_").replace("_", "-")
        if value is None:
            continue
        if value is False:
            raise TypeError(f"found {name}=False, expected None to leave the option out, or 'off' "
                            f"where it is switched")
        if value is True:
            words.append(f"--{name}")
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(str(item) for item in value)
        words.append(f"--{name}={value}")
    return words


def _find():
    """The program, where nobody names one."""
    named = os.environ.get("ACESIM")
    if named:
        return named
    here = pathlib.Path(__file__).resolve()
    # scripts/python of the source tree; share/acesim/python of an installation
    near = [above / "build/release/acesim" for above in here.parents[2:3]]
    near += [above / "bin/acesim" for above in here.parents[3:4]]
    for program in near:
        if os.access(program, os.X_OK):
            return str(program)
    found = shutil.which("acesim")
    if found:
        return found
    raise AcesimError("found no acesim, expected it in the PATH, named by the environment variable "
                      "ACESIM, or at " + " or ".join(str(program) for program in near))


class Program:
    """An acesim to be run: the functions of this module for a program of one's own choice."""

    def __init__(self, path=None):
        self.path = os.fspath(path) if path is not None else _find()

    def _run(self, words, read):
        """Runs it with these words; what read() makes of the output, if that is a result."""
        command = [self.path, *words]
        try:
            done = subprocess.run(command, capture_output=True, check=False, text=True,
                                  encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL)
        except OSError as error:
            raise AcesimError(f"{self.path}: {error.strerror}, expected a program that can be run",
                              command=command) from None
        message = done.stderr.strip()
        try:
            result = read(done.stdout)
        except ValueError:
            if done.returncode == 0:
                raise AcesimError(f"{self.path}: found output that is not what it should print",
                                  0, command) from None
            result = None
        if done.returncode == 0:
            return result
        if done.returncode < 0:
            message = f"{message}\nended by {signal.Signals(-done.returncode).name}".strip()
        raise AcesimError(message or f"exit status {done.returncode}", done.returncode, command,
                          result)

    def version(self):
        """What --version prints."""
        return self._run(["--version"], str.strip)

    def collective(self, kind, /, **options):
        """Runs one collective.  -> Result"""
        return self._run(["collective", kind, *self._words(options), "--format=json"], _read_result)

    def run(self, cluster, workload, /, **options):
        """Runs training iterations of a workload on a cluster, both files.  -> Result"""
        files = [os.fspath(cluster), os.fspath(workload)]
        return self._run(["run", *files, *self._words(options), "--format=json"], _read_result)

    def train(self, model, cluster, strategy, /, **options):
        """Runs an iteration of a model under a strategy such as "tp8.dp2".  -> Training"""
        words = _words({"cluster": os.fspath(cluster), "strategy": strategy})
        return self._run(["train", os.fspath(model), *words, *self._words(options),
                          "--format=json"], lambda text: Training.from_data(json.loads(text)))

    def search(self, model, cluster, /, batch, database=None, **options):
        """Ranks the strategies that divide a model over a cluster.  -> list of Strategy, the best first

        database  SQLite, where results are kept and found again; None: they are not kept
        """
        with contextlib.ExitStack() as stack:
            if database is None:
                folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
                database = folder / "search.sqlite"
            words = _words({"cluster": os.fspath(cluster), "batch": batch,
                            "database": os.fspath(database), **self._checked(options)})
            return self._run(["search", os.fspath(model), *words, "--format=json"],
                             _read_strategies)

    def calibrate(self, cluster, output, /, **options):
        """Measures a cluster and writes its calibration, which collective(), run() and train() take
        with rung="calibrated" and calibration=output.  -> the table of its errors, as text"""
        words = _words({"output": os.fspath(output), **options})
        return self._run(["calibrate", os.fspath(cluster), *words], str)

    def command(self, *words, **options):
        """Runs any command of acesim.  -> what its JSON says with format="json", else its text"""
        read = json.loads if options.get("format") == "json" else str
        return self._run([*map(os.fspath, words), *_words(options)], read)

    def sweep(self, file, /, database=None, jobs=1, **options):
        """Runs the points of a sweep that have not been run yet.  -> list of Point, all of them.

        file      SWEEP.yaml, or a mapping with what would be in it
        database  SQLite, where results are kept and found again [NAME.sqlite of the file's name;
                  for a mapping, none: they are not kept]

        AcesimError: a point failed or was refused; its `result` has the points, also those.
        """
        with contextlib.ExitStack() as stack:
            if not isinstance(file, (str, os.PathLike)):
                folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
                text = json.dumps(file)
                file = folder / "sweep.yaml"
                file.write_text(text, encoding="utf-8")
                database = database or folder / "sweep.sqlite"
            words = _words({"database": database, "jobs": jobs, **self._checked(options)})
            return self._run(["sweep", os.fspath(file), *words, "--format=json"], _read_points)

    @staticmethod
    def _checked(options):
        if "format" in options:
            raise TypeError("found the option format, expected it to be left to this module, "
                            "which reads JSON")
        if "compare" in options:
            raise TypeError("found the option compare, which prints no result but a summary of "
                            "several, expected a call for each endpoint")
        return options

    def _words(self, options):
        return _words(self._checked(options))


def _read_result(text):
    return Result.from_data(json.loads(text))


def _read_strategies(text):
    strategies = []
    for data in json.loads(text):
        training = Training.from_data(data["result"]) if "result" in data else None
        strategies.append(_take(Strategy, {**data, "training": training}))
    return strategies


def _read_points(text):
    points = []
    for data in json.loads(text):
        result = data.get("result")
        points.append(Point(data["options"], data["state"], data.get("message"),
                            Result.from_data(result) if result else None, data["command"]))
    return points


# ---- without a Program -------------------------------------------------------------------


def collective(kind, /, **options):
    """Runs one collective.  -> Result"""
    return Program().collective(kind, **options)


def run(cluster, workload, /, **options):
    """Runs training iterations of a workload on a cluster, both files.  -> Result"""
    return Program().run(cluster, workload, **options)


def train(model, cluster, strategy, /, **options):
    """Runs an iteration of a model under a strategy.  -> Training"""
    return Program().train(model, cluster, strategy, **options)


def search(model, cluster, /, batch, database=None, **options):
    """Ranks strategies: see Program.search.  -> list of Strategy, the best first"""
    return Program().search(model, cluster, batch=batch, database=database, **options)


def calibrate(cluster, output, /, **options):
    """Writes the calibration of a cluster: see Program.calibrate.  -> its errors, as text"""
    return Program().calibrate(cluster, output, **options)


def command(*words, **options):
    """Runs any command of acesim.  -> what its JSON says with format="json", else its text"""
    return Program().command(*words, **options)


def sweep(file, /, database=None, jobs=1, **options):
    """Runs a sweep, a file or a mapping: see Program.sweep.  -> list of Point"""
    return Program().sweep(file, database=database, jobs=jobs, **options)


def version():
    """What acesim --version prints."""
    return Program().version()


def load(path):
    """Reads a result that was written with --format json, --output or Result.save.  -> Result"""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise AcesimError(f"{path}: {error.strerror}, expected a result of acesim") from None
    except ValueError as error:
        raise AcesimError(f"{path}: found what is not JSON ({error}), expected a result of "
                          f"acesim") from None
    try:
        return Result.from_data(data)
    except AcesimError as error:
        raise AcesimError(f"{path}: {error.message}") from None


# Columns of the table that are no options of a point: what it is and what came out.
_NO_OPTIONS = {"key", "command", "version", "program", "state", "exit_status", "message", "result",
               *(field.name for field in dataclasses.fields(Result))}


def read_sweep(database):
    """Reads the results in the database of a sweep, without running any, in the order of their
    commands and options.  The sweep may be under way.  -> list of Point"""
    path = pathlib.Path(database)
    points = []
    try:
        uri = path.resolve().as_uri() + "?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            for row in connection.execute("SELECT * FROM points"):
                result = Result.from_data(json.loads(row["result"])) if row["result"] else None
                options = {name.replace("_", "-"): row[name] for name in row.keys()
                           if name not in _NO_OPTIONS and row[name] is not None}
                points.append(Point(options, row["state"], row["message"], result,
                                    row["command"]))
    except sqlite3.Error as error:
        raise AcesimError(f"{path}: {error}, expected a database of acesim sweep") from None
    return sorted(points, key=lambda point: (point.command, sorted(point.options.items())))
