import AuthCore
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct BackslashCommandTests {
  let home: ConsoleHome

  init() throws { home = try ConsoleHome() }

  /// Returns the answer of a change of the look; nil for any other line.
  private func run(_ line: String) throws(AuthError) -> String? {
    switch PromptCommand(line) {
    case .change(let change): change(look)
    case .refused(let message, let remedy):
      throw AuthError(.invalidArgument, message, remedy: remedy)
    default: nil
    }
  }

  private var look: ConsoleLook { home.admin.session.output.look }

  @Test func `x switches between blocks and lines, and takes the word`() throws {
    #expect(try run("\\x") == "Each record is a block.")
    #expect(look.records == .blocks)
    #expect(try run("\\x ") == "Each record is a line.")
    _ = try run("\\x auto")
    #expect(look.records == .automatic)
  }

  @Test func `timing switches`() throws {
    #expect(try run("\\timing") == "Timing is on.")
    #expect(look.isTiming)
    #expect(try run("\\timing off") == "Timing is off.")
  }

  @Test func `a line of Lua is none`() {
    #expect(PromptCommand("x = 1") == nil)
    #expect(PromptCommand("") == nil)
    #expect(PromptCommand("'\\x'") == nil)
  }

  @Test(arguments: ["\\z", "\\", "\\x sideways", "\\x on off", "\\timing auto", "\\d all"])
  func `what is unknown is told with what there is`(line: String) {
    let error = #expect(throws: AuthError.self) { try run(line) }
    #expect(error?.remedy?.isEmpty == false)
  }

  @Test func `set has the same switches, and tells the present value`() throws {
    try home.run("set.expanded 'on' set.timing 'on' set.zone 'Asia/Tokyo' set.pager 'most'")
    #expect(look.records == .blocks && look.isTiming)
    let values = try home.run("return set.expanded(), set.timing(), set.zone(), set.pager()")
    #expect(values.map(\.stringValue) == ["on", "on", "Asia/Tokyo", "most"])
    try home.run("set.pager 'off'")
    #expect(look.pager == .none)
  }

  @Test(arguments: [
    "set.expanded 'wide'", "set.timing 'maybe'", "set.zone 'Europe/Pari'", "set.zone ''",
    "set.pager ''", "set.expanded('on', 'off')", "set.expanded(nil)", "set.colour 'red'",
  ])
  func `a wrong value is refused`(code: String) {
    let (records, zone) = (look.records, look.zone)
    #expect(home.failure(code) != nil)
    #expect(look.records == records && look.zone == zone)
  }

  @Test func `a mistyped zone names the nearest`() throws {
    let error = ErrorText(try #require(home.failure("set.zone 'Europe/Pari'")))
    #expect(error.line.contains("Did you mean \"Europe/Paris\"?"))
  }
}
