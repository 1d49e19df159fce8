import CLuaShim
import TerminalOutput

/// Bounds the text that describes a value.
public struct LuaDescribeLimits: Sendable {
  /// The maximum depth of tables.
  public var depth: Int
  /// The maximum number of entries shown of one table.
  public var items: Int
  /// The maximum number of characters shown of one string.
  public var stringLength: Int
  /// The approximate maximum length of the whole text.
  public var totalLength: Int

  /// Creates limits suited to a terminal.
  public init(depth: Int = 4, items: Int = 40, stringLength: Int = 200, totalLength: Int = 8_000) {
    self.depth = depth
    self.items = items
    self.stringLength = stringLength
    self.totalLength = totalLength
  }

  /// Describes a value in full, within bounds that no table written by a person reaches: 64 MiB and 150 levels.
  public static let whole = Self(
    depth: 150, items: .max, stringLength: .max, totalLength: 64 << 20)
}

extension LuaState {
  /// Describes a value as a person would write it.
  ///
  /// Reads are raw, so no code of a script runs. Host objects describe themselves. A string is quoted so that Lua
  /// reads the same string. Omitted entries are counted. Without limits, those of the configuration apply.
  public func describe(_ value: LuaValue, limits: LuaDescribeLimits? = nil) -> String {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    guard lua_checkstack(L, 16) != 0 else { return value.typeName }
    do throws(LuaError) { try push(value, L) } catch { return "<\(error.message)>" }
    var describer = Describer(state: self, limits: limits ?? configuration.describeLimits())
    return describer.describe(L, -1, indent: 0)
  }
}

/// Walks a value on the stack and writes it down within its limits.
struct Describer {
  let state: LuaState
  let limits: LuaDescribeLimits
  private var written = 0
  private var path: [UnsafeRawPointer] = []
  /// The number of omitted entries that may still be counted.
  private var counted = 4_000_000

  init(state: LuaState, limits: LuaDescribeLimits) {
    self.state = state
    self.limits = limits
  }

  mutating func describe(_ L: OpaquePointer, _ index: Int32, indent: Int) -> String {
    let text: String
    switch lua_type(L, index) {
    case LUA_TTABLE: return describeTable(L, ls_absolute(L, index), indent: indent)
    case LUA_TSTRING: text = quote(readString(L, index))
    case LUA_TFUNCTION: text = functionText(L, index)
    case LUA_TTHREAD: text = "coroutine"
    default: text = plain(L, index)
    }
    written += text.utf8.count
    return text
  }

  private func plain(_ L: OpaquePointer, _ index: Int32) -> String {
    switch lua_type(L, index) {
    case LUA_TNIL: return "nil"
    case LUA_TBOOLEAN: return lua_toboolean(L, index) != 0 ? "true" : "false"
    case LUA_TNUMBER:
      lua_pushvalue(L, index)
      defer { ls_pop(L, 1) }
      _ = lua_tolstring(L, -1, nil)
      return readString(L, -1).stringValue ?? "number"
    default:
      if ls_is_null(L, index) { return "json.null" }
      guard let object = hostObject(L, index) else { return "userdata" }
      return state.behaviors[object.type]?.describe?(object) ?? object.displayType
    }
  }

  private func functionText(_ L: OpaquePointer, _ index: Int32) -> String {
    var info = lua_Debug()
    lua_pushvalue(L, index)
    guard lua_getinfo(L, ">S", &info) != 0, info.linedefined > 0 else { return "function" }
    let source = withUnsafeBytes(of: info.short_src) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "function (\(source):\(info.linedefined))"
  }

