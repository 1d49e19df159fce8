import AuthCore
public import LuaPlugins
import SessionTokens

/// Synchronises a server with the other servers on its store.
///
/// It discards cached signing keys, admin tokens and tenants as soon as the store announces a change by another server.
/// Plug-ins are exchanged as ``LuaPlugins/SharedPlugins`` says, and counts of rate limits about twice a second.
/// Policies, sessions, codes and pending sign-ins are read from the store each time. Settings and accounts as last seen are
/// compared in each transaction; an announcement only saves asking again.
///
/// The configuration belongs to each server: API keys, limits, message senders, certificates. So do metrics and the
/// public keys of vendors, which every server fetches.
public struct ServerSharing: Sendable {
  private let services: ServerServices
  private let store: any SharedStore
  private let plugins: SharedPlugins?
  private let tell: @Sendable (PluginNews) -> Void

  /// The delay before the store's announcements are subscribed to again after they ended.
  private static let pause = Duration.seconds(1)

  /// Takes the services of a server.
  ///
  /// Returns nil if its store is not shared.
  ///
  /// `tell` is called with the news of plug-ins from other servers.
  public init?(
    _ services: ServerServices, tell: @escaping @Sendable (PluginNews) -> Void = { _ in }
  ) {
    guard let store = services.graph.store as? any SharedStore else { return nil }
    self.services = services
    self.store = store
    self.tell = tell
    plugins = services.administration.plugins.map { SharedPlugins($0, store: store) }
  }

  /// Exchanges plug-ins once, before the first request.
  ///
  /// Throws the store's errors.
  public func prepare() async throws {
    for item in try await plugins?.exchange() ?? [] { tell(item) }
  }

  /// Exchanges changes until the task is cancelled.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listen() }
      group.addTask {
        await SharedRates(limiter: services.limiter, store: store).run()
      }
      if let plugins {
        group.addTask {
          await plugins.run(tell) { services.telemetry.fault($0, in: "sharing plug-ins") }
        }
      }
    }
  }

  private func listen() async {
    while !Task.isCancelled {
      take(.anything)
      for await change in store.changes() { take(change) }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private func take(_ change: StoreChange) {
    services.forget(change)
    plugins?.hear(change)
  }
}

extension ServerServices {
  /// Discards cached values that a change of the store made stale.
  func forget(_ change: StoreChange) {
    tokens.keys.forget(change)
    administration.tokens?.forget(change)
    scopes.forget(change)
    graph.forget(change)
  }
}
