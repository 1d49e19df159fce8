import AuthCore
import IdentityToolkit

/// Deletes accounts by their uids (`accounts:batchDelete`).
extension Call {
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
}
