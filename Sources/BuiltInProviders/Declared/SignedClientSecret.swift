import AuthCore
import Crypto

/// A client secret that is a token, signed with a key of an admin for each exchange.
struct SignedClientSecret {
  let session: any ProviderSession
  /// The setting with the key in PEM.
  let field: String
  /// The lifetime in seconds.
  var lifetime: Int64 = 300

  /// Signs a secret with ES256; throws `operation-not-allowed` if the key is missing or of another kind.
  func secret(
    issuer: String, clientID: String, audience: String, keyID: String
  ) throws -> Secret<String> {
    let signer = try SigningKey(pem: try session.settings.requiredSecret(field), field: field)
    guard signer.algorithm == .es256 else {
      throw AuthError(
        .operationNotAllowed, "The private key is not on the curve P-256.", field: field,
        remedy: "Give the text of the vendor's file, such as Apple's .p8.", step: .credential)
    }
    let now = session.now.milliseconds / 1000
    let claims: JSONValue = [
      "iss": .string(issuer), "sub": .string(clientID), "aud": .string(audience),
      "iat": .integer(now), "exp": .integer(now + lifetime),
    ]
    return Secret(try signer.sign(claims, keyID: keyID))
  }
}

extension ProviderSettings {
  /// Checks that a secret, if it is set, is a key that can sign.
  func checkSigningKey(_ field: String) throws {
    if let key = try secret(field) { _ = try SigningKey(pem: key, field: field) }
  }
}

extension Secret<String> {
  /// The HMAC-SHA-256 of a token in hexadecimal, which proves that the owner of this secret sent it.
  func proof(of token: Secret<String>) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Array(token.reveal().utf8), using: SymmetricKey(data: Array(reveal().utf8))
    ).hexadecimal
  }
}
