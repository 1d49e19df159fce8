public import AuthCore
import Crypto
import CryptoExtras

extension SigningKey {
  /// Reads a private key in PEM, as PKCS #8 or in the older form of its kind; nil if it is of another kind.
  package init?(pem: String, keyID: String = "") {
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
      self.init(key, keyID: keyID)
    } else if let pair = try? _RSA.Signing.PrivateKey(pemRepresentation: pem),
      let key = try? SigningKey(pair, keyID: keyID)
    {
      self = key
    } else {
      return nil
    }
  }

  /// Reads a configured private key in PEM.
  ///
  /// Throws `operation-not-allowed` that names the field.
  public init(pem: Secret<String>, field: String, keyID: String = "") throws(AuthError) {
    guard let key = SigningKey(pem: pem.reveal(), keyID: keyID) else {
      throw AuthError(
        .operationNotAllowed,
        "This is no private key on the curve P-256 and no RSA key of at least 2,048 bits.",
        field: field, remedy: "Give the key as PEM, from BEGIN to END.", step: .credential)
    }
    self = key
  }

  /// The public key in PEM.
  public var publicKeyPEM: String {
    switch material {
    case .p256(let key): key.publicKey.pemRepresentation
    case .rsa(let key): key.publicKey.pemRepresentation
    }
  }

  /// The private key in PEM of PKCS #8, as Apple's `.p8` files are.
  public var privateKeyPEM: String {
    switch material {
    case .p256(let key): key.pemRepresentation
    case .rsa(let key): key.pkcs8PEMRepresentation
    }
  }
}
