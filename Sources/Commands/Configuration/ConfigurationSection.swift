import AuthCore
import Foundation
import Yams

/// A part of a configuration, read setting by setting.
///
/// Every name that is read counts as known.
///
/// Each setting has a variable of the environment: its path in capitals, such as `AUTHGRAPH_LISTEN_PORT` for
/// `listen.port`.
final class ConfigurationSection {
  /// A value as it was written, and its place.
  struct Raw {
    enum Origin {
      case option, environment, file
    }

    let values: [String]
    let origin: Origin
    let place: String
    var line: Int?

    var text: String { values.first ?? "" }
  }

  let source: ConfigurationSource
  let path: String
  let node: Node?
  private var names: Set<String> = []

  /// Makes the whole configuration.
  convenience init(_ source: ConfigurationSource) {
    self.init(source, path: "", node: source.root)
  }

  private init(_ source: ConfigurationSource, path: String, node: Node?) {
    self.source = source
    self.path = path
    self.node = node
  }

  /// True if the file has this part.
  var isWritten: Bool { node != nil }

  /// Reads a nested part, which may be absent; reports its unknown names.
  func section<Result>(_ name: String, _ read: (ConfigurationSection) throws -> Result) rethrows
    -> Result
  {
    let node = member(name)
    if let node, node.mapping == nil {
      tell(name, "has to be a list of settings.", at: node)
    }
    let section = ConfigurationSection(
      source, path: field(name), node: node?.mapping == nil ? nil : node)
    defer { section.tellUnknown() }
    return try read(section)
  }

  func text(_ name: String, variables: [String] = []) -> String? {
    raw(name, variables: variables)?.text
  }

  func number(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
    guard let raw = raw(name) else { return nil }
    guard let number = Int(raw.text), bounds.contains(number) else {
      tell(
        name, "has to be a whole number from \(bounds.lowerBound) to \(bounds.upperBound).", at: raw
      )
      return nil
    }
    return number
  }

  func flag(_ name: String) -> Bool? {
    guard let raw = raw(name) else { return nil }
    switch raw.text.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default:
      tell(name, "has to be true or false.", at: raw)
      return nil
    }
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    choice(name, among: Array(type.allCases))
  }

  func choice<Choice: RawRepresentable<String>>(_ name: String, among choices: [Choice]) -> Choice?
  {
    guard let raw = raw(name) else { return nil }
    if let choice = choices.first(where: { $0.rawValue == raw.text }) { return choice }
    tell(
      name, "has no choice \"\(raw.text)\".",
      remedy: suggestion(for: raw.text, among: choices.map(\.rawValue)), at: raw)
    return nil
  }

  /// Reads several texts.
  ///
  /// A single one may be written without a list, and a variable separates them with a character.
  func list(_ name: String, separator: Character = ",") -> [String]? {
    guard let raw = raw(name, asList: true) else { return nil }
    guard raw.origin == .environment else { return raw.values }
    return raw.text.split(separator: separator).map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Reads a path, relative to the file's folder if it is written there, otherwise to the current folder.
  func filePath(_ name: String) -> String? {
    raw(name).map { path($0.text, $0.origin) }
  }

  func filePaths(_ name: String) -> [String]? {
    guard let raw = raw(name, asList: true) else { return nil }
    let texts =
      raw.origin == .environment ? raw.text.split(separator: ":").map(String.init) : raw.values
    return texts.map { path($0, raw.origin) }
  }

  /// Returns the names and values of a part that may have any names.
  func entries(_ name: String) -> [(name: String, value: Node)] {
    guard let node = member(name) else { return [] }
    guard let mapping = node.mapping else {
      tell(name, "has to be a list of names with values.", at: node)
      return []
    }
    return mapping.compactMap { key, value in key.scalar.map { ($0.string, value) } }
  }

  /// Returns the written value of a setting, if any.
  func raw(_ name: String, variables: [String] = [], asList: Bool = false) -> Raw? {
    names.insert(name)
    if let option = source.options[field(name)], !option.values.isEmpty {
      // Its variable is not used, and known all the same.
      for variable in [variable(name)] + variables { _ = source.variable(variable) }
      return Raw(values: option.values, origin: .option, place: option.name)
    }
    for variable in [variable(name)] + variables {
      if let value = source.variable(variable) {
        return Raw(values: [value], origin: .environment, place: variable)
      }
    }
    guard let node = member(name) else { return nil }
    let line = node.mark?.line
    let place = place(line)
    if let scalar = node.scalar {
      return Raw(values: [scalar.string], origin: .file, place: place, line: line)
    }
    if asList, let sequence = node.sequence {
      let texts = sequence.compactMap(\.scalar?.string)
      if texts.count == sequence.count {
        return Raw(values: texts, origin: .file, place: place, line: line)
      }
    }
    tell(name, asList ? "has to be a list of texts." : "has to be a single value.", at: node)
    return nil
  }

  /// Returns the file's value under a name; nil if it is absent or null.
  func member(_ name: String) -> Node? {
    names.insert(name)
    let found = node?.mapping?.first { $0.key.scalar?.string == name }?.value
    return found?.isNothing == true ? nil : found
  }

  func field(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Returns the variable of a setting: `AUTHGRAPH_PUBLIC_URL` for `publicURL`.
  func variable(_ name: String) -> String {
    var words = ""
    var previous: Character = "."
    for character in field(name) {
      if character.isUppercase, previous.isLowercase { words.append("_") }
      words.append(character == "." ? "_" : character)
      previous = character
    }
    return "AUTHGRAPH_\(words.uppercased())"
  }

  func tell(_ name: String, _ message: String, remedy: String? = nil, at raw: Raw) {
    source.add(
      ConfigurationFinding(
        place: raw.place, line: raw.line, field: field(name),
        message: "\(field(name)) \(message)", remedy: remedy))
  }

  func tell(_ name: String, _ message: String, remedy: String? = nil, at node: Node?) {
    source.add(
      ConfigurationFinding(
        place: place(node?.mark?.line), line: node?.mark?.line, field: field(name),
        message: "\(field(name)) \(message)", remedy: remedy))
  }

  func warn(_ name: String, _ message: String, remedy: String?, at raw: Raw) {
    source.add(
      ConfigurationFinding(
        severity: .warning, place: raw.place, line: raw.line, field: field(name),
        message: "\(field(name)) \(message)", remedy: remedy))
  }

  /// Reports names in the file that were not read.
  ///
  /// Call it after everything was read.
  func tellUnknown() {
    for (key, _) in node?.mapping ?? [:] {
      let name = key.scalar?.string ?? "?"
      guard !names.contains(name) else { continue }
      source.add(
        ConfigurationFinding(
          place: place(key.mark?.line), line: key.mark?.line, field: field(name),
          message: "There is no setting \(field(name)).",
          remedy: suggestion(for: name, among: names)))
    }
  }

  func place(_ line: Int?) -> String {
    let file = source.file ?? "the configuration"
    return line.map { "\(file):\($0)" } ?? file
  }

  private func path(_ text: String, _ origin: Raw.Origin) -> String {
    if text.hasPrefix("~/") { return UserDirectories.home + text.dropFirst() }
    guard origin == .file, !text.hasPrefix("/") else { return text }
    return "\(source.folder)/\(text)"
  }
}
