import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on a port of 127.0.0.1 and answers as it is told, honestly or not.
///
/// Every test starts its own; that takes a millisecond or two. It stops with ``stop()``, or when nobody
/// holds it any more. It writes down every request that arrives whole, before it answers.
public final class VendorServer: Sendable {
  /// Answers a request, or gives nil where there is nothing at the path, which is then 404.
  public typealias Routes = @Sendable (VendorRequest) -> VendorResponse?

  /// The path that ``HostileTransport/redirectToAnotherHost`` leads to.
  public static let elsewhere = "/elsewhere"

  public let port: Int
  let log: ServerLog
  private let listener: Task<Void, Never>

  private init(port: Int, log: ServerLog, listener: Task<Void, Never>) {
    self.port = port
    self.log = log
    self.listener = listener
  }

  deinit { listener.cancel() }

  /// Binds a port and begins to answer; throws what the system says where the port is not to be had.
  ///
  /// - `port`: The port, or 0 for one that is free.
  /// - `routes`: What to answer; can be given later with ``answer(with:)``.
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
    // Lives as long as the server, whose stop and deinit cancel it; no caller waits for it meanwhile.
    let listener = Task { await listen(on: channel, port: bound, log) }
    return VendorServer(port: bound, log: log, listener: listener)
  }

  /// Closes the port and every connection, and returns when that is done.
  public func stop() async {
    listener.cancel()
    await listener.value
  }

  private static func listen(
    on channel: NIOAsyncChannel<VendorConnection.Wire, Never>, port: Int, _ log: ServerLog
  ) async {
    // Accepting ends with an error where the process has no file descriptors left; then nothing is
    // answered any more, which a test sees by itself.
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
  /// `127.0.0.1:PORT`, as a list of private hosts wants it.
  public var host: String { "127.0.0.1:\(port)" }

  /// `http://127.0.0.1:PORT`, without a slash at the end.
  public var url: String { "http://\(host)" }

  /// The URL of a path, which begins with a slash.
  public func url(_ path: String) -> String { url + path }

  /// Says what is answered from now on.
  public func answer(with routes: @escaping Routes) { log.answer(with: routes) }

  /// Every request so far, in the order in which they came.
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

  /// Misbehaves from now on, in place of what was ordered for the same path before.
  ///
  /// - `behavior`: In which way.
  /// - `path`: Where; nil for every path for which nothing of its own was ordered.
  /// - `times`: For how many requests; nil for all.
  public func misbehave(_ behavior: HostileTransport, at path: String? = nil, times: Int? = nil) {
    log.misbehave(behavior, at: path, times: times)
  }

  /// Behaves well again everywhere.
  public func behave() { log.behaveEverywhere() }

  /// Takes back what was ordered for one path.
  public func behave(at path: String) { log.misbehave(nil, at: path, times: nil) }

  /// How long a slow answer takes; a second where nothing is said.
  public var slowness: Duration {
    get { log.slowness }
    set { log.slowness = newValue }
  }
}
