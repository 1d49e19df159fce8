import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on a port of 127.0.0.1 and answers as it is told, honestly or not.
///
/// Every test starts its own. It stops with ``stop()`` or when its last reference is released. It records every
/// complete request before it answers.
public final class VendorServer: Sendable {
  /// Answers a request; nil for an unknown path, which gets 404.
  public typealias Routes = @Sendable (VendorRequest) -> VendorResponse?

  /// The path to which ``HostileTransport/redirectToAnotherHost`` redirects.
  public static let elsewhere = "/elsewhere"

  /// The port.
  public let port: Int
  let log: ServerLog
  private let listener: Task<Void, Never>

  private init(port: Int, log: ServerLog, listener: Task<Void, Never>) {
    self.port = port
    self.log = log
    self.listener = listener
  }

  deinit { listener.cancel() }

  /// Binds a port and begins to answer; throws the system's error if the port is not available.
  ///
  /// - `port`: The port, or 0 for a free one.
  /// - `routes`: The answers, which ``answer(with:)`` can replace later.
  public static func start(
    port: Int = 0, answering routes: @escaping Routes = { _ in nil }
  ) async throws -> VendorServer {
    let log = ServerLog()
    log.answer(with: routes)
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try VendorConnection.Wire(wrappingChannelSynchronously: channel)
        }
      }
    let bound = channel.channel.localAddress?.port ?? port
    // Lives as long as the server, whose stop and deinit cancel it; no caller waits for it in between.
    let listener = Task { await listen(on: channel, port: bound, log) }
    return VendorServer(port: bound, log: log, listener: listener)
  }

  /// Closes the port and every connection, and returns afterwards.
  public func stop() async {
    listener.cancel()
    await listener.value
  }

  private static func listen(
    on channel: NIOAsyncChannel<VendorConnection.Wire, Never>, port: Int, _ log: ServerLog
  ) async {
    // Accepting ends with an error if the process has no file descriptors left. Then the server answers no more,
    // which a test notices by itself.
    try? await channel.executeThenClose { arrivals in
      try await withThrowingDiscardingTaskGroup { group in
        for try await wire in arrivals {
          group.addTask { await VendorConnection(wire: wire, port: port, log: log).run() }
        }
      }
    }
  }
}

extension VendorServer {
  /// `127.0.0.1:PORT`, as a list of private hosts needs it.
  public var host: String { "127.0.0.1:\(port)" }

  /// `http://127.0.0.1:PORT`, without a final slash.
  public var url: String { "http://\(host)" }

  /// The URL of a path, which begins with a slash.
  public func url(_ path: String) -> String { url + path }

  /// Sets the answers from now on.
  public func answer(with routes: @escaping Routes) { log.answer(with: routes) }

  /// Every request so far, in the order of arrival.
  public var requests: [VendorRequest] { log.requests }

  /// The requests to one path so far.
  public func requests(to path: String) -> [VendorRequest] {
    log.requests.filter { $0.path == path }
  }

  /// Empties the log.
  public func forgetRequests() { log.forget() }

  /// Waits until a number of requests to a path have arrived; throws `CancellationError`.
  public func wait(for count: Int = 1, requestsTo path: String) async throws {
    try await log.wait(for: count, to: path)
  }

  /// Shows a fault from now on, in place of an earlier one for the same path.
  ///
  /// - `behavior`: The fault.
  /// - `path`: The path; nil for every path without its own fault.
  /// - `times`: The number of requests; nil for all.
  public func misbehave(_ behavior: HostileTransport, at path: String? = nil, times: Int? = nil) {
    log.misbehave(behavior, at: path, times: times)
  }

  /// Ends all faults.
  public func behave() { log.behaveEverywhere() }

  /// Ends the fault of one path.
  public func behave(at path: String) { log.misbehave(nil, at: path, times: nil) }

  /// The duration of a slow answer; a second by default.
  public var slowness: Duration {
    get { log.slowness }
    set { log.slowness = newValue }
  }
}
