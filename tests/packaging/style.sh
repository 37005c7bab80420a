#!/bin/bash
# What a script can see of the project's style.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0
complain() { echo "$1"; bad=1; }

mapfile -t files < <(find include tests bench examples cmake -type f -not -path '*/data/*' | sort)
for file in "${files[@]}"; do
  lines=$(wc -l <"$file")
  case "$file" in *.hpp | *.ipp | *.cpp | *.sh | *.txt | *.cmake)
    [ "$lines" -le 500 ] || complain "$file: $lines lines; past 500 a file becomes a folder" ;;
  esac
  case "$(basename "$file")" in utils.* | util.* | misc.* | helpers.* | helper.* | common.* | manager.*)
    complain "$file: name the file for what it holds" ;;
  esac
done
for file in $(find include -name '*.hpp' -o -name '*.ipp'); do
  grep -q '^#pragma once' "$file" || complain "$file: no #pragma once"
done
for room in include/ordo/*/; do
  [ -n "$(ls -A "$room")" ] || continue
  [ -e "${room}README.md" ] || complain "$room: has no README.md"
done
if grep -rnE '#include <(iostream|regex)>' include; then complain "stream headers do not belong in the library"; fi
median=$(find include -name '*.[hi]pp' -exec wc -l {} \; | awk '{print $1}' | sort -n | awk '{a[NR] = $1} END {print a[int((NR + 1) / 2)]}')
echo "style: ${#files[@]} files, median of the library's $median lines"
[ "$median" -lt 150 ] || complain "the median file is $median lines; keep it below 150"
exit $bad
