import AuthCore

/// A person's name as an app passes it on: plain text, or the JSON that Apple posts to a page as `user`.
struct AppleName: Sendable {
  let text: String

  /// Reads the name; nil if there is nothing to show.
  init?(_ given: String?) {
    guard let given else { return nil }
    var text = given
    if let user = try? JSONValue(text: given), case .object = user {
      let name = user["name"]
      text = ["firstName", "middleName", "lastName"]
        .compactMap { name?[$0]?.stringValue }.joined(separator: " ")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: " ")
  }
}
