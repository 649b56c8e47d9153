#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plots the lines of bench_scaling as SVG files with fitted exponents.

    build/release/bench/bench_scaling > scaling.csv
    scripts/plot_scaling.py scaling.csv docs/images
"""
import csv
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN = 420, 300, 60, 45, 20
COLOURS = {"exact_us": "#1f5fa8", "default_us": "#c2571a"}
NAMES = {"exact_us": "exact", "default_us": "default"}


def exponent(points):
    """The slope of the least-squares line through the logarithms of the upper half of the sizes."""
    points = points[len(points) // 2 - 1:] if len(points) > 3 else points
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def ticks(low, high):
    return [10**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def plot(axis, series):
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    y_ticks = ticks(min(ys), max(ys))

    def place(x, y):
        across = (math.log(x) - math.log(min(xs))) / (math.log(max(xs)) - math.log(min(xs)))
        up = (math.log(y) - math.log(y_ticks[0])) / (math.log(y_ticks[-1]) - math.log(y_ticks[0]))
        return (LEFT + across * (WIDTH - LEFT - MARGIN),
                HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - MARGIN))

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>']
    for tick in y_ticks:
        _, y = place(min(xs), tick)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - MARGIN}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for x in sorted(set(xs)):
        across, _ = place(x, y_ticks[0])
        lines.append(f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    for k, (name, points) in enumerate(series.items()):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in points))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[name]}"/>'
                  for x, y in (place(*p) for p in points)]
        lines.append(f'<text x="{LEFT + 8}" y="{MARGIN + 12 + 14 * k}" fill="{COLOURS[name]}">'
                     f'{NAMES[name]}: exponent {exponent(points):.2f}</text>')
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{axis}</text>'
                 f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" '
                 f'transform="rotate(-90 14 {HEIGHT / 2})">microseconds per iteration</text></svg>')
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for axis in dict.fromkeys(row["axis"] for row in rows):
        series = {}
        for row in rows:
            size = float(row["predicates"] if axis == "predicates" else row["value"])
            for name in NAMES:
                if row["axis"] == axis and row[name]:
                    series.setdefault(name, []).append((size, float(row[name])))
        (folder / f"scaling-{axis}.svg").write_text(plot(axis, series), encoding="utf-8")
        print(axis, *(f"{NAMES[n]} {exponent(p):.2f}" for n, p in series.items()))


main()
