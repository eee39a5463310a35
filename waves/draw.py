#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a waveform as a figure:  draw.py WAVE.vcd VIEW.gtkw OUT.svg TITLE [FROM TO]

The view names the signals, their labels, their groups and the filters that turn values into names; GTKWave reads the
same file.  Filters are looked up next to the view and next to this script.  FROM and TO are cycles; without them the
figure shows the whole wave.  The signal `cycle` of the wave gives the length of a cycle.

Three forms of a row:
  bit      A block where the bit is 1.  Where a pixel covers many cycles, the block is darker the more of them are 1.
  name     A box for as long as a value lasts, with the value's name.  Grey: the value changes too often to be drawn.
  number   A line from 0 to the largest value of the figure, which stands at its right end.
A value x is left blank.  A line `[*] while SIGNAL` of the view, a comment for GTKWave, hides the next row while the
signal is 0: registers hold noise before their first use.
"""
import html
import math
import pathlib
import re
import sys

WIDTH, RIGHT, TOP, BOTTOM = 1600, 90, 92, 64
HEIGHT = {"bit": 23, "name": 29, "number": 30, "group": 36}
LETTER = 8.0        # pixels of a letter of a value, in the mean
NARROW = 3.0        # pixels below which a value has no box of its own
COLOURS = ["#8ecae6", "#ffd166", "#a7d8a0", "#f4a6a6", "#c8b6ff", "#ffc49b", "#7fd1c1", "#e8b9de", "#d6c08f", "#b3c7f9",
           "#cbe38a", "#f3d9b1"]
QUIET = {"idle": "#eef1f4", "none": "#eef1f4", "-": "#eef1f4"}     # names of what does nothing
BIT, LINE, TEXT, FAINT = "#1f5f99", "#1f5f99", "#202020", "#d8dde3"


def fail(text):
    print(f"draw: {text}", file=sys.stderr)
    sys.exit(2)


class Row:
    def __init__(self, label, signal=None, form="group", base=10, names=None, gate=None):
        self.label, self.signal, self.form, self.base, self.names, self.gate = label, signal, form, base, names, gate


def read_filter(name, view):
    for folder in (view.parent, pathlib.Path(__file__).parent):
        path = pathlib.Path(name) if name.startswith("/") else folder / pathlib.Path(name).name
        if path.is_file():
            lines = [line.split(" ", 1) for line in path.read_text().splitlines() if " " in line]
            return {int(value, 16): text for value, text in lines}
    fail(f"{view}: found no filter {name}, expected the file next to the view")


def read_view(view):
    """The rows of a view in GTKWave's form: flags (@), a filter (^), labels (+{...}) and comments (-)."""
    rows, flags, names, gate = [], 0, None, None
    for line in view.read_text().splitlines():
        if line.startswith("@"):
            flags, names = int(line[1:], 16), None
        elif line.startswith("^"):
            names = read_filter(line.split(" ", 1)[1], view)
        elif line.startswith("[*] while "):
            gate = line[10:].strip()
        elif line.startswith("-"):
            if line[1:] and not flags & 0x1000000:     # a group that ends has a line of its own
                rows.append(Row(line[1:]))
        elif re.match(r"\+\{|[A-Za-z_]", line):
            label, signal = re.match(r"(?:\+\{([^}]*)\} )?(\S+)", line).groups()
            if signal.startswith("cycle"):
                continue                  # the axis shows it
            wide = signal.endswith("]") and ":" in signal.rsplit("[", 1)[1]
            form = "name" if names or (wide and not flags & 4) else "number" if wide else "bit"
            rows.append(Row(label or signal, signal, form, 10 if flags & 4 else 16, names, gate))
            gate = None
    return rows


def read_wave(path, wanted):
    """For each wanted signal its changes: times in ps and values, None for x and z."""
    changes, of_id, scope = {name: [] for name in wanted}, {}, []
    now, last = 0, 0
    with open(path) as wave:
        for line in wave:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var":
                name = ".".join(scope + [words[4] + (words[5] if words[5] != "$end" else "")])
                if name in changes:
                    of_id.setdefault(words[3], []).append(name)
            elif words[0] == "$enddefinitions":
                break
        for line in wave:
            first = line[0]
            if first == "#":
                now = last = int(line[1:])
                continue
            bits, key = line[1:].split() if first == "b" else (first, line[1:-1])
            for name in of_id.get(key, ()):
                value = int(bits, 2) if re.fullmatch("[01]+", bits) else None
                if not changes[name] or changes[name][-1][1] != value:
                    changes[name].append((now, value))
    return changes, last


class Clock:
    """Cycles from times: the wave's signal `cycle` says when cycles begin; the clock is regular."""

    def __init__(self, changes):
        known = [(time, value) for time, value in changes if value is not None]
        if len(known) < 2:
            fail("found no signal `cycle` that counts, expected one in the wave")
        (self.time, self.cycle), (time, cycle) = known[0], known[-1]
        self.period = (time - self.time) / (cycle - self.cycle)

    def of(self, time):
        return self.cycle + (time - self.time) / self.period


