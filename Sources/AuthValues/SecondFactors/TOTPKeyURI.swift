/// The `otpauth:` URI that an authenticator app reads from a QR code.
///
/// Its form is the key URI format that authenticator apps share. It separates issuer and account by a colon, so colons
/// inside them become spaces.
public struct TOTPKeyURI: Sendable {
  private let issuer: String
  private let account: String
  private let secret: Secret<String>

  /// Makes the URI of a key.
  ///
  /// - Parameters:
  ///   - issuer: the name of the app or company as the person reads it; may be empty.
  ///   - account: the account it is for, such as its e-mail address.
  ///   - secret: the shared secret in base32.
  public init(issuer: String, account: String, secret: Secret<String>) {
    self.issuer = issuer.replacing(":", with: " ")
    self.account = account.replacing(":", with: " ")
    self.secret = secret
  }

  /// The URI; a secret, because it contains the shared secret.
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

/// The TOTP parameters that every authenticator app supports.
public enum TOTPParameters {
  /// The number of digits in a code.
  public static let digits = 6
  /// The length of a time step in seconds.
  public static let period: Int64 = 30
  /// The hash function's name, as key URIs spell it.
  public static let algorithm = "SHA1"
}
