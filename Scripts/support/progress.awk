# Reads the end of SwiftPM's output and prints one line about it; nothing if there is no news.
#
#   awk -v seconds=75 -f progress.awk LOG     "Building: 1,234 of 5,678 steps, 1 min, now: AuthCore"
#
# From a minute and a tenth of the steps on, the line also has the time that is left.

function grouped(number,   text) {
  for (text = ""; length(number) > 3; number = substr(number, 1, length(number) - 3))
    text = "," substr(number, length(number) - 2) text
  return number text
}

function base(path) {
  sub(/\.git$/, "", path)
  sub(/.*\//, "", path)
  return path
}

# "[12/345] Compiling AuthCore Account.swift"
/^\[[0-9]+\/[0-9]+\] / {
  split(substr($1, 2, length($1) - 2), steps, "/")
  if ($2 == "Planning") { phase = "Planning"; next }
  phase = ""
  done = steps[1]
  all = steps[2]
  if ($2 == "Compiling" || $2 == "Linking" || $2 == "Archiving") current = $3
  else if ($2 == "Emitting" && $3 == "module") current = $4
  else if ($2 == "Wrapping" && $4 == "for") current = $5
  next
}
/^Fetching / || /^Updating / || /^Downloading / { phase = $1 " " base($2); next }
/^Computing / || /^Creating working copy/ { phase = "Resolving " base($NF); next }
/^Building for / { phase = ""; next }
/^Another instance of SwiftPM/ { phase = "Waiting for another SwiftPM"; next }

END {
  time = seconds < 60 ? seconds " s" : int(seconds / 60) " min"
  if (phase != "") print 0, phase "…, " time
  else if (all > 0) {
    line = "Building: " grouped(done) " of " grouped(all) " steps, " time
    if (seconds >= 60 && done < all && done * 10 >= all) {
      left = int(seconds * (all - done) / done / 60 + 0.5)
      line = line ", about " (left > 1 ? left " min" : "a minute") " left"
    }
    print int(done * 100 / all), line (current == "" ? "" : ", now: " current)
  }
}
