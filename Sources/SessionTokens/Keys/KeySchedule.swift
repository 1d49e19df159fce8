import AuthCore

/// The keys of a set that sign, wait or are only published at a given time.
///
/// A key signs from its activation until that of the next key of the same algorithm. The schedule follows from these
/// times alone, so every server that knows the set changes keys at the same time.
struct KeySchedule: Codable, Sendable, Hashable {
  /// The seconds for which a key is published beyond the life of its last token, because server clocks differ.
  private static let grace: Int64 = 600

  var keys: [StoredKey] = []

  /// Returns the key that signs; the first one to become active if none is active yet.
  func signing(_ algorithm: SigningAlgorithm, at now: Timestamp) -> StoredKey? {
    let candidates = keys.filter { $0.algorithm == algorithm }
    return candidates.filter { $0.activeFrom <= now }.max(by: Self.isEarlier)
      ?? candidates.min(by: Self.isEarlier)
  }

  /// Returns the key that waits to sign.
  func next(_ algorithm: SigningAlgorithm, at now: Timestamp) -> StoredKey? {
    guard let key = keys.filter({ $0.algorithm == algorithm }).max(by: Self.isEarlier),
      key.activeFrom > now, key != signing(algorithm, at: now)
    else { return nil }
    return key
  }

  /// Returns the time at which the key's successor begins to sign; nil without a successor.
  func retirement(of key: StoredKey) -> Timestamp? {
    keys.filter { $0.algorithm == key.algorithm && Self.isEarlier(key, $0) }
      .min(by: Self.isEarlier)?.activeFrom
  }

  /// Returns the time until which the key is published; nil without a successor.
  func publicationEnd(of key: StoredKey, _ use: KeyUse) -> Timestamp? {
    retirement(of: key)?.adding(seconds: use.maximumLifetime + Self.grace)
  }

  /// Returns the keys that may be needed to verify a token.
  func published(_ use: KeyUse, at now: Timestamp) -> [StoredKey] {
    keys.filter { key in publicationEnd(of: key, use).map { $0 > now } ?? true }
  }

  private static func isEarlier(_ a: StoredKey, _ b: StoredKey) -> Bool {
    (a.activeFrom, a.id) < (b.activeFrom, b.id)
  }
}
