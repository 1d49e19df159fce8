import AuthCore

/// Which keys of a set sign, wait or are only published any more, at a moment.
///
/// A key signs from its own moment on until the next one's of the same algorithm. All of it follows from those
/// moments, so that every server that knows the set changes keys at the same time.
struct KeySchedule: Codable, Sendable, Hashable {
  /// For how many seconds longer than a token's life its key is published: clocks of servers differ.
  private static let grace: Int64 = 600

  var keys: [StoredKey] = []

  /// The key that signs; the one that will be the first where none is active yet.
  func signing(_ algorithm: SigningAlgorithm, at now: Timestamp) -> StoredKey? {
    let candidates = keys.filter { $0.algorithm == algorithm }
    return candidates.filter { $0.activeFrom <= now }.max(by: Self.isEarlier)
      ?? candidates.min(by: Self.isEarlier)
  }

  /// The key that waits to sign.
  func next(_ algorithm: SigningAlgorithm, at now: Timestamp) -> StoredKey? {
    guard let key = keys.filter({ $0.algorithm == algorithm }).max(by: Self.isEarlier),
      key.activeFrom > now, key != signing(algorithm, at: now)
    else { return nil }
    return key
  }

  /// When the key's successor begins to sign, where there is one.
  func retirement(of key: StoredKey) -> Timestamp? {
    keys.filter { $0.algorithm == key.algorithm && Self.isEarlier(key, $0) }
      .min(by: Self.isEarlier)?.activeFrom
  }

  /// Until when the key is published, where it has a successor.
  func publicationEnd(of key: StoredKey, _ use: KeyUse) -> Timestamp? {
    retirement(of: key)?.adding(seconds: use.maximumLifetime + Self.grace)
  }

  /// The keys with which a token may have to be checked.
  func published(_ use: KeyUse, at now: Timestamp) -> [StoredKey] {
    keys.filter { key in publicationEnd(of: key, use).map { $0 > now } ?? true }
  }

  private static func isEarlier(_ a: StoredKey, _ b: StoredKey) -> Bool {
    (a.activeFrom, a.id) < (b.activeFrom, b.id)
  }
}
