import CLuaShim

extension LuaState {
  /// Adds the libraries that are written in Swift, and the metatable of errors.
  func installLibraries() {
    lua_createtable(current, 0, 2)
    let text = HostFunction("tostring", objects) { call in
      let error = try call.table(1)
      let code = error["code"].stringValue ?? "error"
      return .values([.string("\(code): \(error["message"].stringValue ?? "")")])
    }
    pushFunction(text, current)
    lua_setfield(current, -2, "__tostring")
    lua_pushboolean(current, 0)
    lua_setfield(current, -2, "__metatable")
    errorMetatableReference = takeReference(current)
    installRecords()
    explainUnknownNames()

    add("time", TimeLibrary.functions(configuration.clock))
    add("hash", HashLibrary.functions)
    add("base64", Base64Library.functions)
    add("log", logFunctions())
    if profile != .policy { defineSecrets() }
    if profile == .console { addPrint() }
  }

  private func add(_ library: String, _ functions: [String: (LuaCall) throws -> [LuaValue]]) {
    lua_createtable(current, 0, Int32(functions.count))
    for (name, body) in functions {
      pushFunction(HostFunction("\(library).\(name)", objects) { .values(try body($0)) }, current)
      lua_setfield(current, -2, name)
    }
    ls_add_to_environments(current, library, library.utf8.count)
  }

  private func logFunctions() -> [String: (LuaCall) throws -> [LuaValue]] {
    let sink = configuration.log
    func writer(_ level: LuaLogRecord.Level) -> (LuaCall) throws -> [LuaValue] {
      { call in
        var message = try call.string(1, "message")
        try call.charge(message.utf8.count / 16 + 100)
        if message.utf8.count > 8_000 {
          message = String(message.unicodeScalars.prefix(2_000)) + "…"
        }
        let place = call.script.map { script in call.line.map { "\(script):\($0)" } ?? script }
        sink?(LuaLogRecord(level: level, message: message, script: place))
        return []
      }
    }
    return ["info": writer(.info), "warn": writer(.warn), "error": writer(.error)]
  }

  private func addPrint() {
    let sink = configuration.print
    let print = HostFunction("print", objects) { call in
      let limits = call.state.configuration.describeLimits()
      let texts = (0..<call.count).map { offset -> [UInt8] in
        let index = Int32(offset + 1)
        if lua_type(call.L, index) == LUA_TSTRING { return readBytes(call.L, index) }
        lua_pushvalue(call.L, index)
        var describer = Describer(state: call.state, limits: limits)
        defer { ls_pop(call.L, 1) }
        return Array(describer.describe(call.L, -1, indent: 0).utf8)
      }
      try call.charge(texts.reduce(0) { $0 + $1.count } / 16 + 10)
      sink?(Array(texts.joined(separator: [UInt8(ascii: "\t")])))
      return .values([])
    }
    pushFunction(print, current)
    ls_add_to_environments(current, "print", 5)
  }
}
