#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The arrows between folders (docs/architecture.md): which folder may include which folder's headers.
#
#   arrows.sh ROOT      exit 1, naming each file that includes what its folder must not
set -euo pipefail
cd "${1:?usage: arrows.sh ROOT}"

# folder, and the header folders that its files may include in <...>
arrows="
target-stub:mprof
gdbmi:gdbmi
cli/profile:profile mprof
cli/symbol:symbol
cli/term:term
cli/code:code gdbmi
cli/snapshot:snapshot profile symbol
cli/export:export snapshot profile symbol
cli/view:view profile symbol code
cli/history:history snapshot view profile symbol
cli/sampler:sampler gdbmi profile symbol
cli/command:command history sampler snapshot export view profile symbol code gdbmi term
"

# Folders of ours that stand before the slash of an include; all others are the system's.
ours=" mprof gdbmi profile symbol code term view sampler snapshot history export command "

failed=0
checked=0
while IFS=: read -r folder allowed; do
    [ -n "$folder" ] || continue
    while IFS= read -r -d '' file; do
        checked=$((checked + 1))
        while read -r header; do
            room=${header%%/*}
            [[ $header == */* && $ours == *" $room "* ]] || continue
            [[ " $allowed " == *" $room "* ]] && continue
            echo "$file includes <$header>: $folder may only include: $allowed"
            failed=1
        done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1/p' "$file")
        # A path that climbs out of its folder goes around the arrows.
        if grep -nE '#[[:space:]]*include[[:space:]]*"\.\./' "$file"; then
            echo "$file includes a file of another folder by its path"
            failed=1
        fi
    done < <(find "$folder" -type f \( -name '*.c' -o -name '*.h' -o -name '*.S' \) -print0)
done <<<"$arrows"

# A folder that is not in the table has no rule: that is a mistake too.
for folder in cli/*/; do
    folder=${folder%/}
    if ! grep -q "^$folder:" <<<"$arrows"; then
        echo "$folder has no line in tests/arrows.sh"
        failed=1
    fi
done

[ "$checked" -gt 0 ] || { echo "no file was checked"; exit 1; }
exit $failed
