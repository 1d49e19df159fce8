import AuthCore
import AuthTesting
import Testing

extension TestHome {
  /// Plans a rekey of `fake.example` that keeps the subjects, or changes them by `map`.
  func rekey(
    from: IdentitySource = IdentitySource(fake), to: IdentitySource = IdentitySource(fake),
    keepsSubjects: Bool = false, window: Int64 = 1000
  ) async throws -> Rekey {
    try await graph.planRekey(
      from: from, to: to, keepsSubjects: keepsSubjects, window: window, by: admin)
  }

  /// Commits every batch, and returns the progress.
  @discardableResult
  func commit(
    _ rekey: Rekey, _ subjects: [String: String], batch: Int = 500, batches: Int = .max,
    by caller: Caller? = nil
  ) async throws -> RekeyProgress {
    var progress = try await graph.progress(of: rekey, in: scope).resumed
    var count = 0
    repeat {
      let (page, last) = try await graph.page(
        of: rekey, after: progress.after, limit: batch, in: scope)
      var map: RekeyMap = [:]
      for key in page.keys { map[key] = subjects[key.subject].map(rekey.to.key) }
      progress = try await graph.commit(
        rekey, page, last: last, map: map, progress: progress, by: caller ?? admin
      ).progress
      count += 1
    } while !progress.isComplete && count < batches
    return progress
  }

  func preview(_ rekey: Rekey, _ subjects: [String: String]) async throws -> RekeyOutcome {
    let (page, _) = try await graph.page(of: rekey, after: nil, limit: 500, in: scope)
    var map: RekeyMap = [:]
    for key in page.keys { map[key] = subjects[key.subject].map(rekey.to.key) }
    return try await graph.preview(rekey, page, map: map, in: scope)
  }

  @discardableResult
  func rollBack(_ rekey: Rekey, batch: Int = 500, by caller: Caller? = nil) async throws -> Int {
    var ending: RekeyEnding?
    repeat {
      ending = try await graph.rollBack(
        rekey, behind: ending, limit: batch, by: caller ?? admin)
    } while ending?.isOver == false
    return ending?.changed ?? 0
  }

  @discardableResult
  func finish(
    _ rekey: Rekey, batch: Int = 500, force: Bool = false, by caller: Caller? = nil
  ) async throws -> Int {
    var ending: RekeyEnding?
    repeat {
      ending = try await graph.finish(
        rekey, behind: ending, limit: batch, force: force, by: caller ?? admin)
    } while ending?.isOver == false
    return ending?.changed ?? 0
  }

  /// Returns the accounts, except for their revisions.
  func contents() async throws -> [Account] {
    try await everything().map { account in
      var account = account
      account.revision = 0
      return account
    }
  }
}
