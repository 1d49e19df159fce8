package import AuthCore

/// The errors of refused tokens, which show nothing of a token but short names that are not secret.
extension AuthError {
  package static func refusedToken(
    _ message: String, field: String, remedy: String = "Get a new ID token from the provider."
  ) -> AuthError {
    AuthError(.invalidCredential, message, field: field, remedy: remedy, step: .token)
  }

  package static func malformedToken(_ why: String) -> AuthError {
    refusedToken(
      "The ID token \(why).", field: "idToken",
      remedy: "Pass the token on as the provider gave it.")
  }

  package static func refusedNonce(_ message: String, remedy: String) -> AuthError {
    AuthError(.missingOrInvalidNonce, message, field: "nonce", remedy: remedy, step: .token)
  }
}

/// Shortens a name from an untrusted source for a message: printable ASCII, 100 characters.
package func shown(_ text: String) -> String {
  let printable = text.unicodeScalars.lazy
    .map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
  return String(printable.prefix(100))
}
