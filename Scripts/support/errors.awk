# Reads SwiftPM's output and prints the errors in it, each once, with its excerpt and its notes.

function close_block() {
  if (is_error && block != "" && !(block in seen)) {
    printf "%s", block
    count++
  }
  if (block != "") seen[block] = 1
  block = ""
  is_error = 0
}

{ lines[NR] = $0 }

# A line of source code in an excerpt may have any form.
/^ *[0-9]* *\|/ { block = block $0 "\n"; next }

# The steps and phases of a build.
/^\[[0-9]+\/[0-9]+\] / || /^(Building for|Build of|Build complete|Planning)/ ||
/^(Fetch|Updat|Comput|Download)(ing|ed) / || /^(Creating working copy|Working copy) / ||
/^Another instance of SwiftPM/ || /^[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated\.$/ {
  close_block()
  next
}

# Errors that only report another failure.
/^error: ExitCode\(/ || /^error: fatalError$/ || /^error: link command failed/ ||
/^clang(\+\+)?: error: linker command failed/ {
  close_block()
  is_error = 1
  idle = idle $0 "\n"
  next
}

/^In file included from / && !including { close_block(); including = 1 }
/(^|: )(fatal )?error: / {
  if (!including) close_block()
  including = 0
  is_error = 1
}
/(^|: )warning: / {
  if (!including) close_block()
  including = 0
  is_error = 0
}
{ block = block $0 "\n" }

END {
  close_block()
  # The output is never empty: the last resort is the end of SwiftPM's output.
  if (count == 0 && idle != "") printf "%s", idle
  else if (count == 0) for (number = NR > 20 ? NR - 19 : 1; number <= NR; number++) print lines[number]
}
