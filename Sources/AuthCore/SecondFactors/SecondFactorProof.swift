/// Says that somebody has just shown a second factor of an account.
///
/// Made by ``AccountGraph/resolve(_:with:by:)`` alone, after the code was right and used up; tests of the rules make their
/// own.
public struct SecondFactorProof: Sendable, Hashable {
  public let account: AccountID
  /// The enrolment's ID.
  public let factorID: String
  /// `phone` or `totp`.
  public let kind: String
  public let at: Timestamp

  package init(account: AccountID, factorID: String, kind: String, at: Timestamp) {
    self.account = account
    self.factorID = factorID
    self.kind = kind
    self.at = at
  }
}
