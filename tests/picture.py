#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/picture on captures that are made up: escape sequences become styles, styles become SVG.

  picture.py ROOT
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
SVG = "{http://www.w3.org/2000/svg}"


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("picture", str(ROOT / "tools" / "picture"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("picture", loader))
    sys.modules["picture"] = module  # where dataclasses look for it
    loader.exec_module(module)
    return module


picture = load()
Style = picture.Style


def drawn(capture):
    return xml.etree.ElementTree.fromstring(picture.svg(picture.parse(capture), "a < title"))


class Parse(unittest.TestCase):
    def test_styles(self):
        red, blue = picture.PALETTE[1], picture.PALETTE[12]
        for sequence, style in (
                ("\x1b[31m", Style(fore=red)), ("\x1b[41m", Style(back=red)), ("\x1b[94m", Style(fore=blue)),
                ("\x1b[104m", Style(back=blue)), ("\x1b[1;31m", Style(fore=red, bold=True)),
                ("\x1b[2m", Style(dim=True)), ("\x1b[4m", Style(underline=True)),
                ("\x1b[7m", Style(reverse=True)), ("\x1b[38;5;1m", Style(fore=red)),
                ("\x1b[38;5;196m", Style(fore="#ff0000")), ("\x1b[48;5;255m", Style(back="#eeeeee")),
                ("\x1b[38;2;1;2;255m", Style(fore="#0102ff")), ("\x1b[38:5:21m", Style(fore="#0000ff")),
                ("\x1b[1;31;0m", Style()), ("\x1b[31m\x1b[m", Style()), ("\x1b[31;39m", Style()),
                ("\x1b[1m\x1b[22m", Style()), ("\x1b[7;27m", Style()), ("\x1b[41;49m", Style()),
                ("\x1b[99m", Style()), ("\x1b[38m", Style()), ("\x1b[38;5m", Style())):
            with self.subTest(repr(sequence)):
                self.assertEqual(picture.parse(sequence + "x"), [[(0, "x", style)]])

    def test_columns(self):
        lines = picture.parse("ab\x1b[31mcd\x1b[0mef\n  x\n\n  \n")
        self.assertEqual(lines, [[(0, "ab", Style()), (2, "cd", Style(fore=picture.PALETTE[1])),
                                  (4, "ef", Style())], [(0, "  x", Style())]])

    def test_style_holds_over_lines(self):
        _, second = picture.parse("\x1b[1ma\nb")
        self.assertEqual(second, [(0, "b", Style(bold=True))])

    def test_other_sequences_leave_no_trace(self):
        self.assertEqual(picture.parse("a\x1b[2Kb\x1b(Bc\x1b[?25ld"), [[(0, "abcd", Style())]])

    def test_line_drawing(self):
        self.assertEqual(picture.parse("q\x0eqx\x0fq"), [[(0, "q─│q", Style())]])


class Draw(unittest.TestCase):
    def test_words_keep_their_columns(self):
        root = drawn("ab cd    \x1b[1;31mx<y")
        first, second = root.iter(SVG + "text")
        self.assertEqual((first.text, second.text), ("ab cd", "x<y"))
        for text, column in ((first, 0), (second, 9)):
            self.assertEqual(int(text.get("x")), picture.MARGIN + column * picture.WIDTH)
            self.assertEqual(int(text.get("textLength")), len(text.text) * picture.WIDTH)
        self.assertEqual(second.get("fill"), picture.PALETTE[1])
        self.assertEqual((first.get("font-weight"), second.get("font-weight")), (None, "bold"))

    def test_bars_are_rectangles(self):
        root = drawn(" ██▌▂")
        _, full, half, low = root.iter(SVG + "rect")
        self.assertEqual(list(root.iter(SVG + "text")), [])
        self.assertEqual([float(full.get(k)) for k in ("x", "width", "height")],
                         [picture.MARGIN + picture.WIDTH, 2 * picture.WIDTH, picture.HEIGHT])
        self.assertEqual(float(half.get("width")), picture.WIDTH / 2)
        self.assertEqual(float(low.get("height")), picture.HEIGHT / 4)
        self.assertEqual(float(low.get("y")), picture.MARGIN + picture.HEIGHT * 3 / 4)

    def test_reverse(self):
        _, back = drawn("\x1b[7mab").iter(SVG + "rect")
        self.assertEqual((back.get("fill"), float(back.get("width"))),
                         (picture.FOREGROUND, 2 * picture.WIDTH))

    def test_size_is_that_of_the_text(self):
        root = drawn("abc\nd   \n\n")
        self.assertEqual(int(root.get("width")), 3 * picture.WIDTH + 2 * picture.MARGIN)
        self.assertEqual(int(root.get("height")), 2 * picture.HEIGHT + 2 * picture.MARGIN)


class Published(unittest.TestCase):
    """The picture in docs/: well-formed, small, and it needs nothing but itself."""

    def test_file(self):
        path = ROOT / "docs" / "top.svg"
        text = path.read_text(encoding="utf-8")
        self.assertLess(len(text.encode()), 60000)
        root = xml.etree.ElementTree.fromstring(text)
        shown = " ".join(t.text for t in root.iter(SVG + "text"))
        for word in ("mprof top", "crc32_update", "crc.c:34"):
            self.assertIn(word, shown)
        self.assertNotRegex(text, r"href|url\(|@import|<image|<script")
        self.assertNotRegex(shown, r"(^|[\s(])/\w")  # no folder of the machine that recorded it
        fills = {e.get("fill") for e in root.iter() if e.get("fill")}
        self.assertGreater(len(fills), 3)


unittest.main()
