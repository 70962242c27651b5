#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/step: one line if the command succeeds; the end of its log and its status if it fails.
#
#   tests/step.sh ROOT
set -euo pipefail

step=$1/tools/step
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

said=$("$step" "counting" logs/count.log seq 100 2>&1)
[ "$said" = counting ] || { echo "it said: $said" >&2; exit 1; }
[ "$(wc -l <logs/count.log)" = 100 ]

status=0
said=$("$step" "failing" fail.log sh -c 'seq 100; exit 7' 2>&1) || status=$?
[ "$status" = 7 ] || { echo "status $status" >&2; exit 1; }
wanted="failing
$(seq 71 100)
failed: failing; the whole log is in fail.log"
[ "$said" = "$wanted" ] || { echo "it said: $said" >&2; exit 1; }
