# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that npm fetches once, into BUILD_FOLDER/browser/npm."""

import pathlib
import shutil
import subprocess
import sys


def install(build, package, file):
    """The file of a package, whose version is part of its name. Ends the test, as one that is left out, if npm cannot
    install it."""
    home = pathlib.Path(build) / "browser" / "npm" / package.replace("/", "-")
    path = home / "node_modules" / package.rpartition("@")[0] / file
    if path.exists():
        return path
    why = "npm or node is missing"
    if shutil.which("npm") and shutil.which("node"):
        home.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", home, package],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        why = f"npm cannot install it: {done.stderr.strip()[-200:]}"
    if not path.exists():
        print(f"check-browser: {package} is left out: {why}")
        sys.exit(0)
    return path
