import AuthCore
import LuaPlugins
import Synchronization
import Testing

/// A hook file with one function, and an event for it.
struct ChangeBench {
  static func source(_ kind: ChangeEvent.Kind, _ body: String, before: String = "") -> PolicySource
  {
    PolicySource(
      name: "hooks.lua",
      text: "\(before)\nreturn hooks { \(kind.function) = function(event)\n\(body)\nend }")
  }

  static func event(
    _ kind: ChangeEvent.Kind = .beforeLink, claims: JSONValue = .null
  ) throws -> ChangeEvent {
    var event = ChangeEvent(
      kind, of: try PolicyBench.account("ada"), in: Scope(project: "shop", tenant: "north"),
      at: Timestamp(milliseconds: 1_700_000_000_000))
    event.caller = .person
    event.session = ChangeEvent.Session(
      signedInAt: Timestamp(milliseconds: 1_699_999_999_000), secondFactor: true,
      provider: ProviderID("github.com"))
    event.subject = ChangeEvent.Subject(
      Identity(
        key: IdentityKey(ProviderID("google.com"), subject: "7"),
        profile: IdentityProfile(email: "ada@corp.example", displayName: "Ada"),
        emailVerified: true, origin: .credential, linkedAt: event.now), claims: claims)
    if kind == .beforeMerge || kind == .beforeUndo { event.other = try PolicyBench.account("bo") }
    return event
  }

  static func answer(
    _ kind: ChangeEvent.Kind, _ body: String, claims: JSONValue = .null
  ) throws -> ChangeAnswer {
    try LuaChangeHook(source(kind, body)).answer(event(kind, claims: claims))
  }

