import LuaRuntime

extension LuaState {
  /// Compiles code, as an expression if possible, so that `1 + 1` needs no `return`.
  func statement(_ code: String, name: String) throws(LuaError) -> LuaFunction {
    if let expression = try? load("return \(code)\n", name: name) { return expression }
    return try load(code, name: name)
  }

  /// Tells whether code is incomplete, so that further lines may complete it.
  func isIncomplete(_ code: String) -> Bool {
    do throws(LuaError) {
      _ = try statement(code, name: "console")
      return false
    } catch {
      // A string ends with its line, so a further line would not help.
      return error.isIncomplete && !error.message.contains("unfinished string")
    }
  }
}
