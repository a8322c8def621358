"""Maps of the atlas as pictures: SVG that is the same whenever the same map is drawn. Needs the extra ``plots``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from parlour.lab.atlas import SHADES, Chart, Map, lay_out, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SQUARE = 0.34  # inches
COLOURS = {"winner": "RdYlBu", "contest": "YlGn", "critical": "YlOrBr", "turns": "PuBu", "first": "YlGn"}


def draw_map(found: Map, shade: str) -> bytes:
    """One shade of a map as SVG, with a chart for each of its parts."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    charts = lay_out(found.game, found.rows)
    shades = [dark for row in found.rows if (dark := shown(row, shade)[1]) is not None]
    darkest = 1.0 if shade in ("winner", "first") else max(shades, default=1.0) or 1.0
    wide = max(len(chart.columns) for chart in charts)
    heights = [len(chart.lines) + 2.4 for chart in charts]
    # The salt: or else every drawing has other names for its parts.
    with mpl.rc_context({"svg.hashsalt": "parlour", "svg.fonttype": "none", "font.size": 8, "axes.titlesize": 9}):
        figure = Figure(figsize=((wide + 3) * SQUARE, (sum(heights) + 1.5) * SQUARE), layout="constrained")
        axes = figure.subplots(len(charts), 1, squeeze=False, height_ratios=heights)[:, 0]
        for each, chart in zip(axes, charts, strict=True):
            _draw_chart(each, chart, found, shade, darkest)
        what = SHADES[shade]
        figure.suptitle(f"{found.game.title}: {what.title.lower()}")
        figure.supxlabel(what.about, fontsize=7)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "Parlour"})
    return b"\n".join(line.rstrip() for line in file.getvalue().splitlines()) + b"\n"


def _draw_chart(axes: Axes, chart: Chart, found: Map, shade: str, darkest: float) -> None:
    rows = [[None if place is None else shown(found.rows[place], shade) for place in line] for line in chart.places]
    nothing = float("nan")
    grid = [[nothing if not each or each[1] is None else each[1] / darkest for each in line] for line in rows]
    axes.pcolormesh(grid, cmap=COLOURS[shade], vmin=0, vmax=1.25, edgecolors="white", linewidth=0.5)
    for y, line in enumerate(rows):
        for x, each in enumerate(line):
            if each is not None:
                axes.text(x + 0.5, y + 0.5, each[0] or "?", ha="center", va="center", fontsize=6)
    axes.set_aspect("equal", anchor="W")
    axes.invert_yaxis()
    axes.set_xticks([x + 0.5 for x in range(len(chart.columns))], chart.columns)
    axes.set_yticks([y + 0.5 for y in range(len(chart.lines))], chart.lines)
    axes.set(xlabel=chart.across, ylabel=chart.down, title=chart.title)
    axes.tick_params(length=0)
    axes.set_frame_on(False)
