import LuaRuntime
import Testing

@testable import AdminConsole

/// Lines become statements at a cost proportional to their length.
@Suite struct `Statements of lines` {
  let state: LuaState

  init() throws {
    state = try LuaState(profile: .console)
  }

  private func isIncomplete(_ code: String) -> Bool {
    for text in ["return \(code)\n", code] {
      do {
        _ = try state.load(text, name: "test")
        return false
      } catch {
        if text == code {
          return error.isIncomplete && !error.message.contains("unfinished string")
        }
      }
    }
    return false
  }

  private func statements(_ lines: [String]) -> (found: [String], compiled: Int) {
    var reader = StatementReader()
    var found: [String] = []
    var compiled = 0
    for line in lines {
      let step = reader.take(line, isLast: true) { code in
        compiled += code.utf8.count
        return isIncomplete(code)
      }
      if case .statement(let code, _) = step { found.append(code) }
    }
    if let rest = reader.rest { found.append(rest.code) }
    return (found, compiled)
  }

  static let long: [[String]] = [
    ["x = {"] + (1...5000).map { "  { uid = 'u\($0)' }," } + ["}"],
    ["x = {"] + (1...5000).map { "  { uid = 'u\($0)' }," } + ["} y = 1 + "] + ["2"],
    ["x = [==["] + Array(repeating: "a ]] b ]=] 'c", count: 5000) + ["]==]"],
    ["--[["] + Array(repeating: "text", count: 5000) + ["]] x = 1"],
    ["x = 'a\\"] + Array(repeating: "text\\", count: 5000) + ["'"],
    ["x = 'a\\z"] + Array(repeating: "  text\\z", count: 5000) + ["'"],
    ["function f()"] + Array(repeating: "  if x then y = 'end' end -- do", count: 5000) + ["end"],
    ["x = 0 +"] + Array(repeating: "  1 +", count: 150) + ["1"],
    ["repeat"] + Array(repeating: "  while x do x = nil end", count: 5000) + ["until true"],
    ["print("] + Array(repeating: "  1,", count: 200) + ["2)"],
    ["x = {"] + Array(repeating: "  function(a) return a[1][2] end,", count: 5000) + ["}"],
    ["goto on"] + ["::on::"],
  ]

  @Test(arguments: long)
  func `C20: a long statement is compiled a few times only`(lines: [String]) {
    let size = lines.reduce(0) { $0 + $1.utf8.count + 1 }

    let (found, compiled) = statements(lines)

    #expect(found.joined(separator: "\n") == lines.joined(separator: "\n"))
    #expect(found.count <= 2)
    // The compiler is asked after each line while an input is short.
    #expect(compiled <= 4 * size + 64 * 64 * 40, "\(compiled) of \(size)")
  }

  @Test func `C20: an error is found before the end of a long input`() {
    let lines =
      ["x = {"] + Array(repeating: "  1,", count: 100) + ["  2 3,"]
      + Array(repeating: "  1,", count: 10_000)
    var reader = StatementReader()
    let at = lines.firstIndex { line in
      if case .statement = reader.take(line, isLast: true, isIncomplete: isIncomplete) {
        true
      } else {
        false
      }
    }
    #expect(at.map { $0 <= 300 } == true)
  }

  @Test(arguments: [
    ("exit", true), ("quit", true), (" exit ", true), ("exit;", true), ("exit ; ;", true),
    ("exit -- x", true),
    ("exit--x", true), ("exit\t", true), ("exit()", false), ("exits", false), ("exit = 1", false),
    ("x exit", false), ("exit exit", false), ("exit; x()", false), ("-- exit", false), ("", false),
    ("exit\n", true), ("Exit", false),
  ])
  func `C5: exit and quit leave only as a whole line`(line: String, leaves: Bool) {
    #expect(StatementReader.leaves(line) == leaves)
  }
}
