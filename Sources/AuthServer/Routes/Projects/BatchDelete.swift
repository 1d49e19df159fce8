import AuthCore
import IdentityToolkit

/// Deletes accounts by their uids (`accounts:batchDelete`).
extension Call {
  func batchDelete() async throws -> Answer {
    let ids = try body.texts("localIds") ?? []
    guard (1...1000).contains(ids.count) else { throw WireError("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
    let force = try body.bool("force") ?? false
    var errors: [JSONValue] = []
    for (index, text) in ids.enumerated() {
      let id = AccountID(text)
      // An absorbed uid names nobody any more, and its survivor was not meant.
      guard let account = try await graph.account(id, in: scope), account.id == id else { continue }
      guard account.disabled || force else {
        errors.append([
          "index": .integer(Int64(index)), "localId": .string(text),
          "message": "NOT_DISABLED : Disable the account before batch deletion.",
        ])
        continue
      }
      do {
        _ = try await graph.delete(id, by: caller)
      } catch let error as AuthError where error.code == .userNotFound {
        continue
      }
    }
    return .json(errors.isEmpty ? [:] : ["errors": .array(errors)])
  }
}
