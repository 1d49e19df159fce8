import Foundation
import Testing
import TestSupport

/// Tests the graph's promises through the console binary.
@Suite struct `The console links and merges` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Two functions that make credentials of the rehearsal providers.
  private let fakes = """
    function fake(subject, email, verified)
      return providers["fake.example"].credential {
        subject = subject, email = email, emailVerified = verified and "true" or nil }
    end
    function other(subject, email, verified)
      return providers["other.example"].credential {
        subject = subject, email = email, emailVerified = verified and "true" or nil }
    end
    function code(body)
      local ok, err = pcall(body)
      return ok and "no error" or err.code
    end

    """

  @Test func `a linked identity signs in under the same uid`() throws {
    let output = try folder.lua(
      fakes + """
        local ada = auth.signIn(fake("1", "ada@example.com")).account
        local receipt = ada:link(other "9", { reason = "asked" })
        print(receipt.action, auth.signIn(other "9").account.uid == ada.uid, #ada.providerData)
        """)
    #expect(output == "link\ttrue\t2")
  }

  @Test func `a link conflict is an error, and both stay as they were`() throws {
    let output = try folder.lua(
      fakes + """
        local ada = auth.signIn(fake "1").account
        local eve = auth.signIn(other "9").account
        local ok, err = pcall(function() return ada:link(other "9") end)
        print(ok, err.code, err.remedy ~= nil, #ada.providerData, #eve.providerData)
        print(why(err).outcome)
        """)
    #expect(
      output == "false\tcredential-already-in-use\ttrue\t1\t1\ncredential-already-in-use")
  }

  @Test func `unlinking, and the last way in`() throws {
    let output = try folder.lua(
      fakes + """
        local ada = auth.signIn(fake "1").account
        ada:link(other "9")
        print(ada:unlink("other.example").action, #ada.providerData)
        print(code(function() ada:unlink "other.example" end))
        print(code(function() ada:unlink "fake.example" end))
        print(ada:unlink("fake.example", { force = true }).action, #ada.providerData)
        """)
    #expect(output == "unlink\t1\nno-such-provider\nlast-sign-in-method\nunlink\t0")
  }

  @Test func `an anonymous visitor becomes a member under the same uid`() throws {
    let output = try folder.lua(
      fakes + """
        local visitor = auth.signIn(providers.anonymous.credential {}).account
        local password = providers.password.credential { email = "v@example.com", password = "secret1" }
        print(visitor.isAnonymous)
        visitor:link(password)
        print(visitor.isAnonymous, auth.signIn(password).account.uid == visitor.uid)
        """)
    #expect(output == "true\nfalse\ttrue")
  }

  @Test func `an unverified e-mail is taken over by its owner`() throws {
    let output = try folder.lua(
      fakes + """
        settings.trust("fake.example", "always")
        local password = providers.password.credential { email = "v@example.com", password = "attack" }
        local squatted = auth.signUp(password).account
        squatted:link(other "evil")
        local entered = auth.signIn(fake("owner", "v@example.com", true))
        print(entered.account.uid == squatted.uid, entered.receipt.action, #squatted.providerData)
        print(code(function() auth.signIn(password) end))
        print(auth.signIn(other "evil").account.uid == squatted.uid)
        """)
    #expect(output == "true\ttake-over\t1\ninvalid-credential\nfalse")
  }

  @Test func `an untrusted provider cannot enter by e-mail`() throws {
    let output = try folder.lua(
      fakes + """
        settings.trust("fake.example", { "example.com" })
        local ada = auth.signIn(fake("1", "ada@example.com", true)).account
        print(ada.emailVerified)
        print(code(function() auth.signIn(other("9", "ada@example.com", true)) end))
        print(auth.signIn(fake("2", "x@elsewhere.example", true)).account.emailVerified)
        """)
    #expect(output == "true\naccount-exists-with-different-credential\nfalse")
  }

  @Test func `an admin's assertion is audited with actor and reason`() throws {
    let output = try folder.lua(
      fakes + """
        local ada = accounts.create { email = "ada@example.com", reason = "ticket 1" }
        ada:link { providerID = "github.com", subject = "583231", reason = "ticket 1182" }
        local event = ada:history()[1]
        print(event.action, event.reason, event.actor:match("^admin:.+$") ~= nil)
        print(accounts.find { providerID = "github.com", subject = "583231" }[1].uid == ada.uid)
        print(code(function() ada:link { providerID = "githb.com", subject = "1" } end))
        """)
    #expect(output == "assert\tticket 1182\ttrue\ntrue\ninvalid-provider-id")
  }

  @Test func `a Lua policy answers a conflict with a merge, which can be undone`() throws {
    let output = try folder.lua(
      fakes + """
        policy.use "Scripts/policies/keep-oldest.lua"
        local older = auth.signIn(fake "1").account
        local started = time.now()
        while time.now() == started do end
        local newer = auth.signIn(other "9").account
        local receipt = newer:link(fake "1", { reason = "same person" })
        print(receipt.action, receipt.accountID == older.uid)
        print(accounts.get(newer.uid).uid == older.uid, #older.providerData)
        print(why(receipt).steps[1].rule ~= nil)
        merge.undo(receipt)
        print(accounts.get(newer.uid).uid == newer.uid, #older.providerData)
        local refused = auth.signIn(fake("5", "five@example.com")).account
        print(code(function() newer:link { providerID = "fake.example", subject = "1" } end))
        """)
    #expect(
      output == "merge\ttrue\ntrue\t2\ntrue\ntrue\t1\ncredential-already-in-use")
  }

  @Test func `PB1: an admin lists what a policy offers, and carries it out`() throws {
    let file = "\(folder.path)/offering.lua"
    try """
    return policy {
      name = "offering", on = { "credential-already-in-use" }, unproven = true,
      decide = function(conflict)
        return merge { into = conflict.current, from = conflict.existing }
      end,
      examples = {
        { proof = { existing = false }, expect = { into = "current" } },
      },
    }
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let output = try folder.lua(
      fakes + """
        policy.use("\(file)", { force = true, reason = "offers are looked at" })
        local ada = auth.signIn(fake "1").account
        local eve = auth.signIn(other "9").account
        local ok, err = pcall(function()
          ada:link { providerID = "other.example", subject = "9", reason = "ticket 7" }
        end)
        print(ok, err.code, err.remedy:find("merge.offers", 1, true) ~= nil)
        local offer = merge.offers()[1]
        print(offer.survivor == ada.uid, offer.absorbed == eve.uid, offer.notShown[1])
        print(merge.planOffer(offer):commit({ reason = "ticket 7" }).action, #merge.offers())
        print(accounts.get(eve.uid).uid == ada.uid)
        """)
    #expect(
      output == "false\tcredential-already-in-use\ttrue\ntrue\ttrue\texisting\nmerge\t0\ntrue")
  }

  @Test func `code on standard input runs as if it were typed`() throws {
    func piped(_ code: String) throws -> Program.Outcome {
      try Program.run([], in: folder, input: code)
    }
    let typed = try piped(
      """
      a = accounts.create { uid = "a" }
      -- nothing
      a.uid
      for i = 1, 2 do
        print(i)
      end
      accounts.count()
      local b = 20
      local c = b + 1
      print(b + c)
      """)
    #expect(typed.output == "a\n1\n2\n1\n41\n" && typed.status == 0, "\(typed)")
    let broken = try piped("1 + 1\n\nx = = 2\n3 + 3\n")
    #expect(broken.status == 1 && broken.output == "2\n")
    #expect(broken.errors.contains("stdin:3:"), "\(broken.errors)")
    let incomplete = try piped("for i = 1, 2 do\n")
    #expect(incomplete.status == 1 && incomplete.errors.contains("syntax"))
    #expect(try piped("").status == 0)
  }

  @Test func `an account shows its current state`() throws {
    let outcome = try Program.run(
      [
        "-e", "ada = accounts.create { uid = 'ada', email = 'ada@example.com' }", "-e",
        "ada:update { displayName = 'Countess' }", "-e", "ada", "-e",
        "ada:link { providerID = 'github.com', subject = '1' }", "-e", "ada.providerData",
      ], in: folder)
    #expect(outcome.output.contains("displayName  Countess"))
    #expect(outcome.output.contains("github.com  1"))
  }

  @Test func `F21: the days of the journal are a setting, and only revive revives`() throws {
    let output = try folder.lua(
      fakes + """
        local a = accounts.create { uid = "a", email = "a@example.com", password = "secret1" }
        accounts.create { uid = "b", email = "b@example.com" }
        local merged = merge.plan("a", "b"):commit()
        a:delete { reason = "test" }
        print(settings.get().mergeRetentionDays, merge.list()[1].endedAt ~= nil)
        print(code(function() merge.undo(merged, { force = true }) end))
        print(merge.undo(merged, { revive = true }).action, accounts.get("b").uid)
        print(code(function() settings.set { mergeRetentionDays = -1 } end))
        settings.set { mergeRetentionDays = 0 }
        merge.plan("a", "b"):commit()
        accounts.get("a"):delete { reason = "test" }
        print(settings.get().mergeRetentionDays, #merge.list())
        """)
    #expect(
      output == "30\ttrue\nundo-refused\nundo-merge\tb\ninvalid-argument\n0\t0", "\(output)")
  }

  @Test func `an update does not take the last way in, unless forced`() throws {
    let output = try folder.lua(
      fakes + """
        local a = accounts.create { uid = "a", email = "a@example.com", password = "secret1" }
        print(code(function() a:update { email = json.null } end))
        print(a:update({ email = json.null }, { force = true }).action, a.email)
        """)
    #expect(output == "last-sign-in-method\nupdate\tnil")
  }

  @Test func `dryRun decides every write, and writes nothing`() throws {
    let setUp = try folder.lua(
      fakes + """
        local a = accounts.create { uid = "a", email = "a@example.com", password = "secret1" }
        a:link(other "1")
        accounts.create { uid = "b", email = "b@example.com" }:link(other "2")
        accounts.create { uid = "c" }:link(other "3")
        print(merge.plan("a", "b"):commit { reason = "first" }.id)
        """)
    let before = try Program.run(["export"], in: folder).output
    let output = try folder.lua(
      fakes + """
        local a, dry = accounts.get "a", { dryRun = true }
        local done = {}
        local function try(receipt) done[#done + 1] = receipt.dryRun end
        try(a:link(fake "7", dry))
        try(a:link { providerID = "github.com", subject = "7", dryRun = true })
        try(a:unlink("password", dry))
        try(a:update { displayName = "X", password = "another", dryRun = true })
        try(a:disable(dry))
        try(a:enable(dry))
        try(a:delete(dry))
        try(a:revokeSessions(dry))
        try(accounts.create { email = "new@example.com", dryRun = true })
        try(merge.plan("a", "c"):commit(dry))
        try(merge.undo("\(setUp)", dry))
        try(auth.signIn(fake "new", dry).receipt)
        try(auth.signUp(providers.password.credential { email = "n@example.com", password = "secret1" }, dry).receipt)
        settings.set { identitiesPerProvider = "many", dryRun = true }
        settings.trust("fake.example", "always", dry)
        policy.use("Scripts/policies/keep-oldest.lua", dry)
        policy.remove(dry)
        for i = 1, #done do assert(done[i] == true, i) end
        print(#done, settings.get().identitiesPerProvider, settings.get().mergePolicy, #audit.tail(100))
        print(code(function() a:delete { dryrun = true } end))
        """)
    #expect(output == "13\tone\tnone\t7\ninvalid-argument")
    #expect(try Program.run(["export"], in: folder).output == before)
  }
}
