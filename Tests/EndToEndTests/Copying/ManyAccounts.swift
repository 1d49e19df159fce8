import Foundation
import TestSupport

/// Makes large stores in SQLite, with SQL that bypasses the store.
enum ManyAccounts {
  /// The number of accounts to copy: `AUTHGRAPH_COPY_ACCOUNTS`, or a number that takes seconds.
  static let count = TestBudget.count("AUTHGRAPH_COPY_ACCOUNTS", usual: 2000)

  /// Adds accounts with three identities each, and sessions and events for every tenth.
  ///
  /// Everything is a function of the account's number. The uids are in random order, and the rows in the order of uids.
  static func add(_ count: Int, to store: String) throws {
    let numbers = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)),
      a AS (SELECT i, printf('%08x%020d', i * 2654435761 % 4294967296, i) AS uid FROM n)
      """
    try sqlite(
      store,
      """
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -500000;
      BEGIN;
      INSERT INTO accounts (project, tenant, uid, revision, email, email_canonical, email_verified,
        verified_email, display_name, photo_url, disabled, is_anonymous, created_at, last_sign_in_at)
      \(numbers) SELECT 'default', '', uid, 1, 'Person' || i || '@Example.com',
        'person' || i || '@example.com', 1, 'person' || i || '@example.com', 'Person Number ' || i,
        'https://photos.example.com/people/' || i || '/portrait.jpg?size=96', 0, 0, 1700000000000 + i,
        1750000000000 + i FROM a ORDER BY uid;
      INSERT INTO identities (project, tenant, uid, position, provider, issuer, subject, email,
        display_name, photo_url, email_verified, origin, linked_at, secret, secret_changed_at)
      \(numbers) SELECT 'default', '', uid, k.position, k.provider, '',
        CASE k.position WHEN 0 THEN printf('%021d', i * 7919) WHEN 1 THEN printf('%016d', i * 104729)
          ELSE 'person' || i || '@example.com' END,
        'Person' || i || '@Example.com', 'Person Number ' || i,
        'https://photos.example.com/people/' || i || '/portrait.jpg?size=96', 1, 'imported',
        1700000000000 + i,
        CASE k.position WHEN 2 THEN
          '$scrypt$ln=15,r=8,p=1$c2FsdHNhbHRzYWx0$' || printf('%064x', i) END,
        CASE k.position WHEN 2 THEN 1700000000000 END
      FROM a JOIN (SELECT 0 AS position, 'google.com' AS provider UNION ALL SELECT 1, 'facebook.com'
        UNION ALL SELECT 2, 'password') AS k ORDER BY uid, k.position;
      INSERT INTO sessions (project, tenant, id, uid, json)
      \(numbers) SELECT 'default', '', printf('%064x', i * 7919 % 1000003 * 1000003 + i), uid,
        '{"createdAt":1700000000000,"id":"x"}' FROM a WHERE i % 10 = 0;
      INSERT INTO events (project, tenant, id, at, actor, action, account, details)
      \(numbers) SELECT 'default', '', printf('%016x', i), 1700000000000 + i, 'admin:import', 'update',
        uid, '{"fields":["displayName"]}' FROM a WHERE i % 10 = 0;
      INSERT INTO event_accounts (project, tenant, uid, sequence)
        SELECT project, tenant, account, sequence FROM events WHERE actor = 'admin:import';
      INSERT INTO outbox (sequence) SELECT sequence FROM events
        WHERE actor = 'admin:import' AND sequence % 10 = 0;
      COMMIT;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
  }

  /// Runs SQL with SQLite's shell, and returns its output.
  @discardableResult
  static func sqlite(_ store: String, _ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", store, sql]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "sqlite3 failed") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
