public import AuthCore
import Crypto
import CryptoExtras

extension SigningKey {
  /// Signs claims, under another key ID if one is given.
  public func sign(_ claims: JSONValue, keyID: String? = nil) throws -> String {
    let header = keyID.map { ["kid": JSONValue.string($0)] } ?? [:]
    return try sign(Array(claims.text.utf8), header: header)
  }

  /// Signs a payload as it is, with `alg`, `typ` and the key ID in the header.
  ///
  /// The given members are added to the header or replace its own; null leaves one out.
  package func sign(_ payload: [UInt8], header members: [String: JSONValue]) throws -> String {
    let header = JSONWriter.bytes(of: header(members))
    let signed = CompactToken(header: header, payload: payload).signedPart
    return TokenParts.text(signedPart: Array(signed), signature: try signature(of: signed))
  }

  /// Returns a header with other or further members.
  package func header(_ members: [String: JSONValue] = [:]) -> JSONValue {
    var all: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
    if !keyID.isEmpty { all["kid"] = .string(keyID) }
    return .object(all.merging(members) { _, given in given }.filter { $0.value != .null })
  }

  /// Signs bytes as tokens are: PKCS #1 v1.5 for RSA, `r` and `s` side by side for P-256 (RFC 7518 section 3).
  package func signature(of bytes: ArraySlice<UInt8>) throws -> [UInt8] {
    let digest = SHA256.hash(data: bytes)
    return switch material {
    case .p256(let key): Array(try key.signature(for: digest).rawRepresentation)
    case .rsa(let key):
      Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
  }

  /// Tells whether the key signed a token, whatever the token's header says.
  public func didSign(_ token: CompactToken) -> Bool {
    checker.accepts(token.signature, of: token.signedPart)
  }
}
