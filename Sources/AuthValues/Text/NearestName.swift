/// Finds the name that a misspelled one most likely meant.
///
/// Gives nil when nothing is near: more than a third of the letters, at least two, would have to change.
public func nearestName(to text: String, among names: some Sequence<String>) -> String? {
  // What is longer was not misspelled, and comparing it would take its square.
  guard text.utf8.count <= 128 else { return nil }
  let limit = max(2, text.count / 3)
  return
    names
    .map { (name: $0, distance: editDistance(text.lowercased(), $0.lowercased())) }
    .filter { $0.distance <= limit && $0.distance < $0.name.count }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
    .name
}

/// Says "did you mean" with the nearest of the names, or lists them where none is near.
public func suggestion(for text: String, among names: some Collection<String>) -> String {
  if let near = nearestName(to: text, among: names) { return "Did you mean \"\(near)\"?" }
  guard !names.isEmpty else { return "There is none to choose from." }
  return "Choose one of: \(names.sorted().joined(separator: ", "))."
}

/// Counts the letters to insert, delete, replace or swap with a neighbour to get from one text to the other.
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
