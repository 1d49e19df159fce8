/// When a second factor was enrolled, as the protocol writes it.
enum EnrollmentTime {
  /// RFC 3339 text with milliseconds, the one form that Apple's client reads; other text stays as it is.
  static func wireText(_ text: String) -> String {
    guard text.hasSuffix("Z"), !text.contains(".") else { return text }
    return "\(text.dropLast()).000Z"
  }
}
