import AuthCore

/// A token with an allowed header; its claims are not verified yet.
struct AdmittedToken {
  let algorithm: SigningAlgorithm
  /// The ID to look a key up by, and nothing else: no path, no address.
  let keyID: String?
  let claims: JSONValue
  private let token: CompactToken

  /// Takes a token apart, whose header has to name one of these algorithms, and no type but these.
  init(
    _ text: String, algorithms: [SigningAlgorithm], types: Set<String> = ["jwt"]
  ) throws(AuthError) {
    try self.init(text, types: types) { header throws(AuthError) in
      try Self.algorithm(of: header, among: algorithms)
    }
  }

  /// Takes a token apart; the closure reads the algorithm from the header.
  init(
    _ text: String, types: Set<String> = ["jwt"],
    choosing algorithm: (JSONValue) throws(AuthError) -> SigningAlgorithm
  ) throws(AuthError) {
    guard text.utf8.count <= CompactToken.maximumBytes else {
      throw .malformedToken("is larger than \(CompactToken.maximumBytes >> 10) KiB")
    }
    do {
      token = try CompactToken(parsing: text)
    } catch {
      switch error {
      case .numberOfParts: throw .malformedToken("is not of three parts")
      case .encoding(let part): throw .malformedToken("has a \(part) that is not base64url")
      }
    }
    let header = try Self.object(token.headerMembers, named: "header")
    try Self.checkHeader(header, types)
    self.algorithm = try algorithm(header)
    keyID = try Self.keyID(of: header)
    guard !token.signature.isEmpty else { throw .malformedToken("has no signature") }
    claims = try Self.object(token.claims, named: "payload")
  }

  var signature: [UInt8] { token.signature }
  /// Header, period and payload as they were sent: the bytes that are signed.
  var signedPart: ArraySlice<UInt8> { token.signedPart }

  private static func object(
    _ value: JSONValue?, named name: String
  ) throws(AuthError) -> JSONValue {
    guard let value else {
      throw .malformedToken("has a \(name) that is no JSON object with unique members")
    }
    return value
  }

  /// Refuses members that choose a key, and other types.
  private static func checkHeader(
    _ header: JSONValue, _ types: Set<String>
  ) throws(AuthError) {
    for member in TokenParts.refusedMembers where header[member] != nil {
      throw .refusedToken(
        "The ID token's header has \(member), which is not allowed.", field: member)
    }
    if let type = header["typ"] {
      // The media type may be written with or without its "application/", in any case (RFC 7515, 4.1.9). at+jwt,
      // logout+jwt and others are signed with the same keys and have another meaning.
      let name = (type.stringValue?.lowercased() ?? "").trimmingPrefix("application/")
      guard types.contains(String(name)) else {
        throw .refusedToken(
          "The token is none of type JWT.", field: "typ", remedy: "Give the ID token.")
      }
    }
  }

  private static func algorithm(
    of header: JSONValue, among declared: [SigningAlgorithm]
  ) throws(AuthError) -> SigningAlgorithm {
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

  private static func keyID(of header: JSONValue) throws(AuthError) -> String? {
    guard let member = header["kid"] else { return nil }
    guard let keyID = member.stringValue, !keyID.isEmpty, keyID.utf8.count <= 256 else {
      throw .refusedToken("The ID token's header has a kid that is no name of a key.", field: "kid")
    }
    return keyID
  }
}
