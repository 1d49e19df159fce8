public import AuthValues
import Foundation

/// The texts of each kind of message.
public struct MessageTexts: Sendable {
  /// The names of projects for people, in place of their IDs; by project.
  public var projectNames: [String: String] = [:]
  /// Templates in place of the usual ones, by the kind's name, with a language as in `verify-email.de` for its readers.
  public var templates: [String: MessageTemplate] = [:]

  /// Makes the usual texts.
  public init() {}

  /// Reads templates from a folder, in which `KIND.txt` has the subject and the text, and `KIND.html` may add HTML.
  ///
  /// `KIND.LANGUAGE.txt`, such as `verify-email.de.txt`, is for the people whose app names this language.
  ///
  /// Throws `invalid-argument` with the file if one is unusable or has an unknown kind.
  public init(folder: String) throws(AuthError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw AuthError(
        .invalidArgument, "The templates in \(folder) cannot be read.", field: "templates",
        remedy: "Check the path and its permissions.", cause: error)
    }
    for name in names where name.hasSuffix(".txt") {
      let stem = String(name.dropLast(".txt".count))
      let kind = String(stem.prefix { $0 != "." })
      guard Self.usual.keys.contains(kind) else {
        throw AuthError(
          .invalidArgument, "There is no kind of message for the template \(folder)/\(name).",
          field: "templates", remedy: suggestion(for: kind, among: Self.usual.keys))
      }
      let html = "\(folder)/\(stem).html"
      do throws(AuthError) {
        templates[kind + stem.dropFirst(kind.count).lowercased().replacing("_", with: "-")] =
          try MessageTemplate(
            file: try Self.read("\(folder)/\(name)"),
            html: FileManager.default.fileExists(atPath: html) ? try Self.read(html) : nil)
      } catch {
        throw AuthError(
          error.code, "\(folder)/\(name): \(error.message)", field: "templates",
          remedy: error.remedy)
      }
    }
  }

  /// The text of a message, from its template.
  func text(for message: OutgoingMessage) -> MessageText {
    let origin = message.requestedFrom ?? "an address that is not known"
    return template(for: message).filled([
      "link": message.proof.reveal(), "email": message.recipient,
      "project": projectNames[message.scope.project] ?? message.scope.project,
      "requestedFrom": origin, "expiresAt": Self.readable(message.expiresAt),
    ])
  }

  /// The template of the message's language, of a wider one (`de` for `de-AT`), or of none.
  private func template(for message: OutgoingMessage) -> MessageTemplate {
    let kind = message.kind.rawValue
    var language = (message.locale ?? "").lowercased().replacing("_", with: "-")
    while !language.isEmpty {
      if let template = templates["\(kind).\(language)"] { return template }
      language = language.lastIndex(of: "-").map { String(language[..<$0]) } ?? ""
    }
    return templates[kind] ?? Self.usual[kind] ?? Self.fallback
  }

  private static func read(_ file: String) throws(AuthError) -> String {
    guard let data = FileManager.default.contents(atPath: file),
      let text = String(data: data, encoding: .utf8)?.trimmingPrefix("\u{FEFF}")
    else {
      throw AuthError(
        .invalidArgument, "The file cannot be read as UTF-8 text.", field: "templates",
        remedy: "Check the path and its permissions.")
    }
    return String(text)
  }

  /// A time for people: `2026-11-21 17:00 UTC`.
  private static func readable(_ time: Timestamp) -> String {
    let seconds = Timestamp(milliseconds: time.milliseconds - time.milliseconds % 1000).text
    return seconds.prefix(16).replacing("T", with: " ") + " UTC"
  }
}
