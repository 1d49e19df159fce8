import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// `authgraph store sweep`, and the diagnosis of sweeps by `doctor`.
@Suite struct `Sweeping a store` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func doctor() throws -> [String] {
    let file = try folder.write(
      "authgraph.yaml", "publicURL: https://127.0.0.1:1\nstore: sqlite:accounts.db\n")
    let outcome = try Program.run(["doctor", "--config", file, "--json"], in: folder)
    guard case .array(let checks) = try JSONValue(text: outcome.output) else { return [] }
    return checks.filter { $0["check"] == "sweep" }.map {
      "\($0["state"]?.stringValue ?? ""): \($0["text"]?.stringValue ?? "")"
    }
  }

  private func fill() async throws {
    let store = try SQLiteStore(path: folder.store)
    let scope = Scope(project: "default")
    let old = Timestamp.now().adding(seconds: -500 * 86_400)
    try await store.write { writer in
      for number in 0..<1500 {
        try writer.save(
          OneTimeRecord(id: "\(number)", kind: .used, expiresAt: old), in: scope)
      }
      try writer.save(
        SessionRecord(
          id: "s", account: AccountID("gone"), provider: .google,
          identity: IdentityKey(.google, subject: "whose"), signedInAt: old, secondFactor: nil,
          claims: .null, createdAt: old), in: scope)
      for number in 0..<3 {
        try writer.append(
          AuditEvent(
            id: "e\(number)", scope: scope, at: number == 2 ? .now() : old, actor: "anyone",
            reason: nil, action: .signIn, accountID: AccountID("gone")))
      }
    }
    try store.close()
  }

  @Test func `D6: a sweep removes expired records, and doctor reports the last one`() async throws {
    try await fill()
    let before = try doctor()
    #expect(before.first?.hasPrefix("warning: Nothing was swept yet. The oldest expired") == true)
    #expect(before.last?.contains("keeps events 400 days, unused sessions for ever") == true)

    let swept = try Program.run(
      ["store", "sweep", "--store", "sqlite:\(folder.store)", "--json"], in: folder)
    #expect(swept.status == 0, "\(swept.errors)")
    #expect(
      try JSONValue(text: swept.output) == [
        "oneTimeRecords": 1500, "sessions": 1, "events": 2, "deliveries": 0, "decisions": 0,
      ])
    #expect(
      try sqlite(
        folder.store,
        """
        select (select count(*) from one_time_records), (select count(*) from sessions),
          (select count(*) from events), (select count(*) from event_accounts)
        """) == "0|0|1|1")
    #expect(try sqlite(folder.store, "pragma integrity_check") == "ok")

    let after = try doctor()
    #expect(after.first?.hasPrefix("ok: Everything was swept at ") == true, "\(after)")
    let again = try Program.run(
      ["store", "sweep", "--store", "sqlite:\(folder.store)"], in: folder)
    #expect(
      again.output
        == "Removed 0 expired records, 0 sessions, 0 events, 0 deliveries and 0 decisions.\n")
  }

  @Test func `D6: lifetimes are settings of a project`() throws {
    func console(_ code: String) throws -> Program.Outcome {
      try Program.run(["-e", code, "--store", "sqlite:\(folder.store)"], in: folder)
    }
    let set = try console(
      "settings.set { eventRetentionDays = 90, sessionRetentionDays = 30 }; "
        + "print(settings.get().eventRetentionDays, settings.get().sessionRetentionDays)")
    #expect(set.output.contains("90") && set.output.contains("30"), "\(set.output)\(set.errors)")
    let refused = try console("settings.set { eventRetentionDays = 29 }")
    #expect(refused.status != 0)
    #expect(refused.errors.contains("at least 30"), "\(refused.errors)")
  }

  @Test func `D6: an import without a web service leaves the outbox empty`() throws {
    let file = try folder.write(
      "users.json", "{\"users\": [{\"localId\": \"a\"}, {\"localId\": \"b\"}]}")
    let outcome = try Program.run(
      ["import", file, "--store", "sqlite:\(folder.store)"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try sqlite(folder.store, "select count(*) from events") == "2")
    #expect(try sqlite(folder.store, "select count(*) from outbox") == "0")
  }

  @Test func `D7: an import opens the tenant that it names`() throws {
    let file = try folder.write("users.json", "{\"users\": [{\"localId\": \"a\"}]}")
    let outcome = try Program.run(
      ["import", "--tenant", "t", file, "--store", "sqlite:\(folder.store)"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try sqlite(folder.store, "select tenant from settings") == "t")
    #expect(try sqlite(folder.store, "select tenant from accounts") == "t")
    let refused = try Program.run(
      [
        "-e", "accounts.create { uid = 'b' }", "--tenant", "never", "--store",
        "sqlite:\(folder.store)",
      ], in: folder)
    #expect(refused.errors.contains("tenant-not-found"), "\(refused.errors)")
  }
}
