extension EmailAddress {
  /// Throws `invalid-email` for an address that mail software may read as another one.
  ///
  /// Such an address has a special character of RFC 5322 in its local part, outside of quotes. To a parser of RFC 5322,
  /// `victim(1)@example.com` is `victim@example.com` with a comment, and `a,b@example.com` is two addresses. Every path
  /// that gives an account an address or sends a message to one checks this. Accounts that already have such an address
  /// keep it and sign in with it.
  public func checkSpecials() throws(AuthError) {
    guard let special = Self.special(in: text) else { return }
    throw AuthError(
      .invalidEmail, "The address has \(special) before its @, outside of quotes.", field: "email",
      remedy: "Leave it out, or put the part before the @ in double quotes.")
  }

  /// The first special character outside of quotes; nil if there is none, as in nearly every address.
  private static func special(in address: String) -> Character? {
    let local = address.utf8.prefix { $0 != UInt8(ascii: "@") }
    guard let first = local.first(where: specials.contains), !isQuoted(Array(local)) else {
      return nil
    }
    return Character(Unicode.Scalar(first))
  }

  /// The specials of RFC 5322 section 3.2.3, without the point, which separates words, and the @.
  private static let specials = Set("()<>[]:;\\,\"".utf8)

  /// True if a local part is one quoted text, in which every quote and backslash is escaped by a backslash.
  private static func isQuoted(_ local: [UInt8]) -> Bool {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    guard local.count >= 3, local.first == quote, local.last == quote else { return false }
    var isEscaped = false
    for byte in local.dropFirst().dropLast() {
      if isEscaped {
        isEscaped = false
      } else if byte == backslash {
        isEscaped = true
      } else if byte == quote {
        return false
      }
    }
    return !isEscaped
  }
}
