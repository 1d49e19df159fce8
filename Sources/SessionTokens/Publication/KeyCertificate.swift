import AuthCore
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1

/// The certificate that publishes a key to clients without support for JSON Web Keys (RFC 5280 section 4.1).
///
/// It is self-signed: like Firebase's, it proves nothing and only carries the public key.
struct KeyCertificate {
  /// The public key as `SubjectPublicKeyInfo`.
  let publicKey: Data
  /// The object identifier of the algorithm, and a flag that adds a null parameter.
  let algorithm: (name: [UInt], hasNull: Bool)
  /// Signs bytes with the private key.
  let sign: ([UInt8]) throws -> Data

  init(_ key: SigningKey) {
    switch key.material {
    case .rsa(let key):
      publicKey = key.publicKey.derRepresentation
      // sha256WithRSAEncryption (RFC 4055 section 5).
      algorithm = ([1, 2, 840, 113549, 1, 1, 11], hasNull: true)
      sign = {
        try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5)
          .rawRepresentation
      }
    case .p256(let key):
      publicKey = key.publicKey.derRepresentation
      // ecdsa-with-SHA256 (RFC 5758 section 3.2).
      algorithm = ([1, 2, 840, 10045, 4, 3, 2], hasNull: false)
      sign = { try key.signature(for: $0).derRepresentation }
    }
  }

  /// Returns the certificate in PEM, valid from now on and without an end.
  func pem(for use: KeyUse, at now: Timestamp) throws -> String {
    var body = DER.Serializer()
    try body.appendConstructedNode(identifier: .sequence) { body in
      try body.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
        try $0.serialize(Self.version3)
      }
      try body.serialize(Self.serialNumber)
      try algorithmIdentifier(&body)
      try Self.name(use.commonName, &body)
      try body.appendConstructedNode(identifier: .sequence) { validity in
        try Self.time(now, &validity)
        try validity.serialize(Self.noEnd)
      }
      try Self.name(use.commonName, &body)
      body.serializeRawBytes(publicKey)
      try body.serialize(explicitlyTaggedWithTagNumber: 3, tagClass: .contextSpecific) {
        try Self.extensions(&$0)
      }
    }
    let signed = body.serializedBytes
    var certificate = DER.Serializer()
    try certificate.appendConstructedNode(identifier: .sequence) { certificate in
      certificate.serializeRawBytes(signed)
      try algorithmIdentifier(&certificate)
      try certificate.serialize(ASN1BitString(bytes: ArraySlice(try sign(signed))))
    }
    return PEMDocument(type: "CERTIFICATE", derBytes: certificate.serializedBytes).pemString
  }

  private static let version3 = 2

  /// A serial number of 20 bytes, positive and without a leading zero (RFC 5280 section 4.1.2.2).
  private static var serialNumber: ArraySlice<UInt8> {
    var bytes = RandomBytes.make(20)
    bytes[0] = bytes[0] & 0x3f | 0x40
    return bytes[...]
  }

  private func algorithmIdentifier(_ parent: inout DER.Serializer) throws {
    try parent.appendConstructedNode(identifier: .sequence) { node in
      try node.serialize(try ASN1ObjectIdentifier(elements: algorithm.name))
      if algorithm.hasNull { try node.serialize(ASN1Null()) }
    }
  }

  /// Appends a name that consists of a common name alone.
  private static func name(_ text: String, _ parent: inout DER.Serializer) throws {
    try parent.appendConstructedNode(identifier: .sequence) { names in
      try names.appendConstructedNode(identifier: .set) { set in
        try set.appendConstructedNode(identifier: .sequence) { pair in
          try pair.serialize(try ASN1ObjectIdentifier(elements: [2, 5, 4, 3]))
          try pair.serialize(ASN1UTF8String(text))
        }
      }
    }
  }

  /// Appends a time: UTCTime up to 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5).
  private static func time(_ moment: Timestamp, _ parent: inout DER.Serializer) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: Double(moment.milliseconds / 1000))
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    let (hours, minutes, seconds) = (parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    guard year >= 2050 else {
      return try parent.serialize(
        try UTCTime(
          year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds))
    }
    try parent.serialize(
      try GeneralizedTime(
        year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds,
        fractionalSeconds: 0))
  }

  /// The value for certificates without a known end (RFC 5280 section 4.1.2.5).
  private static var noEnd: GeneralizedTime {
    get throws {
      try GeneralizedTime(
        year: 9999, month: 12, day: 31, hours: 23, minutes: 59, seconds: 59, fractionalSeconds: 0)
    }
  }

  /// Appends two critical extensions: not an authority, and a key for signatures of data (RFC 5280 sections 4.2.1.9 and
  /// 4.2.1.3).
  private static func extensions(_ parent: inout DER.Serializer) throws {
    try parent.appendConstructedNode(identifier: .sequence) { all in
      try add([2, 5, 29, 19], to: &all) { value in
        value.appendConstructedNode(identifier: .sequence) { _ in }
      }
      try add([2, 5, 29, 15], to: &all) { value in
        try value.serialize(ASN1BitString(bytes: [0x80], paddingBits: 7))
      }
    }
  }

  private static func add(
    _ name: [UInt], to parent: inout DER.Serializer,
    _ value: (inout DER.Serializer) throws -> Void
  ) throws {
    var content = DER.Serializer()
    try value(&content)
    try parent.appendConstructedNode(identifier: .sequence) { node in
      try node.serialize(try ASN1ObjectIdentifier(elements: name))
      try node.serialize(true)
      try node.serialize(ASN1OctetString(contentBytes: ArraySlice(content.serializedBytes)))
    }
  }
}
