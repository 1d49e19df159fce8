# Reads names of Swift files, one a line, and prints each place that is hard to read, with the remedy. Exits with 1 if there is one.

function report(place, text) {
  print place ": " text
  count++
}

# Checks a line of documentation; `opens` is set for the first of a comment.
function read_documentation(line, opens, words) {
  documented++
  gsub(/`[^`]*`/, "", line)
  gsub(/[^A-Za-z]+/, " ", line)
  words = line " "
  if (opens && match(words, /^ (What|Whether|Where|Who|Whom|Whose|How|When|Whoever) /))
    report(place, "The summary opens with “" substr(words, 2, RLENGTH - 2) "”. Begin with a noun or a verb: what it is or does.")
  words = tolower(words)
  if (match(words, / (whoever|somebody|nobody|anybody) /))
    report(place, "“" substr(words, RSTART + 1, RLENGTH - 2) "” in documentation. Name the caller, client, account, person or admin.")
  if (match(words, / where (it|there|nobody|somebody|they|the|an?|one|no|none|this|that|he|she|both|all) /))
    conditions[++conditional] = place
}

# Continues the list of parameters that `depth` says is open. Returns what follows it; nothing if the list is still open.
function read_parameters(text, position, character, last) {
  for (position = 1; position <= length(text); position++) {
    character = substr(text, position, 1)
    if (character == "\"" && last != "\\") quoted = !quoted
    else if (!quoted) {
      if (substr(text, position, 2) == "//") break
      # An arrow and an operator are no brackets.
      if (character == "<" && (last == " " || substr(text, position + 1, 1) == " ")) character = " "
      else if (character == ">" && last ~ /[- ]/) character = " "
      if (character ~ /[([{<]/) depth++
      else if (character ~ /[])}>]/) depth--
      if (depth == 0 || (depth == 1 && character == ",")) {
        unlabelled += parameter ~ /^ *(@[^ ]+ +)*_ /
        parameter = ""
        last = character
        if (depth) continue
        if (unlabelled > 3) report(head, unlabelled " parameters without labels. Label them, or make a value of those that belong together.")
        return substr(text, position + 1)
      }
    }
    parameter = parameter character
    last = character
  }
  parameter = parameter " "
  return ""
}

# Checks the functions, initializers and subscripts of a line of code.
function read_code(line) {
  if (line == "") depth = 0
  if (depth) line = read_parameters(line)
  while (!depth && match(line, signature)) {
    line = substr(line, RSTART + RLENGTH)
    head = place
    depth = 1
    unlabelled = quoted = 0
    parameter = ""
    line = read_parameters(line)
  }
}

function read_file(name, line, number, text_end, in_comment) {
  depth = 0
  while ((getline line <name) > 0) {
    place = name ":" ++number
    if (line ~ /^ *\/\//) {
      if (line ~ /^ *\/\/\// && name ~ /^Sources\// && text_end == "") read_documentation(line, !in_comment)
      in_comment = line ~ /^ *\/\/\//
      continue
    }
    in_comment = 0
    # A text of several lines is no code.
    if (text_end != "") {
      if (index(line, text_end)) text_end = ""
      continue
    }
    read_code(line)
    if (gsub(/"""/, "&", line) % 2) text_end = index(line, "#\"\"\"") ? "\"\"\"#" : "\"\"\""
  }
  close(name)
}

BEGIN { signature = "(^|[^A-Za-z0-9_])(func +(`[^`]*`|[^(`]+)|(init[?!]?|subscript)(<[^(]*)?)(<[^(]*)?\\(" }

{
  read_file($0)
  sub(/\/[^\/]*$/, "")
  if (!($0 in files)) folders[++folder_count] = $0
  files[$0]++
}

END {
  for (item = 1; item <= folder_count; item++) {
    folder = folders[item]
    if (files[folder] > 20) report(folder, files[folder] " Swift files in a folder, 20 at most. Divide it by topic.")
  }
  # Some of them are places, which no pattern can tell.
  if (conditional * 1000 > documented * 6) {
    for (item = 1; item <= conditional; item++)
      report(conditions[item], "“Where” for a condition. Write “if”, or “that” or “with” for a relation.")
    print conditional " conditions with “where” in " documented " lines of documentation, 6 in 1,000 at most; true places may stay."
  }
  exit count > 0
}
