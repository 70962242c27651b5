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
cli/base:base
cli/profile:profile mprof
cli/symbol:symbol
cli/term:term
cli/code:code gdbmi
cli/snapshot:snapshot base profile symbol
cli/export:export base snapshot profile symbol
cli/ranking:ranking base profile symbol code
cli/view/table:table ranking base profile symbol code
cli/view/screen:screen table ranking base profile symbol code
cli/view/annotate:annotate screen table ranking base profile symbol code
cli/history:history base snapshot table ranking profile symbol
cli/sampler:sampler gdbmi profile symbol
cli/options:options base sampler export table ranking profile symbol gdbmi
cli/load:load options base history snapshot table ranking profile symbol code
cli/target:target load options base history sampler snapshot table ranking profile symbol gdbmi
cli/shell:shell target options base history export profile symbol term
cli/live:live shell target load options base sampler snapshot annotate screen table ranking profile symbol code term
cli/command:command live shell target load options base history snapshot export annotate screen table ranking profile term
"

# Folders of ours that stand before the slash of an include; all others are the system's.
ours="mprof base options load target shell live gdbmi profile symbol code term ranking table screen annotate sampler snapshot history export command"

# A folder that is not in the table has no rule: that is a mistake too.
failed=0
for folder in cli/*/ cli/view/*/; do
    folder=${folder%/}
    [ "$folder" = cli/view ] && continue
    if ! grep -q "^$folder:" <<<"$arrows"; then
        echo "$folder has no line in tests/arrows.sh"
        failed=1
    fi
done

folders=$(sed -n 's/:.*//p' <<<"$arrows")
# shellcheck disable=SC2086 # folders are words
find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.S' \) -print0 |
    ARROWS=$arrows OURS=$ours xargs -0 awk '
BEGIN {
    lines = split(ENVIRON["ARROWS"], line, "\n")
    for (i = 1; i <= lines; i++)
        if (split(line[i], part, ":") == 2) {
            allowed[part[1]] = part[2]
            words = split(part[2], word, " ")
            for (k = 1; k <= words; k++)
                may[part[1], word[k]] = 1
        }
    words = split(ENVIRON["OURS"], word, " ")
    for (k = 1; k <= words; k++)
        is_ours[word[k]] = 1
}
FNR == 1 {
    for (folder in allowed)
        if (index(FILENAME, folder "/") == 1)
            here = folder
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    header = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", header)
    sub(/[>"].*/, "", header)
    # A path that climbs out of its folder goes around the arrows.
    if (index(header, "../") == 1) {
        print FILENAME " includes a file of another folder by its path: " header
        failed = 1
    }
    room = header
    sub(/\/.*/, "", room)
    if (room != header && room in is_ours && !((here, room) in may)) {
        print FILENAME " includes <" header ">: " here " may only include: " allowed[here]
        failed = 1
    }
}
END { exit failed || NR == 0 }' || failed=1
exit $failed
