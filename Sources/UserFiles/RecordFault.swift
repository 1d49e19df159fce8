public import AuthCore

/// The reason why a record cannot become an account.
///
/// For a file, the error names the field and the remedy. `accounts:batchCreate` answers in Firebase's words, which
/// follow from the kind.
public struct RecordFault: Error, Hashable, Sendable {
  /// The rule that the record breaks.
  public enum Kind: Hashable, Sendable {
    /// A field has the wrong type, or a time is not valid.
    case malformed
    case missingUID, invalidUID
    case otherTenant
    case claimsTooLarge, reservedClaims, invalidClaims
    /// An entry of `providerUserInfo` has no subject.
    case missingSubject
    /// The `federatedId` of an entry cannot be read, or is ignored as in the emulator.
    case unreadFederatedID
    case unknownProvider, repeatedIdentity
    case invalidPhoneNumber, invalidEmail
    /// The hash could not be verified later.
    case invalidPassword
    /// The hash's algorithm is not stated.
    case unknownHash
    case factorWithoutEmail, factorOfUnverifiedEmail
    case repeatedFactor, unknownFactor, invalidFactorNumber
  }

  /// The rule that the record breaks.
  public let kind: Kind
  /// The error with the field and the remedy.
  public let error: AuthError

  /// Makes a fault of a kind.
  public init(_ kind: Kind, _ error: AuthError) {
    self.kind = kind
    self.error = error
  }

  init(
    _ kind: Kind, _ message: String, code: AuthError.Code = .invalidArgument, field: String,
    remedy: String
  ) {
    self.init(kind, AuthError(code, message, field: field, remedy: remedy))
  }
}

extension AuthError {
  /// Makes a fault of this error.
  func fault(_ kind: RecordFault.Kind) -> RecordFault { RecordFault(kind, self) }
}
