/// Returns the name that a misspelled one most likely meant.
///
/// Nil if more than a third of the letters, and more than two, would have to change.
public func nearestName(to text: String, among names: some Sequence<String>) -> String? {
  // A longer text is not a misspelling, and the comparison is quadratic.
  guard text.utf8.count <= 128 else { return nil }
  let limit = max(2, text.count / 3)
  return
    names
    .map { (name: $0, distance: editDistance(text.lowercased(), $0.lowercased())) }
    .filter { $0.distance <= limit && $0.distance < $0.name.count }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
    .name
}

/// Returns "Did you mean" with the nearest name, or a list of the names if none is near.
public func suggestion(for text: String, among names: some Collection<String>) -> String {
  if let near = nearestName(to: text, among: names) { return "Did you mean \"\(near)\"?" }
  guard !names.isEmpty else { return "There is none to choose from." }
  return "Choose one of: \(names.sorted().joined(separator: ", "))."
}

/// Returns the number of letters to insert, delete, replace or swap with a neighbour to turn one text into the other.
package func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a)
  let b = Array(b)
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforePrevious[j - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.count]
}
