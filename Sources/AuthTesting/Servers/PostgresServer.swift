#if os(Linux) || os(macOS)
  import Foundation
  import NIOConcurrencyHelpers

  /// A PostgreSQL server for tests, in a folder of its own, that can be killed, paused and restarted.
  ///
  /// It listens on a free port of the loopback interface and on a socket in its folder, and admits every user. If the
  /// tests run as root, it runs as the user `postgres`, because PostgreSQL refuses root. It ends with the process
  /// that started it, however that ends, and its folder is removed.
  ///
  /// Most tests need no server of their own but one schema: ``shared`` and ``withSchema(_:options:isolation:_:)``.
  /// All calls block.
  public final class PostgresServer: Sendable {
    /// The options of a server.
    public struct Options: Sendable {
      /// True if commits survive a power cut.
      ///
      /// Tests are faster without it.
      public var isDurable = true
      /// The addresses to listen on besides 127.0.0.1.
      public var addresses: [String] = []
      /// The lines of `pg_hba.conf`.
      ///
      /// The first one that matches a connection decides.
      public var accessRules = ["local all all trust", "host all all all trust"]
      /// Further settings, by their names in `postgresql.conf`.
      ///
      /// Values are quoted as needed.
      public var settings: [String: String] = [:]
      /// Files to put into the folder before the first start, by name, readable by the server's user only.
      public var files: [String: String] = [:]

      /// Makes the default options.
      public init() {}
    }

    enum Source {
      /// A folder of this process, and the server on it.
      case own(PostgresFolder)
      /// A server that was started elsewhere.
      case other(url: String)
    }

    let source: Source
    private let process = NIOLockedValueBox<ServerProcess?>(nil)

    /// Creates a new, empty cluster and starts a server on it.
    ///
    /// Throws ``PostgresServerFailure``, which says what to install if PostgreSQL is missing.
    public convenience init(_ options: Options = Options()) throws {
      try self.init(startingIn: PostgresFolder(options))
    }

    /// Makes a hot standby, which follows another server and can be read.
    ///
    /// The other server has to admit `replication`, as its rule `host replication all all trust` does.
    public convenience init(following primary: PostgresServer, _ options: Options = Options())
      throws
    {
      try self.init(startingIn: PostgresFolder(options, following: try primary.ownFolder()))
    }

    private init(startingIn folder: PostgresFolder) throws {
      var folder = folder
      let started: ServerProcess
      do {
        started = try folder.runFirst()
      } catch {
        folder.remove()
        throw error
      }
      source = .own(folder)
      process.withLockedValue { $0 = started }
    }

    /// Takes a running server by its libpq URL.
    ///
    /// Schemas can be created in it, but it is neither stopped nor killed.
    public init(runningAt url: String) {
      source = .other(url: url)
    }

    deinit {
      process.withLockedValue { $0?.end(by: SIGKILL) }
      if case .own(let folder) = source { folder.remove() }
    }

    /// The folder of the cluster; nil for a server that was started elsewhere.
    public var folder: String? {
      if case .own(let folder) = source { folder.path } else { nil }
    }

    /// The port, the same after each start; nil for a server that was started elsewhere.
    public var port: Int? {
      if case .own(let folder) = source { folder.port } else { nil }
    }

    /// Starts the server and waits until it accepts connections; does nothing if it runs.
    ///
    /// After ``kill()``, old processes may need a moment to notice the end, so the start is tried repeatedly.
    public func start() throws {
      let folder = try ownFolder()
      try process.withLockedValue { process in
        if process?.isRunning == true { return }
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
          let started = try folder.run()
          if folder.waitUntilReady(started) {
            process = started
            return
          }
          started.end(by: SIGKILL)
          guard ContinuousClock.now < deadline else {
            throw PostgresServerFailure("PostgreSQL does not start:\n\(folder.log)")
          }
          usleep(50_000)
        }
      }
    }

    /// Stops the server in order: transactions are aborted, and everything is written.
    public func stop() throws {
      try end(by: SIGINT)
    }

    /// Kills the server, like a crash.
    public func kill() throws {
      try end(by: SIGKILL)
    }

    /// Stops and starts the server.
    public func restart() throws {
      try stop()
      try start()
    }

    /// Pauses the server and its processes.
    ///
    /// Connections stay open without answers.
    public func pause() throws {
      _ = try ownFolder()
      process.withLockedValue { $0?.signalAll(SIGSTOP) }
    }

    /// Resumes a paused server.
    public func resume() throws {
      _ = try ownFolder()
      process.withLockedValue { $0?.signalAll(SIGCONT) }
    }

    /// The server's log so far.
    public var log: String {
      if case .own(let folder) = source { folder.log } else { "" }
    }

    private func end(by signal: Int32) throws {
      _ = try ownFolder()
      process.withLockedValue { process in
        process?.end(by: signal)
        process = nil
      }
    }

    private func ownFolder() throws -> PostgresFolder {
      guard case .own(let folder) = source else {
        throw PostgresServerFailure("PostgreSQL was not started by the tests. It keeps running.")
      }
      return folder
    }
  }

  /// A failure to create, start or query a server.
  public struct PostgresServerFailure: Error, CustomStringConvertible {
    /// The problem, with a remedy if there is one.
    public let description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
