import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

/// `authgraph store copy`, as an operator runs it.
@Suite(.serialized) struct `A store that is copied` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func copy(_ url: String, _ more: String...) -> [String] {
    // The pages are small, so that there is something to interrupt.
    let page = "\(min(2000, max(5, ManyAccounts.count / 200)))"
    return ["store", "copy", "--from", "sqlite:\(folder.store)", "--to", url, "--page-size", page]
      + more
  }

  private func json(_ outcome: Program.Outcome) throws -> JSONValue {
    guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
    return try JSONValue(text: outcome.output)
  }

  @Test func `is equal in the end, even if the copying was killed several times`() async throws {
    try await PostgresServer.shared.withSchema("killed") { url in
      try await blocking { try killing(url) }
    }
  }

  private func killing(_ url: String) throws {
    let clock = ContinuousClock()
    #expect(try folder.lua("accounts.count()") == "0")
    let count = ManyAccounts.count
    let made = try clock.measure { try ManyAccounts.add(count, to: folder.store) }
    print("copied store: \(count) accounts made in \(made)")
    let seed = UInt64.random(in: .min ... .max)
    print("copied store: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var kills = 0
    let start = clock.now
    while kills < 2 {
      let delay = Double.random(in: 0...0.3, using: &generator) * max(1, Double(count) / 20_000)
      guard try kill(copy(url), url, after: min(delay, 15)) else { break }
      kills += 1
      // Between two runs a name, an identity's owner and the set of accounts change.
      try change(folder.store, kills)
      print("copied store: killed after \(delay) s, at \(clock.now - start)")
    }
    let outcome = try json(try Program.run(copy(url, "--json"), in: folder))
    print("copied store: equal at \(clock.now - start), of which the last run \(seconds(outcome))")
    // A fast copy may have added everything before the killer sees its progress.
    print("copied store: killed \(kills) times")
    #expect(kills == 0 || outcome["resumed"] == .bool(true))
    try check(url, outcome)

    let again = try json(try Program.run(copy(url, "--json"), in: folder))
    print("copied store: compared again in \(seconds(again))")
    #expect(again["digest"] == outcome["digest"])
    #expect(again["comparisons"] == .integer(1))
  }

  private func seconds(_ outcome: JSONValue) -> String { (outcome["seconds"]?.text ?? "") + " s" }

  private func change(_ store: String, _ round: Int) throws {
    try ManyAccounts.sqlite(
      store,
      """
      PRAGMA foreign_keys = ON;
      UPDATE accounts SET display_name = 'Changed \(round)' WHERE uid LIKE '%\(round)7';
      UPDATE accounts SET verified_email = NULL, email_verified = 0 WHERE uid LIKE '0%\(round)3';
      DELETE FROM accounts WHERE uid LIKE '%\(round)99';
      UPDATE identities SET uid = (SELECT min(uid) FROM accounts), position = 1000 * \(round) + place FROM (
        SELECT uid AS old, row_number() OVER (ORDER BY uid) AS place FROM identities
        WHERE position = 0 AND uid LIKE '%\(round)5' LIMIT 5) AS moved
      WHERE identities.uid = moved.old AND position = 0;
      """)
  }

  /// Compares the counts with both databases, and the copy with the source by the results of commands.
  private func check(_ url: String, _ outcome: JSONValue) throws {
    guard case .array(let tables)? = outcome["tables"] else {
      throw Failed(description: "no tables in \(outcome.text)")
    }
    #expect(tables.count == 14)
    for table in tables {
      guard case .string(let name)? = table["table"] else { continue }
      let rows = try ManyAccounts.sqlite(folder.store, "SELECT count(*) FROM \(name)")
      #expect(table["rows"]?.text == rows, "\(name)")
    }
    guard ManyAccounts.count <= 100_000 else { return }
    let source = try Program.run(["export"], in: folder)
    let target = try Program.run(["export", "--store", url], in: folder)
    #expect(source.status == 0 && target.status == 0, "\(target.errors)")
    #expect(target.output == source.output)
  }

  /// Starts a copy and kills it some time after it has made progress; returns false if it had ended.
  private func kill(_ arguments: [String], _ url: String, after seconds: Double) throws -> Bool {
    let schema = try #require(url.firstMatch(of: /schema=([a-z0-9_]+)/)).output.1
    func place() -> String {
      (try? PostgresServer.shared.run("select state, place from \(schema).store_copy")) ?? ""
    }
    let before = place()
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = arguments
    process.environment = folder.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, place() == before || !place().hasPrefix("adding|[") {
      usleep(10_000)
    }
    usleep(UInt32(seconds * 1_000_000))
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && place().hasPrefix("adding")
  }

  @Test func `takes no changes once it was moved, and the copy goes on`() async throws {
    try await PostgresServer.shared.withSchema("moved") { url in
      try await blocking { try moving(url) }
    }
  }

  private func moving(_ url: String) throws {
    let environment = ["AUTHGRAPH_STORE": url, "AUTHGRAPH_KEY_FILE": "\(folder.store).key"]
    #expect(try Program.run(["import", "Scripts/samples/people.json"], in: folder).status == 0)
    try folder.lua(
      "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = 'sesame' })")
    try folder.lua(
      "receipt = merge.plan('ada', 'ada2'):commit { reason = 'same' }; print(receipt.id)")

    let moved = try Program.run(copy(url, "--final"), in: folder)
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(moved.output.contains("is closed to changes"))
    #expect(moved.output.contains("needs the key file"))
    #expect(!moved.output.contains("postgres@"))

    let refused = try folder.run("accounts.create { uid = 'late' }")
    #expect(refused.status == 1 && refused.errors.contains("was moved"), "\(refused.errors)")
    #expect(try folder.lua("accounts.get('ada2').uid") == "ada")

    // In the copy, sealed texts open with the same key, and merges can be undone.
    let there = try Program.run(
      [
        "console", "-e", "print(accounts.get('ada2').uid)",
        "-e", "merge.undo(merge.list()[1].id)", "-e", "print(accounts.get('ada2').uid)",
        "-e", "print(providers['google.com'].configuration.clientIDs[1])",
      ], in: folder, environment: environment)
    #expect(there.status == 0, "\(there.errors)")
    #expect(there.output.contains("ada\n") && there.output.contains("ada2\n"), "\(there.output)")

    let again = try Program.run(copy(url), in: folder)
    #expect(again.status == 1 && again.errors.contains("was completed"), "\(again.errors)")

    let reopened = try Program.run(
      ["store", "reopen", "--store", "sqlite:\(folder.store)"], in: folder)
    #expect(reopened.output.contains("takes changes again"))
    #expect(try folder.run("accounts.create { uid = 'late' }").status == 0)
  }

  @Test(arguments: [
    (["--from", "sqlite:/nowhere/a.db", "--to", "postgres://x"], "There is no store"),
    (["--from", "memory:", "--to", "postgres://x"], "(from)"),
    (["--from", "postgres://ada:hunter22@h/d", "--to", "postgres://x"], "(from)"),
    (["--from", "STORE", "--to", "sqlite:other.db"], "(to)"), (["--from", "STORE"], "(to)"),
    (["--from", "STORE", "--to", "postgres://ada:hunter22@127.0.0.1:1/d"], "cannot be reached"),
    (["--from", "STORE", "--to", "postgres://ada:hun/ter22@127.0.0.1:1/d"], "%40"),
    (["--from", "STORE", "--to", "postgre://ada:hunter22@127.0.0.1:1/d"], "(to)"),
  ])
  func `reports the fault in its names, and no password`(
    _ arguments: [String], _ words: String
  ) throws {
    #expect(try folder.run("accounts.count()").status == 0)
    let named = arguments.map { $0 == "STORE" ? "sqlite:\(folder.store)" : $0 }
    let outcome = try Program.run(["store", "copy"] + named, in: folder)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("hun"), "\(outcome.errors)")
  }
}
