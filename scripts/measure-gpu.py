#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure on a GPU what acesim assumes of an NPU: products by shape, and communication beside compute.

usage: measure-gpu.py FOLDER        needs PyTorch and CuPy, and a GPU that nobody else uses

Writes three tables into FOLDER, with the name of the GPU in each row:
  gemm.csv        time of C (m x n) = A (m x k) B (k x n) in bf16: a grid of shapes, and of the check random
                  multiples of 64 ("random") and products of decoders on ranks of tensor parallelism ("model")
  traffic.csv     bandwidth of a kernel that sums two arrays into a third, by the SMs it runs on
  contention.csv  products and element-wise sums beside that kernel: both alone, both together

A product is timed on the device, a graph of many replayed, over buffers that together do not fit in the
L2 cache.  Alone and beside are timed in turn, so that both see the same clocks: a GPU at its power limit
slows down.  The kernel of traffic stands for a collective's reduction: one block of 1,024 threads an SM,
two bytes read and one written for each byte of result; `exclusive` ones hold so much shared memory that
no block of a product fits beside them, which is what "SMs given to communication" means.
"""
import csv
import math
import random
import statistics
import sys
import time

import cupy
import torch

KERNEL = r"""
extern "C" __global__ __launch_bounds__(1024, 1) void traffic(
    const float4 *a, const float4 *b, float4 *c, unsigned long long n, const volatile int *stop,
    unsigned long long limit_ns, unsigned long long *out) {
    extern __shared__ char hold[];
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    unsigned long long start, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        for (int round = 0; round < 8; round++) {
            float4 x[4], y[4];
#pragma unroll
            for (int u = 0; u < 4; u++) {
                x[u] = a[(i + u * stride) & (n - 1)];
                y[u] = b[(i + u * stride) & (n - 1)];
            }
#pragma unroll
            for (int u = 0; u < 4; u++)
                c[(i + u * stride) & (n - 1)] =
                    make_float4(x[u].x + y[u].x, x[u].y + y[u].y, x[u].z + y[u].z, x[u].w + y[u].w);
            i = (i + 4 * stride) & (n - 1);
            count += 4;
        }
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (!*stop && now - start < limit_ns);
    atomicAdd(out, count);
    atomicMin(out + 1, start);
    atomicMax(out + 2, now);
}
"""
GPU = torch.cuda.get_device_name(0)
SMS = torch.cuda.get_device_properties(0).multi_processor_count
L2_TIMES = 256 << 20  # bytes that buffers of one product cover in turn, several times the L2 cache


def graph_of(make, times):
    """A CUDA graph of `times` calls of make(i), warmed up."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        make(0)
        make(1)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(times):
            make(i)
    return graph


def timed_us(graph, times, replays, stream=None):
    """Microseconds of one call, of `replays` replays."""
    stream = stream or torch.cuda.current_stream()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        start.record()
        for _ in range(replays):
            graph.replay()
        end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / (times * replays)


def product(m, n, k):
    """make(i) of a product, its buffers taken in turn."""
    footprint = 2 * (m * k + k * n + m * n)
    sets = max(1, min(32, math.ceil(L2_TIMES / footprint)))
    buffers = [(torch.randn(m, k, device="cuda", dtype=torch.bfloat16),
                torch.randn(n, k, device="cuda", dtype=torch.bfloat16),
                torch.empty(m, n, device="cuda", dtype=torch.bfloat16)) for _ in range(sets)]
    return lambda i: torch.mm(buffers[i % sets][0], buffers[i % sets][1].t(), out=buffers[i % sets][2])


def calls_for(m, n, k):
    """Calls that take about 4 ms at half the peak."""
    return max(4, min(64, int(4e-3 / (2 * m * n * k / 400e12))))


