#if os(Linux) || os(macOS)
  import Foundation

  /// The files of a cluster, and the way to run a server on them.
  struct PostgresFolder: Sendable {
    let path: String
    private(set) var port: Int
    private let options: PostgresServer.Options
    private let guardian: FolderGuard

    private var data: String { "\(path)/data" }
    private var logFile: String { "\(path)/log" }

    /// Creates the files of a cluster: a new one, or a copy of another server's that then follows it.
    init(_ options: PostgresServer.Options, following primary: PostgresFolder? = nil) throws {
      let name = "authgraph-postgres-\(UUID().uuidString.prefix(8))"
      path = FileManager.default.temporaryDirectory.appending(path: name).path
      self.options = options
      port = try Self.freePort()
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      guardian = try FolderGuard(path)
      try PostgresPrograms.giveToServer(path)
      let origin =
        if let primary {
          [
            try PostgresPrograms.path("pg_basebackup"), "-D", data, "-U", "postgres", "-h",
            "127.0.0.1", "-p", "\(primary.port)", "-R", "-X", "stream", "-c", "fast", "--no-sync",
          ]
        } else {
          [
            try PostgresPrograms.path("initdb"), "-D", data, "-U", "postgres", "-A", "trust",
            "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
          ]
        }
      try PostgresPrograms.run(PostgresPrograms.asServer + origin)
      try write("data/pg_hba.conf", options.accessRules.joined(separator: "\n") + "\n")
      // A standby's file has its primary server's address, so the settings are appended.
      let said =
        primary == nil
        ? "" : try String(contentsOfFile: "\(data)/postgresql.auto.conf", encoding: .utf8)
      try write("data/postgresql.auto.conf", said + configuration)
      for (name, text) in options.files { try write(name, text) }
    }

    private var configuration: String {
      var settings = [
        "listen_addresses": (["127.0.0.1"] + options.addresses).joined(separator: ","),
        "unix_socket_directories": path, "max_connections": "200", "jit": "off",
        "fsync": options.isDurable ? "on" : "off",
      ]
      settings.merge(options.settings) { _, own in own }
      return settings.sorted { $0.key < $1.key }
        .map { "\($0.key) = '\($0.value.replacing("'", with: "''"))'\n" }.joined()
    }

    private func write(_ name: String, _ text: String) throws {
      let file = "\(path)/\(name)"
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      chmod(file, 0o600)
      try PostgresPrograms.giveToServer(file)
    }

    /// Starts a server, which is not ready yet.
    func run() throws -> ServerProcess {
      try ServerProcess(
        PostgresPrograms.asServer + [
          try PostgresPrograms.path("postgres"), "-D", data, "-p", "\(port)",
        ],
        output: logFile)
    }

    /// Starts the first server, on another port if the chosen one was taken in the meantime.
    mutating func runFirst() throws -> ServerProcess {
      for _ in 0..<20 {
        let process = try run()
        if waitUntilReady(process) { return process }
        process.end(by: SIGKILL)
        guard log.contains("Address already in use") else { break }
        port = try Self.freePort()
        try? FileManager.default.removeItem(atPath: logFile)
      }
      throw PostgresServerFailure("PostgreSQL does not start:\n\(log)")
    }

    /// Waits until a server accepts connections; returns false if it ended instead.
    func waitUntilReady(_ process: ServerProcess) -> Bool {
      let deadline = ContinuousClock.now + .seconds(60)
      while process.isRunning && ContinuousClock.now < deadline {
        // The first line of the server's own file is its process ID, the eighth its state.
        let lines =
          ((try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)) ?? "")
          .split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count >= 8, lines[0] == "\(process.id)", lines[7].hasPrefix("ready") {
          return true
        }
        usleep(10_000)
      }
      return false
    }

    var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

    func remove() {
      try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns a free port below the range of ephemeral ports, so that no connection takes it before the server does.
    static func freePort() throws -> Int {
      for _ in 0..<100 {
        let port = UInt16.random(in: 10_240..<32_768)
        if isFree(port) { return Int(port) }
      }
      throw PostgresServerFailure("No port is free.")
    }

    private static func isFree(_ port: UInt16) -> Bool {
      #if os(Linux)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      let descriptor = socket(AF_INET, kind, 0)
      defer { close(descriptor) }
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = inet_addr("127.0.0.1")
      place.sin_port = port.bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      return withUnsafePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0
        }
      }
    }
  }
#endif
