import CLuaShim
import TerminalOutput

/// Splits the path at the end of a line into the complete parts, the access to the last part, and its beginning.
struct CompletionPath {
  enum Access { case global, dot, colon, index }
  /// A complete part: a name, or the position of `[1]`.
  enum Part {
    case name(String)
    case position(Int)
  }
  var parents: [Part] = []
  var access = Access.global
  var beginning = ""
  /// The text before the last part, as it was typed.
  var typed = ""
  /// The byte at which the path begins.
  private(set) var start = 0

  init?(_ line: String) {
    let bytes = Array(line.utf8)
    var start = Self.openingOfUnfinishedIndex(bytes) ?? bytes.count
    // Walk back over names, dots, colons, ["…"] and [1].
    while start > 0 {
      let byte = bytes[start - 1]
      if byte.isLuaNameByte || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") {
        start -= 1
      } else if let opening = Self.openingOfIndex(bytes, endingAt: start)
        ?? Self.openingOfPosition(bytes, endingAt: start)
      {
        start = opening
      } else {
        break
      }
    }
    self.start = start
    guard parse(Array(bytes[start...])) else { return nil }
  }

  private static let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]

  /// Finds the bracket of `["text` at the end of the line.
  private static func openingOfUnfinishedIndex(_ bytes: [UInt8]) -> Int? {
    guard let quote = bytes.lastIndex(where: { quotes.contains($0) }), quote > 0,
      bytes[quote - 1] == UInt8(ascii: "["),
      !bytes[quote...].contains(UInt8(ascii: "]"))
    else { return nil }
    return quote - 1
  }

  /// Finds the bracket of `["text"]` that ends at an offset.
  private static func openingOfIndex(_ bytes: [UInt8], endingAt end: Int) -> Int? {
    guard end >= 5, bytes[end - 1] == UInt8(ascii: "]"), quotes.contains(bytes[end - 2]),
      let quote = bytes[..<(end - 2)].lastIndex(of: bytes[end - 2]), quote > 0,
      bytes[quote - 1] == UInt8(ascii: "[")
    else { return nil }
    return quote - 1
  }

  /// Finds the bracket of `[1]` that ends at an offset.
  private static func openingOfPosition(_ bytes: [UInt8], endingAt end: Int) -> Int? {
    guard end >= 4, bytes[end - 1] == UInt8(ascii: "]"),
      let digit = bytes[..<(end - 1)].lastIndex(where: { !isDigit($0) }), digit < end - 2,
      digit > 0, end - digit < 12, bytes[digit] == UInt8(ascii: "[")
    else { return nil }
    return digit
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func parse(_ path: [UInt8]) -> Bool {
    var at = 0
    var name: [UInt8] = []
    func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    while at < path.count {
      switch path[at] {
      case UInt8(ascii: "."), UInt8(ascii: ":"):
        if !name.isEmpty { parents.append(.name(text(name))) }
        guard !parents.isEmpty else { return false }
        access = path[at] == UInt8(ascii: ".") ? .dot : .colon
        name = []
        at += 1
        typed = text(path[..<at])
      case UInt8(ascii: "["):
        if !name.isEmpty { parents.append(.name(text(name))) }
        guard !parents.isEmpty, at + 1 < path.count else { return false }
        let quote = path[at + 1]
        if Self.isDigit(quote) {
          let digits = path[(at + 1)...].prefix(while: Self.isDigit)
          parents.append(.position(Int(text(digits)) ?? 0))
          (name, access) = ([], .dot)
          at += digits.count + 2
          continue
        }
        typed = text(path[..<(at + 2)])
        access = .index
        at += 2
        name = []
        while at < path.count, path[at] != quote {
          name.append(path[at])
          at += 1
        }
        guard at < path.count else { break }
        parents.append(.name(text(name)))
        name = []
        at += 2
        access = .dot
      default:
        name.append(path[at])
        at += 1
      }
    }
    beginning = text(name)
    return true
  }
}

extension LuaState {
  /// Completes the path at the end of a line.
  ///
  /// Each answer replaces that whole path. Only raw reads and the lists of types are used, so no code of a script
  /// runs.
  public func completions(for prefix: String) -> [String] {
    guard let path = CompletionPath(prefix) else { return [] }
    let names: [String]
    if path.access == .global {
      guard !path.beginning.isEmpty || prefix.isEmpty else { return [] }
      names = globalNames()
    } else {
      var place = Place.value(.reference(globals))
      for parent in path.parents { place = step(place, parent) }
      names = self.names(at: place, path.access)
    }
    return Set(names.filter { $0.hasPrefix(path.beginning) }).sorted().map { name in
      guard path.access == .index else { return path.typed + name }
      let quote = String(path.typed.suffix(1))
      return path.typed + Self.written(name, between: quote) + quote + "]"
    }
  }

  /// Escapes a key for its place between quotes, so that it can neither steer the terminal nor end the quotes.
  private static func written(_ name: String, between quote: String) -> String {
    let written = String(VisibleText.quoted(name).dropFirst().dropLast())
    return quote == "'" ? written.replacing("'", with: "\\'") : written
  }

  /// Returns the byte offset of the path at the end of a line, or that of the line's end if there is no path.
  public static func completionStart(in line: String) -> Int {
    CompletionPath(line)?.start ?? line.utf8.count
  }

  func globalNames() -> [String] { keys(of: globals).filter(\.isLuaName) }

  private enum Place {
    case value(LuaValue)
    case behavior(ObjectBehavior)
    case nowhere
  }

  private func step(_ place: Place, _ part: CompletionPath.Part) -> Place {
    switch (place, part) {
    case (.value(.reference(let reference)), let part):
      let value =
        switch part {
        case .name(let name): field(name, of: reference)
        case .position(let position): element(position, of: reference)
        }
      if case .object(let object) = value, let behavior = behaviors[object.type] {
        return .behavior(behavior)
      }
      return .value(value)
    case (.behavior(let behavior), .name(let name)):
      let type = behavior.fieldTypes[name] ?? behavior.keyTypes
      return type.flatMap { behaviors[$0] }.map { .behavior($0) } ?? .nowhere
    default: return .nowhere
    }
  }

  private func names(at place: Place, _ access: CompletionPath.Access) -> [String] {
    switch place {
    case .value(.reference(let table)) where access == .index: return keys(of: table)
    case .value(.reference(let table)):
      let names = keys(of: table).filter(\.isLuaName)
      guard access == .colon else { return names }
      return names.filter { field($0, of: table).functionValue != nil }
    case .value(.string), .value(.bytes):
      guard access == .colon, case .reference(let library) = get("string") else { return [] }
      return keys(of: library).filter { field($0, of: library).functionValue != nil }
    case .behavior(let behavior):
      switch access {
      case .colon: return behavior.isLibrary ? [] : behavior.methods
      case .index: return behavior.keys?() ?? behavior.fields
      default:
        return behavior.isLibrary ? behavior.names.filter(\.isLuaName) : behavior.fields
      }
    default: return []
    }
  }

  private func keys(of table: LuaReference) -> [String] {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    guard lua_checkstack(L, 8) != 0, (try? push(.reference(table), L)) != nil,
      lua_type(L, -1) == LUA_TTABLE
    else { return [] }
    var names: [String] = []
    lua_pushnil(L)
    while names.count < 10_000, lua_next(L, top + 1) != 0 {
      ls_pop(L, 1)
      if case .string(let name) = readString(L, -1) { names.append(name) }
    }
    return names
  }
}
