import AuthCore
import IdentityToolkit

extension AccountHandler {
  /// Deletes the client's own account, or the one that an admin names.
  func delete() async throws -> Answer {
    if isPrivileged {
      guard let uid = try body.filled("localId") else { throw WireError("MISSING_LOCAL_ID") }
      _ = try await graph.delete(AccountID(uid), by: caller)
    } else {
      let signedIn = try await call.signedIn()
      _ = try await graph.delete(signedIn.account.id, by: signedIn.caller)
    }
    return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
  }
}
