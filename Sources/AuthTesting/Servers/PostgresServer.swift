#if os(Linux) || os(macOS)
  import Foundation
  import NIOConcurrencyHelpers

  /// A PostgreSQL of the tests' own, in a folder of its own, that may be killed, paused and started again.
  ///
  /// It listens on a free port of the loopback interface and on a socket in its folder, and lets everybody in. Where
  /// the tests run as root it runs as the user `postgres`, since it refuses to be root. It ends with the process that
  /// started it, however that ends, and its folder goes with it.
  ///
  /// Most tests need no server but one schema: ``shared`` and ``schema(_:)``. Everything here waits for another process.
  public final class PostgresServer: Sendable {
    /// How a server is to run.
    public struct Options: Sendable {
      /// Whether what was committed survives the loss of power; without it tests are faster.
      public var isDurable = true
      /// Addresses to listen on beside 127.0.0.1.
      public var addresses: [String] = []
      /// Lines of `pg_hba.conf`, the first that fits a connection decides.
      public var accessRules = ["local all all trust", "host all all all trust"]
      /// Further settings, by their names in `postgresql.conf`; values are quoted as needed.
      public var settings: [String: String] = [:]
      /// Files to put into the folder before the first start, by name; only the server's user can read them.
      public var files: [String: String] = [:]

      public init() {}
    }

    enum Source {
      /// A folder that we made, and the process that runs on it.
      case own(PostgresFolder)
      /// Somebody else's server.
      case other(url: String)
    }

    let source: Source
    private let process = NIOLockedValueBox<ServerProcess?>(nil)

    /// Makes a new, empty cluster and starts it.
    ///
    /// Throws ``PostgresServerFailure``, which says what to install where PostgreSQL is missing.
    public init(_ options: Options = Options()) throws {
      source = .own(try PostgresFolder(options))
      try start()
    }

    /// Makes a hot standby of another server: a copy that follows it and can be read.
    ///
    /// That server has to let `replication` in, which `host replication all all trust` of its rules does.
    public init(following primary: PostgresServer, _ options: Options = Options()) throws {
      source = .own(try PostgresFolder(options, following: try primary.ownFolder()))
      try start()
    }

    /// Takes a server that runs already and is not ours, at an address as libpq knows it.
    ///
    /// It can be asked for schemas, but is neither stopped nor killed.
    public init(runningAt url: String) {
      source = .other(url: url)
    }

    deinit {
      process.withLockedValue { $0?.end(by: SIGKILL) }
      if case .own(let folder) = source { folder.remove() }
    }

    /// The folder of the cluster; nil of a server that is not ours.
    public var folder: String? {
      if case .own(let folder) = source { folder.path } else { nil }
    }

    /// The port of a server of our own, the same after each start.
    public var port: Int? {
      if case .own(let folder) = source { folder.port } else { nil }
    }

    /// Starts it and waits until it accepts connections; nothing where it runs.
    ///
    /// After ``kill()`` the old server's processes may need a moment to see that they are alone, so it is tried for a while.
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

    /// Ends it in good order: transactions are cut off, and everything is written.
    public func stop() throws {
      try end(by: SIGINT)
    }

    /// Ends it as a crash would, in the middle of everything.
    public func kill() throws {
      try end(by: SIGKILL)
    }

    /// Stops and starts it.
    public func restart() throws {
      try stop()
      try start()
    }

    /// Lets it and its processes stand still; connections stay open, and nobody answers.
    public func pause() throws {
      _ = try ownFolder()
      process.withLockedValue { $0?.signalAll(SIGSTOP) }
    }

    /// Lets it go on.
    public func resume() throws {
      _ = try ownFolder()
      process.withLockedValue { $0?.signalAll(SIGCONT) }
    }

    /// What the server wrote until now.
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
        throw PostgresServerFailure("This PostgreSQL belongs to somebody else; it is left alone.")
      }
      return folder
    }
  }

  /// A server that could not be made, started or asked.
  public struct PostgresServerFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
