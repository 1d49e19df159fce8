/// The values that a setting accepts from an admin.
package enum SettingKind: Sendable {
  case flag
  case number(SettingRange)
  case choice([String])
  /// A text; null removes it.
  case text
  /// An absolute URL; null removes it.
  case url
  case domains
  case providers
  /// A table of settings.
  case table
  /// A setting that is shown with the others and changed by a function of its own.
  case elsewhere(use: String)
  /// A value for the engine, which no admin sets.
  case kept

  /// The kind in error messages.
  package var title: String {
    switch self {
    case .flag: "true or false"
    case .number: "a whole number"
    case .choice, .text, .url: "a text"
    case .domains, .providers: "a list of texts"
    case .table: "a table of names"
    case .elsewhere, .kept: "no value"
    }
  }

  /// The accepted values in short, for help texts.
  package var values: String {
    switch self {
    case .flag: "true, false"
    case .number(let range): range.description
    case .choice(let names): names.map { "\"\($0)\"" }.joined(separator: ", ")
    case .text: "a text; json.null for none"
    case .url: "a URL; json.null for none"
    case .domains: "a list of domains"
    case .providers: "a list of provider IDs"
    case .table: "a table"
    case .elsewhere(let use): use
    case .kept: ""
    }
  }

  /// Tells whether a value has the right type, within the bounds or not.
  package func fits(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.flag, .bool), (.number, .integer), (.number, .number): true
    case (.choice, .string), (.text, .string), (.url, .string), (.text, .null), (.url, .null): true
    // In Lua, an empty list and an empty object are the same.
    case (.domains, .object(let members)), (.providers, .object(let members)): members.isEmpty
    case (.domains, .array(let items)), (.providers, .array(let items)):
      items.allSatisfy { $0.stringValue != nil }
    default: false
    }
  }

  /// Checks a value, or throws `invalid-argument` naming the setting's path.
  func check(_ value: JSONValue, _ path: String) throws(AuthError) {
    func refuse(_ message: String, _ remedy: String) -> AuthError {
      AuthError(.invalidArgument, message, field: path, remedy: remedy)
    }
    if case .elsewhere(let use) = self {
      throw refuse("settings.set does not change \(path).", "Use \(use).")
    }
    guard fits(value) else { throw refuse("\(path) is \(title).", "Give \(title).") }
    let text = value.stringValue ?? ""
    switch self {
    case .number(let range): try range.check(value, path)
    case .choice(let names):
      guard !names.contains(text) else { return }
      let list = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
      throw refuse(
        "\(path) is \(list) or \"\(names.last ?? "")\", not \"\(text)\".",
        suggestion(for: text, among: names))
    case .text:
      guard value != .null, text.allSatisfy(\.isWhitespace) else { return }
      throw refuse("\(path) is empty.", "Give a text, or json.null for none.")
    case .url:
      guard value != .null, URLText.host(of: text) == nil else { return }
      throw refuse("\(path) is no absolute URL.", "Write it with its scheme and host: https://….")
    case .domains:
      guard let other = value.texts.first(where: { !Self.isHost($0) }) else { return }
      throw refuse(
        "\(path) has \"\(TextBounds.domain.cut(other))\", which is no domain.",
        "Write the host alone, such as app.example.com.")
    case .providers:
      guard value.texts.contains("") else { return }
      throw refuse("\(path) has an empty ID.", "Give IDs such as \"password\".")
    case .flag, .table, .elsewhere, .kept: return
    }
  }

  /// Tells whether a text is a host without scheme, port or path, to be compared with the host of a link.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        let letter = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
  }
}

/// The whole numbers that a setting accepts.
package struct SettingRange: Sendable, CustomStringConvertible {
  package let bounds: ClosedRange<Int64>
  package let unit: String
  /// The special meaning of 0; nil if it has none.
  package let zero: String?
  /// The minimum apart from 0.
  package let least: Int64

  package var description: String {
    let first = max(least, bounds.lowerBound)
    let range = "\(TextBounds.grouped(first)) to \(TextBounds.grouped(bounds.upperBound)) \(unit)"
    return zero.map { "\(range), or 0 \($0)" } ?? range
  }

  func check(_ value: JSONValue, _ path: String) throws(AuthError) {
    guard let number = value.whole, bounds.contains(number) else {
      throw AuthError(
        .invalidArgument, "\(path) is \(value.numberText).", field: path,
        remedy:
          "Give a whole number from \(bounds.lowerBound) to \(TextBounds.grouped(bounds.upperBound))."
      )
    }
    guard number != 0, number < least else { return }
    throw AuthError(
      .invalidArgument, "\(path) is 0, \(zero ?? "for none"), or at least \(least), not \(number).",
      field: path, remedy: "Choose \(least) \(unit) or more.")
  }
}

extension JSONValue {
  /// The whole number; nil for any other value.
  var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The texts of a list; empty for any other value.
  var texts: [String] {
    guard case .array(let items) = self else { return [] }
    return items.compactMap(\.stringValue)
  }

  fileprivate var numberText: String {
    if case .number(let number) = self { "\(number)" } else { text }
  }
}
