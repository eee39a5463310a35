#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a waveform must show, whoever wrote it.

  wave_facts.py axis VCD CLOCK_MHZ      the timescale is 1 ps, and cycle c begins at c periods of the
                                        clock, rounded down; the clock, where there is one, rises there
  wave_facts.py idle VCD                of each stream in pins.* the payload is x while valid is low,
                                        and known while it is high; some do both
  wave_facts.py chunk VCD VIEW K FSMS   the view's FSM and context of each phase are those that the
                                        scheduler gives chunk K (FSMS: of a phase), and they hold one
  wave_facts.py held VCD VIEW           an FSM of the view holds a chunk from beginning to end
Prints what is wrong; exit status 1 then.
"""
import re
import sys

ALWAYS = {"valid", "ready", "credit", "routed_credit"}  # of no payload


def changes(name):
    """The signals, {code: [paths]}, and then (time, code, value) in order."""
    codes, scope = {}, []
    with open(name, encoding="ascii") as vcd:
        header = []
        for line in vcd:
            word = line.split()
            header.append(line)
            if word[:1] == ["$scope"]:
                scope.append(word[2])
            elif word[:1] == ["$upscope"]:
                scope.pop()
            elif word[:1] == ["$var"]:
                codes.setdefault(word[3], []).append(".".join(scope + [word[4]]))
            elif word[:1] == ["$enddefinitions"]:
                break
        text = "".join(header)
        if not re.search(r"\$timescale\s+1\s*ps\s", text):
            raise SystemExit("the timescale is not 1 ps")
        yield codes
        time = 0
        for line in vcd:
            if line[0] == "#":
                time = int(line[1:])
            elif line[0] in "bB":
                value, code = line[1:].split()
                yield time, code, value
            elif line[0] in "01xzXZ":
                yield time, line[1:].strip(), line[0]


def axis(name, clock_mhz):
    stream = changes(name)
    codes = next(stream)
    of = {path: code for code, paths in codes.items() for path in paths}
    clock = next((c for p, c in of.items() if p.count(".") == 1 and p.endswith(".clk")), None)
    begins, rises = {}, set()
    for time, code, value in stream:
        if code == of["cycle"] and set(value) <= {"0", "1"}:
            begins[int(value, 2)] = time
        elif code == clock and value == "1":
            rises.add(time)
    wrong = [c for c, t in begins.items() if abs(t - c * 1e6 / clock_mhz) > 1]
    if len(begins) < 10:
        return [f"found {len(begins)} cycles, expected more"]
    if clock and rises - set(begins.values()):
        wrong.append(f"the clock rises at {min(rises - set(begins.values()))}, in no cycle's beginning")
    return [f"cycle {c} begins at {begins[c]} ps" if isinstance(c, int) else c for c in wrong[:3]]


def idle(name):
    stream = changes(name)
    codes = next(stream)
    streams = {}  # of a stream: the code of each pin
    for code, paths in codes.items():
        for path in paths:
            if path.startswith("pins."):
                _, where, pin = path.split(".")
                streams.setdefault(where, {})[pin] = code
    now, problems, seen, last = {}, [], set(), None

    def look(time):
        for where, pins in streams.items():
            valid = now.get(pins["valid"])
            for pin, code in pins.items():
                if pin in ALWAYS or (pin == "route" and now.get(pins["routed"]) != "1"):
                    continue
                value = now.get(code, "x")
                unknown = set(value) <= {"x"}
                seen.add((where, valid))
                if unknown != (valid == "0") and not (unknown and valid is None):
                    problems.append(f"{time} ps: pins.{where}.{pin} is {value}, valid {valid}")

    for time, code, value in stream:
        if last is not None and time != last and not problems:
            look(last)
        last = time
        now[code] = value
    if not any((w, "1") in seen and (w, "0") in seen for w in streams):
        problems.append("no stream is both valid and idle")
    return problems[:3]


def chunk(name, view, number, fsms):
    named = re.findall(r"g_phase\[(\d)\]\.g_fsm\[(\d+)\]\.u_fsm\.g_context\[(\d)\]\.u_context\.valid_q",
                       open(view).read())
    stream = changes(name)
    codes = next(stream)
    of = {path: code for code, paths in codes.items() for path in paths}
    unit = "node.ace_node.u_front.u_scheduler."
    want = {key: of[unit + key] for key in ("m_admit_valid", "m_context_phase", "m_context_index", "at_q")}
    held = {of[f"node.ace_node.u_phases.g_phase[{p}].g_fsm[{f}].u_fsm.g_context[{c}].u_context.valid_q"]: 0
            for p, f, c in named}
    now, given, last = {}, {}, None

    def look():
        at = {key: int(now.get(code, "0"), 2) for key, code in want.items()}
        if at["m_admit_valid"] and at["at_q"] == number % 64:
            given[at["m_context_phase"]] = at["m_context_index"]

    for time, code, value in stream:
        if last is not None and time != last:
            look()
        last = time
        if code in held and value == "1" and now.get(code) == "0":
            held[code] += 1
        now[code] = value
    problems = [f"phase {p}: FSM {f}, context {c}, expected those of index {given.get(int(p))}"
                for p, f, c in named
                if int(p) in given and (int(f), int(c)) != (given[int(p)] % fsms, given[int(p)] // fsms)]
    if not given or not named:
        problems.append(f"chunk {number} is never admitted, or the view names no FSM")
    if sum(1 for n in held.values() if n) < len(given):
        problems.append(f"FSMs of the view that take a chunk: {list(held.values())}, expected {len(given)}")
    return problems


def held(name, view):
    named = set(re.findall(r"node\.ace_node\.\S*u_fsm\.g_context\[\d\]\.u_context\.valid_q", open(view).read()))
    stream = changes(name)
    codes = next(stream)
    of = {code: paths[0] for code, paths in codes.items() if named & set(paths)}
    free = {code for _, code, value in stream if code in of and value == "0"}
    if set(of) - free:
        return []
    return [f"each of {sorted(of.values())} is without a chunk at some time"]


def main(what, name, *more):
    if what == "axis":
        wrong = axis(name, float(more[0]))
    elif what == "idle":
        wrong = idle(name)
    elif what == "held":
        wrong = held(name, more[0])
    else:
        wrong = chunk(name, more[0], int(more[1]), int(more[2]))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
