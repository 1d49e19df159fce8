import Foundation
import Testing
import TestSupport

/// A misspelled variable is an error in every script, and nothing is written after it.
@Suite struct `Names in scripts` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
    #expect(outcome.status == 0)
  }

  private static let inputs = [
    "for a in accounts.each { providerID = provider } do a:disable() end",
    "local wanted = 'ada@example.com' print(#accounts.find { email = wnated })",
    "accounts.get('ada'):disable(opts)",
    "accounts.get('ada'):update { displayName = json.null, dryRun = dry }",
    "merge.list { account = who }", "accounts.get('ada'):update { displayName = json.nul }",
  ]

  private func people() throws -> String {
    try folder.lua(
      """
      local all = {}
      for a in accounts.each() do all[#all + 1] = a.uid .. tostring(a.displayName) .. tostring(a.disabled) end
      print(table.concat(all, "\\n"))
      """)
  }

  @Test func `C4: an undefined name ends -e, a script and standard input`() throws {
    let before = try people()
    for code in Self.inputs {
      let script = try folder.write("script.lua", code + "\n")
      for outcome in [
        try folder.run(code), try Program.run(["run", script], in: folder),
        try Program.run([], in: folder, input: code + "\n"),
      ] {
        #expect(outcome.status == 1, "\(code): \(outcome.output)")
        #expect(
          outcome.errors.contains("is not defined") || outcome.errors.contains("no field 'nul'"),
          "\(code): \(outcome.errors)")
      }
    }
    #expect(try people() == before)
  }

  @Test func `C4: a missing argument selects no account`() throws {
    let script = try folder.write(
      "filter.lua",
      """
      local n = 0
      for a in accounts.each { providerID = arg[1] } do n = n + 1; a:disable { dryRun = true } end
      print(n)
      """)
    let without = try Program.run(["run", script], in: folder)
    #expect(without.status == 1)
    #expect(
      without.errors.contains("accounts.each {} has no condition. Write accounts.each() for all"),
      "\(without.errors)")
    let given = try Program.run(["run", script, "google.com"], in: folder)
    #expect(given.output == "3\n", "\(given.errors)")
  }

  @Test func `C19: the nearest name reaches the reader`() throws {
    for (code, name) in [
      ("acounts.get 'ada'", "accounts"), ("print(mereg)", "merge"),
      ("local wanted = 1 return wnated", "wanted"),
    ] {
      let outcome = try folder.run(code)
      #expect(outcome.errors.contains("did you mean '\(name)'?"), "\(outcome.errors)")
      let json = try Program.run(["--json", "-e", code], in: folder)
      #expect(json.errors.contains("did you mean '\(name)'?"), "\(json.errors)")
    }
  }

  @Test func `C4: an undefined name in a policy is seen in policy.test and when it is used`() throws
  {
    let file = try folder.write(
      "policy.lua",
      """
      return policy {
        name = "misspelled", on = { "email-already-in-use" },
        decide = function(conflict)
          if conflct then return refuse "never" end
          return refuse "no"
        end,
        examples = { { current = {}, existing = {}, expect = { refuse = "no" } } },
      }
      """)
    let shown = try folder.lua("print(policy.test('\(file)')[1].failure)")
    #expect(shown.contains("4: 'conflct' is not defined; did you mean 'conflict'?"), "\(shown)")
    #expect(try folder.run("policy.use '\(file)'").errors.contains("'conflct' is not defined"))
    let early = try folder.write("early.lua", "local x = nothingHere\nreturn policy {}\n")
    #expect(
      try folder.run("policy.use '\(early)'").errors.contains(
        "early.lua:1: 'nothingHere' is not defined"))
  }

  @Test func `C4: a global that was assigned is defined, and rawget asks`() throws {
    #expect(
      try folder.lua("x = nil print(x, rawget(_G, 'y'), lastError, _)") == "nil\tnil\tnil\tnil")
    #expect(
      try folder.lua(
        "function total() count = (rawget(_G, 'count') or 0) + 1 end total() total() print(count)")
        == "2")
  }

  @Test func `C3: the secrets of a configuration are not masks`() throws {
    for text in ["•••", "********"] {
      let secret = try folder.write("secret", text + "\n")
      let settings = try folder.write(
        "authgraph.yaml",
        """
        store: accounts.db
        messages:
          smtp:
            host: mail.example.com
            from: shop@example.com
            user: shop
            password: { file: \(secret) }
        """)
      let outcome = try Program.run(["config", "check", settings], in: folder)
      #expect(outcome.status == 1)
      #expect(
        outcome.output.contains("messages.smtp.password") && outcome.output.contains("is a mask"),
        "\(outcome.output)\(outcome.errors)")
    }
  }
}