def products(folder):
    sizes = sorted({128 * 2**i for i in range(8)} | {192 * 2**i for i in range(7)})
    grid = [(m, n, k) for m in sizes for n in sizes if n >= 512 for k in sizes if k >= 512]
    draw = random.Random(1)
    check = [tuple(64 * round(2 ** draw.uniform(lo, hi) / 64) for lo, hi in ((7, 14), (9, 14), (9, 14)))
             for _ in range(96)]
    model = []
    for hidden in (1024, 1536, 2048, 2560, 3072, 4096, 5120, 6144, 8192, 10240, 12288):
        for ranks in (1, 2, 4, 8):
            for m in (2048, 4096, 8192):
                model += [(m, n, k) for n, k in ((3 * hidden // ranks, hidden), (hidden, hidden // ranks),
                                                 (4 * hidden // ranks, hidden), (hidden, 4 * hidden // ranks))
                          if min(n, k) >= 512 and max(n, k) <= 16384]
    model = draw.sample(sorted(set(model) - set(grid)), 96)
    with open(f"{folder}/gemm.csv", "w", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow("gpu type set m n k time_us tflops".split())
        for name, shapes in (("grid", grid), ("random", check), ("model", model)):
            for m, n, k in shapes:
                times = calls_for(m, n, k)
                graph = graph_of(product(m, n, k), times)
                timed_us(graph, times, 1)
                us = statistics.median(timed_us(graph, times, 1) for _ in range(3))
                write.writerow([GPU, "bf16", name, m, n, k, f"{us:.3f}", f"{2e-6 * m * n * k / us:.2f}"])
                del graph
            file.flush()


class Traffic:
    """The kernel of traffic on some SMs."""

    def __init__(self):
        self.kernel = cupy.RawKernel(KERNEL, "traffic")
        self.kernel.max_dynamic_shared_size_bytes = 200 << 10
        self.n = 1 << 26  # vectors of 16 bytes: 1 GiB an array
        self.a, self.b, self.c = (cupy.zeros(4 * self.n, dtype=cupy.float32) for _ in range(3))
        self.stop = torch.zeros(1, dtype=torch.int32, device="cuda")
        self.out = cupy.zeros(3, dtype=cupy.uint64)
        self.stream = torch.cuda.Stream(priority=-1)

    def start(self, sms, exclusive, limit_ms):
        self.stop.zero_()
        self.out[:] = cupy.array([0, 2**63, 0], dtype=cupy.uint64)
        cupy.cuda.Device().synchronize()
        torch.cuda.synchronize()
        with cupy.cuda.ExternalStream(self.stream.cuda_stream):
            self.kernel((sms,), (1024,),
                        (self.a, self.b, self.c, cupy.uint64(self.n), cupy.uint64(self.stop.data_ptr()),
                         cupy.uint64(int(limit_ms * 1e6)), self.out),
                        shared_mem=(200 << 10) if exclusive else 1024)

    def GBps(self):
        """Bytes read and written a nanosecond, since it was started."""
        self.stream.synchronize()
        count, start, end = (int(x) for x in self.out.get())
        return 48 * count / (end - start)


def traffic(folder, kernel):
    with open(f"{folder}/traffic.csv", "w", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow("gpu exclusive sms read_and_written_GBps".split())
        for exclusive in (0, 1):
            for sms in (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 112, SMS):
                found = []
                for _ in range(3):
                    kernel.start(sms, exclusive, 20)
                    found.append(kernel.GBps())
                write.writerow([GPU, exclusive, sms, f"{statistics.median(found):.1f}"])
        file.flush()


def beside(folder, kernel):
    x, y, z = (torch.zeros(1 << 28, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    shapes = [(4096, 4096, 4096), (8192, 8192, 8192), (4096, 12288, 1536), (2048, 4096, 11264),
              (16384, 1024, 1024), (2048, 12288, 12288), (4096, 5120, 5120), (8192, 2048, 8192)]
    work = [(f"gemm {m}x{n}x{k}", 2 * m * n * k, 2 * (m * k + k * n), 2 * m * n, product(m, n, k), calls_for(m, n, k))
            for m, n, k in shapes]
    work.append(("sum of 2^28", 1 << 28, 1 << 30, 1 << 29, lambda i: torch.add(x, y, out=z), 8))
    stream = torch.cuda.Stream()
    with open(f"{folder}/contention.csv", "w", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow(("gpu work flops read_bytes written_bytes exclusive sms alone_us beside_us "
                        "traffic_alone_GBps traffic_beside_GBps").split())
        for name, flops, read, written, make, times in work:
            graph = graph_of(make, times)
            timed_us(graph, times, 3)
            replays = max(2, math.ceil(10e3 / (times * timed_us(graph, times, 2))))
            for exclusive in (0, 1):
                for sms in (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64):
                    kernel.start(sms, exclusive, 20)
                    kernel_alone = kernel.GBps()
                    alone, us, GBps = [], [], []
                    for _ in range(3):
                        torch.cuda.synchronize()
                        time.sleep(0.005)
                        alone.append(timed_us(graph, times, replays, stream))
                        time.sleep(0.005)
                        kernel.start(sms, exclusive, 2000)
                        us.append(timed_us(graph, times, replays, stream))
                        with torch.cuda.stream(stream):
                            kernel.stop.fill_(1)
                        GBps.append(kernel.GBps())
                    write.writerow([GPU, name, flops, read, written, exclusive, sms,
                                    f"{statistics.median(alone):.3f}", f"{statistics.median(us):.3f}",
                                    f"{kernel_alone:.1f}", f"{statistics.median(GBps):.1f}"])
                file.flush()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.manual_seed(1)
    kernel = Traffic()
    traffic(sys.argv[1], kernel)
    beside(sys.argv[1], kernel)
    products(sys.argv[1])


if __name__ == "__main__":
    main()