class Figure:
    def __init__(self, first, last, period_ps, left):
        self.first, self.last, self.period, self.left = first, last, period_ps, left
        self.scale = (WIDTH - left - RIGHT) / (last - first)
        self.out, self.y, self.colours = [], TOP, dict(QUIET)

    def x(self, cycle):
        return self.left + (min(max(cycle, self.first), self.last) - self.first) * self.scale

    def rect(self, x, y, width, height, fill, more=""):
        self.out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{more}/>')

    def text(self, x, y, text, more=""):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}"{more}>{html.escape(str(text))}</text>')

    def line(self, x0, y0, x1, y1, colour):
        self.out.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}"/>')

    # ---- rows ----

    def bit(self, spans, height):
        """Blocks of whole pixels: darker, the more of the pixel's cycles are 1."""
        share = {}
        for begin, end, value in spans:
            if not value:
                continue
            a, b = self.x(begin), self.x(end)
            for pixel in range(int(a), int(b) + 1):
                share[pixel] = share.get(pixel, 0) + max(0, min(b, pixel + 1) - max(a, pixel))
        pixels = sorted(pixel for pixel, part in share.items() if part > 0)
        at = 0
        while at < len(pixels):
            begin, dark = pixels[at], round(share[pixels[at]], 1)
            while at + 1 < len(pixels) and pixels[at + 1] == pixels[at] + 1 and round(share[pixels[at + 1]], 1) == dark:
                at += 1
            more = "" if dark >= 1 else f' fill-opacity="{0.45 + 0.55 * dark:.2f}"'
            self.rect(begin, self.y + 3, max(pixels[at] + 1 - begin, 1.6), height - 6, BIT, more)
            at += 1

    def name_of(self, row, value):
        if row.names is not None:
            return row.names.get(value, f"{value:x}")
        return f"{value:,}" if row.base == 10 else f"{value:x}"

    def colour(self, text):
        return self.colours.setdefault(text, COLOURS[(len(self.colours) - len(QUIET)) % len(COLOURS)])

    def name(self, spans, height, row):
        at, boxes = 0, []       # (from, to, text); text None: values that change too often
        while at < len(spans):
            begin, end, value = spans[at]
            if value is None:
                at += 1
                continue
            texts = [self.name_of(row, value)]
            while (at + 1 < len(spans) and self.x(end) - self.x(begin) < NARROW or len(texts) > 1) and at + 1 < len(spans):
                after = spans[at + 1]
                if self.x(after[1]) - self.x(after[0]) >= NARROW or after[2] is None and self.x(after[1]) - self.x(after[0]) >= 1:
                    break
                if after[2] is not None:
                    texts.append(self.name_of(row, after[2]))
                    end = after[1]
                at += 1
            if len(set(texts)) > 1 and self.x(end) - self.x(begin) < NARROW:
                texts = texts[-1:]
            boxes.append((self.x(begin), self.x(end), texts[0] if len(set(texts)) == 1 else None))
            at += 1
        for i, (a, b, text) in enumerate(boxes):
            fill = self.colour(text) if text is not None else "#c9ced6"
            self.rect(a, self.y + 3, max(b - a, 2), height - 6, fill, ' stroke="#5b6570" stroke-width="0.6"')
            if text is None:
                continue
            room = (boxes[i + 1][0] if i + 1 < len(boxes) else WIDTH - RIGHT) - b
            need = LETTER * len(text) + 8
            if b - a >= need:
                self.text((a + b) / 2, self.y + height / 2 + 5, text, ' text-anchor="middle"')
            elif room >= need:
                self.text(max(b, a + 2) + 4, self.y + height / 2 + 5, text)
            elif a - (boxes[i - 1][1] if i else self.left) >= need:
                self.text(a - 4, self.y + height / 2 + 5, text, ' text-anchor="end"')

    def number(self, spans, height, row):
        known = [value for _, _, value in spans if value is not None]
        top = max(known, default=0)
        low, high, path, gap = self.y + height - 4, self.y + 5, "", True
        for begin, end, value in spans:
            if value is None:
                gap = True
                continue
            y = low - (low - high) * value / top if top else low
            path += f"{'M' if gap else 'L'}{self.x(begin):.1f},{y:.1f}L{self.x(end):.1f},{y:.1f}"
            gap = False
        self.out.append(f'<path d="{path or "M0,0"}" fill="none" stroke="{LINE}" stroke-width="1.4"/>')
        if known:
            self.text(WIDTH - RIGHT + 6, high + 6, f"max {top:,}" if row.base == 10 else f"max {top:x}", ' class="small"')

    # ---- all of it ----

    @staticmethod
    def step(span):
        """The distance of ticks: 1, 2 or 5 times a power of ten, at most 12 of them in the span."""
        unit = 10.0 ** math.floor(math.log10(span / 12))
        return next(k * unit for k in (1, 2, 5, 10) if k * unit >= span / 12)

    def axes(self, height):
        span, us = self.last - self.first, (self.last - self.first) * self.period / 1e6
        step = max(1, round(self.step(span)))
        for i in range(int(span / step) + 1):
            x = self.x(self.first + i * step)
            self.line(x, TOP - 4, x, height - BOTTOM + 4, FAINT)
            self.text(x, height - BOTTOM + 20, f"{i * step:,}", ' text-anchor="middle"')
        step = self.step(us)
        for i in range(int(us / step + 1e-9) + 1):
            x = self.x(self.first + i * step * 1e6 / self.period)
            self.line(x, TOP - 9, x, TOP - 4, TEXT)
            self.text(x, TOP - 13, f"{i * step:g}", ' text-anchor="middle"')
        self.line(self.left, TOP - 4, WIDTH - RIGHT, TOP - 4, TEXT)
        self.line(self.left, height - BOTTOM + 4, WIDTH - RIGHT, height - BOTTOM + 4, TEXT)
        self.text(self.left - 12, height - BOTTOM + 20, "cycles", ' class="axis"')
        self.text(self.left - 12, TOP - 13, "microseconds", ' class="axis"')

    def draw(self, rows, spans_of, title):
        height = TOP + sum(HEIGHT[row.form] for row in rows) + 10 + BOTTOM
        self.axes(height)
        for row in rows:
            tall = HEIGHT[row.form]
            if row.form == "group":
                self.line(20, self.y + 7, WIDTH - RIGHT, self.y + 7, "#aab2bb")
                self.text(20, self.y + tall - 7, row.label, ' class="group"')
            else:
                self.text(self.left - 12, self.y + tall / 2 + 4.5, row.label, ' text-anchor="end"')
                self.line(self.left, self.y + tall - 2, WIDTH - RIGHT, self.y + tall - 2, "#eef1f4")
                spans = spans_of(row)
                if row.form == "bit":
                    self.bit(spans, tall)
                elif row.form == "name":
                    self.name(spans, tall, row)
                else:
                    self.number(spans, tall, row)
            self.y += tall
        clock = 1e6 / self.period
        note = f"From cycle {self.first:,} to {self.last:,}, at {clock:.0f} MHz. Darker blocks: the bit is 1 in more of the cycles."
        self.text(20, height - 14, note, ' class="small"')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">\n'
                "<style>text{font:14px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#202020}"
                ".title{font-size:24px;font-weight:bold}.group{font-size:15px;font-weight:bold}"
                ".axis{text-anchor:end}.small{font-size:13px;fill:#505a64}</style>\n"
                f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n'
                f'<text x="20" y="38" class="title">{html.escape(title)}</text>\n' + "\n".join(self.out) + "\n</svg>\n")


