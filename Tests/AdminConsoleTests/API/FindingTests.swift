import AuthCore
import AuthTesting
import Foundation
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

/// An admin finds accounts and events by what is known about them.
@Suite struct `Finding in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    home.admin.session.timeZone = .gmt
    try home.run(
      """
      accounts.create { uid = "grace", email = "grace.haas1647@gmail.com", displayName = "Grace Haas",
        password = "right-horse", customClaims = { plan = "gold", level = 3 } }
      accounts.get("grace"):link { providerID = "google.com", subject = "108" }
      zoe = accounts.create { uid = "zoe", displayName = "Zo\u{EB} Haas", phoneNumber = "+15555550123" }
      """)
    home.clock.advance(seconds: 86_400 * 2)
    try home.run(
      """
      relay = accounts.create { uid = "relay", email = "other@example.com", emailVerified = true }
      relay:link { providerID = "apple.com", subject = "001234.abc",
        email = "xyz@privaterelay.appleid.com" }
      """)
  }

  /// Returns the uids of a list of accounts.
  private func uids(_ code: String) throws -> [String] {
    let values = try home.run(
      "local uids = {} for i, account in ipairs(\(code)) do uids[i] = account.uid end return uids")
    return values.first?.tableValue?.array.compactMap(\.stringValue) ?? []
  }

  private func error(_ code: String) throws -> ErrorText {
    ErrorText(try #require(home.failure(code), "\(code)"))
  }

  @Test(arguments: [
    ("haas", ["grace", "zoe"]), ("ZOE", ["zoe"]), ("@gmail.com", ["grace"]),
    ("xyz@privaterelay.appleid.com", ["relay"]), ("001234", ["relay"]), ("555-0123", ["zoe"]),
    ("gra", ["grace"]), ("nobody", []),
  ])
  func `a search finds a part of what is known`(text: String, found: [String]) throws {
    #expect(try uids("accounts.search \"\(text)\"") == found)
  }

  @Test func `an absorbed uid finds its survivor`() throws {
    try home.run("merge.plan(accounts.get 'grace', accounts.get 'zoe'):commit {}")
    #expect(try uids("accounts.search 'zoe'") == ["grace"])
  }

  @Test func `a merge, its undo and a deletion move what is found`() throws {
    try home.run(
      "receipt = merge.plan(accounts.get 'grace', accounts.get 'zoe'):commit { reason = 'same' }")
    #expect(try uids("accounts.search '0123'") == ["grace"])
    try home.run("merge.undo(receipt)")
    #expect(try uids("accounts.search '0123'") == ["zoe"])
    try home.run("accounts.get('zoe'):delete { reason = 'asked for it' }")
    #expect(try uids("accounts.search '0123'") == [])
  }

  @Test func `a search that is cut says so`() throws {
    try home.run("for i = 1, 30 do accounts.create { email = 'many' .. i .. '@example.com' } end")
    let values = try home.run(
      "local found, cut = accounts.search 'many' return #found, cut.truncated, cut.limit")
    #expect(values == [25, true, 25])
    #expect(try home.run("return #accounts.search('many', { limit = 30 })").first == 30)
    #expect(try error("accounts.search('--')").line.contains("no letter or digit"))
    #expect(try error("accounts.search()").line.contains("accounts.search \"haas\""))
  }

  @Test(arguments: [
    ("createdSince = '1 day ago'", ["relay"]), ("createdBefore = '1 day ago'", ["grace", "zoe"]),
    ("createdBefore = 'yesterday'", ["grace", "zoe"]), ("verified = true", ["relay"]),
    ("verified = false", ["grace", "zoe"]), ("notSeenSince = '1h'", ["grace", "relay", "zoe"]),
    ("seenSince = '1h'", []), ("anonymous = true", []),
    ("providers = { 'google.com', 'password' }", ["grace"]),
    ("providers = { all = { 'google.com' }, none = { 'password' } }", []),
    ("providers = { any = { 'google.com', 'apple.com' } }", ["grace", "relay"]),
    ("providers = { none = { 'google.com', 'apple.com' } }", ["zoe"]),
    ("claims = 'plan'", ["grace"]), ("claims = { 'plan', level = 3 }", ["grace"]),
    ("claims = { plan = 'silver' }", []), ("order = 'newest'", ["relay", "grace", "zoe"]),
    ("order = 'newest', after = 'relay'", ["grace", "zoe"]), ("after = relay", ["zoe"]),
    ("order = 'oldest', limit = 1", ["grace"]),
  ])
  func `find takes conditions, an order and a place`(conditions: String, found: [String]) throws {
    #expect(try uids("accounts.find { \(conditions) }") == found)
    guard !conditions.contains("order"), !conditions.contains("after") else { return }
    let count = try home.run("return accounts.count { \(conditions) }").first
    #expect(count == .integer(Int64(found.count)))
    let each = try home.run(
      "local n = 0 for _ in accounts.each { \(conditions) } do n = n + 1 end return n")
    #expect(each.first == .integer(Int64(found.count)))
  }

  @Test(arguments: ["*@gmail.com", "grace*", "grace.haas", "@gmail.com"])
  func `a part of an address is a search`(text: String) throws {
    let error = try error("accounts.find { email = '\(text)' }")
    #expect(error.field == "email")
    #expect(error.line.contains("accounts.search \""), "\(error.line)")
    let call = try #require(error.line.firstMatch(of: /accounts\.search "[^"]*"/)?.output)
    #expect(try uids(String(call)) == ["grace"])
  }

  @Test func `what is no condition is named`() throws {
    for (code, field) in [
      ("accounts.find { createdSince = 'last tuesday' }", "createdSince"),
      ("accounts.find { createdSince = true }", "createdSince"),
      ("accounts.find { order = 'newst' }", "order"),
      ("accounts.find { providers = {} }", "providers"),
      ("accounts.find { providers = { al = { 'x' } } }", "al"),
      ("accounts.find { providers = { all = {} } }", "providers"),
      ("accounts.find { claims = {} }", "claims"),
      ("accounts.find { order = 'newest', after = 'gone' }", "after"),
      ("audit.find { action = 'lnk' }", "action"), ("audit.find { since = 'x' }", "since"),
      ("audit.find { before = true }", "before"), ("audit.find { before = 'x' }", "before"),
      ("audit.find { before = zoe }", "before"), ("audit.find { ['until'] = '1h' }", "until"),
    ] {
      let error = try error(code)
      #expect(error.field == field, "\(code): \(error.line)")
    }
    #expect(try error("accounts.find { order = 'newst' }").line.contains("\"newest\""))
    #expect(try error("audit.find { action = 'lnk' }").line.contains("\"link\""))
    #expect(try error("accounts.find { seenSince = 'x' }").line.contains("\"1 day ago\""))
    for code in ["audit.find { until = '1h' }", "audit.find { ['until'] = '1h' }"] {
      #expect(try error(code).line.contains("rite before = "), "\(code)")
    }
  }

  @Test(arguments: [
    ("action = 'assert'", ["assert relay", "assert grace"]),
    ("action = 'assert', since = '1 day ago'", ["assert relay"]),
    ("action = 'assert', before = 'yesterday'", ["assert grace"]),
    ("account = 'zoe'", ["create zoe"]), ("account = zoe", ["create zoe"]),
    ("account = 'other@example.com', action = 'create'", ["create relay"]),
    ("actor = 'ada', limit = 1", ["assert relay"]), ("actor = 'nobody'", []),
    ("code = 'invalid-credential'", []), ("request = 'none'", []),
    (
      "action = 'create', before = audit.find { action = 'create' }[1]",
      ["create zoe", "create grace"]
    ),
    (
      "action = 'create', before = audit.find({ action = 'create' })[1].id",
      ["create zoe", "create grace"]
    ),
    (
      "action = 'create', before = audit.find({ action = 'create' })[1].at",
      ["create zoe", "create grace"]
    ),
  ])
  func `events are found by conditions`(conditions: String, found: [String]) throws {
    let values = try home.run(
      """
      local texts = {}
      for i, event in ipairs(audit.find { \(conditions) }) do
        texts[i] = event.action .. " " .. event.account
      end
      return texts
      """)
    let texts = values.first?.tableValue?.array.compactMap(\.stringValue)
    #expect(texts == found)
  }

  @Test func `an event says what it was about`() throws {
    let what = try home.run("return audit.find { action = 'assert' }[1].what").first
    #expect(what == "apple.com/001234.abc")
    try home.run("relay:unlink('apple.com', { force = true })")
    #expect(try home.run("return relay:history(1)[1].what").first == "apple.com/001234.abc")
    try home.run("relay:update { displayName = 'X' }")
    #expect(try home.run("return relay:history(1)[1].what").first == "displayName: none → X")
  }

  @Test func `the tail takes a number alone`() throws {
    let error = try error("audit.tail(5, { actor = 'nobody' })")
    #expect(error.line.contains("audit.find"), "\(error.line)")
  }

  @Test func `providers say which are set up and who uses them`() throws {
    let values = try home.run(
      """
      local google = providers["google.com"]
      local before = google.setUp
      providers.configure("google.com", { clientIDs = { "x" } })
      return before, google.setUp, google.accounts, providers["github.com"].accounts,
        providers.password.setUp
      """)
    #expect(values == [false, true, 1, 0, true])
    let text = ValueText(state: home.admin.state, session: home.admin.session)
      .painted(try #require(try home.run("return providers.list()").first))
      .text(for: home.admin.session.output.profile)
    let line = try #require(text.split(separator: "\n").first { $0.contains("google.com") })
    #expect(line.contains("yes") && line.contains("1"), "\(line)")
  }
}
