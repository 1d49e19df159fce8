import AuthCore
import Foundation

/// Keeps key sets sealed in the store, one text for each project and use.
///
/// The text is sealed as a whole, so that an attacker who can write to the store cannot add a key.
struct SigningKeyStorage: Sendable {
  let store: any AccountStore
  let secrets: any SecretSealing

  func read(_ slot: KeySlot) async throws -> KeySchedule {
    let text = try await store.read { try $0.checkpoint(slot.use.checkpoint, in: slot.scope) }
    return try open(text, slot)
  }

  func read(_ slot: KeySlot, in reader: any AccountReader) throws -> KeySchedule {
    try open(try reader.checkpoint(slot.use.checkpoint, in: slot.scope), slot)
  }

  func save(_ schedule: KeySchedule, _ slot: KeySlot, in writer: any AccountWriter) throws {
    let text = String(decoding: try JSONEncoder().encode(schedule), as: UTF8.self)
    try writer.saveCheckpoint(
      slot.use.checkpoint, try secrets.seal(text, for: slot.use.sealingPurpose(slot.project)),
      in: slot.scope)
  }

  /// Ensures that a signing key exists, and removes keys that are no longer published.
  ///
  /// If two servers start at the same time, both use the key of the first.
  func prepare(
    _ slot: KeySlot, _ algorithm: SigningAlgorithm?, at now: Timestamp
  ) async throws -> KeySchedule {
    let known = try await read(slot)
    let lacksKey = algorithm.map { known.signing($0, at: now) == nil } ?? false
    guard lacksKey || known.published(slot.use, at: now) != known.keys else { return known }
    // The key is made before the transaction, because other writers wait for that.
    let fresh = try algorithm.flatMap { algorithm in
      lacksKey
        ? try StoredKey.make(algorithm, for: slot.use, at: now, activeFrom: now) : nil
    }
    return try await store.write { writer in
      var schedule = try read(slot, in: writer)
      if let fresh, schedule.signing(fresh.algorithm, at: now) == nil {
        schedule.keys.append(fresh)
      }
      schedule.keys = schedule.published(slot.use, at: now)
      try save(schedule, slot, in: writer)
      return schedule
    }
  }

  private func open(_ text: String?, _ slot: KeySlot) throws -> KeySchedule {
    guard let text else { return KeySchedule() }
    let json = try secrets.open(text, for: slot.use.sealingPurpose(slot.project))
    return try JSONDecoder().decode(KeySchedule.self, from: Data(json.utf8))
  }
}

/// The identity of a key set: a project and a use.
struct KeySlot: Hashable, Sendable {
  let project: String
  let use: KeyUse

  /// Tenants share their project's keys, as in Firebase.
  var scope: Scope { Scope(project: project) }
}
