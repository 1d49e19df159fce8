/// The display name in a vendor's data; a blank name counts as missing.
package enum PersonName {
  /// Returns the text of a value; nil for any other kind, and for blanks alone.
  package static func said(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue, !text.allSatisfy(\.isWhitespace) else { return nil }
    return text
  }

  /// Returns the texts that are present, separated by spaces; nil if there are none.
  package static func joined(_ parts: [JSONValue?]) -> String? {
    let words = parts.compactMap(said).map { text in
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    }
    return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
  }

  /// Returns the display name in the standard claims (OpenID Connect Core 5.1).
  ///
  /// The full name, else given and family name, else the user name, else the nickname.
  package static func display(in claims: JSONValue) -> String? {
    said(claims["name"]) ?? joined([claims["given_name"], claims["family_name"]])
      ?? said(claims["preferred_username"]) ?? said(claims["nickname"])
  }
}
