import AuthCore

/// The refusals of tokens; none shows what a token holds, save short names that are no secrets.
extension AuthError {
  static func refusedToken(
    _ message: String, field: String, remedy: String = "Get a new ID token from the provider."
  ) -> AuthError {
    AuthError(.invalidCredential, message, field: field, remedy: remedy, step: .token)
  }

  static func malformedToken(_ why: String) -> AuthError {
    refusedToken(
      "The ID token \(why).", field: "idToken",
      remedy: "Pass the token on as the provider gave it.")
  }

  static func refusedNonce(_ message: String, remedy: String) -> AuthError {
    AuthError(.missingOrInvalidNonce, message, field: "nonce", remedy: remedy, step: .token)
  }
}

/// Shortens a name that somebody else chose to what fits into a message: printable ASCII, 100 characters.
func shown(_ text: String) -> String {
  let printable = text.unicodeScalars.lazy
    .map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
  return String(printable.prefix(100))
}
