# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of mprof export --format html in headless Chromium: what its script does, and pictures of it.

usage: check.py BUILD_FOLDER       writes BUILD_FOLDER/browser/*.png, to be looked at
"""

import html.parser
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
os.environ.setdefault("MPROF_BUILD", str(BUILD))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))
import formats  # noqa: E402
from support import FIRMWARE, mprof, sampled, stop  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = BUILD / "browser"

# Runs in the page behind its own script; what it says is read from the DOM.
STEPS = """
const say = {};
const $ = (selector) => [...document.querySelectorAll(selector)];
const key = (name) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true}));
const column = (title) => $("thead th").findIndex((th) => th.textContent.startsWith(title));
const names = () => $("tbody tr").filter((row) => !row.hidden).map((row) => row.querySelector("th").textContent);
const width = (box) => parseFloat(box.style.width);
const boxes = () => $("#graph .box").map((box) => [box.getAttribute("aria-label").split("  \\u2013  ")[0],
  Number(box.getAttribute("aria-level")), width(box)]);
say.resources = performance.getEntriesByType("resource").map((entry) => entry.name);
say.shown = !document.getElementById("graph-section").hidden && !document.getElementById("tools").hidden;
say.boxes = boxes();
say.height = document.getElementById("graph").clientHeight;
say.stops = $("#graph .box").filter((box) => box.tabIndex === 0).length;
say.labelled = $("#graph .box").every((box) => box.getAttribute("role") === "treeitem" && box.getAttribute("aria-label"));
say.names = names();
const press = (title) => $("thead th")[column(title)].querySelector("button").click();
press("Function");
say.by_name = names();
say.sorted = $("thead th").map((th) => th.getAttribute("aria-sort"));
press("Function");
say.by_name_down = names();
press("Share");
say.by_share = names();
$("#graph .box")[0].focus();
key("ArrowDown");
say.down = document.activeElement.getAttribute("aria-label");
key("ArrowDown");
say.down_again = document.activeElement.getAttribute("aria-label");
key("Enter");
say.zoomed = boxes();
say.zoomed_focus = document.activeElement.getAttribute("aria-label");
key("Escape");
key("Escape");
say.out = boxes();
key("Home");
say.home = document.activeElement.getAttribute("aria-label");
const search = document.getElementById("search");
document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true}));
say.slash = document.activeElement === search;
search.value = WANTED;
search.dispatchEvent(new Event("input"));
say.found = names();
say.found_text = document.getElementById("found").textContent;
say.marked = $("#graph .box.found").map((box) => box.getAttribute("aria-label").split("  \\u2013  ")[0]);
search.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
say.all = names();
say.wide = document.documentElement.scrollWidth <= window.innerWidth;
// What would be fetched is refused by the page's own policy.
say.refused = [];
document.addEventListener("securitypolicyviolation", (event) => say.refused.push(event.violatedDirective));
new Image().src = "http://127.0.0.1:9/";
setTimeout(() => {
  const pre = document.createElement("pre");
  pre.id = "said";
  pre.textContent = JSON.stringify(say);
  document.body.append(pre);
}, 300);
"""


class Said(html.parser.HTMLParser):
    """The text of the element that the steps append."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.inside, self.text = False, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = ("id", "said") in attrs

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.text += data if self.inside else ""


class Browser:
    """Chromium with a folder of its own, and no network."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def run(self, page, *options):
        done = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-extensions", "--disable-default-apps", f"--user-data-dir={self.folder.name}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=4000", *options, page if isinstance(page, str) else page.as_uri()],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode()

    def close(self):
        self.folder.cleanup()


def snapshot(folder):
    """Of the example firmware for this host."""
    elf = FIRMWARE / "x86-64"
    process = subprocess.Popen([str(elf)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        sampled(elf, 3000, "--pid", process.pid)
        done = mprof("snapshot", "--elf", elf, "--pid", process.pid, "-o", folder / "firmware.pb.gz")
        assert done.returncode == 0, done.stderr
    finally:
        stop(process)
    return folder / "firmware.pb.gz"


def deep(folder):
    """A profile with stacks, of a program that is made up."""
    random.seed(3)
    functions = [(f"step_{i}", f"/src/mod{i % 5}/file{i % 9}.c", i + 5) for i in range(120)]
    functions[7] = ("</script><b>hostile</b>" + "x" * 3000, "/src/a\"b.c", 1)
    stacks = []
    for _ in range(3000):
        at, stack = 0, [0]
        for depth in range(random.randint(3, 24)):
            at = (at * 7 + random.choice([1, 1, 1, 2, 3]) + depth) % 120
            stack.insert(0, at)
        stacks.append((stack, [random.randint(1, 40)]))
    path = folder / "deep.pb.gz"
    path.write_bytes(formats.pprof([("samples", "count")], functions,
                                   [(0x1000 + 64 * i, [(i, i + 7)]) for i in range(120)], stacks))
    return path


@unittest.skipUnless(BROWSER, "chromium is missing (tools/setup browser installs it)")
class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(exist_ok=True)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def page(self, name, file):
        path = PICTURES / f"{name}.html"
        done = mprof("export", "--format", "html", file, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def said(self, page, wanted, size="1280,900"):
        """What the steps say, in a copy of the page."""
        script = f"<script>\"use strict\";const WANTED = {json.dumps(wanted)};{STEPS}</script></body>"
        path = self.folder / f"steps-{page.name}"
        path.write_text(page.read_text().replace("</body>", script))
        said = Said(self.browser.run(path, f"--window-size={size}", "--dump-dom")).text
        self.assertTrue(said, "the page's script failed")
        return json.loads(said)

    def pictures(self, page):
        for size, options in (("1280,900", ()), ("480,900", ()),
                              ("1280,900", ("--blink-settings=preferredColorScheme=0",))):
            name = f"{page.stem}-{size.split(',')[0]}{'-dark' if options else ''}.png"
            picture = PICTURES / name
            picture.unlink(missing_ok=True)
            self.browser.run(page, f"--window-size={size}", f"--screenshot={picture}", *options)
            data = picture.read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(data), 20000, "nothing is on it")
            print(f"wrote {picture}")

    def check(self, said):
        self.assertEqual((said["resources"], said["refused"]), ([], ["img-src"]))
        self.assertTrue(said["shown"] and said["labelled"] and said["slash"] and said["wide"])
        self.assertEqual(said["stops"], 1, "one stop of the Tab key for the whole graph")
        self.assertEqual(said["boxes"][0], ["all", 1, 100])
        self.assertEqual(said["height"], 21 * max(level for _, level, _ in said["boxes"]))
        for level in range(1, max(level for _, level, _ in said["boxes"]) + 1):
            self.assertLess(sum(width for _, at, width in said["boxes"] if at == level), 100.01)
        self.assertEqual(sorted(said["by_name"]), sorted(said["names"]))
        self.assertEqual(said["by_name_down"], said["by_name"][::-1])
        self.assertEqual(said["sorted"].count("ascending"), 1)
        self.assertEqual(said["by_share"][0], said["names"][0])
        self.assertEqual(said["out"], said["boxes"])
        self.assertTrue(said["home"].startswith("all "))
        self.assertEqual(said["all"], said["by_share"])
        self.assertEqual(said["zoomed_focus"], said["down_again"])
        zoomed = said["down_again"].split("  \u2013  ")[0]
        self.assertIn([zoomed, 3, 100], said["zoomed"])

    def test_of_firmware(self):
        page = self.page("firmware", snapshot(self.folder))
        said = self.said(page, "work_a")
        self.check(said)
        self.assertEqual(said["found"], ["work_a"])
        self.assertIn("work_a", said["marked"])
        self.assertRegex(said["found_text"], r"^1 of \d+ functions, \d+\.\d % in the graph$")
        self.assertEqual(said["names"][0], "work_a")
        self.check(self.said(page, "work_a", "480,900"))
        self.pictures(page)

    def test_of_stacks(self):
        page = self.page("stacks", deep(self.folder))
        said = self.said(page, "hostile")
        self.check(said)
        self.assertEqual([name[:23] for name in said["found"]], ["</script><b>hostile</b>"])
        self.assertGreater(max(level for _, level, _ in said["boxes"]), 8)
        self.pictures(page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
