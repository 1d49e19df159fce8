import AuthValues
import Foundation

/// Writes the fields of a message's header.
enum MailHeader {
  /// Tells whether a character could end a line, or change the display of others.
  static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// Throws `invalid-argument` if a text could be more than the value of one field.
  static func check(_ text: String, field: String) throws(AuthError) {
    guard !text.unicodeScalars.contains(where: isSteering) else {
      throw AuthError(
        .invalidArgument, "The \(field) of a message has to be one line of visible text.",
        field: field, remedy: "Take line breaks and control characters out.", step: .credential)
    }
  }

  /// Encodes a text by RFC 2047: plain ASCII stays as it is, other texts become encoded words.
  ///
  /// The text has to pass ``check(_:field:)`` first.
  static func text(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (32...126).contains($0) } && !text.contains("=?")
    guard !isPlain || text.utf8.count > 200 else { return text }
    // A line with an encoded word has at most 76 characters, including the field's name.
    var words: [String] = []
    var piece = ""
    for scalar in text.unicodeScalars {
      if piece.utf8.count + String(scalar).utf8.count > 36 {
        words.append(piece)
        piece = ""
      }
      piece.unicodeScalars.append(scalar)
    }
    words.append(piece)
    return words.map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }

  /// A person or a service with an address.
  static func mailbox(_ address: MailAddress, name: String?) -> String {
    guard let name, !name.isEmpty else { return "<\(address.text)>" }
    let isPlain = name.utf8.allSatisfy { (32...126).contains($0) } && !name.contains("=?")
    guard isPlain else { return "\(text(name)) <\(address.text)>" }
    let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(quoted)\" <\(address.text)>"
  }

  /// A time in the form of RFC 5322, in UTC.
  static func date(_ time: Timestamp) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(
      from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
  }

  /// A unique ID of a message.
  static func messageID(_ random: () -> UInt64, at address: MailAddress) -> String {
    "<\(String(random(), radix: 36)).\(String(random(), radix: 36))@\(address.domain)>"
  }
}
