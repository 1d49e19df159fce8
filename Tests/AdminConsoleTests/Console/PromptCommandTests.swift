import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct `Commands of other consoles at the prompt` {
  @Test(arguments: [
    ("\\q", PromptCommand.leave), ("  \\q  ", .leave), ("\\?", .code("help()")),
    ("?", .code("help()")), ("? link", .code("help \"link\"")), ("?link", .code("help \"link\"")),
    ("help", .code("help()")), (" help ; ", .code("help()")), ("help csv", .code("help \"csv\"")),
    ("help account:link", .code("help \"account:link\"")), ("? exit", .code("help \"exit\"")),
    ("? lost phone", .code("help \"lost phone\"")), ("tour", .code("tour()")),
    ("tour next", .code("tour \"next\"")), ("commit", .code("commit()")),
    (" begin ; ", .code("begin()")), ("nevermind", .code("nevermind()")),
    ("= 1 + 1", .code("1 + 1")), ("=ada.uid", .code("ada.uid")),
    ("\\l", .code("providers.list()")), ("\\x", .change(.expanded(nil))),
    ("\\x auto", .change(.expanded(.automatic))), (" \\timing  off ", .change(.timing(false))),
  ])
  func `mean the same here`(_ line: String, _ command: PromptCommand) {
    #expect(PromptCommand(line) == command)
  }

  @Test(arguments: [("\\dt", "\\dt"), ("\\z accounts", "\\z"), ("\\", "\\")])
  func `that do not exist are refused with those that do`(_ line: String, _ name: String) throws {
    guard case .refused(let message, let remedy) = PromptCommand(line) else {
      Issue.record("\(line) is not refused")
      return
    }
    #expect(message == "The console has no command \(name).")
    #expect(remedy.hasPrefix("It has \\q, \\d (accounts), \\l (providers), "))
  }

  @Test(arguments: [
    "", " ", "1 + 1", "x = 1", "== 1", "=", "print '?'", "-- \\q", "help()",
    "help \"csv\"", "help(ada)", "helper", "help = 1", "x = help", "tours", "hello",
    "commit()", "commit { reason = 'x' }", "commit = 1", "began", "nevermind x",
  ])
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
