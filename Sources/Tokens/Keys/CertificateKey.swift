import AuthCore
import SwiftASN1

/// The public key of an X.509 certificate, and the time for which the certificate is valid (RFC 5280 section 4.1).
struct CertificateKey {
  /// The `SubjectPublicKeyInfo` in DER.
  let publicKey: [UInt8]
  private let begin: String
  private let end: String

  /// Reads a certificate in DER; throws if the bytes are none.
  init(_ der: [UInt8]) throws {
    let parsed = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
      guard let body = nodes.next(), nodes.next() != nil, nodes.next() != nil else {
        throw Malformed()
      }
      return try Self.body(body)
    }
    (publicKey, begin, end) = parsed
  }

  private struct Malformed: Error {}

  private static func body(_ node: ASN1Node) throws -> ([UInt8], String, String) {
    try DER.sequence(node, identifier: .sequence) { fields in
      guard var field = fields.next() else { throw Malformed() }
      // The version is explicit in every certificate that has extensions.
      if field.identifier.tagClass == .contextSpecific {
        guard let next = fields.next() else { throw Malformed() }
        field = next
      }
      // After the serial number: algorithm, issuer, validity, subject and key.
      guard field.identifier == .integer, fields.next() != nil, fields.next() != nil,
        let validity = fields.next(), fields.next() != nil, let key = fields.next()
      else { throw Malformed() }
      while fields.next() != nil {}
      let (begin, end) = try times(validity)
      return (Array(key.encodedBytes), begin, end)
    }
  }

  private static func times(_ node: ASN1Node) throws -> (String, String) {
    try DER.sequence(node, identifier: .sequence) { times in
      guard let begin = times.next(), let end = times.next() else { throw Malformed() }
      return (try time(begin), try time(end))
    }
  }

  /// A time as `YYYYMMDDHHMMSS`, so that times compare as texts.
  private static func time(_ node: ASN1Node) throws -> String {
    guard case .primitive(let bytes) = node.content else { throw Malformed() }
    let text = String(decoding: bytes, as: UTF8.self)
    switch node.identifier {
    case .utcTime:
      guard text.wholeMatch(of: /\d{12}Z/) != nil else { throw Malformed() }
      // Years from 50 are of the twentieth century (RFC 5280 section 4.1.2.5.1).
      return (text.prefix(2) < "50" ? "20" : "19") + text.dropLast()
    case .generalizedTime:
      guard text.wholeMatch(of: /\d{14}Z/) != nil else { throw Malformed() }
      return String(text.dropLast())
    default: throw Malformed()
    }
  }

  /// Tells whether a time is within the certificate's validity.
  func isValid(at now: Timestamp) -> Bool {
    guard let text = now.rfc3339(withMilliseconds: false) else { return false }
    let time = text.filter(\.isNumber)
    return begin <= time && time <= end
  }
}
