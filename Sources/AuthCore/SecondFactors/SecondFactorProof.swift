/// The proof that a person has just shown a second factor of an account.
///
/// Only ``AccountGraph/resolve(_:with:by:)`` makes one, after the code was right and used up; tests of the rules make
/// their own.
public struct SecondFactorProof: Sendable, Hashable {
  /// The account of the factor.
  public let account: AccountID
  /// The ID of the enrolment.
  public let factorID: String
  /// `phone` or `totp`.
  public let kind: String
  /// The time of the proof.
  public let at: Timestamp

  package init(account: AccountID, factorID: String, kind: String, at: Timestamp) {
    self.account = account
    self.factorID = factorID
    self.kind = kind
    self.at = at
  }
}
