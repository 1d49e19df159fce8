import AuthCore
import IdentityToolkit

/// Operations on many of a project's accounts, for admins.
struct AccountBatchHandler: RequestHandler {
  let call: Call

  /// Deletes accounts by their uids (`accounts:batchDelete`).
  func batchDelete() async throws -> Answer {
    let ids = try body.texts("localIds") ?? []
    guard !ids.isEmpty else { throw WireError("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
    let outcomes = try await graph.deleteMany(
      ids.map { AccountID($0) }, force: try body.bool("force") ?? false, by: caller)
    let errors = zip(ids, outcomes).enumerated().compactMap { index, one -> JSONValue? in
      guard one.1 == .enabled else { return nil }
      return [
        "index": .integer(Int64(index)), "localId": .string(one.0),
        "message": "NOT_DISABLED : Disable the account before batch deletion.",
      ]
    }
    return .json(errors.isEmpty ? [:] : ["errors": .array(errors)])
  }

  /// Calls `body` with every page of the scope's accounts, in order of uid.
  func forEachPage(
    matching filter: AccountFilter = AccountFilter(), _ body: ([Account]) throws -> Void
  ) async throws {
    var last: AccountID?
    while true {
      // Checked here too, because a store may answer without suspending.
      try Task.checkCancellation()
      let page = try await graph.accounts(matching: filter, after: last, limit: 1000, in: scope)
      try body(page)
      guard page.count == 1000, let end = page.last else { return }
      last = end.id
    }
  }
}
