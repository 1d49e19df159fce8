import AuthCore

/// A client's knowledge of an account that it made: acknowledged facts and unknown ones.
struct KnownAccount: Sendable {
  let uid: String
  /// The subject of each provider.
  var subjects: [String: String] = [:]
  /// The results of unanswered requests for a provider: a subject, or nil for none.
  var unknown: [String: String?] = [:]
  /// The account that this one was merged into.
  var survivor: String?
  /// Set if a merge was never answered, so the account may be gone or have more identities.
  var isMergeUnknown = false

  /// Returns the first difference from the acknowledged state.
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

/// The time in which an account certainly had an identity: from the answer to a link until the request of an unlink.
struct Ownership: Sendable {
  let subject: String
  let uid: String
  let start: ContinuousClock.Instant
  /// The end of the ownership; nil if the account still has the identity.
  var end: ContinuousClock.Instant?

  /// Returns the times at which two accounts had the same identity.
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
