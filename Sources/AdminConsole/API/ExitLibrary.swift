import LuaRuntime

/// The functions `exit()` and `quit()`, which end the script, and the command with a status.
struct ExitLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    for name in ["exit", "quit"] {
      let exit = state.function(named: name, signed: "exit") { call in
        session.leave(ScriptExit(status: try status(call)))
        // Unlike an error, an interrupt cannot be caught: the script stops here.
        call.state.interrupt.interrupt()
        return []
      }
      try state.set(name, to: .function(exit))
    }
  }

  /// Returns the status as `os.exit` does: 0 without an argument or for true, 1 for false, otherwise the number.
  private func status(_ call: LuaCall) throws -> Int32 {
    switch try call.value(1) {
    case .nil, .bool(true): return 0
    case .bool(false): return 1
    default:
      guard let status = UInt8(exactly: try call.integer(1, "status")) else {
        throw call.argumentError(1, "a status is a number from 0 to 255")
      }
      return Int32(status)
    }
  }
}
