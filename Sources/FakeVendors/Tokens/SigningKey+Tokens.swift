public import AuthCore
import Crypto
import Foundation

extension SigningKey {
  /// Signs claims as a compact JWS with `alg`, `kid` and `typ` in its header.
  ///
  /// - `claims`: The payload.
  /// - `header`: Header members that are added or replaced; null leaves one out.
  public func jws(_ claims: JSONValue, header: [String: JSONValue] = [:]) throws -> String {
    try jws(payload: claims.text, header: header)
  }

  /// Signs a payload as it is, for claims that ``JSONValue`` cannot express, such as a repeated one.
  public func jws(payload: String, header: [String: JSONValue] = [:]) throws -> String {
    try sign(Array(payload.utf8), header: header)
  }

  /// Makes a token with `alg` none, or a spelling of it, and without a signature (RFC 8725, 2.1).
  public func unsecured(_ claims: JSONValue, algorithm: String = "none") -> String {
    CompactToken(header: header(["alg": .string(algorithm)]).text, payload: claims.text).text
  }

  /// The bytes that a confused verifier takes for an HMAC secret.
  public enum PublicSecret: CaseIterable, Sendable {
    /// The text of the PEM file.
    case pem
    /// The modulus of an RSA key, or the point of a P-256 key.
    case number
  }

  /// Signs claims with HS256 and the public key as the secret (RFC 8725, 2.1).
  public func confusedJWS(_ claims: JSONValue, secret: PublicSecret = .pem) -> String {
    let token = CompactToken(header: header(["alg": "HS256"]).text, payload: claims.text)
    let key = SymmetricKey(data: publicBytes(secret))
    let code = HMAC<SHA256>.authenticationCode(for: token.signedPart, using: key)
    return token.replacingSignature(Array(code)).text
  }

  private func publicBytes(_ secret: PublicSecret) -> Data {
    switch secret {
    case .pem: Data(publicKeyPEM.utf8)
    case .number: Data(["n", "x", "y"].flatMap(jwkBytes))
    }
  }

  private func jwkBytes(_ name: String) -> [UInt8] {
    jwk[name]?.stringValue.flatMap { Base64.url.bytes(of: $0.utf8) } ?? []
  }
}
