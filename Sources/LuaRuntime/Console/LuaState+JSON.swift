import CLuaShim

extension LuaState {
  /// The JSON form of a table without entries and without the mark of `json.array`.
  public enum EmptyTables: Sendable {
    /// Writes `{}`, as `json.encode` does.
    case objects
    /// Writes `[]`, because an empty result is most often a list.
    case lists
  }

  /// Writes a value as JSON of any size, in the form of `json.encode`.
  ///
  /// Members are sorted by the bytes of their names. Throws `conversion` for a value that JSON cannot express, with its
  /// path, which begins with `name`.
  public func json(
    _ value: LuaValue, named name: String = "result", emptyTables: EmptyTables = .objects
  ) throws(LuaError) -> [UInt8] {
    let L = current
    let top = lua_gettop(L)
    var run = begin(nil)
    defer {
      lua_settop(L, top)
      end(&run)
    }
    guard lua_checkstack(L, 16) != 0 else { throw LuaError(.conversion, "the stack is full") }
    try push(value, L)
    let text = GrowingText()
    let status = name.withCString { name in
      withExtendedLifetime(text) {
        ls_write_json(
          vm, L, name, emptyTables == .lists, growText,
          Unmanaged.passUnretained(text).toOpaque())
      }
    }
    guard status == LUA_OK else {
      var error = failure(status, L, script: nil)
      if error.code == .runtime { error.code = .conversion }
      throw error
    }
    return text.bytes
  }
}

/// A buffer outside of Lua's memory, which a long text would exhaust.
private final class GrowingText {
  var bytes: [UInt8] = []
}

private let growText: ls_sink = { context, part, count in
  guard let context, let part else { return }
  Unmanaged<GrowingText>.fromOpaque(context)._withUnsafeGuaranteedRef { text in
    part.withMemoryRebound(to: UInt8.self, capacity: count) {
      text.bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
    }
  }
}
