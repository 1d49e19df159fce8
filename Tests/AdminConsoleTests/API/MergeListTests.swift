import AuthCore
import AuthTesting
import Foundation
import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `Lists of merges` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    home.admin.session.host = LocalHost(writing: WritableFolders([home.folder]))
  }

  /// Imports two accounts with one address; the first has verified it and signs in with GitHub.
  private func addPair(_ number: Int, email: String? = nil) throws {
    try add("a\(number)", email ?? "p\(number)@example.com", verified: true, age: 9)
    try add("b\(number)", email ?? "p\(number)@example.com", verified: false, age: 0)
  }

  private func add(_ id: String, _ email: String, verified: Bool, age: Int64) throws {
    var account = Account(
      id: AccountID(id), scope: home.scope, createdAt: home.clock.now.adding(seconds: -100 - age))
    account.email = try EmailAddress(email)
    account.emailVerified = verified
    account.displayName = "Name of \(id)"
    if verified {
      let key = IdentityKey(ProviderID("github.com"), subject: id)
      account.identities = [Identity(key: key, origin: .imported, linkedAt: account.createdAt)]
    }
    let record = ImportedAccount(account: account, line: 1)
    let outcomes = try home.admin.session.change(WriteOptions(LuaTable(), allowing: [])) {
      try await $0.importAccounts([record], by: $1)
    }
    if case .refused(let error)? = outcomes.first { throw error }
  }

  private func path(_ name: String) -> String { "\(home.folder)/\(name)" }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Returns the line with which code fails.
  private func failure(_ code: String) throws -> String {
    ErrorText(try #require(home.failure(code), "\(code)")).line
  }

  @Test func `show each pair with its reason, and count the decisions`() throws {
    try addPair(1)
    try add("c", "q@example.com", verified: false, age: 1)
    try add("d", "q@example.com", verified: false, age: 0)

    let values = try home.run(
      """
      list = merge.planAll { by = "email" }
      local first, second = list.plans[1], list.plans[2]
      return #list, list.counts.merge, list.counts.look, first.keep, first.absorb, first.key,
        first.reason, first.keepVerified, first.absorbVerified, first.keepProviders,
        second.decision, second.reason, tostring(list), list.next
      """)

    #expect(values.prefix(6) == [2, 1, 1, "a1", "b1", "p1@example.com"])
    #expect(values[6] == "a1 verified p1@example.com")
    #expect(values[7...9] == [true, false, "github.com"])
    #expect(values[10...11] == ["look", "nobody verified q@example.com"])
    let text = try #require(values[12].stringValue)
    #expect(text.contains("1 merge, 1 look") && text.contains("list:commit"))
    #expect(values.count == 13 || values[13].isNil)
    #expect(
      try home.run("return tostring(list:plan(1))").first?.stringValue?.contains("kept") == true)
    #expect(try failure("list:plan(3)").contains("no number 3"))
  }

  @Test func `end after a limit, and go on behind it`() throws {
    for number in 1...3 { try addPair(number) }
    let values = try home.run(
      """
      list = merge.planAll { limit = 2 }
      rest = merge.planAll { limit = 2, after = list.next }
      return #list, list.next, #rest, rest.plans[1].keep, rest.next
      """)
    #expect(values.prefix(4) == [2, "p2@example.com", 1, "a3"])
    #expect(values.count == 4 || values[4].isNil)
  }

  @Test(arguments: ["csv", "json"])
  func `are saved, edited, loaded and committed`(_ kind: String) throws {
    for number in 1...3 { try addPair(number) }
    try home.run("list = merge.planAll() list:save '\(path("plans.\(kind)"))'")
    let end = kind == "csv" ? "\r\n" : "\n"
    var lines = try read("plans.\(kind)").split(separator: end, omittingEmptySubsequences: false)
    // The pair 2 is struck, and the pair 3 is left.
    lines.removeAll { $0.contains("p2@example.com") }
    let decision = kind == "csv" ? "%," : "\"decision\":\"%\""
    let edited = lines.map { line in
      guard line.contains("p3@example.com") else { return String(line) }
      return String(line).replacing(
        decision.replacing("%", with: "merge"), with: decision.replacing("%", with: "leave"),
        maxReplacements: 1)
    }.joined(separator: end)
    _ = try home.file("edited.\(kind)", edited)

    let values = try home.run(
      """
      loaded = merge.load "\(path("edited.\(kind)"))"
      local before = loaded.counts
      local done = loaded:commit { reason = "reviewed" }
      return loaded.batch == list.batch, before.merge, before.leave, done.merged, done.leave,
        #done.refused, accounts.get("b1").uid, accounts.get("b2").uid, accounts.get("b3").uid,
        loaded.counts.done
      """)

    #expect(values == [true, 1, 1, 1, 1, 0, "a1", "b2", "b3", 1])
  }

  @Test func `come back from a list that was written by hand`() throws {
    try addPair(1)
    let file = try home.file("hand.csv", "comment;absorb;keep;decision\r\nyes;b1;a1;merge\r\n")
    let values = try home.run(
      "list = merge.load '\(file)' return list.counts.merge, list:commit({}).merged")
    #expect(values == [1, 1])
  }

  @Test(arguments: [
    ("x.csv", "", "x.csv is empty"),
    ("x.csv", "decision,keep\nmerge,a1\n", "x.csv has no column absorb"),
    ("x.csv", "decision,keep,absorb,keep\n", "x.csv has the column keep twice"),
    ("x.csv", "decision,keep,absorb\nmerge,a1\n", "x.csv, line 2: 2 columns instead of 3"),
    ("x.csv", "decision,keep,absorb\n\nmerge,a1,\n", "x.csv, line 3, column absorb: the uid"),
    ("x.csv", "decision,keep,absorb\nmrege,a1,b1\n", "column decision: there is no decision"),
    ("x.csv", "decision,keep,absorb\nmerge,a1,a1\n", "line 2, column absorb: it is the account"),
    (
      "x.csv", "decision,keep,absorb\nmerge,a1,b1\nmerge,b1,a1\n",
      "x.csv, line 3, column keep: b1 is absorbed in x.csv, line 2"
    ),
    (
      "x.csv", "decision,keep,absorb\nmerge,a1,b1\nmerge,c,b1\n",
      "x.csv, line 3, column absorb: b1 is absorbed in x.csv, line 2"
    ),
    ("x.csv", "decision,keep,absorb,rules\nmerge,a1,b1,x\n", "column rules: it is not JSON"),
    (
      "x.csv", "decision,keep,absorb,rules\nmerge,a1,b1,\"{\"\"fields\"\":{\"\"nam\"\":1}}\"\n",
      "line 2, column rules: A merge has no field \"nam\""
    ),
    (
      "x.csv", "decision,keep,absorb,keepRevision\nmerge,a1,b1,7\n",
      "line 2, column keepRevision: \"7\" is no revision"
    ),
    (
      "x.csv", "decision,keep,absorb,policyVersion\nmerge,a1,b1,7\n",
      "line 2, column policyVersion: it is no version of a policy"
    ),
    ("x.csv", "decision,keep,absorb,batch\nmerge,a1,b1,a:b\n", "line 2, column batch"),
    (
      "x.csv", "decision,keep,absorb,batch\nmerge,a1,b1,x\nmerge,a2,b2,y\n",
      "line 3, column batch: it is y, and before it was x"
    ),
    (
      "x.csv", "decision,keep,absorb,project\nmerge,a1,b1,shop\n",
      "line 2, column project: the list is of shop, and this console of default"
    ),
    ("x.csv", "decision,keep,absorb\n\"merge,a1,b1\n", "x.csv, line 2: a quote is not closed"),
    ("x.csv", "decision,keep,absorb\n\"merge\"x,a1,b1\n", "x.csv, line 2: text follows a closing"),
    ("x.json", "{}", "x.json is not a JSON list"),
    ("x.json", "[1]", "x.json, entry 1: it is not an object"),
    (
      "x.json", #"[{"decision":"merge","keep":"a1"}]"#,
      "x.json, entry 1, column absorb: the uid is missing"
    ),
    ("x.txt", "", "is neither .csv nor .json"),
  ])
  func `name the line and the column of a fault`(
    _ name: String, _ text: String, _ message: String
  ) throws {
    let file = try home.file(name, text)
    let line = try failure("merge.load '\(file)'")
    #expect(line.contains(message), "\(line)")
    #expect(try home.run("return #merge.list()") == [0])
  }

  @Test func `say which accounts changed, were merged or are gone`() throws {
    for number in 1...4 { try addPair(number) }
    try home.run(
      """
      list = merge.planAll() list:save "\(path("plans.csv"))"
      accounts.get("b1"):update { displayName = "Other" }
      accounts.get("b2"):delete { reason = "asked for it" }
      merge.plan("a3", "b3"):commit {}
      """)
    let values = try home.run(
      """
      loaded = merge.load "\(path("plans.csv"))"
      local reasons = {}
      for i, plan in ipairs(loaded.plans) do reasons[i] = plan.decision .. ": " .. plan.reason end
      local done = loaded:commit {}
      return table.concat(reasons, "; "), done.merged, done.changed, done.leave,
        merge.load("\(path("plans.csv"))", { replan = true }).counts.merge
      """)
    #expect(
      values.first
        == "changed: b1 changed since; leave: b2 does not exist; leave: b3 was merged into a3; merge: a4 verified p4@example.com"
    )
    #expect(values.dropFirst() == [1, 1, 2, 1])
  }

  @Test func `name each pair that is refused at the commit, and go on`() throws {
    for number in 1...3 { try addPair(number) }
    let values = try home.run(
      """
      list = merge.planAll()
      accounts.get("b2"):disable()
      local done = list:commit {}
      return done.merged, #done.refused, done.refused[1].absorb, done.refused[1].code, done.open
      """)
    #expect(values == [2, 1, "b2", "plan-outdated", 0])
  }

  @Test func `count in a rehearsal what they would do, and write nothing`() throws {
    for number in 1...2 { try addPair(number) }
    try add("c1", "p1@example.com", verified: false, age: 0)
    let values = try home.run(
      """
      list = merge.planAll()
      local done = list:commit { dryRun = true }
      return done.merged, #done.refused, done.dryRun, #merge.list(), #merge.batches(),
        accounts.count(), list.counts.merge
      """)
    #expect(values == [3, 0, true, 0, 0, 5, 3])
  }

  @Test func `are not part of a rehearsal`() throws {
    try addPair(1)
    try home.run(
      "list = merge.planAll() batch = merge.batch(list:commit { reason = 'x' }.batch) begin()")
    for code in ["list:commit {}", "batch:commit {}", "batch:undo {}"] {
      #expect(try failure(code).contains("cannot be rehearsed"))
    }
  }

  @Test func `become a batch that stops at a limit, goes on and is undone as a whole`() throws {
    for number in 1...4 { try addPair(number) }
    try add("c1", "p1@example.com", verified: false, age: 0)
    let everything = """
      (function()
        local all = {}
        for account in accounts.each() do all[#all + 1] = json.encode(account) end
        return table.concat(all, ";")
      end)()
      """
    let values = try home.run(
      """
      before = \(everything)
      list = merge.planAll()
      first = list:commit { limit = 2, reason = "duplicates" }
      batch = merge.batch(list.batch)
      second = merge.batch(list.batch):commit {}
      third = list:commit {}
      return first.merged, first.open, second.merged, third.merged, list.counts.done, batch.merged,
        batch.reason, #merge.list { batch = list.batch }, merge.list()[1].batch == list.batch,
        #merge.list { batch = list.batch, account = "a1" }, merge.batches()[1].id == list.batch
      """)
    #expect(values == [2, 3, 3, 0, 5, 5, "duplicates", 5, true, 2, true])
    let undone = try home.run(
      """
      local rehearsed = batch:undo { dryRun = true }
      local done = batch:undo { reason = "wrong list" }
      local again = batch:undo {}
      local after = \(everything)
      return rehearsed.undone, #rehearsed.refused, done.undone, #done.refused, again.undone,
        again.already, after == before, merge.batch(list.batch):commit({}).merged
      """)
    #expect(undone == [5, 0, 5, 0, 0, 5, true, 0])
  }

  @Test func `keep later changes when a batch is undone, and name them`() throws {
    for number in 1...2 { try addPair(number) }
    let values = try home.run(
      """
      list = merge.planAll()
      list:commit {}
      accounts.get("a2"):update { displayName = "Countess" }
      local batch = merge.batch(list.batch)
      local done = batch:undo {}
      local refused = done.refused[1]
      local forced = batch:undo { force = true }
      return done.undone, #done.refused, refused.keep, refused.absorb, refused.code,
        refused.message:find "displayName" ~= nil, forced.undone, forced.already
      """)
    #expect(values == [1, 1, "a2", "b2", "undo-refused", true, 1, 1])
  }

  @Test func `keep later values that are named when a batch is undone`() throws {
    for number in 1...2 { try addPair(number) }
    let values = try home.run(
      """
      list = merge.planAll()
      list:commit {}
      accounts.get("a2"):update { displayName = "Countess" }
      local batch = merge.batch(list.batch)
      local rehearsed = batch:undo { dryRun = true }
      local kept = batch:undo { keep = { "displayName" } }
      return rehearsed.undone, #rehearsed.refused, rehearsed.refused[1].code, kept.undone,
        #kept.refused, accounts.get("a2").displayName
      """)
    #expect(values == [1, 1, "undo-refused", 2, 0, "Countess"])
  }

  @Test func `one merge of a batch is undone by itself, and not made again`() throws {
    for number in 1...2 { try addPair(number) }
    let values = try home.run(
      """
      list = merge.planAll()
      list:commit { limit = 1 }
      merge.undo(merge.list { batch = list.batch }[1])
      local rest = merge.batch(list.batch):commit {}
      return rest.merged, accounts.get("b1").uid, accounts.get("b2").uid
      """)
    #expect(values == [1, "b1", "a2"])
  }

  @Test func `may be decided by a policy of a file or by the one in use`() throws {
    try addPair(1)
    try addPair(2)
    let file = try home.file(
      "policy.lua",
      """
      return policy {
        name = "second-only", on = { "email-already-in-use" }, unproven = true,
        decide = function(conflict)
          if conflict.existing.uid == "a1" then return refuse "the first one stays" end
          return merge { into = conflict.existing, from = conflict.current,
            fields = { displayName = "theirs" } }
        end,
        examples = {},
      }
      """)
    #expect(try failure("merge.planAll { policy = true }").contains("No policy is in use"))
    let values = try home.run(
      """
      list = merge.planAll { policy = "\(file)" }
      local plans = list.plans
      policy.use("\(file)", { force = true, reason = "an admin looks at the list" })
      local used = merge.planAll { policy = true }
      list:save "\(path("plans.json"))"
      used:save "\(path("used.csv"))"
      local version = merge.load("\(path("used.csv"))").plans[2].policyVersion
      local done = merge.load("\(path("plans.json"))"):commit {}
      return version:match "^1 %x+$" == version, #audit.tail(1)[1].details.policyVersion.digest,
        plans[1].decision, plans[1].reason:find "the first one stays" ~= nil,
        plans[2].decision, plans[2].decidedBy, used.counts.merge, done.merged,
        accounts.get("b2").displayName
      """)
    #expect(
      values == [true, 12, "leave", true, "merge", "policy second-only", 1, 1, "Name of b2"])
    #expect(
      try failure("merge.planAll { policy = '\(file)', fields = { displayName = 'keep' } }")
        .contains("A policy decides the fields itself"))
  }

  @Test func `may be decided by functions of both values`() throws {
    try addPair(1)
    let values = try home.run(
      """
      list = merge.planAll { fields = { displayName = function(a, b) return a .. "+" .. b end } }
      list:save "\(path("plans.csv"))"
      merge.load("\(path("plans.csv"))"):commit {}
      return accounts.get("a1").displayName
      """)
    #expect(values == ["Name of a1+Name of b1"])
  }

  @Test(arguments: [
    "merge.planAll { by = 'name' }", "merge.planAll { policy = 7 }", "merge.planAll {}",
    "merge.planAll { policy = 'none.lua' }", "merge.planAll { dropIdentities = { {} } }",
    "merge.load 'none.csv'", "merge.batch 'none'", "merge.batch 'a:b'",
    "merge.list { batch = 'none' }", "merge.planAll():save 'x.txt'", "merge.planAll():save ''",
  ])
  func `refuse wrong arguments`(_ code: String) throws {
    let error = ErrorText(try #require(home.failure(code), "\(code)"))
    #expect(error.remedy?.isEmpty == false, "\(error.line)")
  }

  @Test func `leave accounts whose addresses are only similar to an admin`() throws {
    try add("a", "jose@example.com", verified: true, age: 9)
    try add("b", "josé@example.com", verified: true, age: 0)
    let values = try home.run(
      """
      list = merge.planAll { by = "similarEmail" }
      return #list, list.counts.look, list.plans[1].reason, list:commit({}).merged
      """)
    #expect(
      values == [1, 1, "jose@example.com and josé@example.com are similar, not the same", 0])
  }

  @Test func `have one form as CSV, that of their file`() throws {
    try addPair(1)
    try home.run("list = merge.planAll()")
    #expect(try failure("show(list):csv()").contains("list:save"))
    let shown = try home.run("return show(list):json(), show(list.plans):csv()")
    #expect(shown[0].stringValue?.contains("\"plans\":[{") == true)
    #expect(shown[1].stringValue?.hasPrefix("decision,keep,absorb,key,") == true)
  }

  // MARK: Files

  @Test func `are not written by a script, outside the folder, or over another file`() throws {
    try addPair(1)
    try home.run("list = merge.planAll() list:save '\(path("plans.csv"))'")
    #expect(try failure("list:save '\(path("plans.csv"))'").contains("overwrite = true"))
    try home.run("list:save('\(path("plans.csv"))', { overwrite = true })")
    let outside = FileManager.default.temporaryDirectory.path
    for path in ["../x.csv", "\(outside)/x.csv", "none/x.csv", "\(home.folder)/../x.csv"] {
      #expect(home.failure("list:save '\(path)'") != nil, "\(path)")
    }
    home.admin.session.host = LocalHost()
    #expect(try failure("list:save '\(path("y.csv"))'").contains("--allow-write"))
    #expect(!FileManager.default.fileExists(atPath: path("y.csv")))
  }

  @Test func `follow no link to a file elsewhere, and are private`() throws {
    try addPair(1)
    let target = try home.file("target", "kept")
    let elsewhere = FileManager.default.temporaryDirectory.appending(path: "else-\(UUID())").path
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try FileManager.default.createSymbolicLink(
      atPath: path("link.csv"), withDestinationPath: target)
    try FileManager.default.createSymbolicLink(
      atPath: path("folder"), withDestinationPath: elsewhere)

    #expect(home.failure("merge.planAll():save '\(path("link.csv"))'") != nil)
    #expect(home.failure("merge.planAll():save '\(path("folder/x.csv"))'") != nil)
    #expect(
      home.failure("merge.planAll():save('\(path("link.csv"))', { overwrite = true })") != nil)
    try home.run("merge.planAll():save '\(path("own.csv"))'")

    #expect(try read("target") == "kept")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: path("own.csv"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `keep a uid from being a formula or a number of a spreadsheet`() throws {
    try add("=1+1", "p@example.com", verified: true, age: 9)
    try add("12345678901234567890", "p@example.com", verified: false, age: 0)
    try home.run("merge.planAll():save '\(path("plans.csv"))'")
    let text = try read("plans.csv")
    #expect(text.contains(",'=1+1,'12345678901234567890,"))
    let values = try home.run("return merge.load('\(path("plans.csv"))'):commit({}).merged")
    #expect(values == [1])
  }
}

