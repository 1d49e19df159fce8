import AuthCore

/// A project's keys for one use, as they were read from the store.
struct ProjectKeys: Sendable {
  let schedule: KeySchedule
  private let keys: [String: SigningKey]

  init(_ schedule: KeySchedule) throws(AuthError) {
    var keys: [String: SigningKey] = [:]
    for stored in schedule.keys { keys[stored.id] = try SigningKey(stored) }
    self.schedule = schedule
    self.keys = keys
  }

  func signing(_ algorithm: SigningAlgorithm, at now: Timestamp) -> SigningKey? {
    schedule.signing(algorithm, at: now).flatMap { keys[$0.id] }
  }

  /// Returns the key with an ID; nil if none of its tokens can still be valid.
  func published(_ id: String, _ use: KeyUse, at now: Timestamp) -> SigningKey? {
    guard let key = keys[id], schedule.published(use, at: now).contains(where: { $0.id == id })
    else { return nil }
    return key
  }

  func published(_ use: KeyUse, at now: Timestamp) -> [(key: SigningKey, certificate: String)] {
    schedule.published(use, at: now).compactMap { stored in
      keys[stored.id].map { ($0, stored.certificate) }
    }
  }
}
