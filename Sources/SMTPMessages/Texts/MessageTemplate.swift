public import AuthValues
import Foundation

/// A text with placeholders for the values of each message.
///
/// The placeholders are `{link}`, `{email}`, `{project}`, `{requestedFrom}` and `{expiresAt}`. An inserted value is
/// never searched for placeholders, and is escaped in HTML.
public struct MessageTemplate: Sendable, Hashable {
  /// The subject, in one line.
  public let subject: String
  /// The plain text.
  public let plain: String
  /// The HTML; nil if it is made from the plain text.
  public let html: String?

  /// The placeholders that a template may have.
  public static let places = ["link", "email", "project", "requestedFrom", "expiresAt"]

  /// Takes the texts.
  ///
  /// Throws `invalid-argument` if a placeholder is unknown, the link has none or the subject has more than one
  /// line.
  public init(subject: String, plain: String, html: String? = nil) throws(AuthError) {
    try MailHeader.check(subject, field: "subject")
    for (field, text) in [("subject", subject), ("text", plain), ("html", html ?? "{link}")] {
      for place in Self.places(in: text) where !Self.places.contains(place) {
        throw AuthError(
          .invalidArgument, "The template has no place {\(place)}.", field: field,
          remedy: suggestion(for: place, among: Self.places))
      }
      guard field == "subject" || Self.places(in: text).contains("link") else {
        throw AuthError(
          .invalidArgument, "The template has no {link}, without which its message is useless.",
          field: field, remedy: "Write {link} in the place of the link.")
      }
    }
    self.subject = subject
    self.plain = plain
    self.html = html
  }

  /// Takes AuthGraph's own texts, which a test checks.
  init(unchecked subject: String, plain: String) {
    self.subject = subject
    self.plain = plain
    html = nil
  }

  /// Reads a template file: the subject behind `Subject:` in the first line, an empty line, and the text.
  public init(file text: String, html: String? = nil) throws(AuthError) {
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].hasPrefix("Subject:"),
      lines[1].trimmingCharacters(in: .whitespaces).isEmpty
    else {
      throw AuthError(
        .invalidArgument, "The template does not begin with a subject and an empty line.",
        field: "subject", remedy: "Begin it with: Subject: Sign in to {project}")
    }
    try self.init(
      subject: lines[0].dropFirst("Subject:".count).trimmingCharacters(in: .whitespaces),
      plain: String(lines[2]), html: html)
  }

  func filled(_ values: [String: String]) -> MessageText {
    let escaped = values.mapValues(Self.escaped)
    // A subject is one line, whatever value is inserted.
    let visible = values.mapValues { value in
      String(
        String.UnicodeScalarView(value.unicodeScalars.filter { !MailHeader.isSteering($0) }))
    }
    return MessageText(
      subject: Self.fill(subject, visible), plain: Self.fill(plain, values),
      html: html.map { Self.fill($0, escaped) } ?? Self.page(plain, escaped))
  }

  /// The names in braces.
  private static func places(in text: String) -> [String] {
    text.matches(of: place).map { String($0.output.name) }
  }

  private static func fill(_ text: String, _ values: [String: String]) -> String {
    text.replacing(place) { values[String($0.output.name)] ?? "" }
  }

  /// The plain text as a page, with a link that can be clicked.
  private static func page(_ plain: String, _ escapedValues: [String: String]) -> String {
    var values = escapedValues
    values["link"] = escapedValues["link"].map { "<a href=\"\($0)\">\($0)</a>" }
    let paragraphs = escaped(plain).components(separatedBy: "\n\n").map { paragraph in
      let text = paragraph.trimmingCharacters(in: .newlines)
      return "<p>\(fill(text.replacing("\n", with: "<br>\n"), values))</p>"
    }
    return "<!doctype html>\n<html><body>\n\(paragraphs.joined(separator: "\n"))\n</body></html>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing(bytes: [
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ])
  }

  private static var place: Regex<(Substring, name: Substring)> { /\{(?<name>[A-Za-z]+)\}/ }
}
