# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# Which strategy trains a small GPT fastest on 16 NPUs, what bounds it, and how far may a fast model be
# off?
#
# Run it as a script, or cell by cell in an editor that knows `# %%`:
#
#     scripts/python/strategies.py [FOLDER]       results, a page and a calibration there [out/strategies]

# %%
import pathlib
import sys

import acesim

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/strategies")
folder.mkdir(parents=True, exist_ok=True)
model, cluster = "models/gpt2-345m.yaml", "clusters/torus-4x2x2.yaml"
size = {"layers": 2, "sequence": 128}

# %% [markdown]
# The search runs every strategy that fits, but those whose bound is above the best time. A database
# keeps the results, so this cell may be repeated.

# %%
found = acesim.search(model, cluster, batch=16, database=folder / "search.sqlite",
                      endpoint="comp-opt", **size)
done = [one for one in found if one.training]
for one in done[:5]:
    print(f"{one.strategy:36} {one.training.time_us:9.1f} us {one.memory_peak_bytes / 2**30:6.2f} GiB")

# %% [markdown]
# The best one on the engine. `explain` says what bounds it.

# %%
best = acesim.train(model, cluster, done[0].strategy, endpoint="ace", **size)
best.save(folder / "best.json")
print(acesim.command("explain", folder / "best.json"))
acesim.command("report", folder / "best.json", output=folder / "best.html")

# %% [markdown]
# The calibrated form of the engine is fast, and says its error. Here it is next to the exact engine.

# %%
file = folder / "torus.calibrated"
acesim.calibrate(cluster, file, quick=True, jobs=2)
for kind in ("all-reduce", "all-to-all"):
    exact = acesim.collective(kind, cluster=cluster, size="1MiB")
    form = acesim.collective(kind, cluster=cluster, size="1MiB", rung="calibrated", calibration=file)
    off = 100 * (form.cycles / exact.cycles - 1)
    print(f"{kind}: exact {exact.cycles} cycles, calibrated {form.cycles}, off by {off:.2f} %, "
          f"expected at most {100 * form.data['expected_error']['worst']:.2f} %")
