import AuthCore

/// What of the accounts is not in an export, by kind.
struct ExportLosses: Sendable, Hashable {
  /// What may stay out.
  enum Kind: String, CaseIterable, Sendable {
    case hashes = "password hashes"
    case factors = "second factors"
    case links = "links"
    case keys = "keys"
  }

  private(set) var counts: [Kind: [String: Int]] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// Counts one more of a kind, such as a link of `discord.com`.
  mutating func note(_ kind: Kind, _ what: String) {
    counts[kind, default: [:]][what, default: 0] += 1
  }

  /// The sum of each kind, and what it is made of.
  var text: String {
    Kind.allCases.compactMap { kind in
      counts[kind].map { found in
        let parts = found.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(found.values.reduce(0, +)) \(kind.rawValue) (\(parts.joined(separator: ", ")))"
      }
    }.joined(separator: ", ")
  }
}
