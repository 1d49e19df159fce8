/// Finds the name that was probably meant.
enum Spelling {
  /// Returns the nearest candidate, if it is near enough to be worth a suggestion.
  static func nearest(to name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let allowed = max(1, name.utf8.count / 3)
    let scored = candidates.compactMap { candidate -> (name: String, distance: Int)? in
      guard candidate != name, abs(candidate.utf8.count - name.utf8.count) <= allowed else {
        return nil
      }
      let distance = distance(Array(name.lowercased().utf8), Array(candidate.lowercased().utf8))
      return distance <= allowed ? (candidate, distance) : nil
    }
    return scored.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// Counts insertions, removals, replacements and swaps of neighbours.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, beforeLast[j - 2] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
