/// A field whose later value an undo can keep on the survivor.
///
/// Only data that describes a person can be kept. Either person may have signed in to the merged account, so nothing that
/// decides on signing in is carried over.
public enum KeptField: String, Hashable, Sendable, CaseIterable {
  case displayName, photoURL, customClaims, disabled, screenName, language, timeZone, dateOfBirth

  /// The fields that decide who can sign in.
  private static let ofSigningIn = [
    "email", "emailVerified", "phoneNumber", "password", "identities", "providerData",
    "secondFactors", "multiFactor", "sessions",
  ]

  /// Finds a field by its name, or throws `invalid-argument` with the reason or the nearest name.
  public init(named name: String) throws(AuthError) {
    if let field = KeptField(rawValue: name) {
      self = field
      return
    }
    guard !Self.ofSigningIn.contains(name) else {
      throw AuthError(
        .invalidArgument,
        "\(name) cannot be kept: it decides who can sign in, and either person may have changed it.",
        field: "keep", remedy: "Force the undo, then change \(name) on the account it belongs to.",
        step: .decision)
    }
    throw AuthError(
      .invalidArgument, "An undo cannot keep \"\(name)\".", field: "keep",
      remedy: suggestion(for: name, among: Self.allCases.map(\.rawValue)), step: .decision)
  }

  /// Returns the value on an account, in readable form.
  func shown(on account: Account) -> String? {
    switch self {
    case .displayName: account.displayName
    case .photoURL: account.photoURL
    case .customClaims: account.customClaims?.text
    case .disabled: account.disabled ? "yes" : "no"
    case .screenName: account.details.screenName
    case .language: account.details.language
    case .timeZone: account.details.timeZone
    case .dateOfBirth: account.details.dateOfBirth
    }
  }

  /// Copies the value from one account to another.
  func copy(from source: Account, to target: inout Account) {
    switch self {
    case .displayName: target.displayName = source.displayName
    case .photoURL: target.photoURL = source.photoURL
    case .customClaims: target.customClaims = source.customClaims
    case .disabled: target.disabled = source.disabled
    case .screenName: target.details.screenName = source.details.screenName
    case .language: target.details.language = source.details.language
    case .timeZone: target.details.timeZone = source.details.timeZone
    case .dateOfBirth: target.details.dateOfBirth = source.details.dateOfBirth
    }
  }
}
