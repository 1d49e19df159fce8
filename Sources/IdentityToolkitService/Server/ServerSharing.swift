import AuthCore
public import LuaPlugins
import SessionTokens

/// Keeps a server in step with others that work on the same store.
///
/// What another server changes is forgotten here as soon as the store tells of it: signing keys, tokens of admins,
/// which tenants there are. Plug-ins are exchanged as ``LuaPlugins/SharedPlugins`` says, and counts of rate
/// limits about twice a second. Settings, policies, sessions, codes and sign-ins that have begun are read from
/// the store each time and need no word.
///
/// What a server is configured with is its own: API keys, limits, ways of messages, certificates. So are the
/// public keys of vendors, which every server fetches, and metrics.
public struct ServerSharing: Sendable {
  private let services: ServerServices
  private let store: any SharedStore
  private let plugins: SharedPlugins?
  private let tell: @Sendable (PluginNews) -> Void

  /// How long it takes until a store that ended its news is asked for them again.
  private static let pause = Duration.seconds(1)

  /// Takes the services of a server; nil where its store is not shared, and there is nothing to do.
  ///
  /// `tell` takes what became of plug-ins of other servers.
  public init?(
    _ services: ServerServices, tell: @escaping @Sendable (PluginNews) -> Void = { _ in }
  ) {
    guard let store = services.graph.store as? any SharedStore else { return nil }
    self.services = services
    self.store = store
    self.tell = tell
    plugins = services.administration.plugins.map { SharedPlugins($0, store: store) }
  }

  /// Exchanges plug-ins once, to be done before the first request.
  ///
  /// Throws what the store throws.
  public func prepare() async throws {
    for item in try await plugins?.exchange() ?? [] { tell(item) }
  }

  /// Listens and tells until the task is cancelled.
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
  /// Forgets what a change of the store made old.
  func forget(_ change: StoreChange) {
    tokens.keys.forget(change)
    administration.tokens?.forget(change)
    scopes.forget(change)
    graph.forget(change)
  }
}
