/// Time-based one-time passwords (RFC 6238), as an authenticator app makes them.
///
/// AuthCore knows no cryptography; who puts AuthGraph together hands an implementation in.
public protocol TOTPMethod: Sendable {
  /// A new secret in base32 without padding, as authenticator apps take it.
  func newSecret() -> Secret<String>
  /// The counter of the time step whose code this is, or nil where it belongs to none that is near.
  ///
  /// The secret is base32; `drift` is how many steps before and after the present one count too.
  func step(of code: String, secret: Secret<String>, at now: Timestamp, drift: Int) -> Int64?
}

struct NoTOTP: TOTPMethod {
  func newSecret() -> Secret<String> { Secret("") }
  func step(of code: String, secret: Secret<String>, at now: Timestamp, drift: Int) -> Int64? {
    nil
  }
}
