public import AuthCore

/// A compact token (RFC 7515 section 3.1), taken apart and not verified.
public struct CompactToken: Hashable, Sendable {
  /// The bytes of the header, which need not be JSON.
  package let headerBytes: [UInt8]
  /// The bytes of the payload, which need not be JSON.
  package let payloadBytes: [UInt8]
  /// The bytes of the signature; empty without one.
  public let signature: [UInt8]
  /// The signed bytes: header, period and payload, as they were sent.
  package let signedPart: ArraySlice<UInt8>

  /// The maximum size of a foreign token in bytes.
  public static let maximumBytes = 16 << 10

  /// Makes a token from its parts.
  public init(header: String, payload: String, signature: [UInt8] = []) {
    self.init(header: Array(header.utf8), payload: Array(payload.utf8), signature: signature)
  }

  package init(header: [UInt8], payload: [UInt8], signature: [UInt8] = []) {
    headerBytes = header
    payloadBytes = payload
    self.signature = signature
    var encoded: [UInt8] = []
    Base64.url.append(header, to: &encoded)
    signedPart = TokenParts.signedPart(header: encoded, claims: payload)[...]
  }

  /// Takes a token apart; nil if it is larger than the maximum, or does not have three parts of base64url.
  public init?(_ text: String, maximumBytes: Int = maximumBytes) {
    guard text.utf8.count <= maximumBytes, let token = try? CompactToken(parsing: text) else {
      return nil
    }
    self = token
  }

  /// The fault of a text that is no compact token.
  enum Fault: Error {
    case numberOfParts
    /// A part is not base64url.
    case encoding(of: String)
  }

  init(parsing text: String) throws(Fault) {
    guard let parts = TokenParts(text) else { throw .numberOfParts }
    headerBytes = try Self.bytes(of: parts.header, named: "header")
    payloadBytes = try Self.bytes(of: parts.payload, named: "payload")
    signature = try Self.bytes(of: parts.signature, named: "signature")
    signedPart = parts.signedPart
  }

  private static func bytes(
    of part: ArraySlice<UInt8>, named name: String
  ) throws(Fault) -> [UInt8] {
    guard let bytes = Base64.url.bytes(of: part) else { throw .encoding(of: name) }
    return bytes
  }
}

extension CompactToken {
  /// The text of the header.
  public var header: String { String(decoding: headerBytes, as: UTF8.self) }

  /// The text of the payload.
  public var payload: String { String(decoding: payloadBytes, as: UTF8.self) }

  /// The header as JSON; nil if it is no object, or has two members with one name.
  public var headerMembers: JSONValue? { Self.object(headerBytes) }

  /// The payload as JSON; nil if it is no object, or has two members with one name.
  public var claims: JSONValue? { Self.object(payloadBytes) }

  /// The signed text: the first two parts.
  public var signedText: String { String(decoding: signedPart, as: UTF8.self) }

  /// The token as it is sent.
  public var text: String {
    TokenParts.text(signedPart: Array(signedPart), signature: signature)
  }

  private static func object(_ bytes: [UInt8]) -> JSONValue? {
    guard let value = try? JSONValue(strict: bytes), case .object = value else { return nil }
    return value
  }
}
