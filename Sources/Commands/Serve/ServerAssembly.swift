import AdminConsole
import AuthCore
import HTTPClientTransport
import IdentityToolkitService
import Logging
import LuaPlugins

/// Assembles a server from its configuration.
struct ServerAssembly {
  let store: any AccountStore
  let transport: HTTPClientTransport
  let plugins: PluginSet
  let sender: ReloadableSender
  let consoles: ServedConsoles
  let services: ServerServices
  /// The coordination with other servers; nil if only this machine uses the store.
  let sharing: ServerSharing?

  /// Opens the store, creates it if it does not exist, and loads plug-ins.
  ///
  /// Throws if the store, a folder of plug-ins or a message sender cannot be used.
  init(_ configuration: Configuration, publicURL: String, logger: Logger) throws {
    store = try configuration.store.open(replicas: configuration.replicas)
    transport = HTTPClientTransport()
    plugins = try Self.plugins(configuration, transport, logger)
    sender = ReloadableSender(try configuration.messages.sender(transport))
    var options = ServiceOptions()
    options.settings = configuration.settings(publicURL: publicURL)
    options.mode = configuration.mode
    options.messages = sender
    options.signing = configuration.signing
    options.privateHosts = configuration.functions.privateHosts
    options.functionTimeout = .seconds(configuration.functions.timeoutSeconds)
    options.plugins = plugins
    consoles = ServedConsoles(plugins: plugins)
    options.consoles = RoutedConsoles(consoles: consoles)
    options.telemetry = ServerTelemetry(logger: logger)
    services = ServerServices(
      store: store, secrets: configuration.sealing, transport: transport, options: options)
    sharing = ServerSharing(services) { $0.tell(logger) }
  }

  private static func plugins(
    _ configuration: Configuration, _ transport: any HTTPTransport, _ logger: Logger
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
    plugins.allowBundles(of: configuration.pluginKeys)
    for folder in configuration.plugins { try plugins.add(folder: folder) }
    for problem in configuration.plugins.flatMap(LockProblem.missing) {
      PluginNews.refused(file: problem.file, problem.error).tell(logger)
    }
    for news in plugins.scan() { news.tell(logger) }
    return plugins
  }
}

extension Configuration {
  /// The sealing of the store's secrets.
  var sealing: any SecretSealing { store.sealing(keyFile: keyFile) }

  /// Returns the settings for request handlers.
  func settings(publicURL: String) -> ServerSettings {
    var settings = ServerSettings(project: project, publicURL: publicURL)
    settings.projects = projects
    settings.apiKeys = apiKeys
    settings.rateLimits = rateLimits
    settings.trustedProxies = trustedProxies
    settings.allowedOrigins = allowedOrigins
    settings.metrics = metrics
    settings.singleProjectMode = singleProjectMode
    if let projectNumber { settings.projectNumber = projectNumber }
    return settings
  }
}

extension PluginLogRecord {
  var logLevel: Logger.Level { Logger.Level(rawValue: level.rawValue) ?? .warning }
}

extension PluginNews {
  /// Writes the news to the log.
  func tell(_ logger: Logger) {
    switch self {
    case .loaded(let change):
      var metadata: Logger.Metadata = [
        "provider": "\(change.provider)", "version": "\(change.to ?? "-")",
      ]
      metadata["replaced"] = change.from.map { "\($0)" }
      let event: Logger.Message =
        switch (change.from, change.to) {
        case (_, nil): "A plug-in is gone."
        case (nil, .some): "A plug-in was loaded."
        case (.some(let old), .some(let new)): "A plug-in was replaced: version \(old) by \(new)."
        }
      logger.info(event, metadata: metadata)
    case .refused(let file, let error):
      logger.error(
        "A plug-in cannot be used.", metadata: ["file": "\(file)", "error": "\(error)"])
    }
  }
}
