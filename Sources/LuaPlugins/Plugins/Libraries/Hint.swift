import AuthCore

/// Returns the nearest name as a question, or a list of the names, for the end of a sentence.
func hint(for text: String, among names: some Collection<String>) -> String {
  if let near = nearestName(to: text, among: names) { return "did you mean \"\(near)\"?" }
  guard !names.isEmpty else { return "there are none" }
  return "the names are \(names.sorted().joined(separator: ", "))"
}
