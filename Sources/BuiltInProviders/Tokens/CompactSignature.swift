import AuthCore
import Foundation

/// A signed token in compact form (RFC 7515), taken apart and not yet verified.
struct CompactSignature {
  /// No vendor's ID token comes near this size.
  static let maximumBytes = 16 * 1024

  let header: JSONValue
  let algorithm: String
  let keyID: String?
  /// The whole token.
  let bytes: [UInt8]

  /// Takes a token apart; throws `invalid-credential` for what is no such token, or asks for what is never done.
  init(_ token: String) throws(AuthError) {
    guard token.utf8.count <= Self.maximumBytes else { throw .malformed("it is too long") }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("it has not three parts") }
    guard let headerBytes = Base64URL.bytes(of: parts[0].utf8), Base64URL.bytes(of: parts[1].utf8) != nil,
      let signature = Base64URL.bytes(of: parts[2].utf8)
    else { throw .malformed("a part is not in base64url") }
    guard case .object(let members) = try? JSONValue(text: String(decoding: headerBytes, as: UTF8.self))
    else { throw .malformed("its header is no JSON object") }
    guard let algorithm = members["alg"]?.stringValue else {
      throw .untrusted("its header names no algorithm", "alg")
    }
    header = .object(members)
    self.algorithm = algorithm
    bytes = Array(token.utf8)
    switch members["kid"] {
    case nil: keyID = nil
    case .string(let id): keyID = id
    default: throw .untrusted("its key's ID is no text", "kid")
    }
    // An algorithm without a key pair is refused as such, with a signature or without.
    if SigningAlgorithm(rawValue: algorithm) != nil, signature.isEmpty {
      throw .untrusted("it is not signed", "alg")
    }
    try checkHeader(members)
  }

  /// Header members that would have somebody else choose the key, or that are not understood.
  private func checkHeader(_ members: [String: JSONValue]) throws(AuthError) {
    for name in ["jku", "x5u", "jwk", "x5c", "crit", "b64"] where members[name] != nil {
      throw .untrusted("its header brings what is not taken from a token", name)
    }
    if let type = members["typ"] {
      // RFC 8725, section 3.11: a token that was made for something else says so here.
      guard let text = type.stringValue?.lowercased(), ["jwt", "application/jwt"].contains(text)
      else { throw .untrusted("it is a token of another type", "typ") }
    }
  }
}

extension AuthError {
  private static let newToken = "Get a new one from the provider and try again."

  /// The text is no token at all.
  static func malformed(_ why: String) -> AuthError {
    AuthError(
      .invalidCredential, "The ID token is malformed: \(why).", field: "idToken", remedy: newToken,
      step: .token)
  }

  /// The token says something that is not believed; the claim or header member at fault is named.
  static func untrusted(_ why: String, _ claim: String) -> AuthError {
    AuthError(
      .invalidCredential, "The ID token is refused: \(why).", field: claim, remedy: newToken,
      step: .token)
  }
}
