import AuthCore
import BuiltInProviders
import HTTPClientTransport
import IdentityToolkitService
import Logging
import LuaPlugins
import SQLiteStore
import SessionTokens

/// Puts a server together from its configuration.
struct ServerAssembly {
  let store: any AccountStore
  let transport: HTTPClientTransport
  let plugins: PluginSet
  let secrets: any SecretSealing
  let sender: ReloadableSender
  let graph: AccountGraph
  let services: ServerServices

  /// Opens the store, which is made where there is none, and loads plug-ins.
  ///
  /// Throws where the store, a folder of plug-ins or a way of messages cannot be used.
  init(_ configuration: Configuration, publicURL: String, logger: Logger) throws {
    let store: any AccountStore
    switch configuration.store {
    case .memory: store = try SQLiteStore.inMemory()
    case .sqlite(let path): store = try SQLiteStore(path: path)
    }
    let transport = HTTPClientTransport()
    let builtIn = ProviderRegistry.builtIn(
      transport: transport,
      passwordParameters: { id, scope in
        let settings = try await store.read { try $0.settings(of: scope) }
        return try settings.passwordHashParameters[id].map {
          try PasswordHashParameters(stored: $0)
        }
      })
    plugins = try Self.plugins(configuration.plugins, transport, logger)
    secrets = configuration.sealing
    sender = ReloadableSender(try configuration.messages.sender(transport))
    var graphServices = GraphServices(secrets: secrets, messages: sender, totp: HMACTOTP())
    let isEmulator = configuration.mode == .emulator
    graphServices.behavior = isEmulator ? .emulator : .production
    let tokens = TokenService(
      style: isEmulator ? .unsigned : .signed(configuration.signing), store: store, secrets: secrets
    )
    graphServices.hooks = JoinedHooks([
      LuaSignInHooks(),
      HTTPSignInHooks(
        transport: transport, tokens: tokens, privateHosts: configuration.functions.privateHosts,
        timeout: .seconds(configuration.functions.timeoutSeconds)),
    ])
    let providers = builtIn.adding(plugins)
    graph = AccountGraph(
      store: store, providers: isEmulator ? .emulator(over: providers) : providers,
      policies: LuaPolicyCompiler(),
      services: graphServices)
    let admins = AdminTokens(store: store)
    services = ServerServices(
      graph: graph,
      tokens: tokens,
      mode: configuration.mode, settings: configuration.settings(publicURL: publicURL),
      admins: { token, project in
        try await admins.check(token, project: project).map { identity in
          AdminRight(name: identity.name, scopes: Set(identity.scopes.map(\.rawValue)))
        }
      },
      watch: ServerWatch(logger: logger),
      administration: Administration(tokens: admins, plugins: plugins))
    self.store = store
    self.transport = transport
  }

  private static func plugins(
    _ folders: [String], _ transport: any HTTPTransport, _ logger: Logger
  ) throws -> PluginSet {
    let host = PluginHost(
      transport: transport,
      log: { record in
        logger.log(
          level: record.logLevel, "\(record.message)",
          metadata: [
            "provider": "\(record.provider)", "place": record.place.map { "\($0)" } ?? "-",
          ])
      })
    let plugins = PluginSet(host: host)
    for folder in folders { try plugins.add(folder: folder) }
    for news in plugins.scan() { news.tell(logger) }
    return plugins
  }
}

extension Configuration {
  /// What keeps the secrets of the store.
  var sealing: any SecretSealing {
    if let keyFile { return KeyFileSealing(path: keyFile) }
    return switch store {
    case .memory: EphemeralSealing()
    case .sqlite(let path): KeyFileSealing(path: "\(path).key")
    }
  }

  /// What handlers of requests are told.
  func settings(publicURL: String) -> ServerSettings {
    var settings = ServerSettings(project: project, publicURL: publicURL)
    settings.projects = projects
    settings.apiKeys = apiKeys
    settings.rateLimits = rateLimits
    settings.trustedProxies = trustedProxies
    settings.allowedOrigins = allowedOrigins
    if let projectNumber { settings.projectNumber = projectNumber }
    return settings
  }
}

extension PluginLogRecord {
  var logLevel: Logger.Level { Logger.Level(rawValue: level.rawValue) ?? .warning }
}

extension PluginNews {
  /// Writes it to the log.
  func tell(_ logger: Logger) {
    switch self {
    case .loaded(let change):
      logger.info(
        change.to == nil ? "A plug-in is gone." : "A plug-in was loaded.",
        metadata: ["provider": "\(change.provider)", "version": "\(change.to ?? "-")"])
    case .refused(let file, let error):
      logger.error(
        "A plug-in cannot be used.", metadata: ["file": "\(file)", "error": "\(error)"])
    }
  }
}
