/// A phone number in E.164 form: a plus sign and 2 to 15 digits, the first not a zero.
public struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number in E.164 form, such as `+15555550123`.
  public let text: String

  /// Reads a number in E.164 form, or throws `invalid-phone-number`.
  public init(_ text: String) throws(AuthError) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), (2...15).contains(digits.count),
      digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw AuthError(
        .invalidPhoneNumber, "This is not a phone number in E.164 form.", field: "phoneNumber",
        remedy: "Write a plus sign, the country code and the number, digits only: +15555550123.")
    }
    self.text = text
  }

  /// Reads a number as a person writes it, such as `+1 (555) 123-4567`, or throws `invalid-phone-number`.
  ///
  /// Spaces, hyphens, points and brackets are dropped, as by Firebase's servers. The result is E.164.
  public init(normalizing text: String) throws(AuthError) {
    let separators: Set<Unicode.Scalar> = [
      " ", "-", ".", "(", ")", "\u{A0}", "\u{2010}", "\u{2011}",
    ]
    try self.init(
      String(String.UnicodeScalarView(text.unicodeScalars.filter { !separators.contains($0) })))
  }

  /// The number in E.164 form.
  public var description: String { text }

  /// The number with all but its last four digits hidden, as in Firebase's hints.
  public var masked: String {
    let hidden = max(0, text.count - 5)
    return "+" + String(repeating: "*", count: hidden) + text.suffix(min(4, text.count - 1))
  }
}

extension PhoneNumber: Codable {
  /// Reads a number in E.164 form from a JSON string; throws `invalid-phone-number` if it is none.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