@Suite struct `Comma-separated values` {
  private static func reader(
    _ bytes: [UInt8], _ dialect: CSVReader.Dialect = .spreadsheet
  ) -> CSVReader {
    CSVReader(name: "x.csv", bytes: bytes, dialect) { AuthError(.invalidArgument, $0) }
  }

  @Test(arguments: [
    "", "a", "a,b", "a;b", "a\"b", "\"", "line\nbreak", "line\r\nbreak", "'", "''x", "=1+1", "+1",
    "-1", "@x", "\tx", "1e5", "007", "3/4", "ä €", " x ", "a'b", "\"\u{301},", "'\u{301}",
  ])
  func `come back as they were`(_ text: String) throws {
    let file = CSVText(names: ["x", "y"], rows: [[text, "z"]], guarding: .everything).text
    var reader = Self.reader(Array(file.utf8))
    #expect(try reader.rows().map(\.cells) == [["x", "y"], [text, "z"]])
  }

  @Test(arguments: ["=1", "+1", "-1", "@x", "\tx", "\rx", "007", "1e5"])
  func `begin no formula and no number`(_ text: String) {
    let file = CSVText(names: ["x"], rows: [[text]], guarding: .everything).text
    #expect(file.contains("'\(text)"))
  }

  @Test func `count lines through quoted line ends`() throws {
    var reader = Self.reader(Array("a,b\r\n\"1\n2\",3\r\n\r\n4,5".utf8))
    let rows = try reader.rows()
    #expect(rows.map(\.line) == [1, 2, 5])
    #expect(rows.map(\.cells) == [["a", "b"], ["1\n2", "3"], ["4", "5"]])
  }

  @Test func `end a row with CR, LF or both, and count lines likewise`() throws {
    var reader = Self.reader(Array("a\rb\r\nc\n\"d".utf8))
    #expect(try [reader.row(), reader.row(), reader.row()].map(\.?.line) == [1, 2, 3])
    let error = #expect(throws: AuthError.self) { try reader.row() }
    #expect(error?.message == "x.csv, line 4: a quote is not closed.")
  }

  @Test func `of a program keep their apostrophes and semicolons`() throws {
    var reader = Self.reader(Array("'a;b\n".utf8), .plain)
    #expect(try reader.rows().map(\.cells) == [["'a;b"]])
    reader = Self.reader(Array("'a;b\n".utf8))
    #expect(try reader.rows().map(\.cells) == [["a", "b"]])
  }

  @Test func `are refused if they are not UTF-8`() {
    var reader = Self.reader([0x61, 0xFF])
    #expect(throws: AuthError.self) { try reader.rows() }
  }
}
