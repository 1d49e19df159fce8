# shellcheck shell=sh
# The state that a build depends on, as lists to compare. Sourced by Scripts/build in the package's folder.
#
# A list has each file's size, times, device and inode. An edit, a move or a replacement changes one of them, even
# within one second and with the same size.

# Lists files, and the content of folders. Hidden files are omitted, as by SwiftPM, and so are missing ones.
list_files() {
  find -L "$@" -name '.?*' -prune -o ! -type d -printf '%s %T@ %C@ %D:%i %p\n' 2>/dev/null |
    LC_ALL=C sort -u
}

# Prints the digest of each of these files.
list_digests() {
  find -L "$@" -name '.?*' -prune -o -type f -print0 2>/dev/null |
    xargs -0 -r sha256sum -- | LC_ALL=C sort -u
}

# Runs a command on the sources: the usual folders, those that the manifest names, and the packages beside this one.
with_sources() {
  set -- "$@" Package.swift Package@*.swift Package.resolved Sources
  [ -z "$builds_tests" ] || set -- "$@" Tests
  for path in $(grep -o '[( ]path: *"[^"]*"' Package.swift 2>/dev/null | cut -d '"' -f 2); do
    if [ -e "$path/Package.swift" ]; then
      set -- "$@" "$path/Package.swift" "$path/Package.resolved" "$path/Sources"
    else
      set -- "$@" "$path"
    fi
  done
  "$@"
}

# The arguments, the environment that compilers read, the toolchain, and the libraries of the system.
list_surroundings() {
  printf '%s\n' "$arguments"
  env | LC_ALL=C sort | awk '
    /^(CC|CXX|CPATH|C_INCLUDE_PATH|LIBRARY_PATH|PKG_CONFIG_PATH|SDKROOT|SWIFT_[A-Z_]+|TOOLCHAINS)=/'
  swift=$(readlink -f "$(command -v swift)") || swift=
  echo "$swift"
  toolchain=${swift%/*}
  set -- "$swift"
  if [ -e "$toolchain/swift-frontend" ]; then
    set -- "$@" "$toolchain/swift-frontend" "$toolchain/swift-build" "$toolchain/clang"
  else
    # A program that selects a toolchain; only its output identifies the toolchain.
    swift --version 2>&1
  fi
  while read -r header _ module; do
    set -- "$@" "/usr/include/$header" /usr/include/*-linux-*/"$header" \
      /usr/lib/*/pkgconfig/"$module.pc" /usr/share/pkgconfig/"$module.pc"
  done <"$support/libraries"
  list_files "$@"
}

# Lists the built programs.
list_products() {
  for name in $product; do
    if [ -f "$products/$name" ]; then
      list_files "$products/$name"
      return
    fi
  done
  find -L "$products" -maxdepth 1 -type f -perm /111 -printf '%s %T@ %C@ %D:%i %p\n' 2>/dev/null |
    LC_ALL=C sort
}

# Tells whether a program exists, and nothing has changed since it was built.
is_current() {
  [ -s "$stamp/products" ] || return 1
  list_products | cmp -s - "$stamp/products" || return 1
  list_surroundings | cmp -s - "$stamp/surroundings" || return 1
  with_sources list_files | cmp -s - "$stamp/sources" && return
  # Files that were only touched, or moved to another branch and back, have the same content.
  take_state
  cmp -s "$work/contents" "$stamp/contents" && mv "$work/sources" "$stamp/sources"
}

# Records the state of the sources.
take_state() {
  with_sources list_files >"$work/sources"
  # A later edit gets a later time than all recorded ones, because the system's clock ticks at least each 10 ms.
  sleep 0.02
  with_sources list_digests >"$work/contents"
}

# Touches edited files that were given their old time back: SwiftPM compares times and would miss the edit.
touch_hidden_edits() {
  [ -e "$stamp/contents" ] || return 0
  awk '
    part % 2 == 1 { path = $0; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", path); time[part, path] = $2 }
    part == 2 { digest[substr($0, 67)] = $1 }
    part == 4 {
      path = substr($0, 67)
      if (path in digest && digest[path] != $1 && time[1, path] == time[3, path]) print path
    }
  ' part=1 "$stamp/sources" part=2 "$stamp/contents" part=3 "$work/sources" part=4 "$work/contents" \
    >"$work/hidden"
  [ -s "$work/hidden" ] || return 0
  while IFS= read -r path; do
    touch -c -- "$path"
  done <"$work/hidden"
  take_state
}