def main():
    if len(sys.argv) not in (5, 7):
        fail(__doc__.splitlines()[0])
    wave, view, out, title = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    rows = read_view(view)
    if not any(row.signal for row in rows):
        fail(f"{view}: found no signals, expected a view that names some")
    wanted = {row.signal for row in rows if row.signal} | {row.gate for row in rows if row.gate} | {"cycle[63:0]"}
    changes, end = read_wave(wave, wanted)
    for name in sorted(wanted):
        if not changes[name]:
            fail(f"{view}: found no signal {name} in the wave, expected one")
    clock = Clock(changes["cycle[63:0]"])
    first, last = (int(sys.argv[5]), int(sys.argv[6])) if len(sys.argv) == 7 else (clock.cycle, round(clock.of(end)))
    if first >= last:
        fail(f"found cycles {first} to {last}, expected the second to be larger")

    def spans_of(row):
        points = changes[row.signal]
        gate = changes[row.gate] if row.gate else []
        times = sorted({time for time, _ in points} | {time for time, _ in gate})
        spans, at, open_at, value, shown = [], 0, 0, None, not gate
        for i, time in enumerate(times):
            while at < len(points) and points[at][0] <= time:
                value, at = points[at][1], at + 1
            while open_at < len(gate) and gate[open_at][0] <= time:
                shown, open_at = gate[open_at][1] == 1, open_at + 1
            begin, until = clock.of(time), clock.of(times[i + 1] if i + 1 < len(times) else end)
            if until > first and begin < last:
                spans.append((max(begin, first), min(until, last), value if shown else None))
        return spans

    left = max(260, 30 + LETTER * max(len(row.label) for row in rows))
    text = Figure(first, last, clock.period, left).draw(rows, spans_of, title)
    pathlib.Path(out).write_text(text)


main()
