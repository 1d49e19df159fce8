import Foundation
import Testing
import TestSupport

/// New keys for identities through the console binary: plan, batches, both keys, and every way that it ends.
@Suite struct `Rekeying in the console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua(Self.people)
  }

  /// A script in which Ada, Bob and Cyd sign in with a rehearsal provider.
  private static let people = """
    for _, name in ipairs { "ada", "bob", "cyd" } do
      local uid = name
      accounts.create { uid = uid, email = name .. "@example.com" }
      accounts.get(uid):link { providerID = "fake.example", subject = "old-" .. name }
    end
    """

  /// Functions for the tests below.
  private static let tools = """
    fake = providers["fake.example"]
    function enter(subject, provider)
      local credential = providers[provider or "fake.example"].credential { subject = subject }
      local ok, result = pcall(auth.signIn, credential)
      return ok and result.account.uid or result.code
    end
    function code(body, ...)
      local ok, err = pcall(body, ...)
      return ok and "fine" or tostring(err.code) .. " " .. tostring(err.field)
    end

    """

  private func lines(_ code: String) throws -> [String] {
    try folder.lua(Self.tools + code).split(separator: "\n").map(String.init)
  }

  @Test func `a plan counts, a rehearsal writes nothing, and both keys sign in after the commit`()
    throws
  {
    let lines = try lines(
      """
      plan = fake.rekey { map = { ["old-ada"] = "new-ada", ["old-bob"] = "new-bob" } }
      print(plan.counts.found, plan.counts.mapped, plan.counts.unmapped, plan.counts.conflicts)
      print(plan.unmapped[1], plan.window, plan.windowEndsAt)
      local rehearsed = plan:commit { dryRun = true }
      print(rehearsed.rekeyed, rehearsed.dryRun, #fake.rekeys())
      local done = plan:commit { reason = "team transfer", batch = 1 }
      print(done.rekeyed, done.unmapped, done.conflicts, done.dryRun)
      print(enter "old-ada", enter "new-ada", enter "old-bob", enter "old-cyd")
      local entries = accounts.get("ada").providerData
      print(#entries, entries[1].uid)
      print(accounts.get("ada"):history()[4] and accounts.find { subject = "old-ada" }[1].uid)
      print(why(done).action, #fake.rekeys())
      print(tostring(accounts.get("ada"):graph()):match "replaces fake.example/old%-ada")
      """)
    #expect(lines.count == 9)
    #expect(lines[0] == "3\t2\t1\t0")
    #expect(lines[1] == "old-cyd\t5184000\tnil")
    #expect(lines[2] == "2\ttrue\t0")
    #expect(lines[3] == "2\t1\t0\tfalse")
    #expect(lines[4] == "ada\tada\tbob\tcyd")
    #expect(lines[5] == "1\tnew-ada")
    #expect(lines[6] == "ada")
    #expect(lines[7] == "rekey\t1")
    #expect(lines[8] == "replaces fake.example/old-ada")
  }

  @Test func `a plan is printed with its conflicts`() throws {
    let output = try folder.lua(
      Self.tools + """
        accounts.get("cyd"):unlink("fake.example", { force = true })
        accounts.get("cyd"):link { providerID = "fake.example", subject = "new-bob" }
        plan = fake.rekey { map = { ["old-ada"] = "new-ada", ["old-bob"] = "new-bob" } }
        print(plan)
        print(plan.conflicts[1].uid, plan.conflicts[1].cause)
        """)
    for part in [
      "3 identities found", "old keys sign in for 60 days more", "account cyd has it",
      "Without a new subject: new-bob", "Nothing is written yet: plan:commit",
      "bob\taccount cyd has it",
    ] { #expect(output.contains(part), "\(part) is not in \(output)") }
  }

  @Test func `a plan that was begun is resumed, rolled back and finished after a restart`() throws {
    #expect(
      try lines(
        """
        plan = fake.rekey { window = 0, map = function(old)
          return (old:gsub("old", "new"))
        end }
        print(plan:commit({}).rekeyed, enter "old-ada", enter "new-ada")
        """) == ["3\tsubject-replaced\tada"])
    #expect(
      try lines(
        """
        open = fake.rekeys()[1]
        print(open.progress.rekeyed, open.state, open.counts, open.windowEndsAt ~= nil)
        print(tostring(open):match "3 rekeyed, 0 without")
        print(code(open.commit, open, {}))
        print(open:commit { map = { ["old-ada"] = "x" } }.rekeyed)
        print(open:rollback({ reason = "wrong team" }).changed, #fake.rekeys())
        print(enter "old-ada", accounts.get("ada").providerData[1].uid)
        """) == [
          "3\topen\tnil\ttrue", "3 rekeyed, 0 without", "invalid-argument map", "3", "3\t0",
          "ada\told-ada",
        ])
    #expect(
      try lines(
        """
        plan = fake.rekey { map = { ["old-ada"] = "new-ada" } }
        plan:commit {}
        print(code(plan.finish, plan, {}))
        print(plan:finish({ force = true, dryRun = true }).changed, #fake.rekeys())
        print(plan:finish({ force = true, reason = "done" }).changed, #fake.rekeys())
        print(code(plan.rollback, plan, {}))
        print(enter "new-ada", enter "old-ada" ~= "ada")
        """) == [
          "operation-not-allowed force", "1\t1", "1\t0", "operation-not-allowed nil", "ada\ttrue",
        ])
  }

  @Test func `a renamed provider keeps its people under both names`() throws {
    #expect(
      try lines(
        """
        other = providers["other.example"]
        plan = other.rekey { from = { providerID = "fake.example" } }
        print(plan.from, plan.to, plan.counts.mapped)
        plan:commit { reason = "renamed" }
        print(enter "old-ada", enter("old-ada", "other.example"))
        local entry = accounts.get("ada").providerData[1]
        print(#accounts.find { providerID = "other.example" }, entry.providerID)
        print(code(fake.rekey, {}), code(fake.rekey, { form = "x" }))
        print(code(fake.rekey, { from = { providerID = "password" }, map = {} }))
        print(#fake.rekeys(), other.rekeys()[1]:commit({}).rekeyed)
        """) == [
          "fake.example\tother.example\t3", "ada\tada", "3\tother.example",
          "invalid-argument map\tinvalid-argument form", "invalid-argument from", "1\t3",
        ])
  }

  @Test(arguments: [
    ("map.csv", "old-ada,new-ada\r\n\"old-bob\",\"new \"\"bob\"\", jr\"\n\n"),
    ("map.json", "{ \"old-ada\": \"new-ada\",\n  \"old-bob\": \"new \\\"bob\\\", jr\" }"),
    ("list.json", "[[\"old-ada\", \"new-ada\"], [\"old-bob\", \"new \\u0022bob\\\", jr\"]]\n"),
  ])
  func `a map may be a file`(_ name: String, _ text: String) throws {
    let file = try folder.write(name, text)
    #expect(
      try lines(
        """
        plan = fake.rekey { map = "\(file)" }
        print(plan:commit({}).rekeyed)
        print(enter "new-ada", enter 'new "bob", jr')
        """) == ["2", "ada\tbob"])
  }

  @Test(arguments: [
    ("a.csv", "a,b\nc\n", "a.csv, line 2: 1 columns instead of two"),
    ("b.csv", "a,b\n\na,c\n", "b.csv, line 3: this old subject already has another"),
    ("c.csv", "a,\n", "c.csv, line 1: a subject is empty"),
    ("d.csv", "a,b\n\"c,d\n", "d.csv, line 2: a quote is not closed"),
    ("e.json", "{ \"a\": \"b\",\n \"c\": 7 }", "e.json, line 2: a text in quotes is missing"),
    ("f.json", "{ \"a\": \"b\"\n", "f.json, line 2: \"}\" is missing"),
    ("g.json", "{ \"a\": \"b\",\n\n \"a\": \"c\" }", "g.json, line 3: this old subject already"),
    ("h.json", "7", "h.json, line 1: neither an object nor a list"),
    ("i.txt", "a,b", "i.txt is neither .csv nor .json"),
  ])
  func `a bad file is refused by its line`(
    _ name: String, _ text: String, _ message: String
  ) throws {
    let file = try folder.write(name, text)
    let outcome = try folder.run("providers[\"fake.example\"].rekey { map = \"\(file)\" }")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `a function that gives no text is refused, and one new subject goes to one only`()
    throws
  {
    #expect(
      try lines(
        """
        print(code(fake.rekey, { map = function() return 7 end }))
        print(code(fake.rekey, { map = function() error "no" end }) ~= "fine")
        print(code(fake.rekey, { map = { "a" } }), code(fake.rekey, { map = "gone.csv" }))
        plan = fake.rekey { map = function() return "same" end }
        print(plan.counts.conflicts, plan:commit({ batch = 1 }).conflicts, #fake.rekeys())
        """) == [
          "invalid-argument map", "true", "invalid-argument map\tinvalid-argument map", "3\t3\t1",
        ])
  }

  @Test func `help describes rekeying`() throws {
    let output = try folder.lua("help 'rekey' help 'rekeys' help 'rollback'")
    for part in ["providers[\"x.com\"].rekey", "plan:rollback", "plan:commit", ".rekeys()"] {
      #expect(output.contains(part))
    }
  }
}
