/// What vendors call a person; a name that is there and blank is none.
package enum PersonName {
  /// A text that says something; nil for anything else, and for blanks alone.
  package static func said(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue, !text.allSatisfy(\.isWhitespace) else { return nil }
    return text
  }

  /// What is there of several texts, with a space between each two; nil where nothing is.
  package static func joined(_ parts: [JSONValue?]) -> String? {
    let words = parts.compactMap(said).map { text in
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    }
    return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
  }

  /// The name to show by the standard claims (OpenID Connect Core 5.1).
  ///
  /// The full name, else given and family name, else the user name, else the nickname.
  package static func display(in claims: JSONValue) -> String? {
    said(claims["name"]) ?? joined([claims["given_name"], claims["family_name"]])
      ?? said(claims["preferred_username"]) ?? said(claims["nickname"])
  }
}
