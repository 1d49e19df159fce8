#if os(Linux) || os(macOS)
  import Foundation
  import Synchronization

  extension PostgresServer {
    private static let started = Result { try start() }
    private static let count = Atomic(0)

    /// The server that the tests of a process share, started on first use.
    ///
    /// If `AUTHGRAPH_TEST_POSTGRES` is set, it is the server at that URL.
    public static var shared: PostgresServer {
      get throws { try started.get() }
    }

    private static func start() throws -> PostgresServer {
      if let url = ProcessInfo.processInfo.environment["AUTHGRAPH_TEST_POSTGRES"], !url.isEmpty {
        return PostgresServer(runningAt: url)
      }
      // Durability matters only for power cuts; a killed process loses the same either way.
      var options = Options()
      options.isDurable = false
      return try PostgresServer(options)
    }

    /// Returns the server's libpq URL for a store, with a schema if one is named.
    public func url(
      schema: String? = nil, user: String = "postgres", password: String? = nil,
      host: String = "127.0.0.1", options: [String] = []
    ) -> String {
      let base =
        switch source {
        case .own(let folder):
          "postgres://\(user)\(password.map { ":\($0)" } ?? "")@\(host):\(folder.port)/postgres"
        case .other(let url): url
        }
      let query = (schema.map { ["schema=\($0)"] } ?? []) + options
      guard !query.isEmpty else { return base }
      return base + (base.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }

    /// Returns a unique name for a schema, which begins with its topic.
    public func newSchemaName(_ topic: String = "case") -> String {
      let number = Self.count.add(1, ordering: .relaxed).newValue
      let time = UInt64(Date().timeIntervalSince1970 * 1000) % 1_000_000_000
      return "test_\(topic)_\(ProcessInfo.processInfo.processIdentifier)_\(time)_\(number)"
    }

    /// Runs a closure with the URL of a new schema, and drops the schema afterwards.
    public func withSchema<Value>(
      _ topic: String = "case", options: [String] = [],
      isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value
    ) async throws -> Value {
      let schema = newSchemaName(topic)
      do {
        let value = try await body(url(schema: schema, options: options))
        try drop(schema)
        return value
      } catch {
        try? drop(schema)
        throw error
      }
    }

    /// Drops a schema with everything in it, if it exists.
    public func drop(_ schema: String) throws {
      try run("set client_min_messages = warning; drop schema if exists \"\(schema)\" cascade")
    }

    /// Makes the server refuse changes, or accept them again.
    public func setReadOnly(_ isReadOnly: Bool) throws {
      let value = isReadOnly ? "on" : "off"
      try run("alter system set default_transaction_read_only = \(value)")
      try run("select pg_reload_conf()")
      while try run("show default_transaction_read_only") != value {}
    }

    /// Runs SQL directly, and returns the rows with `|` between the columns.
    @discardableResult
    public func run(_ sql: String) throws -> String {
      let psql = try PostgresPrograms.path("psql")
      return try PostgresPrograms.run([
        psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url(), "-c", sql,
      ])
    }
  }
#endif
