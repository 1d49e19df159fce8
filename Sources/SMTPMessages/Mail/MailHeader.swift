import AuthValues
import Foundation

/// Writes the fields of a message's header.
enum MailHeader {
  /// Whether a character could end a line, or change how others are shown.
  static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// Throws `invalid-argument` where a text could be more than the value of one field.
  static func check(_ text: String, field: String) throws(AuthError) {
    guard !text.unicodeScalars.contains(where: isSteering) else {
      throw AuthError(
        .invalidArgument, "The \(field) of a message has to be one line of visible text.",
        field: field, remedy: "Take line breaks and control characters out.", step: .credential)
    }
  }

  /// A text as RFC 2047 has it: as it is where it is plain ASCII, in encoded words otherwise.
  ///
  /// Expects a text that ``check(_:field:)`` passed.
  static func text(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (32...126).contains($0) } && !text.contains("=?")
    guard !isPlain || text.utf8.count > 200 else { return text }
    // A line with an encoded word has 76 characters at most, the field's name among them.
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

  /// A time as RFC 5322 writes it, in UTC.
  static func date(_ time: Timestamp) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(
      from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
  }

  /// An ID that no other message has.
  static func messageID(_ random: () -> UInt64, at address: MailAddress) -> String {
    "<\(String(random(), radix: 36)).\(String(random(), radix: 36))@\(address.domain)>"
  }
}
