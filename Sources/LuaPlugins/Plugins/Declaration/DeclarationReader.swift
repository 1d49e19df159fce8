import AuthCore
import BuiltInProviders
import LuaRuntime

/// An error in a declaration, before its line is known.
struct DeclarationMistake: Error {
  let field: String
  let message: String
  var remedy: String?
}

/// Reads the fields of one table in a declaration; every error names its field.
struct DeclarationReader {
  let table: LuaTable
  /// The prefix of its fields' names in messages, such as `identity.`.
  let place: String
  /// The names of secret settings, which addresses and headers cannot have.
  let secrets: Set<String>

  init(_ table: LuaTable, place: String = "", secrets: Set<String>? = nil) {
    self.table = table
    self.place = place
    self.secrets = secrets ?? Self.secretSettings(of: table)
  }

  private static func secretSettings(of table: LuaTable) -> Set<String> {
    let own = (table["settings"].tableValue?.fields ?? [:])
      .filter { ($0.value.objectValue?.value as? SettingDraft)?.type == .secret }.map(\.key)
    return Set(own).union(["clientSecret"])
  }

  func mistake(_ name: String, _ message: String, remedy: String? = nil) -> DeclarationMistake {
    DeclarationMistake(field: place + name, message: message, remedy: remedy)
  }

  func refuseUnknown(_ names: [String]) throws {
    guard let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) else {
      return
    }
    let what = place.isEmpty ? "a provider" : String(place.dropLast())
    throw mistake(
      unknown, "\(what) has no field \"\(unknown)\"", remedy: suggestion(for: unknown, among: names)
    )
  }

  private func wrong(_ name: String, _ wanted: String) -> DeclarationMistake {
    mistake(name, "\(place)\(name) must be \(wanted), and is \(kind(of: table[name]))")
  }

  private func kind(of value: LuaValue) -> String {
    switch value {
    case .nil, .null: "nothing"
    case .object: "a field or setting"
    default: "a \(value.typeName)"
    }
  }

  /// A year in seconds.
  private static let largestNumber: Int64 = 31_536_000
  private static let longestText = 8_192
  private static let mostElements = 256

  private func bounded(_ text: String, _ name: String) throws -> String {
    guard text.utf8.count <= Self.longestText else {
      throw mistake(name, "\(place)\(name) is longer than \(Self.longestText) bytes")
    }
    return text
  }

  private func bounded(_ count: Int, _ name: String) throws {
    guard count <= Self.mostElements else {
      throw mistake(name, "\(place)\(name) has more than \(Self.mostElements) elements")
    }
  }

  func has(_ name: String) -> Bool { !table[name].isNil }

  func isFunction(_ name: String) -> Bool { table[name].functionValue != nil }

  func text(_ name: String) throws -> String? {
    guard has(name) else { return nil }
    guard let text = table[name].stringValue, !text.isEmpty else { throw wrong(name, "a text") }
    return try bounded(text, name)
  }

  func requiredText(_ name: String, _ example: String) throws -> String {
    guard let text = try text(name) else {
      throw mistake(name, "\(place)\(name) is missing", remedy: "Write \(name) = \(example).")
    }
    return text
  }

  func flag(_ name: String) throws -> Bool? {
    guard has(name) else { return nil }
    guard let flag = table[name].boolValue else { throw wrong(name, "true or false") }
    return flag
  }

  func number(_ name: String) throws -> Int64? {
    guard has(name) else { return nil }
    guard let number = table[name].integerValue, (0...Self.largestNumber).contains(number) else {
      throw wrong(name, "a whole number from 0 to \(Self.largestNumber)")
    }
    return number
  }

  /// A list of texts; a single text is a list of one.
  func texts(_ name: String) throws -> [String]? {
    guard has(name) else { return nil }
    if let text = table[name].stringValue { return [try bounded(text, name)] }
    guard let list = table[name].tableValue, list.fields.isEmpty else {
      throw wrong(name, "a text or a list of texts")
    }
    try bounded(list.array.count, name)
    return try list.array.map { element in
      guard let text = element.stringValue, !text.isEmpty else {
        throw mistake(name, "\(place)\(name) must be a list of texts")
      }
      return try bounded(text, name)
    }
  }

  /// The sources of a mapped field: a path, several paths joined by `text`, or a list of either.
  func sources(_ field: PluginDeclaration.MappedField) throws -> [MappedSource] {
    let name = field.rawValue
    if let draft = table[name].objectValue?.value as? TextDraft {
      return [try source(draft, for: field)]
    }
    if let accepted = try acceptedSource(field) { return [accepted] }
    guard let list = table[name].tableValue, list.fields.isEmpty,
      list.array.contains(where: { $0.objectValue?.value is TextDraft })
    else {
      return try (try texts(name) ?? []).map { MappedSource(paths: [try path($0, name)]) }
    }
    try bounded(list.array.count, name)
    return try list.array.map { element in
      if let draft = element.objectValue?.value as? TextDraft {
        return try source(draft, for: field)
      }
      guard let text = element.stringValue, !text.isEmpty else {
        throw mistake(name, "\(place)\(name) must be a list of paths and of text(…)")
      }
      return MappedSource(paths: [try path(text, name)])
    }
  }

  private func source(
    _ draft: TextDraft, for field: PluginDeclaration.MappedField
  ) throws -> MappedSource {
    let name = field.rawValue
    guard PluginDeclaration.joinedFields.contains(field) else {
      let names = PluginDeclaration.joinedFields.map(\.rawValue).joined(separator: " and ")
      throw mistake(
        name, "\(place)\(name) cannot be joined with text(…)",
        remedy: "Name one path; text(…) is for \(names).")
    }
    return MappedSource(paths: try draft.paths.map { try path($0, name) }, isJoined: true)
  }

  func path(_ text: String, _ name: String) throws -> PluginPath {
    guard let path = PluginPath(TokenAnswer.path(try bounded(text, name))) else {
      throw mistake(
        name, "\"\(text)\" is no path",
        remedy: "Write data.id, images[1].url, emails[primary=true].email or [\"a.b\"].")
    }
    return path
  }

  /// One of a set of words.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _: Word.Type
  ) throws -> Word? {
    guard let text = try text(name) else { return nil }
    let words = Word.allCases.map(\.rawValue)
    guard let word = Word(rawValue: text) else {
      throw mistake(
        name, "\(place)\(name) cannot be \"\(text)\"", remedy: suggestion(for: text, among: words))
    }
    return word
  }

  func inner(_ name: String) throws -> DeclarationReader? {
    guard has(name) else { return nil }
    guard let inner = table[name].tableValue else { throw wrong(name, "a table") }
    try bounded(inner.array.count + inner.fields.count, name)
    return DeclarationReader(inner, place: "\(place)\(name).", secrets: secrets)
  }
}

