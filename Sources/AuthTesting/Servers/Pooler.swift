#if os(Linux) || os(macOS)
  import Foundation

  /// A pgbouncer for tests, in front of a PostgreSQL server.
  ///
  /// It ends with the process that started it, however that ends, and its folder is removed. All calls block.
  public final class Pooler: Sendable {
    /// The time for which a client keeps a server connection.
    public enum Mode: String, Sendable, CaseIterable {
      case session, transaction, statement
    }

    /// The port on the loopback interface.
    public let port: Int
    private let folder: String
    private let server: PostgresServer
    private let size: Int
    private let settings: [String: String]
    private let guardian: FolderGuard
    private let process: ServerProcess

    /// Starts a pooler with up to `size` connections to a test server, and waits until it accepts clients.
    ///
    /// Throws ``PostgresServerFailure``, which says what to install if pgbouncer is missing.
    public init(
      before server: PostgresServer, mode: Mode, size: Int = 20, settings: [String: String] = [:]
    ) throws {
      let name = "authgraph-pooler-\(UUID().uuidString.prefix(8))"
      folder = FileManager.default.temporaryDirectory.appending(path: name).path
      self.server = server
      self.size = size
      self.settings = settings
      // The guard of a server's folder finds the process there.
      try FileManager.default.createDirectory(
        atPath: "\(folder)/data", withIntermediateDirectories: true)
      guardian = try FolderGuard(folder)
      try PostgresPrograms.giveToServer(folder)
      try PostgresPrograms.giveToServer("\(folder)/data")
      try "\"postgres\" \"\"\n".write(
        toFile: "\(folder)/users", atomically: false, encoding: .utf8)
      var tries = 0
      while true {
        tries += 1
        let port = try PostgresFolder.freePort()
        try Self.configuration(
          folder, port: port, server: server, mode: mode, size: size, settings: settings
        ).write(toFile: "\(folder)/pgbouncer.ini", atomically: false, encoding: .utf8)
        let process = try ServerProcess(
          PostgresPrograms.asServer + [try Self.program, "\(folder)/pgbouncer.ini"],
          output: "\(folder)/log")
        if Self.isReady(process, at: port) {
          (self.port, self.process) = (port, process)
          return
        }
        process.end(by: SIGKILL)
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        // Another process may take the port before the pooler listens.
        guard tries < 20, log.contains("Address already in use") else {
          try? FileManager.default.removeItem(atPath: folder)
          throw PostgresServerFailure("pgbouncer does not start:\n\(log)")
        }
        try? FileManager.default.removeItem(atPath: "\(folder)/log")
      }
    }

    deinit {
      process.end(by: SIGKILL)
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Returns the URL for a store.
    public func url(schema: String? = nil, options: [String] = []) -> String {
      let query = ((schema.map { ["schema=\($0)"] } ?? []) + options).joined(separator: "&")
      return "postgres://postgres@127.0.0.1:\(port)/postgres" + (query.isEmpty ? "" : "?\(query)")
    }

    /// Changes the mode of the running pooler, as an admin does with `RELOAD`.
    public func change(to mode: Mode) throws {
      try Self.configuration(
        folder, port: port, server: server, mode: mode, size: size, settings: settings
      ).write(toFile: "\(folder)/pgbouncer.ini", atomically: false, encoding: .utf8)
      try run("reload")
    }

    /// Runs a command on the console and returns the rows with `|` between the columns.
    @discardableResult
    public func run(_ command: String) throws -> String {
      try Self.run(command, at: port)
    }

    private static func run(_ command: String, at port: Int) throws -> String {
      try PostgresPrograms.run([
        try PostgresPrograms.path("psql"), "-X", "-q", "-A", "-t", "-d",
        "postgres://postgres@127.0.0.1:\(port)/pgbouncer", "-c", command,
      ])
    }

    private static var program: String {
      get throws {
        let places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
        guard let found = places.first(where: FileManager.default.isExecutableFile) else {
          throw PostgresServerFailure(
            "pgbouncer is not there. On Debian: apt-get install pgbouncer")
        }
        return found
      }
    }

    private static func configuration(
      _ folder: String, port: Int, server: PostgresServer, mode: Mode, size: Int,
      settings: [String: String]
    ) -> String {
      var all = [
        "listen_addr": "127.0.0.1", "listen_port": "\(port)", "unix_socket_dir": "",
        "auth_type": "trust", "auth_file": "\(folder)/users", "admin_users": "postgres",
        "pool_mode": mode.rawValue, "default_pool_size": "\(size)",
        "pidfile": "\(folder)/data/postmaster.pid", "server_login_retry": "1",
      ]
      all.merge(settings) { _, own in own }
      return """
        [databases]
        * = host=127.0.0.1 port=\(server.port ?? 0)
        [pgbouncer]
        \(all.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: "\n"))

        """
    }

    /// Waits until a pooler accepts clients; returns false if it ended instead.
    private static func isReady(_ process: ServerProcess, at port: Int) -> Bool {
      let deadline = ContinuousClock.now + .seconds(60)
      while process.isRunning, ContinuousClock.now < deadline {
        // A moment before its end it would be another process that answers.
        if (try? run("show version", at: port)) != nil, process.isRunning { return true }
        usleep(20_000)
      }
      return false
    }
  }
#endif
