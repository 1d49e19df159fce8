public import AuthCore

/// Why a record becomes no account.
///
/// A file names the field and the remedy, which are in the error. `accounts:batchCreate` says it in Firebase's words,
/// which follow from the kind.
public struct RecordFault: Error, Hashable, Sendable {
  /// The rule that the record breaks.
  public enum Kind: Hashable, Sendable {
    /// A field is of another type, or a time is none.
    case malformed
    case missingUID, invalidUID
    case otherTenant
    case claimsTooLarge, reservedClaims, invalidClaims
    /// An entry of `providerUserInfo` names no person.
    case missingSubject
    /// The `federatedId` of an entry cannot be read, or is not read at all, as in the emulator.
    case unreadFederatedID
    case unknownProvider, repeatedIdentity
    case invalidPhoneNumber, invalidEmail
    case passwordWithoutEmail
    /// The hash cannot be checked later.
    case invalidPassword
    /// Nothing says how the hash was made.
    case unknownHash
    case factorWithoutEmail, factorOfUnverifiedEmail
    case repeatedFactor, unknownFactor, invalidFactorNumber
  }

  public let kind: Kind
  public let error: AuthError

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
  /// The same as a fault of a kind.
  func fault(_ kind: RecordFault.Kind) -> RecordFault { RecordFault(kind, self) }
}
