#!/bin/bash
# Compiles each misuse of cases.txt and looks for its sentence; the right ways must compile, all in one unit.
#   run.sh COMPILER [NAME...]      all cases, or those named; exits 1 when one misses
here=$(cd "$(dirname "$0")" && pwd)
compiler=${1:-${CXX:-g++}}
shift
only=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { "$compiler" -std=c++20 -w -DORDO_COMPILED -I"$here/../../../include" -fsyntax-only "$1" 2>&1; }
most_errors=3
passed=0
total=0

report() {  # name, output of the misuse, sentence
  local errors verdict=ok
  errors=$(grep -c 'error:' <<<"$2")
  [ "$errors" -le $most_errors ] || verdict="TOO MANY ERRORS"
  grep -qF -- "$3" <<<"$2" || verdict=MISSING
  total=$((total + 1))
  [ "$verdict" = ok ] && passed=$((passed + 1))
  printf '%-28s %-8s errors=%s  %s\n' "$1" "$verdict" "$errors" "$3"
  [ "$verdict" = ok ] || head -20 <<<"$2" | sed 's/^/    /'
}

echo "#include \"$here/prelude.hpp\"" >"$work/good.cpp"
while IFS= read -r line; do
  case $line in
    '['*) name=${line#[} name=${name%]} ;;
    'bad:  '*) bad=${line#bad:  } ;;
    'good: '*)
      [ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
      printf 'CASE(good_%s) { %s }\n' "${name//-/_}" "${line#good: }" >>"$work/good.cpp" ;;
    'says: '*)
      [ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
      printf '#include "%s/prelude.hpp"\nCASE(bad) { %s }\n' "$here" "$bad" >"$work/bad.cpp"
      report "$name" "$(compile "$work/bad.cpp")" "${line#says: }" ;;
  esac
done <"$here/cases.txt"

total=$((total + 1))
if output=$(compile "$work/good.cpp"); then
  passed=$((passed + 1))
  echo 'the right ways               ok'
else
  echo 'the right ways               DO NOT COMPILE'
  head -40 <<<"$output" | sed 's/^/    /'
fi
echo "$compiler: $passed of $total"
[ "$passed" = "$total" ]
