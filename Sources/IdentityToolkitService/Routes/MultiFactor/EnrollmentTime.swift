/// The time of a second factor's enrollment, in the protocol's format.
enum EnrollmentTime {
  /// Adds milliseconds to an RFC 3339 text, for Apple's client reads no other form; other text stays as it is.
  static func wireText(_ text: String) -> String {
    guard text.hasSuffix("Z"), !text.contains(".") else { return text }
    return "\(text.dropLast()).000Z"
  }
}
