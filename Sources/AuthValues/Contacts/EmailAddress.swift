import Foundation

/// An e-mail address that is shown as it was given and compared in canonical form.
///
/// The canonical form has the local part in Unicode's composed form (NFC) with only ASCII letters lowered, and the
/// domain in the ASCII form of IDNA (RFC 5890, mapped by UTS #46). Nothing is folded across scripts, so a dotless ı
/// never equals an i. Canonicalising twice changes nothing. Characters that Unicode holds equal to an ASCII letter,
/// such as the Kelvin sign, are refused.
public struct EmailAddress: Sendable, CustomStringConvertible {
  /// The address as it was given.
  public let text: String
  /// The form that is compared, and that is unique in a store.
  public let canonical: String

  /// Reads an address, or throws `invalid-email`.
  public init(_ text: String) throws(AuthError) {
    if let canonical = Self.canonicalASCII(text) {
      (self.text, self.canonical) = (text, canonical)
      return
    }
    let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count < 256, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      text.unicodeScalars.allSatisfy(Self.isAllowed),
      let domain = Self.asciiDomain(String(parts[1]))
    else {
      throw AuthError(
        .invalidEmail, "This is not an e-mail address.", field: "email",
        remedy: "Write it like ada@example.com, with fewer than 256 bytes and no spaces.")
    }
    self.text = text
    canonical =
      Self.asciiLowered(String(parts[0]).precomposedStringWithCanonicalMapping)
      + "@" + domain
  }

  /// The domain in ASCII form.
  public var domain: String {
    canonical.split(separator: "@").last.map(String.init) ?? ""
  }

  /// True for a relay address that Apple made to hide a person's own address.
  ///
  /// Apple makes it for one person and one developer team, so no other account holder can own it.
  public var isAppleRelay: Bool { domain == "privaterelay.appleid.com" }

  /// The address as it was given.
  public var description: String { text }

  /// Returns the canonical form of an ASCII address; nil if the text has other characters or is no address.
  private static func canonicalASCII(_ text: String) -> String? {
    var text = text
    let hasCapitals = text.withUTF8 { bytes -> Bool? in
      guard bytes.count < 256, bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
        let at = bytes.firstIndex(of: 0x40), at > 0,
        isHost(bytes[(at + 1)...].lazy.map(lowered))
      else { return nil }
      return bytes.contains { lowered($0) != $0 }
    }
    guard let hasCapitals else { return nil }
    return hasCapitals ? String(decoding: text.utf8.map(lowered), as: UTF8.self) : text
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }

  /// Tells whether bytes are a host name: labels of 1 to 63 bytes, separated by points, without a hyphen at either end.
  private static func isHost(_ bytes: some Sequence<UInt8>) -> Bool {
    let (hyphen, point): (UInt8, UInt8) = (0x2D, 0x2E)
    var (length, last) = (0, point)
    for byte in bytes {
      if byte == point {
        guard length > 0, last != hyphen else { return false }
        length = 0
      } else {
        guard isHostByte(byte), length < 63, length > 0 || byte != hyphen else { return false }
        length += 1
      }
      last = byte
    }
    return length > 0 && last != hyphen
  }

  /// Tells whether a character may appear in an address.
  ///
  /// Invisible characters may not, nor may those that composing turns into an ASCII letter, such as the Kelvin sign.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if !scalar.isASCII, String(scalar).precomposedStringWithCanonicalMapping.utf8.first ?? 0 < 0x80
    {
      return false
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: true
    }
  }

  private static func asciiLowered(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let lowered = (0x41...0x5A).contains(scalar.value) ? scalar.value + 0x20 : scalar.value
      scalars.append(Unicode.Scalar(lowered) ?? scalar)
    }
    return String(scalars)
  }

  private static func asciiDomain(_ domain: String) -> String? {
    var ascii = asciiLowered(domain)
    if !ascii.utf8.allSatisfy({ $0 < 0x80 }) {
      // URL encodes a host by UTS #46. An address has no port, path or user that could hide in it.
      guard !ascii.contains(where: { "/?#:@%[]\\".contains($0) }),
        let mapped = URLComponents(string: "https://\(ascii)/")?.encodedHost
      else { return nil }
      ascii = asciiLowered(mapped)
    }
    return isHost(ascii.utf8) ? ascii : nil
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }
}

extension EmailAddress: Hashable {
  /// Compares the texts as they were given; `matches(_:)` compares canonical forms.
  public static func == (a: EmailAddress, b: EmailAddress) -> Bool { a.text == b.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Tells whether both addresses have the same canonical form, and so count as one mailbox.
  public func matches(_ other: EmailAddress?) -> Bool { canonical == other?.canonical }
}

extension EmailAddress: Codable {
  /// Reads an address from a JSON string; throws `invalid-email` if it is none.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
