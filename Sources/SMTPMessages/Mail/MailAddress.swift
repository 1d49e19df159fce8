import AuthValues

/// An address that is safe in a command and in a header.
///
/// Not every valid address is accepted: quoted local parts, which are rare, are refused, and with them every text
/// that could end a command or a header early.
struct MailAddress: Hashable, Sendable {
  let text: String

  var isASCII: Bool { text.utf8.allSatisfy { $0 < 128 } }
  var domain: Substring { text.split(separator: "@").last ?? "" }

  init(_ text: String, field: String) throws(AuthError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, text.utf8.count <= 320,
      text.unicodeScalars.allSatisfy(Self.isPlain)
    else {
      throw AuthError(
        field == "email" ? .invalidEmail : .invalidArgument,
        "No mail can be sent with this address.", field: field,
        remedy: "Use an address such as ada@example.com.", step: .credential)
    }
    self.text = text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !MailHeader.isSteering(scalar) && !scalar.properties.isWhitespace
      && !"<>()[]\\,;:\"".unicodeScalars.contains(scalar)
  }
}
