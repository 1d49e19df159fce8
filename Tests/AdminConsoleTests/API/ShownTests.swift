import AuthCore
import Foundation
import LuaRuntime
import TestSupport
import Testing

@testable import AdminConsole

/// `show`: every list and table of the console as CSV and JSON.
@Suite struct `Shown results` {
  let home: ConsoleHome
  let folder: TemporaryFolder

  init() throws {
    home = try ConsoleHome()
    folder = try TemporaryFolder()
    home.admin.session.host = LocalHost(writing: WritableFolders([folder.path]))
    try home.run(
      """
      settings.set { oneAccountPerEmail = false }
      a = accounts.create { uid = "a", email = "a@example.com", displayName = 'A, "B"' }
      b = accounts.create { uid = "b", email = "b@example.com", displayName = "=1+1" }
      c = accounts.create { uid = "c", email = "a@example.com", phoneNumber = "+15555550123" }
      a:link { providerID = "github.com", subject = "1" }
      """)
  }

  private func csv(_ code: String) throws -> [String] {
    let text = try #require(try home.run("return show(\(code)):csv()").first?.stringValue)
    #expect(text.hasSuffix("\r\n"))
    return text.components(separatedBy: "\r\n").dropLast()
  }

  @Test func `accounts are flat records`() throws {
    let lines = try csv("accounts.find()")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("uid,email,emailVerified,displayName"))
    #expect(lines[1].hasPrefix("a,a@example.com,false,\"A, \"\"B\"\"\","))
    #expect(lines[1].contains("github.com/1"))
    #expect(lines[2].contains(",'=1+1,"))
    #expect(lines[3].contains("+15555550123"))
    #expect(try csv("a").count == 2)
  }

  @Test func `exact text is as it is`() throws {
    let text = try home.run("return show({ b }):csv { exact = true }").first?.stringValue
    #expect(text?.contains(",=1+1,") == true)
  }

  @Test(arguments: [
    ("audit.tail(2)", "id", 3), ("merge.plan(a, b)", "field", 2), ("duplicates.find()", "key", 2),
    ("providers.list()", "id", 3), ("providers[\"github.com\"]", "name", 2),
    ("settings.get()", "oneAccountPerEmail", 2), ("a.providerData", "providerID", 2),
    ("{ 1, 2, 3 }", "value", 4), ("'text'", "value", 2), ("merge.list()", "", 1), ("{}", "", 1),
    ("a:update { displayName = 'x', dryRun = true }", "from", 2),
  ])
  func `every list and table has a form`(code: String, column: String, least: Int) throws {
    let lines = try csv(code)
    #expect(lines.count >= least, "\(lines)")
    #expect(
      column.isEmpty || lines[0].split(separator: ",").contains { $0 == column }, "\(lines[0])")
  }

  @Test func `merges, and duplicates with their uids`() throws {
    #expect(try csv("duplicates.find()")[1].contains("\"a, c\""))
    try home.run("merge.plan(a, b):commit { reason = 'one' }")
    #expect(try csv("merge.list()").count == 2)
  }

  @Test func `a file is written once`() throws {
    let file = "\(folder.path)/out.csv"
    try home.run("show(accounts.find()):csv '\(file)'")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("uid,email"))
    let error = ErrorText(try #require(home.failure("show(1):csv '\(file)'")))
    #expect(error.line.contains("overwrite = true"))
    try home.run("show(1):csv('\(file)', { overwrite = true })")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "value\r\n1\r\n")
    try home.run("show { a }:json '\(folder.path)/out.json'")
    let json = try Data(contentsOf: URL(filePath: "\(folder.path)/out.json"))
    let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]]
    #expect(list?.first?["uid"] as? String == "a")
  }

  @Test(arguments: [
    "show()", "show(1, 2)", "show(1):csv { sheet = 1 }", "show(1):csv('/nowhere/at/all.csv')",
    "show(print):json()", "show(1):json { exact = true }",
  ])
  func `a wrong use is refused`(code: String) {
    #expect(home.failure(code) != nil)
  }

  @Test func `without a folder nothing is written`() {
    home.admin.session.host = LocalHost()
    let error = home.failure("show(1):csv '\(folder.path)/x.csv'").map(ErrorText.init)
    #expect(error?.code == "operation-not-allowed")
  }
}
