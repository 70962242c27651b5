# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export --format speedscope, shown by speedscope's own page in headless Chromium. npm fetches it once.

usage: check_speedscope.py BUILD_FOLDER       writes BUILD_FOLDER/browser/speedscope.png, to be looked at
"""

import base64
import re
import shutil
import unittest

from check import BROWSER, BUILD, PICTURES, Browser, mprof
from npm import install
from test_trace_export import Exports, broken, whole

# The page draws by WebGL.
DRAWS = ("--use-gl=swiftshader", "--enable-unsafe-swiftshader")


class Speedscope(Exports):
    def page(self, data):
        """The address of the page with a trace."""
        path = self.put("made.trace", data)
        done = mprof("export", "--format", "speedscope", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.copytree(RELEASE, self.folder / "page")
        text = base64.b64encode(done.stdout.encode()).decode()
        self.put("page/trace.js", f"speedscope.loadFileFromBase64('made.speedscope.json', '{text}')")
        return f"{(self.folder / 'page' / 'index.html').as_uri()}#localProfilePath={self.folder}/page/trace.js"

    def test_shown(self):
        """A profile for each track, and the calls of one are drawn."""
        page, browser, picture = self.page(whole()), Browser(), PICTURES / "speedscope.png"
        self.addCleanup(browser.close)
        PICTURES.mkdir(exist_ok=True)
        picture.unlink(missing_ok=True)
        shown = browser.run(page, *DRAWS, "--window-size=1200,700", "--dump-dom")
        self.assertEqual(set(re.findall(r'<tr title="(.*?)"', shown)),
                         {"task 0x100, core 0", "task 0x200, core 0", "core 1", "SysTick_Handler, core 0",
                          "SysTick_Handler, core 1"})
        browser.run(page, *DRAWS, "--window-size=1200,700", f"--screenshot={picture}")
        self.assertGreater(len(picture.read_bytes()), 20000, "nothing is on it")
        print(f"wrote {picture}")

    def test_broken(self):
        """What was lost does not matter to it."""
        browser = Browser()
        self.addCleanup(browser.close)
        shown = browser.run(self.page(broken()), *DRAWS, "--dump-dom")
        self.assertRegex(shown, r">(thread|SysTick_Handler)<")


if __name__ == "__main__":
    if not BROWSER:
        print("check-browser: speedscope is left out: chromium is missing (tools/setup browser installs it)")
    else:
        RELEASE = install(BUILD, "speedscope@1.25.0", "dist/release/index.html").parent
        unittest.main(argv=[__file__])