extension DeclarationReader {
  /// A template, whose names have to be among the given ones.
  func template(
    _ name: String, text: String, _ names: Set<String>, isURL: Bool = true
  ) throws -> URLTemplate {
    guard let template = URLTemplate(try bounded(text, name), isURL: isURL) else {
      throw mistake(name, "\(place)\(name) has a brace without a setting's name in it")
    }
    if let unknown = template.names.first(where: { !names.contains($0) }) {
      guard !secrets.contains(unknown) else {
        throw mistake(
          name, "\(place)\(name) names {\(unknown)}, which is a secret and no part of a text",
          remedy: "Use clientAuthentication or basic = true, or a function that sends it.")
      }
      throw mistake(
        name, "\(place)\(name) names {\(unknown)}, which is no setting",
        remedy: suggestion(for: unknown, among: names.sorted()))
    }
    let isOpenEnded: Bool
    if case .name? = template.parts.first { isOpenEnded = true } else { isOpenEnded = false }
    guard !isURL || isOpenEnded || text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw mistake(name, "\(place)\(name) is no absolute URL", remedy: "Begin it with https://.")
    }
    return template
  }

  func url(_ name: String, _ names: Set<String>) throws -> URLTemplate? {
    try text(name).map { try template(name, text: $0, names) }
  }

  /// A table of templates by name.
  func templates(_ name: String, _ names: Set<String>) throws -> [String: URLTemplate] {
    guard let inner = try inner(name) else { return [:] }
    guard inner.table.array.isEmpty else {
      throw mistake(name, "\(place)\(name) must be a table with names, not a list")
    }
    var templates: [String: URLTemplate] = [:]
    for (key, value) in inner.table.fields {
      guard let text = value.stringValue ?? value.integerValue.map(String.init) else {
        throw inner.mistake(key, "\(inner.place)\(key) must be a text")
      }
      templates[key] = try inner.template(key, text: text, names, isURL: false)
    }
    return templates
  }
}
