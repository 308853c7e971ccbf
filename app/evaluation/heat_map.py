"""A heat map of languages: a tile for each, by script and family."""

import math
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from app.evaluation.plots import new_figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from app.evaluation.languages import LanguageMeasured

TILES = 8
"""Languages side by side."""
LABEL = 2.7
"""Width of what stands left of the tiles, in tiles."""
LONG = 60
"""Lines from which the map stands in two columns."""
COLOURS = "RdYlGn"


@dataclass(frozen=True, slots=True)
class Block:
    """Languages of one script and family, best first; first of its script: the script's name stands there."""

    script: str
    family: str
    languages: tuple["LanguageMeasured", ...]
    first: bool

    @property
    def lines(self) -> int:
        return math.ceil(len(self.languages) / TILES)


def plot_languages(rows: tuple["LanguageMeasured", ...], title: str, path: Path) -> None:
    """Tiles coloured by accuracy@1, in blocks of a script and within it of a family; large ones first."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable

    blocks = blocks_of(rows)
    height = sum(block.lines for block in blocks)
    columns = split(blocks, height / 2) if height > LONG else [blocks]
    longest = max(sum(block.lines for block in column) for column in columns)
    figure = new_figure(8.2 * len(columns), 1.6 + 0.3 * longest)
    panels = figure.subplots(1, len(columns), squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        draw_column(axes, column, longest)
    colours = ScalarMappable(cmap=mpl.colormaps[COLOURS])
    figure.colorbar(
        colours, ax=list(panels), orientation="horizontal", aspect=60, pad=0.01, label="accuracy@1"
    )
    figure.suptitle(title)
    save(figure, path)


def blocks_of(rows: tuple["LanguageMeasured", ...]) -> list[Block]:
    """Scripts by the number of their languages, within each the families likewise."""
    ordered = sorted(rows, key=lambda row: (row.script, row.family, -row.accuracy, row.language))
    scripts = [list(found) for _, found in groupby(ordered, key=lambda row: row.script)]
    blocks = []
    for languages in sorted(scripts, key=lambda found: -len(found)):
        families = [tuple(found) for _, found in groupby(languages, key=lambda row: row.family)]
        families.sort(key=lambda found: -len(found))
        blocks += [
            Block(found[0].script, found[0].family, found, place == 0) for place, found in enumerate(families)
        ]
    return blocks


def split(blocks: list[Block], half: float) -> list[list[Block]]:
    """Two columns, the first of at least so many lines; the second begins with its script's name."""
    lines = 0
    for place, block in enumerate(blocks):
        if lines >= half:
            second = Block(block.script, block.family, block.languages, True)
            return [blocks[:place], [second, *blocks[place + 1 :]]]
        lines += block.lines
    return [blocks]


def draw_column(axes: "Axes", blocks: list[Block], lines: int) -> None:
    """One below the other, the names of script and family at the left."""
    line = 0
    for block in blocks:
        if block.first:
            axes.axhline(line - 0.5, color="lightgrey", linewidth=0.8)
            axes.text(-LABEL, line, block.script, va="center", fontsize=9, fontweight="bold")
        axes.text(-0.6, line, block.family, ha="right", va="center", fontsize=8)
        for place, row in enumerate(block.languages):
            draw_tile(axes, place % TILES, line + place // TILES, row)
        line += block.lines
    axes.set_xlim(-LABEL, TILES - 0.5)
    axes.set_ylim(lines - 0.5, -0.6)
    axes.set_axis_off()


def draw_tile(axes: "Axes", column: int, line: int, row: "LanguageMeasured") -> None:
    """One language: its code and its accuracy on the colour of that."""
    import matplotlib as mpl
    from matplotlib.patches import Rectangle

    colour = mpl.colormaps[COLOURS](row.accuracy)
    axes.add_patch(Rectangle((column - 0.48, line - 0.45), 0.96, 0.9, color=colour))
    code = row.language.removesuffix(f"_{row.script}")
    # Both ends of the scale are dark.
    ink = "white" if min(row.accuracy, 1 - row.accuracy) < 0.12 else "black"
    text = f"{code} {row.accuracy:.2f}"
    axes.text(column, line, text, ha="center", va="center", fontsize=8, color=ink)
