import AuthCore
import TerminalOutput
import Testing

@testable import AdminConsole
@testable import LuaRuntime

@Suite struct `An event in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      "accounts.create { uid = 'ada', displayName = 'Ada', reason = 'ticket 7' }; e = audit.tail(1)[1]"
    )
  }

  private static let fields = [
    "account", "action", "actor", "at", "details", "id", "outcome", "reason", "related", "what",
  ]

  @Test func `has the fields that tables of events show`() throws {
    let values = try home.run(
      "return e.account, e.outcome, e.action, e.reason, e.request, #e.related, e.actor")
    #expect(values == ["ada", "done", "create", "ticket 7", .nil, 0, "admin:ada"])
    let refused = try home.run(
      """
      pcall(function() accounts.create { uid = 'ada' } end)
      return audit.tail(1)[1].outcome
      """)
    #expect(refused == ["uid-already-exists"])
  }

  @Test(arguments: [
    ("accountID", "account"), ("errorCode", "outcome"), ("requestID", "request"),
    ("relatedIDs", "related"),
  ])
  func `says how a field of the REST API is called here`(_ old: String, _ new: String) throws {
    for event in ["e", "why(e)"] {
      let error = ErrorText(try #require(home.failure("return \(event).\(old)")))
      #expect(error.field == old && error.line.contains("event.\(new)"), "\(error.line)")
    }
  }

  @Test func `is gone through by pairs, and written by json.encode, with the same fields`() throws {
    let names = try home.run(
      """
      local names = {}
      for name in pairs(e) do names[#names + 1] = name end
      return table.concat(names, " "), json.decode(json.encode(e)).account
      """)
    #expect(names == [.string(Self.fields.joined(separator: " ")), "ada"])
  }

  @Test func `every object that has data can be gone through`() throws {
    try home.run(
      """
      ada, bo = accounts.get "ada", accounts.create { uid = "bo" }
      plan = merge.plan(ada, bo)
      receipt = bo:update { displayName = "Bo" }
      """)
    for object in ["ada", "plan", "receipt", "why(e)", "ada:graph()", "ada.multiFactor"] {
      let names = try home.run(
        """
        local count = 0
        for name in pairs(\(object)) do count = count + 1 end
        return count
        """)
      #expect(names.first?.integerValue ?? 0 > 0, "\(object)")
    }
  }

  @Test func `is shown whole when it stands alone`() throws {
    let text = ValueText(state: home.admin.state, session: home.admin.session)
      .painted(try #require(try home.admin.call(home.admin.compile("e", name: "console")).first))
      .text(for: TerminalProfile(isTerminal: false))
    for line in ["account  ada", "outcome  done", "reason   ticket 7", "actor    admin:ada"] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func `its fields are listed in the help`() throws {
    let topic = try #require(HelpTopic.all.first { $0.name == "event" })
    for field in Self.fields + ["request", "changes"] { #expect(topic.text.contains(field)) }
  }
}

@Suite struct `A change that changes nothing` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run("ada = accounts.create { uid = 'ada', displayName = 'Ada' }")
  }

  @Test func `has a receipt that says so, and no event`() throws {
    let values = try home.run(
      """
      local before = #audit.tail(100)
      local same, enabled = ada:update { displayName = "Ada" }, ada:enable()
      return #audit.tail(100) - before, tostring(same), same.changed, enabled.changed,
        tostring(why(same)):sub(1, 15), ada:disable().changed, ada:disable().changed
      """)
    #expect(
      values == [
        0, "nothing changed: update of ada was the case already", false, false, "nothing changed",
        true, false,
      ])
  }

  @Test func `an undo of what is no merge says what it is`() throws {
    let error = ErrorText(
      try #require(home.failure("merge.undo(ada:update { displayName = 'A.' })")))
    #expect(error.code == "undo-refused")
    #expect(
      error.line.contains("is of the action update. Only merges can be undone."), "\(error.line)")
  }

  @Test func `duplicates by similarEmail fold case and accents`() throws {
    let values = try home.run(
      """
      accounts.create { uid = "a", email = "JOSÉ.HAAS@GMAIL.COM" }
      accounts.create { uid = "b", email = "josé.haas@gmail.com" }
      accounts.create { uid = "c", email = "jose.haas@gmail.com" }
      local group = duplicates.find { by = "similarEmail" }[1]
      return group.key, #group.accounts, #duplicates.find { by = "email" }
      """)
    #expect(values == ["jose.haas@gmail.com", 3, 0])
  }
}
