import Testing

@testable import LuaRuntime

/// Tests how bytes become the text that is compiled.
@Suite struct `The source of a script` {
  private func text(_ bytes: [UInt8]) throws -> String { try LuaSource(bytes: bytes).text }

  @Test(arguments: [
    ("a\nb", "a\nb"), ("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\nb\n"), ("a\n\rb", "a\nb"),
    ("a\r\n\r\nb", "a\n\nb"), ("a\r\rb", "a\n\nb"), ("a\n\nb", "a\n\nb"), ("", ""), ("\n", "\n"),
    ("\u{FEFF}a", "a"), ("\u{FEFF}\u{FEFF}a", "\u{FEFF}a"), ("a\u{FEFF}", "a\u{FEFF}"),
    ("#!x\na", "--#!x\na"), ("\u{FEFF}#!x\r\na", "--#!x\na"), ("#[[x\na", "--#[[x\na"),
    ("#", "--#"),
    ("a\n#!x", "a\n#!x"), ("é\u{2028}ü", "é\u{2028}ü"),
  ])
  func `C21: marks, first lines and line ends have one form`(given: String, form: String) throws {
    #expect(try text(Array(given.utf8)) == form)
    var reader = LuaLineReader(isFile: true)
    var lines = ""
    for byte in given.utf8 {
      reader.append([byte])
      while let line = try reader.next() { lines += line + "\n" }
    }
    #expect(try lines + (reader.last() ?? "") == form)
  }

  @Test func `C21: a first line that begins with # asks for a length, except in a file`() throws {
    #expect(try LuaSource("#[[ab]]").text == "#[[ab]]")
    #expect(try LuaSource("#!x\n1").text == "--#!x\n1")
    var reader = LuaLineReader()
    reader.append(Array("#t\n".utf8))
    #expect(try reader.next() == "#t")
  }

  @Test(
    arguments: [
      ([0x61, 0x0A, 0xE9, 0x0A], "line 2 has the byte 0xE9, which is not UTF-8"),
      ([0x61, 0x0D, 0x0A, 0xC3, 0xA9, 0xC3], "line 2 has the byte 0xC3, which is not UTF-8"),
      ([0xED, 0xA0, 0x80], "line 1 has the byte 0xED, which is not UTF-8"),
      ([0xC0, 0x80], "line 1 has the byte 0xC0, which is not UTF-8"),
      ([0xFF, 0xFE, 0x61, 0x00], "the text is UTF-16"),
      ([0xFE, 0xFF, 0x00, 0x61], "the text is UTF-16"),
      ([0x61, 0x00], "line 1 has a NUL byte, which a script cannot have"),
      ([0x1B, 0x4C, 0x75, 0x61], "this is compiled Lua, which is never run"),
      ([0xEF, 0xBB, 0xBF, 0x1B, 0x4C], "this is compiled Lua, which is never run"),
      (
        Array(repeating: 0x20, count: 1 << 20) + [0x20],
        "the text is longer than 1 MiB (1048576 bytes)"
      ),
    ] as [([UInt8], String)])
  func `C21: bytes that are no text of a script are refused`(bytes: [UInt8], fault: String) {
    let error = #expect(throws: LuaSourceError.self) { try text(bytes) }
    #expect(error?.fault == fault)
  }

  @Test func `C21: a source that is compiled without a file has the same form`() throws {
    let state = try LuaState(profile: .policy)
    let values = try state.call(
      state.load("\u{FEFF}#!x\r\nreturn #[[a\r\nb]], [[\rc\r]]", name: "t"))
    #expect(values == [3, "c\n"])
    let error = #expect(throws: LuaError.self) {
      try state.load("x = 1\rx = = 2", name: "t")
    }
    #expect(error?.line == 2)
  }

  @Test func `a stop that a host function asks for cannot be caught`() throws {
    let state = try LuaState(profile: .console)
    var went = 0
    try state.set(
      "leave",
      to: .function(
        state.function(named: "leave") { call in
          call.state.interrupt.interrupt()
          return []
        }))
    try state.set(
      "on",
      to: .function(
        state.function(named: "on") { _ in
          went += 1
          return []
        }))
    for code in [
      "pcall(leave) on()", "coroutine.wrap(leave)() on()", "xpcall(leave, on) on()",
      "table.sort({ 2, 1 }, leave) on()", "for _ in leave do end on()",
    ] {
      let error = #expect(throws: LuaError.self) { try state.call(state.load(code, name: "t")) }
      #expect(error?.code == .interrupted && went == 0, "\(code): \(String(describing: error))")
      #expect(try state.call(state.load("return 1", name: "t")) == [1])
    }
  }
}
