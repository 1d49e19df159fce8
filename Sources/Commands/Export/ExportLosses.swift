import AuthCore

/// The parts of accounts that an export omits, by kind.
struct ExportLosses: Sendable, Hashable {
  /// The kinds of parts that may be omitted.
  enum Kind: String, CaseIterable, Sendable {
    case hashes = "password hashes"
    case factors = "second factors"
    case links = "links"
    case keys = "keys"
  }

  private(set) var counts: [Kind: [String: Int]] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// Counts an omitted part, such as a link of `discord.com`.
  mutating func note(_ kind: Kind, _ what: String) {
    counts[kind, default: [:]][what, default: 0] += 1
  }

  /// The total of each kind, and its parts.
  var text: String {
    Kind.allCases.compactMap { kind in
      counts[kind].map { found in
        let parts = found.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(found.values.reduce(0, +)) \(kind.rawValue) (\(parts.joined(separator: ", ")))"
      }
    }.joined(separator: ", ")
  }
}
