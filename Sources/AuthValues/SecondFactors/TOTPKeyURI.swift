/// The `otpauth:` address that an authenticator app reads from a QR code.
///
/// Its form is the one of the key URI format that the apps share. A colon parts issuer and account in it, so
/// colons inside them become spaces.
public struct TOTPKeyURI: Sendable {
  private let issuer: String
  private let account: String
  private let secret: Secret<String>

  /// Describes a key.
  ///
  /// - Parameters:
  ///   - issuer: the name of the app or company, as the person shall read it; may be empty.
  ///   - account: which account it is for, such as its e-mail address.
  ///   - secret: the shared secret in base32.
  public init(issuer: String, account: String, secret: Secret<String>) {
    self.issuer = issuer.replacing(":", with: " ")
    self.account = account.replacing(":", with: " ")
    self.secret = secret
  }

  /// The address; a secret, because the shared secret is in it.
  public var text: Secret<String> {
    let name = [issuer, account].filter { !$0.isEmpty }.map(URLText.escaped).joined(separator: ":")
    let letters = secret.reveal().uppercased().filter { !" -=".contains($0) }
    var fields = [(name: "secret", value: letters)]
    if !issuer.isEmpty { fields.append((name: "issuer", value: issuer)) }
    fields += [
      (name: "algorithm", value: TOTPParameters.algorithm),
      (name: "digits", value: "\(TOTPParameters.digits)"),
      (name: "period", value: "\(TOTPParameters.period)"),
    ]
    return Secret("otpauth://totp/\(name)?\(URLText.form(fields))")
  }
}

/// The parameters that every authenticator app understands.
public enum TOTPParameters {
  /// The digits of a code.
  public static let digits = 6
  /// The length of a step in seconds.
  public static let period: Int64 = 30
  /// The hash function's name, as key URIs spell it.
  public static let algorithm = "SHA1"
}
