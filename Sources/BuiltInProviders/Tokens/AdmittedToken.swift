import AuthCore

/// A token with an allowed header; its claims are not verified yet.
struct AdmittedToken {
  let algorithm: SigningAlgorithm
  /// The ID to look a key up by, and nothing else: no path, no address.
  let keyID: String?
  /// Header, period and payload as they were sent: the bytes that are signed.
  let signedPart: ArraySlice<UInt8>
  let signature: [UInt8]
  let claims: JSONValue

  static let maximumBytes = 16 << 10

  init(_ token: String, algorithms: [SigningAlgorithm]) throws(AuthError) {
    guard token.utf8.count <= Self.maximumBytes else {
      throw .malformedToken("is larger than \(Self.maximumBytes >> 10) KiB")
    }
    guard let parts = TokenParts(token) else { throw .malformedToken("is not of three parts") }
    let header = try Self.object(parts.header, named: "header")
    algorithm = try Self.algorithm(of: header, among: algorithms)
    keyID = try Self.keyID(of: header)
    guard !parts.signature.isEmpty else { throw .malformedToken("has no signature") }
    guard let signature = Base64.url.bytes(of: parts.signature) else {
      throw .malformedToken("has a signature that is not base64url")
    }
    self.signature = signature
    claims = try Self.object(parts.payload, named: "payload")
    signedPart = parts.signedPart
  }

  static func object(
    _ part: ArraySlice<UInt8>, named name: String
  ) throws(AuthError) -> JSONValue {
    guard !part.isEmpty, let bytes = Base64.url.bytes(of: part) else {
      throw .malformedToken("has a \(name) that is not base64url")
    }
    guard let value = try? JSONValue(strict: bytes), case .object = value else {
      throw .malformedToken("has a \(name) that is no JSON object with unique members")
    }
    return value
  }

  /// Refuses members that choose a key, and types other than JWT.
  static func checkHeader(_ header: JSONValue) throws(AuthError) {
    for member in TokenParts.refusedMembers where header[member] != nil {
      throw .refusedToken(
        "The ID token's header has \(member), which is not allowed.", field: member)
    }
    if let type = header["typ"] {
      // The media type may be written with or without its "application/", in any case (RFC 7515, 4.1.9). at+jwt,
      // logout+jwt and others are signed with the same keys and have another meaning.
      let name = type.stringValue?.lowercased()
      guard name == "jwt" || name == "application/jwt" else {
        throw .refusedToken(
          "The token is none of type JWT.", field: "typ", remedy: "Give the ID token.")
      }
    }
  }

  private static func algorithm(
    of header: JSONValue, among declared: [SigningAlgorithm]
  ) throws(AuthError) -> SigningAlgorithm {
    try checkHeader(header)
    guard let name = header["alg"]?.stringValue else {
      throw .refusedToken("The ID token's header names no algorithm.", field: "alg")
    }
    guard let algorithm = SigningAlgorithm(rawValue: name), declared.contains(algorithm) else {
      let allowed = declared.map(\.rawValue).joined(separator: ", ")
      throw .refusedToken(
        "The ID token is signed with \(shown(name)), which is not allowed.", field: "alg",
        remedy: "Have it signed with one of: \(allowed).")
    }
    return algorithm
  }

  static func keyID(of header: JSONValue) throws(AuthError) -> String? {
    guard let member = header["kid"] else { return nil }
    guard let keyID = member.stringValue, !keyID.isEmpty, keyID.utf8.count <= 256 else {
      throw .refusedToken("The ID token's header has a kid that is no name of a key.", field: "kid")
    }
    return keyID
  }
}
