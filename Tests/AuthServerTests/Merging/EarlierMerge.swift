import AuthCore
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  /// Writes the result of an earlier version's merge: an account that also has the other's passwords and factors.
  ///
  /// `email` is the account's address afterwards, with its verification; nil leaves the survivor's.
  func mergeAsEarlier(
    _ absorbed: String, into survivor: String, email: (String, verified: Bool)? = nil
  ) async throws {
    let scope = scope
    try await graph.store.write { writer in
      let old = try #require(try writer.account(AccountID(survivor), in: scope))
      let other = try #require(try writer.account(AccountID(absorbed), in: scope))
      var new = old
      new.identities += other.identities
      new.secondFactors += other.secondFactors
      if let (text, verified) = email {
        new.email = try EmailAddress(text)
        new.emailVerified = verified
      }
      try writer.delete(other)
      try writer.update(new, replacing: old)
    }
  }
}
