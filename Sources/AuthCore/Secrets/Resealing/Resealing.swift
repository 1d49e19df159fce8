/// Seals the texts of a store anew, so that one key opens all of them.
///
/// Nothing is written unless `commits` is set. A text that no key opens is reported, and removed only if `drops` is
/// set. Second factors are never removed, because the account would lose protection; an admin decides on each of them.
/// The next run completes an interrupted one.
package struct Resealing: Sendable {
  /// A text that is stored under a name, apart from settings and records.
  package struct Checkpoint: Sendable {
    let name: String
    let what: String
    let purpose: @Sendable (_ project: String) -> String

    package init(
      _ name: String, _ what: String, purpose: @escaping @Sendable (_ project: String) -> String
    ) {
      self.name = name
      self.what = what
      self.purpose = purpose
    }
  }

  let store: any AccountStore
  let key: any SecretSealing
  let others: [any SecretSealing]
  let checkpoints: [Checkpoint]
  let commits: Bool
  let drops: Bool
  private let memory = ResealedTexts()

  package init(
    store: any AccountStore, key: any SecretSealing, others: [any SecretSealing],
    checkpoints: [Checkpoint], commits: Bool, drops: Bool
  ) {
    self.store = store
    self.key = key
    self.others = others
    self.checkpoints = checkpoints
    self.commits = commits
    self.drops = drops
  }

  /// Processes all scopes; returns the number of texts for each finding.
  ///
  /// Throws `store-unavailable` if a key cannot be read.
  package func run() async throws -> [ResealingFinding: Int] {
    var findings: [ResealingFinding: Int] = [:]
    for scope in try await store.read({ try $0.scopes(having: .secrets) }) {
      for finding in try await changeSettings(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeCheckpoints(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeRecords(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeAccounts(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeMerges(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeDeletions(of: scope) { findings[finding, default: 0] += 1 }
      for finding in try await changeTransfers(of: scope) { findings[finding, default: 0] += 1 }
    }
    return findings
  }

  /// Returns the text to keep, or nil to remove it, with the finding.
  func resealed(
    _ sealed: SealedText, _ what: String, in scope: Scope, canDrop: Bool = true
  ) throws -> (text: String?, finding: ResealingFinding) {
    func finding(_ outcome: ResealingOutcome) -> ResealingFinding {
      ResealingFinding(scope: scope, what: what, keyID: sealed.keyID, outcome: outcome)
    }
    if try opened(sealed, by: key) != nil { return (sealed.text, finding(.kept)) }
    for other in others {
      guard let text = try opened(sealed, by: other) else { continue }
      let new = try memory.text(for: sealed) { try key.seal(text, for: sealed.purpose) }
      return (new, finding(.resealed))
    }
    guard drops && canDrop else { return (sealed.text, finding(.unreadable)) }
    return (nil, finding(.dropped))
  }

  private func opened(_ sealed: SealedText, by key: any SecretSealing) throws -> String? {
    do {
      return try key.open(sealed.text, for: sealed.purpose)
    } catch let error as AuthError where error.code == .internalError {
      return nil
    }
  }
}