  /// Returns the message of the error of an answer.
  static func failure(_ kind: ChangeEvent.Kind, _ body: String) -> String? {
    do {
      let answer = try answer(kind, body)
      Issue.record("It was answered with \(answer): \(body)")
    } catch let error as AuthError {
      #expect(error.code == .invalidPolicy, "\(error)")
      return error.message
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }
}

@Suite struct `A hook file's functions for changes` {
  @Test(
    arguments: [.beforeLink, .beforeUnlink, .beforeMerge, .beforeUndo, .onConflict]
      as [ChangeEvent.Kind])
  func `give each answer of all functions`(kind: ChangeEvent.Kind) throws {
    for body in ["", "return", "return nil", "return true", "return allow", "return allow()"] {
      #expect(try ChangeBench.answer(kind, body) == .allow(fill: nil), "\(body)")
    }
    #expect(try ChangeBench.answer(kind, "return refuse 'no'") == .refuse("no"))
    #expect(
      try ChangeBench.answer(kind, "return refuse('no', { code = 'house-rule' })")
        == .refuse(MergeRefusal("no", code: "house-rule")))
    for requirement in [
      Requirement.secondFactor, .recentLogin(seconds: nil), .approval,
    ] {
      #expect(
        try ChangeBench.answer(kind, "return require '\(requirement.name)'")
          == .require(requirement))
    }
    #expect(
      try ChangeBench.answer(kind, "return require('recent login', { seconds = 60 })")
        == .require(.recentLogin(seconds: 60)))
  }

  @Test func `name the fields that a link fills`() throws {
    #expect(
      try ChangeBench.answer(.beforeLink, "return allow { fill = { 'displayName' } }")
        == .allow(fill: [.displayName]))
    #expect(
      try ChangeBench.answer(.beforeLink, "return allow { fill = {} }") == .allow(fill: []))
    #expect(
      ChangeBench.failure(.beforeUnlink, "return allow { fill = { 'photoURL' } }")?
        .contains("fill is an answer of before_link alone") == true)
  }

  @Test func `ask and merge at a conflict, and nowhere else`() throws {
    #expect(try ChangeBench.answer(.onConflict, "return ask()") == .ask)
    #expect(try ChangeBench.answer(.onConflict, "return ask") == .ask)
    #expect(try ChangeBench.answer(.onConflict, "return merge()") == .merge)
    #expect(
      ChangeBench.failure(.beforeLink, "return merge()")?
        .contains("before_link cannot answer merge") == true)
  }

  @Test(arguments: [
    "return nil, refuse 'no'", "return true, refuse 'no'", "return allow(), refuse 'no'",
    "return { refuse 'no' }", "return { allowed = true, why = refuse 'no' }",
    "return { { { refuse 'no' } } }", "return require 'approval', refuse 'no'",
    "return allow(), nil, nil, refuse 'no'",
  ])
  func `PB3: refuse with a refusal anywhere`(body: String) throws {
    #expect(try ChangeBench.answer(.beforeLink, body) == .refuse("no"))
  }

  @Test(arguments: [
    "return nil, require 'approval'", "return true, require 'approval'",
    "return allow { fill = {} }, require 'approval'", "return { require 'approval' }",
    "return { allowed = true, needs = { require 'approval' } }",
  ])
  func `require with a requirement anywhere, and never allow`(body: String) throws {
    #expect(try ChangeBench.answer(.beforeLink, body) == .require(.approval))
  }

  /// Answers that are none, of a mistake or on purpose.
  @Test(arguments: [
    ("return false", "hooks.lua: before_link returned boolean"),
    ("return 'allow'", "hooks.lua: before_link returned string"),
    ("return 1", "hooks.lua: before_link returned number"),
    ("return {}", "hooks.lua: before_link returned a table that is not allow()"),
    ("return event.account", "hooks.lua: before_link returned"),
    ("return { answer = 'yes' }", "hooks.lua: before_link cannot answer yes"),
    ("return true, true", "hooks.lua: before_link returned more than one answer"),
    ("return refuse", "hooks.lua"), ("return require", "hooks.lua"),
    ("return require 'second facter'", "Did you mean \"second factor\"?"),
    ("return require('approval', { seconds = 5 })", "seconds is a positive number"),
    ("return allow { fill = { 'email' } }", "a link cannot fill \"email\""),
    ("return allow { fil = {} }", "Did you mean \"fill\"?"),
    ("return refuse('no', { cod = 'x' })", "Did you mean \"code\"?"),
    ("return event.acount", "an event has no \"acount\". Did you mean \"account\"?"),
    ("return event.identity.mail", "an event's identity has no \"mail\""),
    ("return event.session.age", "an event's session has no \"age\""),
    ("while true do end", "hooks.lua"), ("error('broken')", "hooks.lua:3: "),
    ("local t = {} while true do t[#t + 1] = string.rep('x', 1e5) end", "hooks.lua"),
    ("local function f() return f() + 1 end return f()", "hooks.lua"),
    ("x = 1", "hooks.lua:3: "), ("return os.time()", "hooks.lua:3: "),
    ("event.account.email = nil return event.account", "hooks.lua"),
  ])
  func `attack: a file that fails or is hostile allows nothing`(
    body: String, problem: String
  ) throws {
    let message = try #require(ChangeBench.failure(.beforeLink, body))
    #expect(message.contains(problem), "\(message)")
  }

  @Test func `get the event as documented`() throws {
    let answer = try ChangeBench.answer(
      .beforeLink,
      """
      local i, s = event.identity, event.session
      return refuse(json.encode {
        event.type, event.project, event.tenant, event.account.email, i.providerID, i.subject,
        i.email, i.emailVerified, i.displayName, i.origin, i.claims.hd, event.caller,
        s.signedInAt, s.secondFactor, s.providerID, event.time, time.now(),
        event.other == nil, event.proof == nil, event.reason == nil, event.client.address == nil,
      })
      """, claims: ["hd": "corp.example", "nothing": .null])
    let expected: JSONValue = [
      "beforeLink", "shop", "north", "ada@example.com", "google.com", "7", "ada@corp.example",
      true, "Ada", "credential", "corp.example", "person", 1_699_999_999_000, true, "github.com",
      1_700_000_000_000, 1_700_000_000_000, true, true, true, true,
    ]
    guard case .refuse(let refusal) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(try JSONValue(text: refusal.reason) == expected, "\(refusal.reason)")
  }

  @Test func `are asked only about what the file has, under its digest`() throws {
    let hook = try LuaChangeHook(ChangeBench.source(.beforeUnlink, ""))
    #expect(hook.kinds == [.beforeUnlink])
    #expect(hook.version.hasPrefix("hooks.lua ") && hook.version.count == "hooks.lua ".count + 12)
    let other = try LuaChangeHook(ChangeBench.source(.beforeUnlink, "return refuse 'no'"))
    #expect(hook.version != other.version)
  }

  @Test func `answer at once if they are quick, and otherwise not`() throws {
    let slow = try LuaChangeHook(
      ChangeBench.source(
        .beforeLink, "local n = 0 for i = 1, 20000 do n = n + i end return refuse(tostring(n))"))
    #expect(try slow.answerAtOnce(ChangeBench.event()) == nil)
    #expect(try slow.answer(ChangeBench.event()) == .refuse("200010000"))
    let quick = try LuaChangeHook(ChangeBench.source(.beforeLink, "return refuse 'no'"))
    #expect(try quick.answerAtOnce(ChangeBench.event()) == .refuse("no"))
  }

  @Test(arguments: [
    ("local n = 0", "n = n + 1 return refuse(tostring(n))"),
    ("local seen = {}", "seen[#seen + 1] = event return refuse(tostring(#seen))"),
  ])
  func `attack: a file keeps nothing of one person for the next`(
    before: String, body: String
  ) throws {
    let hook = try LuaChangeHook(ChangeBench.source(.beforeLink, body, before: before))
    for _ in 0..<3 { #expect(try hook.answer(ChangeBench.event()) == .refuse("1")) }
  }

  @Test func `log to the server`() throws {
    let lines = Mutex<[ScriptLogRecord]>([])
    let hook = try LuaChangeHook(
      ChangeBench.source(.beforeLink, "log.warn('seen ' .. event.account.uid)"),
      log: { line in lines.withLock { $0.append(line) } })
    _ = try hook.answer(ChangeBench.event())
    let line = try #require(lines.withLock(\.self).first)
    #expect(line.kind == .hook && line.message == "seen ada")
  }
}
