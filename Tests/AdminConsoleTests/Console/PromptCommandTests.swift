import Testing

@testable import AdminConsole

@Suite struct `Commands of other consoles at the prompt` {
  @Test(arguments: [
    ("\\q", PromptCommand.leave), ("  \\q  ", .leave), ("\\?", .code("help()")),
    ("?", .code("help()")), ("? link", .code("help \"link\"")), ("?link", .code("help \"link\"")),
    ("= 1 + 1", .code("1 + 1")), ("=ada.uid", .code("ada.uid")),
    ("\\l", .code("providers.list()")), ("\\dt", .unknown("\\dt")),
    ("\\z accounts", .unknown("\\z")),
  ])
  func `mean the same here`(_ line: String, _ command: PromptCommand) {
    #expect(PromptCommand(line) == command)
  }

  @Test(arguments: ["", " ", "1 + 1", "x = 1", "== 1", "=", "print '?'", "-- \\q"])
  func `are no lines of Lua`(_ line: String) {
    #expect(PromptCommand(line) == nil)
  }

  @Test(arguments: [
    ("local q = 5", "q"), ("  local q", "q"), ("local ada = accounts.get 'ada'", "ada"),
  ])
  func `a local that ends with its input is explained`(_ code: String, _ name: String) {
    #expect(PromptCommand.localName(in: code) == name)
  }

  @Test(arguments: ["q = 5", "local q = 5; print(q)", "local q = 5\nprint(q)", "localise = 1"])
  func `other inputs are not`(_ code: String) {
    #expect(PromptCommand.localName(in: code) == nil)
  }
}
