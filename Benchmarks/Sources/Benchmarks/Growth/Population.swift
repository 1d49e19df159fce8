import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import GrowthModel
import LuaPlugins
import MeasuredWork
import PostgresStore

/// The measured accounts, each with two identities, a verified address, two events and a session.
struct Population {
  static let scope = Scope(project: "growth")
  static let first = ProviderID("one.example")
  static let second = ProviderID("two.example")
  static let schema = "growth"

  let server: PostgresServer

  func url(port: Int? = nil, connections: Int = 16) -> String {
    let plain = server.url(schema: Self.schema, options: ["connections=\(connections)"])
    guard let port, let own = server.port else { return plain }
    return plain.replacing(":\(own)/", with: ":\(port)/")
  }

  static func graph(on store: PostgresStore) -> AccountGraph {
    AccountGraph(
      store: store,
      providers: ProviderRegistry([first, second].map { FakeProvider(id: $0) }),
      policies: LuaPolicyCompiler())
  }

  static let admin = Caller(scope: scope, authority: .admin("growth"))
  static let anyone = Caller(scope: scope, authority: .anyone)

  /// Makes the first accounts, each by a sign-in, a session and a link as a server makes them.
  func make(_ count: Int) async throws {
    try server.drop(Self.schema)
    let store = try PostgresStore(url: url())
    defer { store.close() }
    let graph = Self.graph(on: store)
    _ = try await graph.changeSettings(by: Self.admin) { $0.trust[Self.first] = .always }
    let callers = 16
    try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        group.addTask {
          for number in stride(from: caller, to: count, by: callers) {
            try await Self.add(number, graph)
          }
        }
      }
      try await group.waitForAll()
    }
    try tidyUp()
  }

  private static func add(_ number: Int, _ graph: AccountGraph) async throws {
    let person = Person.new(number)
    let signedIn = try await graph.signIn(try person.credential, by: anyone)
    try await saveSession(signedIn, graph)
    _ = try await graph.link(
      try FakeProvider(id: second).credential(
        subject: person.subject, displayName: person.name),
      to: signedIn.account.id, by: session(of: signedIn.account.id))
  }

  static func session(of id: AccountID) -> Caller {
    // An unlink just before ended sessions that began before the next full second.
    let begun = Timestamp.now().adding(seconds: 2)
    return Caller(scope: scope, authority: .session(id, signedInAt: begun, secondFactor: false))
  }

  /// Stores a session as the token service does.
  static func saveSession(_ result: SignInResult, _ graph: AccountGraph) async throws {
    let scope = Self.scope
    let record = SessionRecord(
      id: sessionID(), account: result.account.id, provider: first,
      identity: result.session?.identity, signedInAt: .now(), secondFactor: nil, claims: .null,
      createdAt: .now())
    try await graph.store.write { try $0.save(record, in: scope) }
  }

  /// Returns 43 characters, like a SHA-256 in base64url.
  private static func sessionID() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<43).map { _ in letters[Int.random(in: 0..<64)] })
  }

  /// Returns a subject of 20 digits that is far from that of the previous number.
  static func subject(_ number: Int) -> String {
    var generator = SplitMix(seed: UInt64(number))
    let text = String(generator.next())
    return text + String(repeating: "0", count: 20 - text.count)
  }

  /// Multiplies the accounts within the database: the same rows under other names, so that a million takes minutes.
  func multiply(by factor: Int) throws {
    guard factor > 1 else { return }
    for (table, replaced) in Self.copied.sorted(by: { $0.key < $1.key }) {
      let columns = try server.run(
        """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = '\(Self.schema)' AND table_name = '\(table)' ORDER BY ordinal_position
        """
      ).split(separator: "\n").map(String.init)
      let values = columns.map { replaced[$0] ?? $0 }
      try server.run(
        """
        INSERT INTO \(Self.schema).\(table) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", "))
        FROM \(Self.schema).\(table), generate_series(2, \(factor)) AS copy
        """)
    }
    try tidyUp()
  }

  private static let uid = "left(md5(uid || copy), 28)"

  private static let sessionName =
    "left(translate(encode(sha256((id || copy)::bytea), 'base64'), '+/=', '-_'), 43)"

  private static let sessionSubject = "(json::json -> 'identity' ->> 'subject')"

  private static func subject(of original: String) -> String {
    "left(translate(md5(\(original) || copy), 'abcdef', '012345'), 20)"
  }

  /// The differences of the copies, by column.
  private static var copied: [String: [String: String]] {
    let earlier = "sequence - copy * (1::bigint << 44)"
    return [
      "accounts": [
        "uid": uid, "email": "copy || 'x' || email",
        "email_canonical": "copy || 'x' || email_canonical",
        "verified_email": "copy || 'x' || verified_email",
      ],
      "identities": [
        "uid": uid, "email": "copy || 'x' || email",
        "subject": subject(of: "subject"),
      ],
      "event_accounts": ["uid": uid, "sequence": earlier],
      "events": [
        "sequence": earlier, "id": "upper(left(md5(id || copy), 16))",
        "account": "left(md5(account || copy), 28)",
      ],
      "sessions": [
        "uid": uid, "id": sessionName,
        "json": """
        replace(replace(replace(json, uid, \(uid)), id, \(sessionName)),
          \(sessionSubject), \(subject(of: sessionSubject)))
        """,
      ],
    ]
  }

  private func tidyUp() throws {
    try server.run("VACUUM (ANALYZE)")
    try server.run("CHECKPOINT")
  }

  var accounts: Int {
    get throws { Int(try server.run("SELECT count(*) FROM \(Self.schema).accounts")) ?? 0 }
  }

  func tables() throws -> [TableCost] {
    try server.run(
      """
      SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
      WHERE relnamespace = '\(Self.schema)'::regnamespace AND relkind = 'r' ORDER BY 2 DESC
      """
    ).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|")
      guard parts.count == 3, let bytes = Int(parts[1]), let index = Int(parts[2]) else {
        return nil
      }
      return TableCost(name: String(parts[0]), bytes: bytes, indexBytes: index)
    }
  }

  /// Returns the number of pages of the index in which every change looks for the account's last event.
  func leafPages() throws -> Int {
    Int(
      try server.run(
        "SELECT relpages FROM pg_class WHERE oid = '\(Self.schema).event_accounts_pkey'::regclass")
    ) ?? 1
  }

  /// Measures the time of rebuilding the unique index of identities, in microseconds a row.
  func indexRowTime() throws -> Double {
    let rows = Double(try server.run("SELECT count(*) FROM \(Self.schema).identities")) ?? 1
    let start = ContinuousClock.now
    try server.run("REINDEX INDEX \(Self.schema).identities_by_key")
    return (ContinuousClock.now - start) / .microseconds(1) / max(1, rows)
  }

  /// Returns random accounts, as their first provider knows them; none that was merged or lacks an identity.
  func sample(_ count: Int, seed: UInt64) throws -> [Person] {
    try server.run(
      """
      SELECT uid, subject, email, display_name, photo_url,
        (SELECT min(id) FROM \(Self.schema).sessions WHERE sessions.project = chosen.project
          AND sessions.tenant = chosen.tenant AND sessions.uid = chosen.uid)
      FROM (SELECT * FROM \(Self.schema).identities AS one
        WHERE provider = '\(Self.first)' AND position = 0
          AND EXISTS (SELECT 1 FROM \(Self.schema).identities AS two
            WHERE two.project = one.project AND two.tenant = one.tenant AND two.uid = one.uid
              AND two.position = 1 AND two.subject = one.subject)
          AND NOT EXISTS (SELECT 1 FROM \(Self.schema).identities AS more
            WHERE more.project = one.project AND more.tenant = one.tenant AND more.uid = one.uid
              AND more.position = 2)
        ORDER BY md5(uid || '\(seed)') LIMIT \(count)) AS chosen
      """
    ).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|").map(String.init)
      guard parts.count == 6 else { return nil }
      return Person(
        id: AccountID(parts[0]), subject: parts[1], email: parts[2], name: parts[3],
        photo: parts[4], session: parts[5])
    }
  }

  struct Person {
    let id: AccountID
    let subject: String
    let email: String
    let name: String
    let photo: String
    /// The ID of one of the sessions.
    let session: String

    /// The first provider's result for each sign-in of the person.
    var credential: Credential {
      get throws {
        try FakeProvider(id: first).credential(
          subject: subject, email: email, emailVerified: true, displayName: name, photoURL: photo)
      }
    }

    static func new(_ number: Int) -> Person {
      let subject = Population.subject(number)
      return Person(
        id: AccountID(""), subject: subject, email: "person\(subject)@example.com",
        name: "Person \(number)", photo: "https://photos.example/\(subject)?size=96", session: "")
    }
  }
}
