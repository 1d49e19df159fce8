import AuthCore
import Foundation
import Testing
import TestSupport

/// Texts of one character and many bytes, entered in the console and imported from a file.
@Suite struct `Long texts by the command line` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Console statements that write a text that is too long, each with the field of its error.
  static let statements: [(code: String, field: String)] = [
    ("accounts.create { uid = bomb }", "uid"),
    ("accounts.create { displayName = bomb }", "displayName"),
    ("accounts.create { photoURL = 'https://x.example/' .. bomb }", "photoURL"),
    ("accounts.create { customClaims = { a = bomb } }", "customClaims"),
    ("accounts.create { displayName = 'Ada', reason = bomb }", "reason"),
    ("ada:update { displayName = bomb }", "displayName"),
    ("ada:update { photoURL = 'https://x.example/' .. bomb }", "photoURL"),
    ("ada:update { customClaims = { a = bomb } }", "customClaims"),
    ("ada:update({ displayName = 'Ada' }, { reason = bomb })", "reason"),
    ("ada:link { providerID = 'github.com', subject = bomb }", "subject"),
    ("ada:link { providerID = 'oidc.' .. bomb, subject = '1' }", "providerID"),
    ("ada:disable { reason = bomb }", "reason"),
    ("ada:revokeSessions { reason = bomb }", "reason"),
    ("ada:delete { reason = bomb }", "reason"),
    ("merge.plan(ada, bo):commit { reason = bomb }", "reason"),
    ("providers.configure('google.com', { clientIDs = { bomb } })", "clientIDs"),
    (
      "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = bomb })",
      "clientSecret"
    ),
    (
      "providers.configure('oidc.work', { issuer = 'https://x.example/' .. bomb, clientID = 'a' })",
      "issuer"
    ),
  ]

  private static let opening = """
    bomb = "e" .. ("\\u{301}"):rep(100000)
    ada = accounts.get "ada" or accounts.create { uid = "ada", email = "ada@example.com" }
    ada, bo = accounts.get "ada", accounts.get "bo" or accounts.create { uid = "bo" }
    ada, bo = accounts.get "ada", accounts.get "bo"

    """

  @Test func `S5 the console refuses each by its field, and keeps nothing of it`() throws {
    try folder.lua(Self.opening)
    let before = try export()
    for (code, field) in Self.statements {
      let outcome = try folder.run("\(Self.opening)\nreturn \(code)")
      #expect(outcome.status == 1, "\(code) was done")
      #expect(outcome.errors.contains("(\(field))"), "\(code): \(outcome.errors.prefix(300))")
      #expect(outcome.errors.utf8.count < 2000, "\(code)")
    }
    // The text is cut, like everything from a provider.
    try folder.lua(
      Self.opening + "ada:link { providerID = 'github.com', subject = '1', displayName = bomb }")
    try folder.lua("accounts.get('ada'):unlink('github.com', { force = true })")
    #expect(try export() == before)
    #expect(try longestColumns() <= 4096)
  }

  @Test func `S5 an admin token's name is bounded`() throws {
    let bomb = "e" + String(repeating: "\u{301}", count: 20_000)
    let outcome = try Program.run(
      ["admin-token", "new", "--name", bomb, "--scope", "audit"], in: folder)
    #expect(outcome.status != 0)
    #expect(!outcome.errors.contains(bomb))
    #expect(try longestColumns() <= 4096)
  }

  /// Records with one field that is too long, each with the words of the report.
  private static let records: [(record: String, words: String)] = [
    (#"{"localId":"BOMB"}"#, "invalid-uid (uid)"),
    (#"{"localId":"b1","displayName":"BOMB"}"#, "(displayName)"),
    (#"{"localId":"b2","photoUrl":"https://x.example/BOMB"}"#, "(photoUrl)"),
    (#"{"localId":"b3","customAttributes":"{\"a\":\"BOMB\"}"}"#, "(customClaims)"),
    (
      #"{"localId":"b4","providerUserInfo":[{"providerId":"github.com","rawId":"BOMB"}]}"#,
      "(providerUserInfo.[0].rawId)"
    ),
    (
      #"{"localId":"b5","providerUserInfo":[{"providerId":"oidc.BOMB","rawId":"1"}]}"#,
      "(providerUserInfo.[0].providerId)"
    ),
    (
      #"{"localId":"b6","providerUserInfo":[{"providerId":"github.com","rawId":"1","issuer":"BOMB"}]}"#,
      "(providerUserInfo.[0].issuer)"
    ),
    (
      #"{"localId":"b7","providerUserInfo":[{"providerId":"github.com","rawId":"1","displayName":"BOMB"}]}"#,
      "(providerUserInfo.[0].displayName)"
    ),
    (
      #"{"localId":"b8","providerUserInfo":[{"providerId":"github.com","rawId":"1","email":"BOMB"}]}"#,
      "(providerUserInfo.[0].email)"
    ),
    (
      #"{"localId":"b9","email":"b9@example.com","emailVerified":true,"mfaInfo":[{"phoneInfo":"+15555550100","displayName":"BOMB"}]}"#,
      "(mfaInfo.[0].displayName)"
    ),
    (
      #"{"localId":"b10","email":"b10@example.com","emailVerified":true,"mfaInfo":[{"phoneInfo":"+15555550100","mfaEnrollmentId":"BOMB"}]}"#,
      "(mfaInfo.[0].mfaEnrollmentId)"
    ),
    (
      #"{"localId":"b11","email":"b11@example.com","emailVerified":true,"mfaInfo":[{"phoneInfo":"+15555550100","enrolledAt":"BOMB"}]}"#,
      "(mfaInfo.[0].enrolledAt)"
    ),
    (
      #"{"localId":"b12","email":"x@example.com","salt":"QQ==","passwordHash":"HASH"}"#,
      "(passwordHash)"
    ),
    (#"{"localId":"b13","BOMB":1}"#, "unknown field"),
    (#"{"localId":"b14","displayName":"HUGE"}"#, "The record has more than 1048576 bytes."),
  ]

  @Test(arguments: [[], ["--dry-run"], ["--bulk"]])
  func `S16 an import reports the line and the field of each, and takes the rest`(
    options: [String]
  ) throws {
    let bomb = "e" + String(repeating: "\u{301}", count: 20_000)
    let lines = Self.records.map { record, _ in
      record.replacing("BOMB", with: bomb)
        .replacing("HASH", with: String(repeating: "YWFh", count: 10_000))
        .replacing("HUGE", with: String(repeating: "x", count: 8 << 20))
    }
    let file = try folder.write(
      "users.json",
      "{\"users\": [\n" + (lines + [#"{"localId":"good"}"#]).joined(separator: ",\n") + "\n]}\n")

    let outcome = try Program.run(
      ["import", file, "--hash-algo", "MD5", "--rounds", "1"] + options, in: folder)

    #expect(outcome.status == 2, "\(outcome.errors.prefix(500))")
    #expect(outcome.output.hasPrefix("1 imported, \(lines.count) refused"), "\(outcome.output)")
    let reports = outcome.errors.split(separator: "\n").map(String.init)
    for (index, (_, words)) in Self.records.enumerated() {
      let report = reports.first { $0.hasPrefix("\(file):\(index + 2): ") }
      #expect(report?.contains(words) == true, "\(words): \(report?.prefix(300) ?? "nothing")")
      #expect(report?.utf8.count ?? 0 < 6000)
    }
    if !options.contains("--dry-run") {
      #expect(try folder.lua("accounts.count()") == "1")
      #expect(try longestColumns() <= 4096)
    }
  }

  private func export() throws -> String {
    try Program.run(["export"], in: folder).output
  }

  /// Returns the size in bytes of the longest value in the store.
  private func longestColumns() throws -> Int {
    let tables = [
      "accounts": ["uid", "display_name", "photo_url", "custom_claims", "details"],
      "identities": [
        "provider", "issuer", "subject", "email", "display_name", "photo_url", "screen_name",
        "secret",
      ], "second_factors": ["id", "display_name", "enrolled_at"],
      "events": ["actor", "reason", "account", "details", "trace"],
      "settings": ["json"], "checkpoints": ["name", "value"], "one_time_records": ["content"],
    ]
    return try tables.flatMap { table, columns in
      try columns.map { column in
        Int(
          try sqlite(
            folder.store,
            "select coalesce(max(length(cast(\(column) as blob))), 0) from \(table)")) ?? 0
      }
    }.max() ?? 0
  }
}
