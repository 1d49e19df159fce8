import CLuaShim

/// Lines of a running script, for tools: coverage and the debugger.
extension LuaState {
  /// Begins to tell a function each line before it runs, from the next call on; nil ends it.
  ///
  /// The function runs in the middle of the script, with the memory limit lifted. If it returns false, the run ends as
  /// after an interrupt, which no script can catch. Limits count as they do without it.
  package func watchLines(_ watcher: ((LuaPause) -> Bool)?) {
    lineWatcher = watcher
    ls_watch_lines(vm, watcher == nil ? nil : tellLine)
  }

  /// The lines with code of a compiled text and of all functions in it.
  ///
  /// The `return` that Lua adds to the end of each function is left out, because it often cannot be reached.
  package func codeLines(of chunk: LuaFunction) throws(LuaError) -> Set<Int> {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    try push(.function(chunk), L)
    let lines = FoundLines()
    let isRead = ls_code_lines(
      L,
      { context, line in
        guard let context else { return }
        Unmanaged<FoundLines>.fromOpaque(context).takeUnretainedValue().lines.insert(Int(line))
      }, Unmanaged.passUnretained(lines).toOpaque())
    guard isRead else { throw LuaError(.setup, "the lines of compiled Lua cannot be read") }
    return lines.lines
  }

  fileprivate func tell(_ L: OpaquePointer, _ line: Int) -> Bool {
    guard let lineWatcher else { return true }
    let before = current
    current = L
    let top = lua_gettop(L)
    let pause = LuaPause(state: self, L: L, line: line)
    defer {
      pause.close()
      lua_settop(L, top)
      current = before
    }
    return lineWatcher(pause)
  }
}

private final class FoundLines {
  var lines: Set<Int> = []
}

/// Called by the hook in C; false stops the run.
private let tellLine: ls_line_body = { context, L, line in
  guard let context, let L else { return true }
  let owner = Unmanaged<StateBox>.fromOpaque(context).takeUnretainedValue()
  guard let state = owner.state else { return true }
  return state.tell(L, Int(line))
}
