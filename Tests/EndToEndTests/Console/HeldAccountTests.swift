import Foundation
import Testing
import TestSupport

/// Tests what a script can do with an account that has changed since it was read.
@Suite struct `C2: an account object means the uid that the script holds` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua(
      """
      settings.set { oneAccountPerEmail = false }
      for _, uid in ipairs { "ada", "ada2", "alan" } do
        accounts.create { uid = uid, email = uid .. "@example.com", emailVerified = true,
          displayName = uid, customClaims = { name = uid } }
        accounts.get(uid):link { providerID = "google.com", subject = "g-" .. uid }
      end
      accounts.get("ada2"):link { providerID = "github.com", subject = "h-ada2" }
      """)
  }

  /// Every write that takes an account object.
  static let writes: [(name: String, code: String)] = [
    ("update", "return b:update { displayName = 'new name' }"),
    ("updateWithPassword", "return b:update { password = 'opensesame' }"),
    ("disable", "return b:disable()"),
    ("enable", "return b:enable()"),
    ("revokeSessions", "return b:revokeSessions { reason = 'asked' }"),
    ("assert", "return b:link { providerID = 'twitter.com', subject = '9' }"),
    ("link", "return b:link(providers['fake.example'].credential { subject = '77' })"),
    ("unlink", "return b:unlink 'google.com'"),
    ("unlinkForced", "return b:unlink('github.com', { force = true })"),
    ("rehearsal", "return b:update { displayName = 'x', dryRun = true }"),
    ("enroll", "return b.multiFactor:enroll 'totp'"),
    ("unenroll", "return b.multiFactor:unenroll 'none'"),
    ("unenrollByPlace", "return b.multiFactor:unenroll(1)"),
    ("recover", "return b.multiFactor:recover { reason = 'lost' }"),
    ("sendCode", "return auth.sendCode('emailLink', 'x@example.com', { account = b })"),
    ("keep", "return merge.plan(b, 'alan')"),
    ("absorb", "return merge.plan('alan', b)"),
    ("mergeWithFunction", "return merge.plan(b, 'alan', { fields = { displayName = concat } })"),
    ("delete", "return b:delete { reason = 'asked' }"),
  ]

  /// Every read of an account object, except that of its history.
  static let reads: [(name: String, code: String)] = [
    ("graph", "return b:graph()"),
    ("tree", "return graph.tree(b)"),
    ("dot", "return graph.dot(b)"),
    ("get", "return accounts.get(b)"),
    ("email", "return b.email"),
    ("claims", "return b.customClaims"),
    ("identities", "return b.providerData"),
    ("factors", "return b.multiFactor.enrolledFactors"),
  ]

  private static func list(_ verbs: [(name: String, code: String)]) -> String {
    verbs.map { "  { '\($0.name)', function() \($0.code) end }," }.joined(separator: "\n")
  }

  private static let tools =
    """
    concat = function(x, y) return x .. y end
    writes = {
    \(list(writes))
    }
    reads = {
    \(list(reads))
    }

    """
      + """
      -- The whole text of an error.
      function said(err)
        return tostring(err.message) .. " " .. tostring(err.remedy)
      end
      function state(uid)
        local a = accounts.get(uid)
        if not a then return "none" end
        return json.encode { a.uid, a.displayName or "", a.email or "", a.customClaims or {}, a.providerData,
          a.disabled, a.multiFactor.enrolledFactors }
      end
      -- Runs verbs; all of them say this, and nothing is changed.
      function refused(verbs, words, ...)
        local before = {}
        for _, uid in ipairs { ... } do before[uid] = state(uid) end
        for _, verb in ipairs(verbs) do
          local ok, err = pcall(verb[2])
          if ok then
            print(verb[1], "was done", err)
          elseif not said(err):find(words, 1, true) then
            print(verb[1], "says", said(err))
          end
          for uid, was in pairs(before) do
            if state(uid) ~= was then print(verb[1], "changed", uid) end
          end
        end
      end

      """

  private func lua(_ code: String) throws -> String { try folder.lua(Self.tools + code) }

  @Test func `C2: merged since: every verb is refused, and the survivor stays as it is`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      merge.plan("ada", b):commit { reason = "same" }
      for _, verbs in ipairs { writes, reads } do
        refused(verbs, "ada2 was merged into ada. Name ada if it is meant", "ada", "alan")
      end
      print(b.uid, b.gone, b.mergedInto, tostring(b), #b.multiFactor, tostring(b.multiFactor))
      print(#b:history() > 0, merge.list({ account = b })[1].absorbed)
      """)
    #expect(
      output == """
        ada2\tmerged\tada\taccount ada2 (merged into ada)\t0\taccount ada2 (merged into ada)
        true\tada2
        """)
  }

  @Test func `C2: merged twice since: the last survivor is named`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      merge.plan("ada", b):commit { reason = "same" }
      merge.plan("alan", "ada"):commit { reason = "same" }
      for _, verbs in ipairs { writes, reads } do
        refused(verbs, "ada2 was merged into alan. Name alan if it is meant", "alan")
      end
      print(b.mergedInto)
      """)
    #expect(output == "alan")
  }

  @Test func `C2: deleted since: every verb is refused, and its history stays`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      accounts.get("ada2"):delete { reason = "asked" }
      local count = #b:history()
      for _, verbs in ipairs { writes, reads } do
        refused(verbs, "The account ada2 does not exist any more", "ada", "alan")
      end
      print(b.uid, b.gone, b.mergedInto, tostring(b), count > 0)
      """)
    #expect(output == "ada2\tdeleted\tnil\taccount ada2 (deleted)\ttrue")
  }

  @Test func `C2: deleted and made anew since: every verb is refused until it is read again`()
    throws
  {
    let output = try lua(
      """
      b = accounts.get "ada2"
      b:delete { reason = "asked", forever = true }
      accounts.create { uid = "ada2", email = "new@example.com", displayName = "another person" }
      refused(writes, "ada2 was deleted and made anew", "ada", "ada2", "alan")
      print(b.uid, b.gone, b.mergedInto, tostring(b), b.displayName, accounts.get(b).gone)
      local again = accounts.get "ada2"
      print(again.displayName, again == b, again:update({ displayName = "mine" }).accountID)
      print(accounts.get("ada2").displayName, b.gone)
      """)
    #expect(
      output == """
        ada2\treplaced\tnil\taccount ada2 new@example.com (made anew, or taken over)\tanother person\tnil
        another person\tfalse\tada2
        mine\treplaced
        """)
  }

  @Test func `C2: imported anew by another process since: a write is refused`() throws {
    let file = try folder.write(
      "again.json", #"{"users":[{"localId":"ada2","email":"new@example.com"}]}"#)
    let console = try Terminal("'\(Program.path)' console", in: folder, columns: 180)
    try console.enter("b = accounts.get 'ada2'; print('has ' .. b.displayName)", until: "has ada2")
    try folder.lua("accounts.get('ada2'):delete { reason = 'asked', forever = true }")
    #expect(try Program.run(["import", file], in: folder).status == 0)
    try console.enter("b:update { displayName = 'x' }", until: "ada2 was deleted and made anew")
    try console.enter("print('has ' .. accounts.get('ada2').email)", until: "has new@example.com")
  }

  @Test func `C2: written by another process since: it is read again, and a merge is seen`()
    throws
  {
    let console = try Terminal("'\(Program.path)' console", in: folder, columns: 180)
    try console.enter("b, l = accounts.get 'ada2', accounts.find()", until: "accounts.find")
    try console.enter("print('has ' .. b.displayName)", until: "has ada2")
    try folder.lua("accounts.get('ada2'):update { displayName = 'from elsewhere' }")
    try console.enter("print('has ' .. b.displayName)", until: "has from elsewhere")
    try folder.lua("merge.plan('ada', 'ada2'):commit { reason = 'same' }")
    try console.enter(
      "b:update { displayName = 'x' }",
      until: "ada2 was merged into ada. Name ada if it is meant")
    try console.enter("print('has ' .. l[2].uid .. ' ' .. l[2].gone)", until: "has ada2 merged")
    #expect(try folder.lua("accounts.get('ada').displayName") == "ada")
  }

  @Test func `C2: undone since: the uid lives again, and every verb acts on it`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      local ada = state "ada"
      local receipt = merge.plan("ada", b):commit { reason = "same" }
      print(b.gone)
      merge.undo(receipt)
      print(b.gone, b.mergedInto, b.email, b.displayName, tostring(b))
      for _, verb in ipairs(writes) do
        local ok, result = pcall(verb[2])
        if not ok and said(result):find "merged into" then print(verb[1], said(result)) end
        if ok and tostring(result):find "^receipt" and result.accountID ~= "ada2" then
          print(verb[1], result.accountID)
        end
        if state "ada" ~= ada then print(verb[1], "changed ada") end
      end
      print(b.gone, accounts.get "ada2")
      """)
    #expect(
      output == """
        merged
        nil\tnil\tada2@example.com\tada2\taccount ada2 ada2@example.com
        deleted\tnil
        """)
  }

  @Test func `C2: changed since: every field is as it is now, and every verb acts on it`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      local same = accounts.find { displayName = "ada2" }[1]
      accounts.get("ada2"):update { displayName = "changed", customClaims = { role = "editor" } }
      accounts.get("ada2"):disable {}
      accounts.get("ada2"):link { providerID = "spotify.com", subject = "5" }
      for _, a in ipairs { b, same } do
        print(a.uid, a.displayName, a.customClaims.role, a.disabled, #a.providerData, a.gone)
      end
      for _, verb in ipairs(writes) do
        local ok, result = pcall(verb[2])
        if ok and tostring(result):find "^receipt" and result.accountID ~= "ada2" then
          print(verb[1], result.accountID)
        end
      end
      """)
    #expect(
      output == """
        ada2\tchanged\teditor\ttrue\t3\tnil
        ada2\tchanged\teditor\ttrue\t3\tnil
        """)
  }

  @Test func `C2: a link that was begun for an account is not finished for its survivor`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      local open = b.multiFactor:enroll "totp"
      merge.plan("ada", b):commit { reason = "same" }
      local ok, err = pcall(function() open:finish "123456" end)
      print(ok, said(err))
      print(#accounts.get("ada").multiFactor)
      """)
    #expect(
      output == """
        false\tada2 was merged into ada. Name ada if it is meant, or undo the merge first.
        0
        """)
  }

  @Test func `C2: a plan shows accounts as they are, and a plan of former accounts is outdated`()
    throws
  {
    let output = try lua(
      """
      local plan = merge.plan("ada", "ada2")
      accounts.get("ada"):update { displayName = "newer" }
      print(plan.survivor.displayName, plan.absorbed.uid)
      print((pcall(plan.commit, plan, { reason = "x" })))
      local now = merge.plan("ada", "ada2")
      local tree = accounts.get("ada"):graph()
      now:commit { reason = "x" }
      print(now.absorbed.gone, now.absorbed.uid, now.survivor.uid)
      accounts.get("ada"):update { displayName = "newest" }
      print(tree.account.displayName, now.survivor.displayName)
      local writes = merge.plan("ada", "alan", { fields = { displayName = function(x, y)
        return x .. y
      end } })
      print(writes.result.displayName)
      print((pcall(merge.plan, "ada", "alan", { fields = { displayName = function(x, y)
        accounts.get("ada"):update { displayName = "meanwhile" }
        return x .. y
      end } })))
      """)
    let lines = output.split(separator: "\n")
    #expect(lines[0] == "newer\tada2")
    #expect(lines[1] == "false")
    #expect(lines[2] == "merged\tada2\tada")
    #expect(lines[3] == "newest\tnewest")
    #expect(lines[4] == "newestalan")
    #expect(lines[5] == "false")
  }

  @Test func `C2: an account that is gone is printed as that, for people and for programs`() throws
  {
    let code = """
      local b, d = accounts.get "ada2", accounts.get "alan"
      merge.plan("ada", b):commit { reason = "same" }
      d:delete { reason = 'test' }
      return b, { b, d }, b.multiFactor
      """
    let json = try Program.run(["console", "--json", "-e", code], in: folder)
    #expect(
      json.output == """
        {"gone":"merged","mergedInto":"ada","uid":"ada2"}
        [{"gone":"merged","mergedInto":"ada","uid":"ada2"},{"gone":"deleted","uid":"alan"}]
        {"gone":"merged","mergedInto":"ada","uid":"ada2"}

        """, "\(json.errors)")
    let text = try folder.lua(
      "local b = accounts.get 'ada'\nb:delete { reason = 'test' }\nreturn b, { b }")
    #expect(text.contains("deleted") && !text.contains("example.com"), "\(text)")
  }

  @Test func `C2: a refused write names the uid in the audit, and why explains it`() throws {
    let output = try lua(
      """
      b = accounts.get "ada2"
      merge.plan("ada", b):commit { reason = "same" }
      local ok, err = pcall(b.unlink, b, "google.com")
      print(err.code, err.field, why(err).account, why(err).action, why(err).outcome)
      """)
    #expect(output == "invalid-argument\tuid\tada2\tunlink\tinvalid-argument")
  }
}
