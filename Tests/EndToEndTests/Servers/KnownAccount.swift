import AuthCore

/// What a client knows of an account that it made: what was acknowledged, and what may be so or so.
struct KnownAccount: Sendable {
  let uid: String
  /// The subject of each provider.
  var subjects: [String: String] = [:]
  /// What a request that was never answered would have made of a provider's subject; nil for none.
  var unknown: [String: String?] = [:]
  /// The account that this one was merged into.
  var survivor: String?
  /// Whether a merge was never answered, so that this one may be gone, or have more than is known.
  var isMergeUnknown = false

  /// What is otherwise than was acknowledged.
  func difference(from all: [String: [String: String]]) -> String? {
    if isMergeUnknown { return nil }
    guard let actual = all[uid] else { return survivor == nil ? "\(uid) is gone" : nil }
    if let survivor { return "\(uid) is there, but was merged into \(survivor)" }
    for provider in ["google.com", "github.com"] {
      let wanted = subjects[provider]
      guard actual[provider] != wanted else { continue }
      if let possible = unknown[provider], actual[provider] == possible { continue }
      return "\(uid) has \(actual), and \(subjects) was acknowledged; unknown: \(unknown)"
    }
    return nil
  }
}

/// For how long an identity certainly was an account's: from the answer to a link to the request of an unlink.
struct Ownership: Sendable {
  let subject: String
  let uid: String
  let start: ContinuousClock.Instant
  /// Nil where it still is.
  var end: ContinuousClock.Instant?

  /// Times at which two accounts had one identity.
  static func conflicts(_ all: [Ownership]) -> [String] {
    var found: [String] = []
    for (subject, owned) in Dictionary(grouping: all, by: \.subject) {
      let sorted = owned.sorted { $0.start < $1.start }
      for (earlier, later) in zip(sorted, sorted.dropFirst()) where earlier.uid != later.uid {
        guard earlier.end.map({ $0 > later.start }) ?? true else { continue }
        found.append("\(subject) was owned by \(earlier.uid) and \(later.uid) at once")
      }
    }
    return found
  }
}
