import AuthCore
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  /// Writes what a merge of an earlier version left: an account that has the other's passwords and factors as well.
  ///
  /// `email` is the address that the account had afterwards, with whether it was verified; nil leaves the survivor's.
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
