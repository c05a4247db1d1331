#!/bin/sh
# Builds Debian's version of oneTBB with ThreadSanitizer, which sees nothing of the usual one, in a folder, and runs tests with it and
# without the list of what is not to be reported: a race in Broadloom, or one that oneTBB's own locks prevent?
#
# usage: tools/watched_tbb.sh FOLDER PROGRAM...     PROGRAM: of `BROADLOOM_SANITIZE=thread ./dev test NAME`, which comes before
set -eu
folder=$1
shift
mkdir -p "$folder/lists/partial"
folder=$(cd "$folder" && pwd)
if [ ! -e "$folder/libtbb.so.12" ]; then
  # Sources are no part of the machine's list of packages.
  mirror=$(sed -n 's/^URIs: //p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null |
    grep -m1 debian)
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  echo "deb-src $mirror $release main" >"$folder/sources.list"
  set_apart="-o Dir::Etc::sourcelist=$folder/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$folder/lists"
  # shellcheck disable=SC2086
  apt-get -q $set_apart update
  # shellcheck disable=SC2086
  (cd "$folder" && apt-get -q $set_apart source --download-only onetbb && tar xf onetbb_*.orig.tar.*)
  CC=clang-19 CXX=clang++-19 cmake -S "$folder"/oneTBB-* -B "$folder/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_TEST=OFF -DTBB_STRICT=OFF \
    -DTBBMALLOC_BUILD=OFF -DTBB_ENABLE_IPO=OFF -DCMAKE_CXX_FLAGS='-fsanitize=thread -g1'
  cmake --build "$folder/build" -j "${JOBS:-2}" --target tbb
  cp "$(find "$folder/build" -name 'libtbb.so.12.*' -type f)" "$folder/libtbb.so.12"
fi
reports=0
for program in "$@"; do
  LD_LIBRARY_PATH=$folder TSAN_OPTIONS=exitcode=66 "$program" >"$folder/log" 2>&1 && state=clean || state=failed
  found=$(grep -c 'WARNING: ThreadSanitizer' "$folder/log") || true
  reports=$((reports + found))
  [ "$state$found" = clean0 ] || cat "$folder/log"
  echo "$state, $found reports: $program"
done
[ "$reports" = 0 ]
