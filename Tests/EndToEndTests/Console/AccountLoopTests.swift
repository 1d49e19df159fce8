import Foundation
import Testing
import TestSupport

/// Loops over accounts while their body writes, and accounts as keys of tables.
@Suite struct `C1: a loop over accounts hands out what is there when its turn comes` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua("settings.set { oneAccountPerEmail = false }")
    let outcome = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `C1: accounts that the loop changes, deletes and merges are as they are now`() throws {
    let output = try folder.lua(
      """
      local before = json.encode { accounts.get("ada").customClaims or {}, accounts.get("ada").displayName }
      local seen = {}
      for a in accounts.each() do
        seen[#seen + 1] = a.uid
        if a.uid == "ada" then
          accounts.get("alan"):update { displayName = "NEW NAME" }
          accounts.get("edsger"):disable {}
          accounts.get("grace2"):delete { reason = "test" }
          merge.plan("ada", "ada2"):commit { reason = "duplicate" }
          before = json.encode { a.customClaims or {}, a.displayName }
        end
        if a.uid == "alan" then print(a.displayName) end
        if a.uid == "edsger" then print(a.disabled) end
        assert(not a.gone and a.email == accounts.get(a.uid).email)
      end
      print(table.concat(seen, " "))
      print(before == json.encode { accounts.get("ada").customClaims or {}, accounts.get("ada").displayName })
      """)
    #expect(
      output == """
        NEW NAME
        true
        ada alan edsger grace katherine linus margaret tim visitor
        true
        """)
  }

  @Test func `C1: an account of an old list is refused if it is gone`() throws {
    let output = try folder.lua(
      """
      local lists = { accounts.find(), {}, {} }
      for a in accounts.each() do table.insert(lists[2], a) end
      for _, group in ipairs(duplicates.find { by = "email" }) do
        for _, a in ipairs(group.accounts) do table.insert(lists[3], a) end
      end
      merge.plan("ada", "ada2"):commit { reason = "duplicate" }
      accounts.get("grace2"):delete { reason = "test" }
      accounts.get("grace"):update { displayName = "changed" }
      local ada = json.encode { accounts.get("ada").displayName, accounts.get("ada").providerData }
      for _, list in ipairs(lists) do
        local row = {}
        for _, a in ipairs(list) do
          local ok, err = pcall(a.update, a, { displayName = "list " .. a.uid })
          if a.uid:find "2$" then row[#row + 1] = a.uid .. " " .. tostring(ok) .. " " .. tostring(a.gone) end
          if a.uid == "grace" then row[#row + 1] = a.displayName end
        end
        print(table.concat(row, ", "))
      end
      print(accounts.get("ada").displayName)
      """)
    let row = "ada2 false merged, list grace, grace2 false deleted"
    #expect(output == "\(row)\n\(row)\n\(row)\nlist ada")
  }

  @Test func `C1: an account that no longer matches at its turn is left out`() throws {
    let output = try folder.lua(
      """
      local seen = {}
      for a in accounts.each { disabled = false } do
        seen[#seen + 1] = a.uid
        for _, uid in ipairs { "alan", "tim" } do
          if not accounts.get(uid).disabled then accounts.get(uid):disable {} end
        end
      end
      print(table.concat(seen, " "))
      """)
    #expect(output == "ada ada2 edsger grace grace2 katherine margaret visitor")
  }

  @Test func `C1: accounts that a loop makes itself are not handed out to it`() throws {
    let output = try folder.lua(
      """
      local count = 0
      for a in accounts.each() do
        count = count + 1
        accounts.create { uid = "z" .. count }
        auth.signIn(providers.anonymous.credential {})
        auth.signIn(providers["fake.example"].credential { subject = "s" .. count })
      end
      print(count, accounts.count())
      local again = 0
      for a in accounts.each() do again = again + 1 end
      print(again)
      """)
    #expect(output == "11\t44\n44")
  }

  @Test func `C1: a loop over many accounts that writes to each visits each once`() throws {
    let output = try folder.lua(
      """
      for number = 1, 450 do accounts.create { uid = ("u%04d"):format(number) } end
      local seen, count = {}, 0
      for a in accounts.each() do
        assert(not seen[a.uid])
        seen[a.uid] = true
        count = count + 1
        if count % 3 ~= 0 then a:update { displayName = "n" .. count } end
        if count % 50 == 0 then
          accounts.get(("u%04d"):format(451 - count)):delete { reason = "test" }
        end
      end
      print(count, accounts.count())
      for _, limit in ipairs { 1, 7, 1000 } do
        local n = 0
        for a in accounts.each { limit = limit } do n = n + 1 a:update { displayName = "again" } end
        print(n)
      end
      """)
    let lines = output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(lines[0].count == 2 && lines[1] == ["1"] && lines[2] == ["7"])
    #expect(lines[3].first == lines[0].last)
  }

  @Test func `C1: an absorbed account that a loop brings back behind its place is handed out`()
    throws
  {
    let output = try folder.lua(
      """
      local receipt = merge.plan("ada", "tim"):commit { reason = "wrong" }
      local seen = {}
      for a in accounts.each() do
        seen[#seen + 1] = a.uid
        if a.uid == "visitor" then merge.undo(receipt) end
        if a.uid == "margaret" then merge.undo(receipt) receipt = merge.plan("ada", "alan"):commit { reason = "x" } end
      end
      print(table.concat(seen, " "))
      """)
    #expect(output == "ada ada2 alan edsger grace grace2 katherine linus margaret tim visitor")
  }

  @Test func `C13: one account is one key of a table, for each way to find it`() throws {
    let output = try folder.lua(
      """
      local t = {}
      for _ = 1, 2 do for a in accounts.each() do t[a] = (t[a] or 0) + 1 end end
      local n = 0
      for a, count in pairs(t) do n = n + 1 assert(count == 2) end
      print(n)
      local ada = accounts.get "ada"
      print(t[accounts.get "ada@example.com"], rawequal(ada, accounts.get "ada"), t[accounts.get(ada)])
      ada:update { displayName = "new" }
      for _, a in ipairs(accounts.find()) do assert(t[a] == 2) end
      for _, group in ipairs(duplicates.find()) do
        for _, a in ipairs(group.accounts) do assert(t[a] == 2) end
      end
      local plan = merge.plan("ada", "ada2")
      print(t[plan.survivor], t[plan.absorbed], t[ada:graph().account])
      plan:commit { reason = "same" }
      print(t[plan.absorbed], plan.absorbed == accounts.get "ada2", accounts.get "ada2" == ada)
      local made = accounts.create { uid = "made" }
      t[made] = 7
      print(t[accounts.get "made"])
      """)
    #expect(output == "11\n2\ttrue\t2\n2\t2\t2\n2\tfalse\ttrue\n7")
  }

  @Test func `C13: equal values of any type are one key`() throws {
    let output = try folder.lua(
      """
      local t = {}
      t[providers["google.com"]] = 1
      for _, p in ipairs(providers.list()) do
        if p.id == "google.com" then print(t[p], p == providers["google.com"]) end
      end
      local event = audit.tail(1)[1]
      t[event] = 2
      print(t[audit.tail(1)[1]])
      local ada = accounts.get "ada"
      print(ada.multiFactor == accounts.get("ada").multiFactor)
      print(ada == accounts.get "alan", ada == "ada", ada == ada.multiFactor)
      """)
    #expect(output == "1\ttrue\n2\ntrue\nfalse\tfalse\tfalse")
  }

  @Test func `C13: objects that no script holds take no memory`() throws {
    let output = try folder.lua(
      """
      for number = 1, 300 do accounts.create { uid = ("u%04d"):format(number) } end
      local n = 0
      for _ = 1, 100 do for a in accounts.each() do n = n + #a.uid end end
      print(n > 0)
      """)
    #expect(output == "true")
  }
}
