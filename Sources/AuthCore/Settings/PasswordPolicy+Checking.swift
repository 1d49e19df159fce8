extension PasswordPolicy {
  /// The minimum length of every password, in UTF-16 units as Firebase's clients count.
  public static let shortest = 6

  /// Checks a new password.
  ///
  /// Throws `weak-password` if it is shorter than ``shortest``, and `password-does-not-meet-requirements` if it does
  /// not meet an enforced policy. `AuthError.criteria` then has Firebase's names of the unmet criteria.
  public func check(_ password: String) throws(AuthError) {
    guard enforcement == .enforce else {
      guard password.utf16.count >= Self.shortest else {
        throw AuthError(
          .weakPassword, "A password has at least \(Self.shortest) characters.",
          field: "password", remedy: "Choose a longer one.", step: .credential)
      }
      return
    }
    try require(password, "Choose another one.")
  }

  /// Checks a password at a sign-in; throws `password-does-not-meet-requirements` if the policy is enforced there too.
  public func checkAtSignIn(_ password: String) throws(AuthError) {
    guard enforcement == .enforce, appliesToSignIn else { return }
    try require(password, "Reset it, and choose another one.")
  }

  private func require(_ password: String, _ remedy: String) throws(AuthError) {
    var missing = missing(in: password)
    // No policy can require less than the minimum without one.
    if password.utf16.count < Self.shortest, !missing.contains("MINIMUM_PASSWORD_LENGTH") {
      missing.append("MINIMUM_PASSWORD_LENGTH")
    }
    guard !missing.isEmpty else { return }
    let sentences = missing.map(sentence).joined(separator: ", ")
    var error = AuthError(
      .passwordDoesNotMeetRequirements, "Missing password requirements: [\(sentences)]",
      field: "password", remedy: remedy, step: .credential)
    error.criteria = missing
    throw error
  }

  /// Returns a client's text for a criterion, in Firebase's words.
  private func sentence(_ criterion: String) -> String {
    switch criterion {
    case "MINIMUM_PASSWORD_LENGTH":
      "Password must contain at least \(max(minimumLength, Self.shortest)) characters"
    case "MAXIMUM_PASSWORD_LENGTH": "Password may contain at most \(maximumLength) characters"
    case "MISSING_LOWERCASE_CHARACTER": "Password must contain a lower case character"
    case "MISSING_UPPERCASE_CHARACTER": "Password must contain an upper case character"
    case "MISSING_NUMERIC_CHARACTER": "Password must contain a numeric character"
    default: "Password must contain a non-alphanumeric character"
    }
  }
}
