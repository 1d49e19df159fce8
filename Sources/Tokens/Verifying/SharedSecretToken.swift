package import AuthCore
import Crypto

/// The requirements of a token that vendor and app sign with one secret (RFC 7518 section 3.2).
///
/// Both ends of such a secret can make tokens, so it proves that the holder of the secret made the token, and nothing
/// else. The algorithm is declared; a token with another one, such as a public key's, is refused.
package struct SharedSecretDeclaration: Sendable {
  /// The algorithm, named as in a token's header.
  package enum Algorithm: String, Sendable, CaseIterable {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"
  }

  /// The allowed values of `iss`.
  package var issuers: [String]
  /// The allowed values of `aud`, of which the token needs one.
  package var audiences: [String]
  /// The one algorithm of the tokens.
  package var algorithm: Algorithm
  /// The rule for the nonce.
  package var nonce: NonceRule
  /// The age after `iat` at which a token expires, in seconds; nil for its `exp` alone.
  package var maximumAge: Int64?

  /// Makes a declaration.
  package init(
    issuers: [String], audiences: [String], algorithm: Algorithm, nonce: NonceRule,
    maximumAge: Int64? = nil
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.algorithm = algorithm
    self.nonce = nonce
    self.maximumAge = maximumAge
  }

  /// The shortest secret, in bytes; a shorter one could be found by trying all.
  package static let shortestSecret = 16

  /// Verifies a token; its claims are checked like those of an ID token.
  ///
  /// Throws `invalid-credential` naming the claim or header member at fault, `missing-or-invalid-nonce`, or
  /// `operation-not-allowed` for a secret that is too short; all of them at the step `token`.
  package func verify(
    _ token: String, secret: [UInt8], nonce given: String?, accessToken: String? = nil,
    now: Timestamp
  ) throws(AuthError) -> IDTokenClaims {
    guard secret.count >= Self.shortestSecret else {
      throw AuthError(
        .operationNotAllowed,
        "The secret of the tokens is shorter than \(Self.shortestSecret) bytes.", field: "secret",
        remedy: "Take a longer secret at the vendor.", step: .token)
    }
    let parts = try AdmittedToken(sharedSecret: token, algorithm)
    let check = ClaimCheck(
      parts,
      IDTokenDeclaration(
        issuers: issuers, audiences: audiences, keys: .fixed([]), algorithms: [], nonce: nonce,
        maximumAge: maximumAge),
      now: now)
    let issuer = try check.issuer()
    let code = authenticationCode(of: parts.signedPart, secret)
    guard code.equalsInConstantTime(parts.signature) else {
      throw AuthError.refusedToken(
        "The token is not signed with the secret.", field: "idToken",
        remedy: "Pass the token on as the provider gave it.")
    }
    try check.nonce(given: given)
    if let accessToken { try check.accessTokenHash(accessToken) }
    return try check.claims(issuer: issuer)
  }

  private func authenticationCode(of bytes: ArraySlice<UInt8>, _ secret: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: secret)
    return switch algorithm {
    case .hs256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .hs384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
    case .hs512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    }
  }
}

extension AdmittedToken {
  /// Reads a token whose header has to name the declared algorithm of a shared secret.
  init(
    sharedSecret text: String, _ declared: SharedSecretDeclaration.Algorithm
  ) throws(AuthError) {
    try self.init(text) { header throws(AuthError) in
      guard header["alg"]?.stringValue?.isExactly(declared.rawValue) == true else {
        throw .refusedToken(
          "The token is not signed with \(declared.rawValue).", field: "alg",
          remedy: "Have it signed with \(declared.rawValue).")
      }
      // Claims that are digests, such as at_hash, have the size of the algorithm's hash.
      return switch declared {
      case .hs256: .rs256
      case .hs384: .rs384
      case .hs512: .rs512
      }
    }
  }
}