  private mutating func describeTable(
    _ L: OpaquePointer, _ index: Int32, indent: Int
  ) -> String {
    guard let address = lua_topointer(L, index), !path.contains(address) else { return "{ cycle }" }
    guard path.count < limits.depth, written < limits.totalLength, lua_checkstack(L, 16) != 0 else {
      return "{ … }"
    }
    path.append(address)
    defer { path.removeLast() }
    try? state.writeDeferred(L, index)
    var parts: [String] = []
    let count = Int64(clamping: lua_rawlen(L, index))
    var position: Int64 = 1
    while position <= count, parts.count < limits.items, written < limits.totalLength {
      lua_rawgeti(L, index, position)
      parts.append(describe(L, -1, indent: indent + 1))
      ls_pop(L, 1)
      position += 1
    }
    let unshown = Int(max(0, count - position + 1))
    let named = namedParts(L, index, count, room: limits.items - parts.count, indent: indent)
    parts += named.parts
    if let rest = named.unshown {
      if unshown + rest > 0 { parts.append("… \(Self.grouped(unshown + rest)) more") }
    } else {
      parts.append("… more")
    }
    return layOut(parts, indent: indent)
  }

  /// Groups the digits of a number: 249,960.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
  }

  private mutating func namedParts(
    _ L: OpaquePointer, _ index: Int32, _ count: Int64, room: Int, indent: Int
  ) -> (parts: [String], unshown: Int?) {
    var named: [(key: String, text: String)] = []
    var unshown = 0
    lua_pushnil(L)
    while lua_next(L, index) != 0 {
      let isElement =
        lua_isinteger(L, -2) != 0 && ls_integer(L, -2) >= 1 && ls_integer(L, -2) <= count
      if !isElement {
        if named.count < room, written < limits.totalLength {
          let key = keyText(L)
          written += key.utf8.count
          named.append((key, "\(key) = \(describe(L, -1, indent: indent + 1))"))
        } else {
          unshown += 1
        }
      }
      counted -= 1
      guard counted > 0 || limits.items == .max else {
        ls_pop(L, 2)
        return (sorted(named), nil)
      }
      ls_pop(L, 1)
    }
    return (sorted(named), unshown)
  }

  private func sorted(_ named: [(key: String, text: String)]) -> [String] {
    named.sorted { $0.key < $1.key }.map(\.text)
  }

  private func keyText(_ L: OpaquePointer) -> String {
    if case .string(let name) = readString(L, -2) {
      if name.isLuaName, name.utf8.count <= limits.stringLength { return name }
      return "[\(quote(.string(name)))]"
    }
    switch lua_type(L, -2) {
    case LUA_TTABLE: return "[table]"
    case LUA_TFUNCTION: return "[function]"
    case LUA_TSTRING: return "[\(quote(readString(L, -2)))]"
    default: return "[\(plain(L, -2))]"
    }
  }

  private func layOut(_ parts: [String], indent: Int) -> String {
    guard !parts.isEmpty else { return "{}" }
    let line = "{ " + parts.joined(separator: ", ") + " }"
    if line.utf8.count < 1000, line.count + 2 * indent <= 76, !line.contains("\n") { return line }
    let margin = String(repeating: "  ", count: indent + 1)
    let lines = parts.map { "\(margin)\($0)" }.joined(separator: ",\n")
    return "{\n\(lines)\n\(margin.dropFirst(2))}"
  }

  private func quote(_ value: LuaValue) -> String {
    switch value {
    case .string(let text):
      let shown = text.unicodeScalars.prefix(limits.stringLength)
      let rest = shown.endIndex == text.endIndex ? "" : "… (\(text.utf8.count) bytes)"
      return VisibleText.quoted(String(shown)) + rest
    case .bytes(let bytes):
      let shown = bytes.prefix(limits.stringLength)
      let digits = shown.map { byte in
        byte >= 0x20 && byte < 0x7f && byte != 0x22 && byte != 0x5c
          ? String(UnicodeScalar(byte)) : byte.escape
      }.joined()
      return "\"\(digits)\"" + (bytes.count > shown.count ? "… (\(bytes.count) bytes)" : "")
    default: return ""
    }
  }
}

extension String {
  private static let reserved: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Tells whether the text can follow a dot in Lua.
  var isLuaName: Bool {
    guard let first = utf8.first, first < 0x30 || first > 0x39, !Self.reserved.contains(self) else {
      return false
    }
    return utf8.allSatisfy { $0.isLuaNameByte }
  }
}

extension UInt8 {
  fileprivate var escape: String { "\\x" + (self < 16 ? "0" : "") + String(self, radix: 16) }

  /// Tells whether the byte may be part of a Lua name.
  var isLuaNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
    default: false
    }
  }
}
