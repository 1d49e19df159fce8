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
    var token = CompactToken(header: headerText(header), payload: payload)
    token.signature = try signature(of: Data(token.signedText.utf8))
    return token.text
  }

  /// Makes a token with `alg` none, or a spelling of it, and without a signature (RFC 8725, 2.1).
  public func unsecured(_ claims: JSONValue, algorithm: String = "none") -> String {
    CompactToken(header: headerText(["alg": .string(algorithm)]), payload: claims.text).text
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
    var token = CompactToken(headerText(["alg": "HS256"]), claims)
    let key = SymmetricKey(data: publicBytes(secret))
    token.signature = Data(
      HMAC<SHA256>.authenticationCode(for: Data(token.signedText.utf8), using: key))
    return token.text
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

  private func headerText(_ members: [String: JSONValue]) -> String {
    let usual: [String: JSONValue] = [
      "alg": .string(algorithm.rawValue), "kid": .string(keyID), "typ": "JWT",
    ]
    let all = usual.merging(members) { _, given in given }.filter { $0.value != .null }
    return JSONValue.object(all).text
  }
}

extension CompactToken {
  fileprivate init(_ header: String, _ claims: JSONValue) {
    self.init(header: header, payload: claims.text)
  }
}
