package import AuthCore
import Foundation

extension HostileToken {
  /// Makes the token, and publishes the keys that it needs beside the vendor's own.
  package func forge(
    _ honest: [String: JSONValue], keys: VendorKeys, url: String, now: Timestamp
  ) throws -> String {
    let claims = JSONValue.object(claims(honest, now: now))
    let key = try keys.current()
    // Signing is slow, and few forms need the genuine token.
    func genuine() throws -> String { try key.jws(claims) }
    let stranger = try VendorKeys.attacker(keyID: key.keyID)
    return switch self {
    case .algorithmNone: key.unsecured(claims)
    case .algorithmNoneOddCase: key.unsecured(claims, algorithm: "nOnE")
    case .hs256WithPublicKey: key.confusedJWS(claims, secret: .pem)
    case .hs256WithKeyNumber: key.confusedJWS(claims, secret: .number)
    case .emptySignature: try Self.changing(genuine()) { $0.droppingSignature() }
    case .corruptedSignature: try Self.changing(genuine()) { $0.corruptingSignature() }
    case .tamperedPayload:
      try Self.changing(genuine()) {
        $0.replacingClaims(
          .object(honest.merging(["sub": "somebody-else"]) { _, changed in changed }))
      }
    case .foreignSignature: try stranger.jws(claims)
    case .unknownKeyID: try stranger.jws(claims, header: ["kid": "unknown-key"])
    case .keyIDTraversal: try stranger.jws(claims, header: ["kid": "../../../../dev/null"])
    case .duplicateKeyID: try Self.duplicated(claims, stranger, keys)
    case .keyOfAnotherType: try Self.mistyped(claims, key, keys)
    case .jkuHeader:
      try stranger.jws(claims, header: ["jku": .string(url + Self.attackerKeysPath)])
    case .x5uHeader:
      try stranger.jws(claims, header: ["x5u": .string(url + Self.attackerCertificatePath)])
    case .jwkHeader: try stranger.jws(claims, header: ["jwk": stranger.jwk])
    case .critHeader:
      try key.jws(
        claims,
        header: ["crit": ["urn:example:must-be-known"], "urn:example:must-be-known": true])
    case .notThreeParts:
      try genuine().split(separator: ".").prefix(2).joined(separator: ".")
    case .notAToken: "this is no token"
    default: try genuine()
    }
  }

  private static func changing(
    _ token: String, _ change: (CompactToken) -> CompactToken
  ) -> String {
    CompactToken(token).map { change($0).text } ?? token
  }

  /// Lists an attacker's key after the vendor's under the same name, and signs with the attacker's.
  private static func duplicated(
    _ claims: JSONValue, _ stranger: SigningKey, _ keys: VendorKeys
  ) throws -> String {
    keys.publish(stranger)
    return try stranger.jws(claims)
  }

  /// Names a listed key on a curve and signs with RS256, or the other way round.
  private static func mistyped(
    _ claims: JSONValue, _ key: SigningKey, _ keys: VendorKeys
  ) throws -> String {
    let keyID = "\(key.keyID)-of-another-type"
    keys.publish(
      try key.algorithm == .rs256 ? .p256(keyID: keyID) : .shared(-2, keyID: keyID))
    return try key.jws(claims, header: ["kid": .string(keyID)])
  }
}
