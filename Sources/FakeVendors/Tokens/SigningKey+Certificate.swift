public import AuthCore

extension SigningKey {
  /// Makes a certificate that the key signed itself, in DER (RFC 5280), for a year after a time and a day before.
  public func certificate(at time: Timestamp) throws -> [UInt8] {
    let lines = publicKeyPEM.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let publicKey = Base64.standard.bytes(of: lines.joined().utf8, padding: .optional) ?? []
    let algorithm = DER.sequence(
      // sha256WithRSAEncryption
      DER.element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]),
      DER.element(0x05, []))
    let name = DER.sequence(
      DER.element(
        0x31,
        DER.sequence(
          DER.element(0x06, [0x55, 0x04, 0x03]), DER.element(0x0C, Array("vendor.example".utf8)))))
    let validity = DER.sequence(
      DER.utcTime(time.adding(seconds: -86_400)), DER.utcTime(time.adding(seconds: 86_400 * 365)))
    let content = DER.sequence(
      DER.element(0xA0, DER.element(0x02, [2])), DER.element(0x02, [1]), algorithm, name, validity,
      name, publicKey)
    let signature = try signature(of: content[...])
    return DER.sequence(content, algorithm, DER.element(0x03, [0] + signature))
  }
}

/// The parts of a certificate in the distinguished encoding rules (X.690).
private enum DER {
  static func utcTime(_ time: Timestamp) -> [UInt8] {
    // 2026-11-01T12:00:00.000Z without century and punctuation.
    let digits = time.text.filter(\.isNumber).dropFirst(2).prefix(12)
    return element(0x17, Array("\(digits)Z".utf8))
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    element(0x30, Array(parts.joined()))
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 128
      ? [UInt8(count)]
      : count < 256
        ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
    return [tag] + length + content
  }
}
