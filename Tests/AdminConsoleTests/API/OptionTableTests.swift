import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

@testable import AdminConsole
@testable import LuaRuntime

/// Missing, misspelled and mistyped fields of a table of the admin API are never ignored.
@Suite struct `Option tables` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    let policy = try home.file(
      "policy.lua",
      "return policy { name = 'p', on = { 'email-already-in-use' }, decide = function() return refuse 'no' end }"
    )
    let hooks = try home.file(
      "hooks.lua", "return hooks { before_sign_in = function(event) end }")
    try home.run(
      """
      a = accounts.create { uid = "a", email = "a@example.com", emailVerified = true,
        password = "right-horse", displayName = "A" }
      b = accounts.create { uid = "b", email = "b@example.com" }
      a:link { providerID = "github.com", subject = "1" }
      person = accounts.create { uid = "c", email = "c@example.com", emailVerified = true,
        password = "right-horse" }
      """)
    let shown = try home.run("factor = person.multiFactor:enroll 'totp' return factor:reveal()")
    let secret = try #require(
      shown.first?.stringValue?.firstMatch(of: /secret=([A-Z2-7]+)/)?.output.1)
    let code = try #require(HMACTOTP().code(for: Secret(String(secret)), at: home.clock.now))
    try home.run(
      """
      factor:finish "\(code)"
      resolver = auth.signIn(
        providers.password.credential { email = "c@example.com", password = "right-horse" })
      credential = providers["fake.example"].credential { subject = "7" }
      open = a.multiFactor:enroll "totp"
      plan = merge.plan(a, b)
      transfer = a:split { identities = { "github.com" } }
      rekey = providers["github.com"].rekey { map = { ["1"] = "2" } }
      policyFile, hooksFile = "\(policy)", "\(hooks)"
      list = merge.planAll()
      """)
    _ = try home.admin.session.change(WriteOptions(LuaTable(), allowing: [])) {
      try await $0.plan([], forBatch: "b1", by: $1)
    }
    try home.run("batch = merge.batch 'b1'")
  }

  /// Returns everything that a write could have changed.
  private func state() throws -> [LuaValue] {
    try home.run(
      """
      local accounts, all = accounts, {}
      for account in accounts.each() do
        all[#all + 1] = account.uid .. " " .. (account.displayName or "") .. tostring(account.disabled)
          .. #account.providerData .. (account.email or "")
      end
      return #merge.list(), tostring(policy.current()), tostring(hooks.current()), table.concat(all, ",")
      """)
  }

  @Test func `C4: every function of the API is in the table of these tests`() {
    let behaviors = home.admin.state.behaviors.values
    let functions = behaviors.flatMap { behavior in
      behavior.methods.map { "\(behavior.name)\(behavior.isLibrary ? "." : ":")\($0)" }
    }
    let known = Set(OptionTable.all.map(\.function)).union(OptionTable.without)
    #expect(Set(functions + HelpTopic.all.map(\.name)).subtracting(known).isEmpty)
    #expect(known.subtracting(functions + HelpTopic.all.map(\.name)).isEmpty)
  }

  @Test func `C4: an undefined variable is an error at any place`() throws {
    let before = try state()
    for table in OptionTable.all {
      let codes =
        [table.code("undefinedOptions")]
        + table.names.map { table.code("{ \($0) = undefinedOptions }") }
      for code in codes {
        let error = try #require(home.failure(code), "\(code)")
        #expect(error.message.contains("'undefinedOptions' is not defined"), "\(code): \(error)")
      }
    }
    #expect(try state() == before)
  }

  @Test func `C4: a misspelled name is an error that says the right one`() throws {
    let before = try state()
    for table in OptionTable.all {
      for name in table.names {
        let wrong = name + String(name.last ?? "x")
        let code = table.code("{ \(wrong) = true }")
        let error = ErrorText(try #require(home.failure(code), "\(code)"))
        #expect(error.field == wrong, "\(code): \(error.line)")
        #expect(error.line.contains("Did you mean \"\(name)\"?"), "\(code): \(error.line)")
      }
    }
    #expect(try state() == before)
  }

  @Test func `C4: a value of another type is an error`() throws {
    let before = try state()
    for table in OptionTable.all {
      for name in table.names where name != "map" && table.function != "providers.credential" {
        let code = table.code("{ \(name) = print }")
        #expect(home.failure(code) != nil, "\(code)")
      }
      for name in ["dryRun", "force", "revive"] where table.names.contains(name) {
        for value in ["0", "1", "''", "'false'", "'true'", "json.null", "0/0", "{}"] {
          let code = table.code("{ \(name) = \(value) }")
          let error = ErrorText(try #require(home.failure(code), "\(code)"))
          #expect(error.field == name, "\(code): \(error.line)")
        }
      }
      for value in ["5", "true", "'text'", "{ 'dryRun' }", "{ 5 }", "{ {} }", "print"] {
        #expect(home.failure(table.code(value)) != nil, "\(table) with \(value)")
      }
    }
    #expect(try state() == before)
  }

  @Test func `C4: a filter without a condition is not everything`() throws {
    for table in OptionTable.all where table.kind == .filter {
      let name = table.function
      for empty in ["{}", "{ nil }", "{ [1] = nil }", "{ \(table.names[0]) = arg }", "nil"] {
        let error = ErrorText(try #require(home.failure(table.code(empty)), "\(name) \(empty)"))
        #expect(error.code == "invalid-argument")
        #expect(error.line.contains("has no condition. Write \(name)() for all"), "\(error.line)")
      }
      #expect(home.failure(table.code("")) == nil, "\(name)()")
      if table.names.contains("limit") {
        #expect(home.failure(table.code("{ limit = 5 }")) == nil)
      }
      for name in table.names where !["limit", "disabled"].contains(name) {
        for blank in ["''", "' '", "'\\t'"] {
          let error = ErrorText(
            try #require(home.failure(table.code("{ \(name) = \(blank) }")), "\(name)"))
          #expect(error.field == name, "\(error.line)")
        }
      }
    }
  }

  @Test func `C4: a change without a field is refused`() throws {
    let before = try state()
    for table in OptionTable.all where table.kind == .change {
      for empty in ["{}", "{ nil }", "{ \(table.names[0]) = arg }"] {
        #expect(home.failure(table.code(empty)) != nil, "\(table) with \(empty)")
      }
      if table.names.contains("dryRun") {
        let code = table.code("{ reason = 'none', dryRun = false }")
        #expect(home.failure(code) != nil, "\(code)")
      }
    }
    let update = ErrorText(try #require(home.failure("a:update {}")))
    #expect(update.line.contains("update {} changes nothing"), "\(update.line)")
    #expect(try state() == before)
  }

  @Test func `C4: omitted options have their defaults`() throws {
    #expect(home.failure("a:disable {}") == nil)
    #expect(home.failure("a:enable(nil)") == nil)
    #expect(home.failure("merge.plan(a, b, {})") == nil)
  }

  /// An expression for the object before the colon, by its type.
  private static let receivers = [
    "account": "a", "multiFactor": "a.multiFactor", "enrollment": "open", "resolver": "resolver",
    "rekey": "rekey", "plan": "plan", "shown": "show({})",
    "mergeList": "list", "transfer": "transfer", "mergeBatch": "batch",
  ]

  /// Returns the expression for a function of the API.
  private func expression(_ function: String) throws -> String {
    let parts = function.split(separator: ":")
    guard parts.count == 2 else {
      let ofProvider = ["providers.credential", "providers.rekey", "providers.rekeys"]
      return ofProvider.contains(function)
        ? function.replacing("providers.", with: "providers['github.com'].") : function
    }
    return "\(try #require(Self.receivers[String(parts[0])], "\(function)")):\(parts[1])"
  }

  @Test func `every function refuses one argument too many, with its form`() throws {
    let before = try state()
    for topic in HelpTopic.all {
      guard let signature = topic.signature else { continue }
      let surplus = Array(repeating: "nil", count: signature.mostArguments + 1)
      let code = "\(try expression(topic.name))(\(surplus.joined(separator: ", ")))"
      let error = ErrorText(try #require(home.failure(code), "\(code)"))
      #expect(error.code == "invalid-argument", "\(code): \(error.line)")
      #expect(error.line.contains("argument"), "\(code): \(error.line)")
      #expect(error.line.contains("Write \(signature.form)."), "\(code): \(error.line)")
    }
    #expect(try state() == before)
  }

  @Test func `every function names the arguments that it takes`() {
    let functions = home.admin.state.behaviors.values.flatMap { behavior in
      behavior.methods.map { "\(behavior.name)\(behavior.isLibrary ? "." : ":")\($0)" }
    }
    for name in functions + ["why", "help", "tour", "show", "secret", "exit"] {
      #expect(HelpTopic.signature(of: name) != nil, "\(name) has no takes: in its help topic")
    }
    // Lua passes two arguments to an iterator.
    #expect(HelpTopic.signature(of: "next") == nil)
  }

  @Test(arguments: [
    (
      "audit.tail(5, { actor = 'nobody' })",
      "audit.tail takes one argument, not 2. Write audit.tail(n)."
    ),
    (
      "accounts.get('x', 'y', 'z')",
      "accounts.get takes one argument, not 3. Write accounts.get(key)."
    ),
    (
      "policy.test(policyFile, {})",
      "policy.test takes one argument, not 2. Write policy.test(file)."
    ),
    ("hooks.current(1)", "hooks.current() takes no argument, not 1. Write hooks.current()."),
    ("quit(1, 2)", "exit takes one argument, not 2. Write exit(status)."),
    ("a:unlink('x', {}, {})", "account:unlink takes at most 2 arguments, not 3."),
  ])
  func `a surplus argument is never ignored`(_ code: String, _ message: String) throws {
    let error = ErrorText(try #require(home.failure(code)))
    #expect(error.line.contains(message), "\(error.line)")
  }

  @Test(arguments: [
    ("a.unlink('github.com')", "Call it with a colon: account:unlink(providerID, options)."),
    (
      "accounts:get 'a'", "accounts.get is called with a dot, not a colon. Write accounts.get(key)."
    ),
    (
      "a:disable 'abuse'",
      "The options of account:disable are a table, not a text. Write { reason = \"…\" }."
    ),
  ])
  func `a mistaken form of a call is answered with the right one`(
    _ code: String, _ message: String
  ) throws {
    let error = ErrorText(try #require(home.failure(code)))
    #expect(error.code == "invalid-argument")
    #expect(error.line.contains(message), "\(error.line)")
  }

  @Test func `a provider's functions take a dot or a colon`() throws {
    let code = "email = 'a@example.com', password = 'right-horse'"
    #expect(home.failure("providers.password.credential { \(code) }") == nil)
    #expect(home.failure("providers.password:credential { \(code) }") == nil)
    #expect(home.failure("providers['github.com']:rekeys()") == nil)
  }
}
