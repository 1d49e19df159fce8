/// The refusals of the rules. None of them reveals who owns an identity.
extension AuthError {
  static let userDisabled = AuthError(
    .userDisabled, "The account is disabled.",
    remedy: "An admin can enable it with account:enable().", step: .decision)
  /// A custom token names an account that an admin deleted and may restore.
  static let accountDeleted = AuthError(
    .userDisabled, "An admin deleted the account, and can restore it.",
    remedy: "An admin can restore it with accounts.restore, or free its uid with accounts.purge.",
    step: .decision)
  static let userNotFound = AuthError(
    .userNotFound, "There is no such account.", field: "uid",
    remedy: "Look it up with accounts.find.", step: .decision)
  static let secondFactorRequired = AuthError(
    .secondFactorRequired, "The account requires its second factor.",
    remedy:
      "Choose a hint with resolver:challenge(1), then show its code with resolver:resolve(code).",
    step: .decision)
  static let unsupportedFirstFactor = AuthError(
    .unsupportedFirstFactor, "A phone number alone does not open an account with a second factor.",
    remedy: "Sign in with another identity of the account.", step: .decision)
  static let invalidMultiFactorSession = AuthError(
    .invalidMultiFactorSession, "No sign-in waits for a second factor here any more.",
    remedy: "Sign in again.", step: .credential)
  static let multiFactorInfoNotFound = AuthError(
    .multiFactorInfoNotFound, "The account has no such second factor.", field: "factorID",
    remedy: "Name one of the hints, or of the account's enrolledFactors.", step: .credential)
  static let invalidVerificationCode = AuthError(
    .invalidVerificationCode, "The code is wrong, or was used before.", field: "verificationCode",
    remedy: "Wait for the next code, or ask for a new one.", step: .credential)
  /// A second factor on an unverified address would lock the address's owner out.
  static let unverifiedEmail = AuthError(
    .unverifiedEmail, "The e-mail address has to be verified first.", field: "email",
    remedy: "Sign in by an e-mail link, or have an admin set emailVerified = true.", step: .decision
  )
  static let enrollmentOver = AuthError(
    .invalidMultiFactorSession, "This enrolment has ended.",
    remedy: "Begin a new one: account.multiFactor:enroll \"totp\".",
    step: .credential)
  static let usedBefore = AuthError(
    .invalidCredential, "The credential was used before.", remedy: "Get a new one and try again.",
    step: .token)
  static let subjectReplaced = AuthError(
    .subjectReplaced, "The provider knows this person by another subject now.",
    remedy: "Sign in with a new credential of the provider.", step: .decision)
  static let requiresRecentLogin = AuthError(
    .requiresRecentLogin, "This change needs a recent sign-in.", remedy: "Sign in again first.",
    step: .decision)
  static let sessionEnded = AuthError(
    .userTokenExpired, "The session was ended.", remedy: "Sign in again.",
    step: .decision)
  static let wrongCredential = AuthError(
    .invalidCredential, "The credential is wrong, malformed or expired.",
    remedy: "Check it and sign in again.", step: .credential)
  static let emailAlreadyInUse = AuthError(
    .emailAlreadyInUse, "The e-mail address is in use by another account.", field: "email",
    remedy: "Sign in with it instead, or merge the two accounts.", step: .decision)
  static let phoneNumberAlreadyExists = AuthError(
    .phoneNumberAlreadyExists, "The phone number is in use by another account.",
    field: "phoneNumber", remedy: "Use another number, or merge the two accounts.", step: .decision)
  static let credentialAlreadyInUse = AuthError(
    .credentialAlreadyInUse, "The credential belongs to another account.",
    remedy: "Sign in with it instead, or merge the two accounts.", step: .decision)
  static let accountExistsWithDifferentCredential = AuthError(
    .accountExistsWithDifferentCredential,
    "An account with the same e-mail address signs in another way.",
    remedy: "Sign in the way used before, then link this credential.", step: .decision)
  static let ambiguousEmail = AuthError(
    .ambiguous, "Several accounts have this e-mail address, and none has verified it.",
    field: "email", remedy: "Sign in with another identity, or merge the accounts.", step: .decision
  )

  static let uidAlreadyExists = AuthError(
    .uidAlreadyExists, "The uid is in use, or takes part in a merge.", field: "uid",
    remedy: "Choose another uid, or leave it out.", step: .decision)

  static func notAllowed(_ message: String, remedy: String? = nil) -> AuthError {
    AuthError(.operationNotAllowed, message, remedy: remedy, step: .decision)
  }

  /// The error for a deed of admins, such as "merge accounts".
  static func onlyAdmins(_ deed: String) -> AuthError {
    notAllowed("Only an admin may \(deed).", remedy: "Use a caller with the authority .admin.")
  }

  static let onlyOwnerOrAdmin = notAllowed(
    "Only the account itself or an admin may do this.", remedy: "Sign in to the account first.")

  static let noOwnSession = notAllowed(
    "Only the account's own session can continue.", remedy: "Sign in to the account first.")

  static func providerAlreadyLinked(_ provider: ProviderID) -> AuthError {
    AuthError(
      .providerAlreadyLinked, "The account already has an identity of \(provider).",
      field: "providerID", remedy: "Unlink the old one first.", step: .decision)
  }

  static func noSuchProvider(_ provider: ProviderID, linked: [Identity]) -> AuthError {
    let linked = Set(linked.map(\.provider.rawValue)).sorted()
    if linked.contains(provider.rawValue) {
      return AuthError(
        .noSuchProvider, "The account has no such identity of \(provider).", field: "subject",
        remedy: "Name the subject as providerData shows it.", step: .decision)
    }
    let remedy =
      linked.isEmpty ? "It has no identities." : suggestion(for: provider.rawValue, among: linked)
    return AuthError(
      .noSuchProvider, "The account has no such identity of \(provider).", field: "providerID",
      remedy: remedy, step: .decision)
  }

  static func severalIdentities(_ keys: [IdentityKey]) -> AuthError {
    AuthError(
      .ambiguous, "The account has \(keys.count) identities of this provider.", field: "subject",
      remedy: "Name one: \(keys.map(\.description).joined(separator: ", ")).", step: .decision)
  }

  static func lastSignInMethod(_ provider: ProviderID) -> AuthError {
    AuthError(
      .lastSignInMethod, "\(provider) is the last way to sign in to this account.",
      field: "providerID",
      remedy: "Link another identity first, or force it with { force = true }.",
      step: .decision)
  }
}
