import AuthCore
import LuaPlugins
import Testing
import TestSupport

/// Rows that an importer's file must not turn into the wrong account.
@Suite struct `Hostile rows of other systems` {
  private let home: ImporterHome

  init() throws { home = try ImporterHome() }

  private static let file = """
    return importer {
      id = "test", name = "Test", reads = { "ndjson", "json", "csv" },
      providers = { google = "google.com" },
      user = function(row)
        if row.loop then while true do end end
        if row.raise then error "raised" end
        if row.nothing then return nil end
        local identities
        if row.google then identities = { { provider = "google", subject = row.google } } end
        return {
          uid = row.id, email = row.email, passwordHash = row.hash, identities = identities,
          unknown = row.unknown,
        }
      end,
    }
    """

  private func load(_ name: String, bytes: [UInt8]) async throws -> ImporterHome.Outcome {
    try await home.load(
      Importer(PluginSource(name: "test.lua", text: Self.file)),
      try home.folder.write(name, bytes: bytes))
  }

  @Test func `each is refused alone, by its line and reason`() async throws {
    let rows: [(row: String, reason: String?)] = [
      (#"{"id":"a","email":"a@shop.test","google":"1"}"#, nil),
      (#"{"id":"a","email":"other@shop.test"}"#, "uid-already-exists"),
      (#"{"id":"b","google":"1"}"#, "credential-already-in-use"),
      (#"{"id":"c","google":9007199254740993}"#, "cannot be held exactly"),
      (#"{"id":"d","google":123456789012345678901234567890}"#, "cannot be held exactly"),
      (#"{"email":"e@shop.test"}"#, "has no uid"),
      (#"{"id":"f","google":true}"#, "subject is not a text"),
      (#"{"id":"g","email":"g@shop.test","hash":"$9$x"}"#, "cannot be checked here"),
      (#"{"id":"h","email":"no address"}"#, "invalid-email"),
      (#"{"id":"i","unknown":1}"#, "has no \"unknown\""),
      (#"{"id":"j","id":"k"}"#, "each name once"),
      (#"{"id":"k""#, "not valid JSON"),
      (#"[1]"#, "not an object"),
      (#"{"loop":true}"#, "test.lua"), (#"{"raise":true}"#, "raised"),
      (#"{"nothing":true}"#, "not a user"),
      (#"{"id":"l","google":""}"#, "has no subject"),
      (#"{"id":"m","email":"m@shop.test"}"#, nil),
    ]
    let outcome = try await load(
      "rows.ndjson", bytes: Array(rows.map(\.row).joined(separator: "\n").utf8))

    #expect(outcome.accounts == ["a", "m"])
    for (index, row) in rows.enumerated() {
      let refusal = outcome.refused[index + 1]
      #expect(
        row.reason.map { refusal?.contains($0) == true } ?? (refusal == nil),
        "\(row): \(refusal ?? "")")
    }
  }

  @Test func `a line of any length and bytes that are no text end no import`() async throws {
    let long = #"{"id":"long","email":""# + String(repeating: "a", count: 3 << 20) + #""}"#
    var bytes = Array("\(long)\n".utf8)
    bytes += Array(#"{"id":"bad","email":""#.utf8) + [0xFF, 0xFE] + Array("\"}\n".utf8)
    bytes += Array(#"{"id":"good"}"#.utf8)

    let outcome = try await load("rows.ndjson", bytes: bytes)

    #expect(outcome.accounts == ["good"])
    #expect(outcome.refused[1]?.contains("more than 1048576 bytes") == true)
    #expect(outcome.refused[2]?.contains("not valid JSON") == true)
  }

  @Test func `a row of a table that is no text is refused, and the next one is read`() async throws
  {
    let bytes = Array("id,email\r\nbad,".utf8) + [0xFF] + Array("\r\n1,2,3\r\ngood,\r\n".utf8)

    let outcome = try await load("rows.csv", bytes: bytes)

    #expect(outcome.accounts == ["good"])
    #expect(outcome.refused.count == 2)
  }

  @Test func `no row can change what the next one becomes`() async throws {
    let text = """
      local seen = {}
      return importer {
        id = "test", name = "Test", reads = "ndjson",
        user = function(row)
          seen[#seen + 1] = row.id
          return { uid = row.id, displayName = seen[1] }
        end,
      }
      """
    let file = try home.folder.write("rows.ndjson", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n")
    _ = try await home.load(Importer(PluginSource(name: "test.lua", text: text)), file)
    #expect(try await home.account("b").displayName == "b")

    let global = text.replacing("local seen = {}\n", with: "").replacing(
      "seen[#seen + 1] = row.id", with: "seen = row.id")
    let refused = try await home.load(
      Importer(PluginSource(name: "test.lua", text: global)), file)
    #expect(refused.accounts.isEmpty && refused.refused.count == 2)
  }

  @Test(arguments: [
    ("return 1", "declares no importer"),
    ("return importer { id = 'x', name = 'X', reads = 'xml', user = print }", "print"),
    (
      "return importer { id = 'x', name = 'X', reads = 'xml', user = function() end }",
      "reads of the importer must be"
    ),
    ("return importer { id = 'x', name = 'X', reads = 'csv' }", "user must be a function"),
    (
      "return importer { id = 'x', name = 'X', reads = 'csv', user = function() end, uses = 1 }",
      "importer has no \"uses\""
    ),
    ("while true do end", "test.lua"),
  ])
  func `a file that declares no importer is refused with the reason`(
    _ text: String, _ reason: String
  ) async {
    let error = await expectError(.invalidPlugin) {
      try Importer(PluginSource(name: "test.lua", text: text))
    }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func `unknown options and files that break off are errors of the whole import`()
    async throws
  {
    let importer = try ImporterHome.importer("keycloak")
    await expectError(.invalidArgument) {
      try importer.set(options: ["claim": "yes"], providers: [:])
    }
    for text in [
      "", "{}", #"{"users":{}}"#, #"{"users":[{"id":"a"}"#, #"{"users":[{"id":"a""#, "x",
    ] {
      let file = try home.folder.write("realm.json", text)
      await expectError(.invalidArgument) {
        try await home.load(ImporterHome.importer("keycloak"), file)
      }
    }
  }
}
