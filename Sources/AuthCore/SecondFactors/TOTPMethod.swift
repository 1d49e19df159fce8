/// Time-based one-time passwords (RFC 6238), as authenticator apps make them.
///
/// AuthCore contains no cryptography, so the app that builds a graph passes an implementation in.
public protocol TOTPMethod: Sendable {
  /// Makes a secret in base32 without padding, as authenticator apps expect it.
  func newSecret() -> Secret<String>
  /// Returns the counter of the time step that a code is for; nil if it is for none near the present.
  ///
  /// The secret is base32; `drift` is the number of steps that count before and after the present one.
  func step(of code: String, secret: Secret<String>, at now: Timestamp, drift: Int) -> Int64?
}

struct NoTOTP: TOTPMethod {
  func newSecret() -> Secret<String> { Secret("") }
  func step(of code: String, secret: Secret<String>, at now: Timestamp, drift: Int) -> Int64? {
    nil
  }
}
