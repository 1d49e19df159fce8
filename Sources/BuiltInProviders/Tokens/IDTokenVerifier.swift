public import AuthCore
import Crypto
import Foundation

/// Verifies ID tokens of every provider, each by its declaration (OpenID Connect Core 3.1.3.7, RFC 8725).
public struct IDTokenVerifier: Sendable {
  private let keys: KeyCache

  public init(keys: KeyCache) {
    self.keys = keys
  }

  /// Verifies a token and gives its claims.
  ///
  /// - Parameters:
  ///   - token: the compact text.
  ///   - declaration: what the token has to say.
  ///   - nonce: the raw nonce that the credential gives, where it gives one.
  ///   - accessToken: the access token that came with it; has to fit `at_hash`, where the token has that.
  ///   - now: the time of the check.
  /// - Returns: the claims.
  /// - Throws: `invalid-credential` naming the claim at fault, `missing-or-invalid-nonce`, or
  ///   `network-request-failed` where the issuer's keys are not to be had; always with the step `token`.
  public func verify(
    _ token: String, by declaration: IDTokenDeclaration, nonce: String?,
    accessToken: String? = nil, now: Timestamp
  ) async throws -> IDTokenClaims {
    let signed = try CompactSignature(token)
    guard let algorithm = SigningAlgorithm(rawValue: signed.algorithm),
      declaration.algorithms.contains(algorithm)
    else { throw AuthError.untrusted("its algorithm is not one of the issuer's", "alg") }
    let set =
      switch declaration.keys {
      case .fixed(let list): await KeySet(list.compactMap { try? JSONValue(text: $0) })
      case .jwks(let url):
        try await keys.keys(at: url, having: signed.keyID, privateHosts: declaration.privateHosts)
      }
    let key = try set.key(for: signed.keyID, algorithm)
    guard let all = await key.claims(of: signed, algorithm), case .object = all else {
      throw AuthError.untrusted("its signature is wrong", "signature")
    }
    let claims = try ClaimCheck(all, declaration, now).claims(uses: { expiresAt, nonce in
      Self.uses(token, declaration.issuers[0], nonce, expiresAt)
    })
    try Self.check(claims.nonce, against: nonce, declaration.nonce)
    if let accessToken { try Self.check(accessToken, fits: all["at_hash"], algorithm) }
    return claims
  }

  private static func check(
    _ inToken: String?, against given: String?, _ rule: NonceRule
  ) throws(AuthError) {
    func refused(_ why: String) -> AuthError {
      AuthError(
        .missingOrInvalidNonce, "The ID token's nonce is refused: \(why).", field: "nonce",
        remedy: "Give the raw nonce that the sign-in was begun with.", step: .token)
    }
    switch (rule.presence, inToken, given) {
    case (.ignored, _, _): return
    case (.none, nil, nil), (.optional, nil, nil): return
    case (.none, _, _): throw refused("none was asked for")
    case (_, nil, _): throw refused("the token has none")
    case (_, _, nil): throw refused("none was given")
    case (_, let inToken?, let given?):
      let hash = SHA256.hash(data: Data(given.utf8)).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
      }.joined()
      let isPlain = inToken.equalsInConstantTime(given) && !given.isEmpty
      let isHash = inToken.equalsInConstantTime(hash) && !given.isEmpty
      let fits =
        switch rule.form {
        case .plain: isPlain
        case .sha256Hex: isHash
        case .either: isPlain || isHash
        }
      guard fits else { throw refused("it is another one") }
    }
  }

  /// Checks that the access token is the one that the ID token was made with (OpenID Connect Core 3.1.3.6).
  private static func check(
    _ accessToken: String, fits claim: JSONValue?, _ algorithm: SigningAlgorithm
  ) throws(AuthError) {
    guard let claim, claim != .null else { return }
    let data = Data(accessToken.utf8)
    let digest: [UInt8] =
      switch algorithm {
      case .RS256, .PS256, .ES256: Array(SHA256.hash(data: data))
      case .RS384, .PS384, .ES384: Array(SHA384.hash(data: data))
      case .RS512, .PS512, .ES512, .EdDSA: Array(SHA512.hash(data: data))
      }
    let expected = Base64URL.text(digest.prefix(digest.count / 2))
    guard let text = claim.stringValue, text.equalsInConstantTime(expected) else {
      throw .untrusted("it was made with another access token", "at_hash")
    }
  }

  /// What is used up with a token: itself, and its nonce. Digests, so that no store holds a token.
  private static func uses(
    _ token: String, _ issuer: String, _ nonce: String?, _ expiresAt: Timestamp
  ) -> [OneTimeUse] {
    func use(_ kind: String, _ text: String) -> OneTimeUse {
      let digest = Base64URL.text(SHA256.hash(data: Data(text.utf8)))
      return OneTimeUse("\(kind):\(issuer):\(digest)", expiresAt: expiresAt)
    }
    return [use("id-token", token)] + (nonce.map { [use("nonce", $0)] } ?? [])
  }
}
