import CLuaShim

/// A run that waits before one of its lines.
///
/// It is valid only until the function that got it returns.
package final class LuaPause {
  /// The line that runs next, counted from 1.
  package let line: Int
  private let state: LuaState
  private let stack: OpaquePointer
  private var isOpen = true

  init(state: LuaState, L: OpaquePointer, line: Int) {
    self.state = state
    self.line = line
    stack = L
  }

  func close() { isOpen = false }

  private var L: OpaquePointer {
    precondition(isOpen, "a LuaPause was used after its line ran")
    return stack
  }

  /// Tells whether the line is of a text that was loaded by this name.
  package func runs(_ name: String) -> Bool { ls_runs(L, name) }

  /// The number of frames: calls that have not returned.
  package var depth: Int { Int(ls_depth(L)) }

  /// Returns the frames from the innermost, up to a number; those of functions of the host have no line.
  package func frames(atMost limit: Int) -> [LuaFrame] {
    var frames: [LuaFrame] = []
    var frame = ls_frame()
    while frames.count < limit, ls_frame_at(L, Int32(frames.count), &frame) {
      let name = withUnsafeBytes(of: frame.name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      frames.append(
        LuaFrame(
          name: name.isEmpty ? nil : name, line: frame.line > 0 ? Int(frame.line) : nil,
          isMain: frame.defined_at == 0))
    }
    return frames
  }

  /// The variables that the innermost frame sees.
  ///
  /// Those of the functions around it come first, then its own in the order of their declaration; of two with one name
  /// the later one counts. Tables stay references, and reading them runs no code.
  package var variables: [LuaVariable] {
    guard lua_checkstack(L, 16) != 0 else { return [] }
    let outer = read(ls_push_upvalue).filter { $0.name != "_ENV" }
    // Names in brackets are those of values that have none.
    return outer + read(ls_push_local).filter { !$0.name.hasPrefix("(") }
  }

  private func read(
    _ push: (OpaquePointer, Int32, Int32) -> UnsafePointer<CChar>?
  ) -> [LuaVariable] {
    var variables: [LuaVariable] = []
    var number: Int32 = 1
    var reader = ValueReader(state: state, results: .references)
    while let name = push(L, 0, number) {
      if let value = try? reader.read(L, -1) {
        variables.append(LuaVariable(name: String(cString: name), value: value))
      }
      ls_pop(L, 1)
      number += 1
    }
    return variables
  }

  /// Runs a body whose calls of the state have limits of their own.
  ///
  /// The clocks of the run stand still meanwhile.
  package func aside<Result>(_ body: (LuaState) throws -> Result) rethrows -> Result {
    var paused = ls_paused()
    let top = lua_gettop(L)
    _ = lua_checkstack(L, 4)
    let thread = ls_pause(state.vm, L, &paused)
    let (current, depth, thrown) = (state.current, state.depth, state.lastThrown)
    state.current = thread ?? current
    state.depth = 0
    defer {
      (state.current, state.depth, state.lastThrown) = (current, depth, thrown)
      lua_settop(L, top)
      ls_continue(state.vm, L, &paused)
    }
    return try body(state)
  }
}

/// One call that has not returned.
package struct LuaFrame: Hashable, Sendable {
  /// The name by which it was called; nil if it has none.
  package let name: String?
  /// The line that it runs; nil for a function of the host.
  package let line: Int?
  /// True for the file itself.
  package let isMain: Bool
}

/// A variable of a frame.
package struct LuaVariable: Sendable {
  /// The name.
  package let name: String
  /// The value.
  package let value: LuaValue
}
