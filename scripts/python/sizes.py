# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# How large must an all-reduce be to fill the links?
#
# A collective has a part that does not depend on its size: latency of links and memory, and the
# time in which the first chunk goes through the phases. What remains grows with the size. So the
# bandwidth that is reached climbs with the size and levels off, and where it levels off says more
# about an endpoint than one number at one size. This notebook sweeps the size for three endpoints
# on 16 NPUs and draws the curves.
#
# Run it as a script, or cell by cell in an editor that knows `# %%`:
#
#     scripts/python/sizes.py [FOLDER]         sizes.svg and sizes.sqlite there [out/sizes]
#
# It needs acesim, and gnuplot for the picture.

# %%
import pathlib
import subprocess
import sys

import acesim

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/sizes")
folder.mkdir(parents=True, exist_ok=True)
print(acesim.version())

# %% [markdown]
# One collective first. `result.data` is all of the JSON; the fields are what one asks for most.

# %%
one = acesim.collective("all-reduce", topology="4x2x2", size="1MiB")
print(f"{one.cycles} cycles, {one.network_bandwidth_GBps:.1f} GB/s a node, "
      f"{100 * one.fraction_of_ideal:.1f} % of what the links hold")

# %% [markdown]
# The grid. A point that is in the database is not run again, so this cell may be repeated, and
# sizes may be added later. Endpoints: `ace` is the engine, `comm-opt` software with as much memory
# bandwidth and as many SMs as it can use, `ideal` the links alone.

# %%
sizes = [f"{1 << n}KiB" for n in range(4, 15)]
points = acesim.sweep(
    {
        "name": "sizes",
        "command": "collective all-reduce",
        "options": {"topology": "4x2x2"},
        "grid": {"endpoint": ["ideal", "ace", "comm-opt"], "size": sizes},
    },
    database=folder / "sizes.sqlite",
    jobs=2,
)
curves = {}
for point in points:
    curve = curves.setdefault(point.options["endpoint"], [])
    curve.append((point.result.data["size_bytes"], point.result.network_bandwidth_GBps))

# %% [markdown]
# Half of its highest bandwidth: the size from which an endpoint is more than latency.

# %%
for endpoint, curve in curves.items():
    highest = max(bandwidth for _, bandwidth in curve)
    half = next(size for size, bandwidth in curve if bandwidth >= highest / 2)
    print(f"{endpoint:9} {highest:6.1f} GB/s at most, half of it from {half // 1024} KiB on")

# %% [markdown]
# The picture. gnuplot reads commands and data from its standard input.

# %%
ticks = ", ".join(f'"{size >> 10} KiB" {size}' if size < 1 << 20 else f'"{size >> 20} MiB" {size}'
                  for size, _ in curves["ace"][::2])
data = "".join(
    f"${endpoint.replace('-', '_')} << end\n"
    + "".join(f"{size} {bandwidth}\n" for size, bandwidth in curve)
    + "end\n"
    for endpoint, curve in curves.items())
plots = ", ".join(f"${endpoint.replace('-', '_')} with linespoints lw 2 pt 7 ps 0.5 title '{endpoint}'"
                  for endpoint in curves)
picture = folder / "sizes.svg"
with open(picture, "w", encoding="utf-8") as drawn:
    subprocess.run(["gnuplot"], stdout=drawn, input=f"""
set terminal svg size 800,480 font "sans,14" background "white"
set title "All-reduce on a 4x2x2 torus"
set xlabel "bytes to reduce at each NPU"
set ylabel "GB/s sent by each NPU"
set logscale x 2
set xrange [{curves["ace"][0][0] / 1.2}:{curves["ace"][-1][0] * 1.2}]
set xtics ({ticks})
set yrange [0:*]
set grid
set key top left
{data}
plot {plots}
""", text=True, check=True)
print(picture)
