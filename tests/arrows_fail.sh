#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# arrows.sh must fail, and name the file, when a folder includes what it must not.
set -euo pipefail
root=${1:?usage: arrows_fail.sh ROOT}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cp -r "$root/target-stub" "$root/gdbmi" "$root/cli" "$copy"

expect() {
    if output=$("$root/tests/arrows.sh" "$copy"); then
        echo "arrows.sh accepted $1"
        exit 1
    fi
    grep -qF "$1" <<<"$output" || { echo "arrows.sh did not name $1 but said: $output"; exit 1; }
    rm -f "$copy/$1"
}

echo '#include <profile/profile.h>' >"$copy/cli/term/wrong.c"
expect cli/term/wrong.c
echo '#include <mprof/layout.h>' >"$copy/cli/view/wrong.h"
expect cli/view/wrong.h
echo '#include "../../gdbmi/src/link_private.h"' >"$copy/cli/sampler/wrong.c"
expect cli/sampler/wrong.c
"$root/tests/arrows.sh" "$copy"
