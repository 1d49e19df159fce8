import CLuaShim

extension LuaState {
  /// What a table without entries and without the mark of `json.array` becomes.
  public enum EmptyTables: Sendable {
    /// It becomes `{}`, as with `json.encode`.
    case objects
    /// It becomes `[]`: a result that is empty is most often a list.
    case lists
  }

  /// Writes a value as JSON, the way `json.encode` does, of any size.
  ///
  /// Members are in the order of their names' bytes. Throws `conversion` for what JSON cannot say, with the path of
  /// it, which begins with `name`.
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

/// Grows outside of Lua, whose memory a long text would use up.
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
