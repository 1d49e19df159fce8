extension JSONValue {
  /// Unites two values: maps and lists are joined; otherwise this one wins.
  package func united(with other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(let kept), .object(let other)):
      .object(kept.merging(other) { $0.united(with: $1) })
    case (.array(let kept), .array(let other)):
      .array(kept + other.filter { !kept.contains($0) })
    default: self
    }
  }

  /// Tells whether uniting loses nothing and adds nothing: equal values, or maps whose common names have such values.
  package func isUnited(with other: JSONValue) -> Bool {
    if self == other { return true }
    guard case .object(let kept) = self, case .object(let other) = other else { return false }
    return kept.allSatisfy { name, value in other[name].map(value.isUnited) ?? true }
  }
}

extension CustomClaims {
  /// The names whose values differ in both accounts, in order.
  package func differing(from other: CustomClaims) -> [String] {
    members.keys.sorted().filter { name in
      guard let kept = members[name], let other = other.members[name] else { return false }
      return !kept.isUnited(with: other)
    }
  }
}

extension MergeRefusal {
  /// The refusal of `union-or-refuse`, with the code `claims-differ` for the app.
  package static func claimsDiffer(_ names: [String]) -> MergeRefusal {
    MergeRefusal(
      "both accounts have a value for the claim \(names.joined(separator: ", "))",
      code: "claims-differ")
  }
}
