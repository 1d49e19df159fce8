/// Hides addresses and numbers of people in a text.
enum PersonalText {
  /// Shortens e-mail addresses to `a•••@example.com` and phone numbers to `+1•••00`.
  ///
  /// Texts that only resemble one are shortened too: a log that shows too little is the lesser harm.
  static func masked(_ text: String) -> String {
    // Most lines have neither.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "+") }) else {
      return text
    }
    return text.replacing(address) { match in
      "\(match.output.1.prefix(1))•••@\(match.output.2)"
    }.replacing(number) { match in
      let digits = match.output
      return "\(digits.prefix(2))•••\(digits.suffix(2))"
    }
  }

  private static var address: Regex<(Substring, Substring, Substring)> {
    /([^\s@<>"'(),:;=\[\]{}]+)@([^\s@<>"'(),:;=\[\]{}\/]+)/
  }

  private static var number: Regex<Substring> { /\+[0-9][0-9 \-.()]{5,18}[0-9]/ }
}
