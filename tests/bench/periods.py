#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From which chunk on a long collective repeats itself, by the cycles alone in which chunks end.

    acesim collective ... --timeline FILE --timeline-limit 64GB
    tests/bench/periods.py FILE [NPU]

Whoever leaves out periods takes two states of the machine for one.  What follows on them must then be
alike to the end of the collective, the cycles included from one chunk's end to the next.  So no normal form of the
state finds a period before the chunk that is printed, nor a shorter one, however much it leaves
out; where none is printed, none finds any.  The last chunks, behind which no others come, are not looked at.
"""
import re
import sys

LAST = 128  # chunks in flight at the end, twice


def ends(name, npu):
    """Cycles in which chunks of an NPU end their last phase, in order."""
    pid, phase_of, found = None, {}, {}
    for line in open(name):
        if '"process_name"' in line and re.search(r'"name":"NPU %s[" ]' % npu, line):
            pid = re.search(r'"pid":(\d+)', line).group(1)
        if pid is None or '"pid":%s,' % pid not in line:
            continue
        tid = re.search(r'"tid":(\d+)', line)
        phase = re.search(r'"name":"phase (\d+), context', line)
        if phase:
            phase_of[tid.group(1)] = int(phase.group(1))
        elif '"name":"chunk ' in line and tid and tid.group(1) in phase_of:
            found.setdefault(phase_of[tid.group(1)], []).append(int(re.search(r'"to":(\d+)', line).group(1)))
    return sorted(found[max(found)]) if found else []


def period(steps):
    """The period of what comes last, at least twice and LAST steps long, and where it begins; or None."""
    back = steps[::-1]
    fails = [0] * len(back)  # of the longest border of each beginning
    k = 0
    for i in range(1, len(back)):
        while k and back[i] != back[k]:
            k = fails[k - 1]
        k += back[i] == back[k]
        fails[i] = k
    best = None
    for i, border in enumerate(fails):
        length = i + 1
        if length >= max(LAST, 2 * (length - border)):
            best = (length - border, len(steps) - length)
    return best


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    at = ends(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "0")
    if len(at) < 4 * LAST:
        print(f"{sys.argv[1]}: found {len(at)} chunks, expected {4 * LAST} at least", file=sys.stderr)
        sys.exit(2)
    steps = [b - a for a, b in zip(at, at[1:])][:-LAST]
    found = period(steps)
    if found:
        chunks, begin = found
        print(f"{len(at)} chunks; from chunk {begin} on a period of {chunks}, {at[begin + chunks] - at[begin]} cycles")
    else:
        print(f"{len(at)} chunks; no period")


if __name__ == "__main__":
    main()
