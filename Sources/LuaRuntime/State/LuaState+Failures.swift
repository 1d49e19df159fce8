import CLuaShim

extension LuaState {
  /// Pushes the Lua value for a Swift error.
  ///
  /// It never fails: a value that cannot be pushed becomes text.
  func pushError(_ error: any Error, _ L: OpaquePointer, named name: String?) {
    let top = lua_gettop(L)
    _ = lua_checkstack(L, 16)
    do {
      switch error {
      case let error as any LuaErrorConvertible:
        try push(.table(error.luaError()), L)
        if let errorMetatableReference {
          ls_push_ref(L, errorMetatableReference.index)
          lua_setmetatable(L, -2)
        }
        lastThrown = (lua_topointer(L, -1), error)
      case let error as LuaRaise:
        try push(error.value, L)
      case let error as LuaError:
        if let value = error.value, !error.isAbort {
          try push(value, L)
        } else {
          Self.push(error.description, L)
        }
      default:
        Self.push(placed(String(describing: error), L), L)
      }
    } catch {
      lua_settop(L, top)
      Self.push(placed(error.message, L), L)
    }
  }

  private func placed(_ message: String, _ L: OpaquePointer) -> String {
    let (script, line) = place(L)
    return line > 0 ? "\(script):\(line): \(message)" : message
  }

  /// Finds the Lua code that called the running host function.
  func place(_ L: OpaquePointer) -> (script: String, line: Int) {
    var line: Int32 = 0
    let script = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 80) { buffer in
      ls_where(L, 1, &line, buffer.baseAddress, buffer.count)
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    return (script, Int(line))
  }

  /// Makes the error for the limit that stopped the run.
  func abortError() -> LuaError {
    switch ls_abort_reason(vm) {
    case Int32(LS_INSTRUCTIONS):
      LuaError(.instructions, "the script was stopped: it used up its budget of instructions")
    case Int32(LS_TIME): LuaError(.time, "the script was stopped: it used up its CPU time")
    case Int32(LS_DEADLINE): LuaError(.deadline, "the script was stopped: its deadline passed")
    case Int32(LS_MEMORY): LuaError(.memory, "the script was stopped: it used up its memory")
    default: LuaError(.interrupted, "interrupted")
    }
  }

  /// Makes a Swift error from the Lua error on top of the stack.
  func failure(_ status: Int32, _ L: OpaquePointer, script: String?) -> LuaError {
    _ = lua_checkstack(L, 16)
    var error: LuaError
    if ls_abort_reason(vm) != LS_RUNNING {
      error = abortError()
    } else if status == LUA_ERRMEM {
      error = LuaError(.memory, "the script was stopped: it used up its memory")
    } else {
      // No code runs during compilation, so an overflow is the fault of the text.
      error = LuaError(script != nil ? .syntax : .runtime, "")
      readRaised(L, &error)
    }
    if status == LUA_ERRSYNTAX {
      error.isIncomplete = error.message.hasSuffix("<eof>")
    } else {
      if error.line == nil, ls_error_line(vm) > 0 {
        error.line = Int(ls_error_line(vm))
        error.script = ls_error_source(vm).map { String(cString: $0) }
      }
      error.traceback = ls_error_traceback(vm).map { String(cString: $0) }
      if error.code == .runtime, let text = ownText(L) { error.message = text }
    }
    error.script = error.script ?? script
    return error
  }

  private func readRaised(_ L: OpaquePointer, _ error: inout LuaError) {
    var reader = ValueReader(state: self, results: .copies)
    if let value = try? reader.read(L, -1) {
      error.value = value
    } else {
      lua_pushvalue(L, -1)
      error.value = .reference(takeReference(L))
    }
    switch error.value {
    case .string(let text):
      error.split(text.utf8.count > 10_000 ? String(text.unicodeScalars.prefix(10_000)) : text)
    case .table(let table) where table["message"].stringValue != nil:
      let code = table["code"].stringValue.map { "\($0): " } ?? ""
      error.message = code + (table["message"].stringValue ?? "")
    case .some(let value): error.message = describe(value)
    case .none: break
    }
    if let lastThrown, lastThrown.table == lua_topointer(L, -1) { error.cause = lastThrown.error }
    lastThrown = nil
  }

  /// Returns the text from `__tostring` of the error on top of the stack, charged to the call that failed.
  private func ownText(_ L: OpaquePointer) -> String? {
    guard depth > 0, lua_type(L, -1) == LUA_TTABLE,
      luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL
    else { return nil }
    ls_pop(L, 1)
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    lua_pushvalue(L, -1)
    var runner = L
    if lua_status(L) != LUA_OK {
      // A thread that failed cannot run anything more.
      guard let thread = lua_newthread(L) else { return nil }
      lua_rotate(L, -2, 1)
      lua_xmove(L, thread, 1)
      runner = thread
    }
    ls_push_tostring(runner)
    lua_rotate(runner, -2, 1)
    guard ls_call(vm, runner, 1) == LUA_OK, case .string(let text) = readString(runner, -1) else {
      return nil
    }
    return text
  }
}

extension LuaError {
  /// Splits "script:line: message" into its parts.
  mutating func split(_ text: String) {
    message = text
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int(parts[1]), parts[2].hasPrefix(" ") else { return }
    script = String(parts[0])
    line = number
    message = String(parts[2].dropFirst())
  }
}
