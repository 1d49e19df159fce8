import Foundation
import Testing
import TestSupport

/// Lists of merges in the binary: at a terminal, and in a script.
@Suite struct `Lists of merges in the console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func addPairs(_ count: Int) throws {
    let records = (1...count).flatMap { number in
      let email = #""email":"p\#(number)@example.com""#
      return [
        #"{"localId":"a\#(number)",\#(email),"emailVerified":true,"createdAt":"1700000000000","#
          + #""providerUserInfo":[{"providerId":"google.com","rawId":"g\#(number)"}]}"#,
        #"{"localId":"b\#(number)",\#(email),"createdAt":"1700000001000"}"#,
      ]
    }
    let users = try folder.write(
      "users.json", "{\"users\": [\n" + records.joined(separator: ",\n") + "\n]}\n")
    #expect(try Program.run(["import", users], in: folder).status == 0)
  }

  private func open() throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)' console", in: folder,
      environment: ["TERM": "xterm-256color", "PAGER": "cat"])
    try terminal.waitForPrompt()
    return terminal
  }

  @Test func `are printed as a table with the reason of each pair`() throws {
    try addPairs(50)
    let terminal = try open()
    let shown = try terminal.enter("merge.planAll()", until: "list:commit")
    #expect(shown.contains("a1 verified p1@example.com"))
    #expect(shown.contains("… and 10 more"))
    #expect(shown.contains("50 merge"))
  }

  @Test func `are saved only where the console was started`() throws {
    try addPairs(1)
    let terminal = try open()
    try terminal.enter("merge.planAll():save '/tmp/plans.csv'", until: "is outside of")
    let script = try folder.write("save.lua", "merge.planAll():save '\(folder.path)/plans.csv'")
    let run = try Program.run(["run", script], in: folder)
    #expect(run.status == 1 && run.errors.contains("--allow-write"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/plans.csv"))
  }

  @Test func `stop at Ctrl-C between two merges, and go on`() throws {
    try addPairs(1500)
    let terminal = try open()
    try terminal.enter("list = merge.planAll()", until: "list = merge.planAll()")
    try terminal.waitForPrompt()
    try terminal.enter("list:commit {}", until: "Merging")
    try terminal.interrupt()
    try terminal.wait(for: ":commit {} goes on")
    try terminal.enter("some = #merge.list { batch = list.batch }", until: "list.batch }")
    try terminal.enter("'between=' .. tostring(some > 0 and some < 1500)", until: "\nbetween=true")
    try terminal.enter(
      "'all=' .. merge.batch(list.batch):commit({}).merged + some", until: "\nall=1500")
    try terminal.waitForPrompt()
    #expect(try folder.lua("print(#merge.list(), accounts.count())") == "1500\t1500")
  }
}
