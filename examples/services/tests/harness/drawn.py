"""Parts of a page as they are shown, drawn as SVG beside each other: boxes and words, some kilobytes of text that a
README shows."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

EDGE, GAP = 12, 16
SHOWN = """([selectors, edge]) => {
  const boxes = [], words = [], whole = [1e9, 1e9, 0, 0];
  const seen = (colour) => !/^rgba\\(.*, 0\\)$|^transparent$/.test(colour);
  const word = (style, text, box) => words.push({ text, x: box.left, y: box.top, w: box.width, h: box.height,
    size: parseFloat(style.fontSize), bold: Number(style.fontWeight) > 500, fill: style.color });
  const lines = (node, style) => {
    let line = null;
    for (const found of node.textContent.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      if (line && Math.abs(line.top - box.top) < 2) {
        line.text += " " + found[0];
        line.width = box.right - line.left;
      } else {
        if (line) word(style, line.text, line);
        line = { text: found[0], left: box.left, top: box.top, width: box.width, height: box.height };
      }
    }
    if (line) word(style, line.text, line);
  };
  const walk = (element) => {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const hidden = style.display === "none" || style.visibility === "hidden" || style.position === "fixed";
    if (hidden || !box.width) return;
    const border = parseFloat(style.borderTopWidth) && seen(style.borderTopColor);
    if (seen(style.backgroundColor) || border) {
      const line = border && !parseFloat(style.borderLeftWidth);
      boxes.push({ x: box.left, y: box.top, w: box.width, h: line ? 1 : box.height,
        r: parseFloat(style.borderTopLeftRadius) || 0, o: Number(style.opacity),
        fill: seen(style.backgroundColor) ? style.backgroundColor : "none",
        stroke: border ? style.borderTopColor : "" });
    }
    const said = element.matches("input, textarea") ? element.value
      : element.matches("select") ? element.selectedOptions[0]?.text : "";
    if (said) word(style, said, { left: box.left + 8, top: box.top, width: 0, height: box.height });
    if (element.matches("select, input, textarea, script, style")) return;
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) lines(child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) walk(child);
    }
  };
  for (const element of selectors.flatMap((one) => [...document.querySelectorAll(one)])) {
    const box = element.getBoundingClientRect();
    if (!box.width) continue;
    whole[0] = Math.min(whole[0], box.left); whole[1] = Math.min(whole[1], box.top);
    whole[2] = Math.max(whole[2], box.right); whole[3] = Math.max(whole[3], box.bottom);
    walk(element);
  }
  return { boxes, words, x: whole[0] - edge, y: whole[1] - edge, w: whole[2] - whole[0] + 2 * edge,
    h: whole[3] - whole[1] + 2 * edge, paper: getComputedStyle(document.body).backgroundColor };
}"""


Column = tuple[str, ...]


def drawn(page: Page, title: str, columns: list[Column], most: int | None = None) -> str:
    """What is shown of these parts of a page, a column of each; of a higher one than `most` what stands above."""
    lines, left, high = [], 0, 0
    for selectors in columns:
        found = page.evaluate(SHOWN, [list(selectors), EDGE])
        width, height = round(found["w"]), min(round(found["h"]), most or round(found["h"]))
        size = f'width="{width}" height="{height}"'
        paper = f'<rect {size} fill="{found["paper"]}"/>'
        lines += [f'<svg x="{left}" {size}>', paper, *column(found, height), "</svg>"]
        left, high = left + width + GAP, max(high, height)
    size = f'viewBox="0 0 {left - GAP} {high}" width="{left - GAP}" height="{high}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" role="img">'
    return "\n".join([f"{head}<title>{html.escape(title)}</title>", *lines, "</svg>", ""])


def column(found: dict[str, Any], height: int) -> Iterator[str]:
    """The boxes and words of one. What begins below its end is left out."""

    def at(one: dict[str, Any], name: str) -> int:
        return round(one[name] - found[name]) if name in ("x", "y") else max(1, round(one[name]))

    for box in (box for box in found["boxes"] if at(box, "y") < height):
        edge = f' stroke="{box["stroke"]}"' if box["stroke"] else ""
        faint = f' opacity="{box["o"]}"' if box["o"] < 1 else ""
        radius = f' rx="{min(round(box["r"]), 16)}"' if box["r"] else ""
        place = f'x="{at(box, "x")}" y="{at(box, "y")}" width="{at(box, "w")}" height="{at(box, "h")}"'
        yield f'<rect {place}{radius} fill="{box["fill"]}"{edge}{faint}/>'
    for word in (word for word in found["words"] if at(word, "y") < height):
        base = round(word["y"] - found["y"] + word["h"] / 2 + word["size"] * 0.35)
        length = f' textLength="{round(word["w"])}"' if word["w"] >= 1 else ""
        bold = ' font-weight="600"' if word["bold"] else ""
        place = f'x="{at(word, "x")}" y="{base}" font-size="{round(word["size"])}"'
        yield f'<text {place}{length}{bold} fill="{word["fill"]}">{html.escape(word["text"])}</text>'


def texts(svg: str) -> list[str]:
    """The words of a picture, in their order."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def hold(page: Page, kept: Path, title: str, columns: list[Column], *, most: int | None = None, anew: bool) -> None:
    """A picture that is kept shows nothing that the page has not: no word, and no colour of a bar or a box. With `anew`
    it is drawn now. Fonts differ from machine to machine, and so do places and ends of lines."""
    if anew:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(drawn(page, title, columns, most))
    picture, whole = kept.read_text(), drawn(page, title, columns)
    assert len(picture) < 40_000 and "<script" not in picture
    said, shown = (Counter(" ".join(texts(one)).split()) for one in (picture, whole))
    colours, in_it = (set(re.findall(r'<rect [^>]*fill="([^"]*)"', one)) for one in (whole, picture))
    wrong = sorted((said - shown).elements()), sorted(in_it - colours)
    assert said.total() > 20 and wrong == ([], []), f"{kept.name}: draw it anew with PICTURES=anew: {wrong}"
