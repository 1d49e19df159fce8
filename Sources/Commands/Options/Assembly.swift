import AdminConsole
import AuthCore
import BuiltInProviders
import FakeVendors
import Foundation
import HTTPClientTransport
import LuaPlugins

/// Assembles store, providers and policies for every verb except `serve`, for which ``ServerAssembly`` does.
struct Assembly {
  let graph: AccountGraph
  let scope: Scope
  let actor: String
  let plugins: PluginSet
  let isReadOnly: Bool

  /// Opens the store, and creates a missing one unless `mustExist` is set, or the session only reads.
  init(
    _ options: StoreOptions, for session: SessionOptions? = nil, mustExist: Bool = false
  ) throws {
    isReadOnly = session?.readOnly ?? false
    actor = try session?.actorName() ?? NSUserName()
    let location = try options.location()
    let base =
      isReadOnly ? try location.openForReading() : try location.open(mustExist: mustExist)
    let transport = HTTPClientTransport()
    let builtIn = ProviderRegistry.builtIn(transport: transport)
    plugins = try Self.plugins(in: options.folders(), transport, beside: builtIn)
    let providers = builtIn.adding(plugins)
    var services = try Services(options).make(for: location, transport)
    // A dry run that seals a secret must not make a key file.
    if isReadOnly, let file = services.secrets as? KeyFileSealing,
      !FileManager.default.fileExists(atPath: file.path)
    {
      services.secrets = EphemeralSealing()
    }
    var store = base
    if location != .memory {
      let secrets = services.secrets
      let sealing = try waiting { try await StoreSealing(secrets, of: base) }
      services.secrets = sealing
      store = KeyedStore(base: base, sealing: sealing)
    }
    services.changeHooks = LuaChangeHookCompiler(log: Self.logged)
    graph = AccountGraph(
      store: store,
      providers: providers.adding(
        try Self.rehearsing(options.rehearsalProviders, beside: providers)),
      policies: LuaPolicyCompiler(log: Self.logged),
      services: services)
    scope = try options.scope()
  }

  /// Prints a line that a merge policy or a hook logged during this command.
  @Sendable private static func logged(_ record: ScriptLogRecord) {
    let place = record.place.map { " (\($0))" } ?? ""
    let kind = record.kind == .hook ? "hooks" : "policy"
    StandardStreams.warn("\(kind) \(record.script) \(record.level): \(record.message)\(place)")
  }

  /// Loads the plug-ins.
  ///
  /// One that cannot be used is reported, and the others still load.
  private static func plugins(
    in folders: [String], _ transport: any HTTPTransport, beside builtIn: ProviderRegistry
  ) throws -> PluginSet {
    let log = { @Sendable (record: PluginLogRecord) in
      let place = record.place.map { " (\($0))" } ?? ""
      StandardStreams.warn(
        "\(record.provider) \(record.level.rawValue): \(record.message)\(place)")
    }
    let host = PluginHost(transport: transport, log: log)
    let plugins = PluginSet(host: host)
    let keys = ProcessInfo.processInfo.environment["AUTHGRAPH_PLUGIN_KEYS"] ?? ""
    plugins.allowBundles(
      of: try keys.split(separator: ",").map { key throws(AuthError) in
        try BundleKey(String(key), field: "AUTHGRAPH_PLUGIN_KEYS")
      })
    for folder in folders { try plugins.add(folder: folder) }
    for case .refused(_, let error) in plugins.scan() {
      StandardStreams.warn("\(error.message) \(error.remedy ?? "")")
    }
    return plugins
  }

  /// Makes providers that accept any credential, under names that no genuine provider has.
  private static func rehearsing(
    _ names: [String], beside genuine: ProviderRegistry
  ) throws -> [any AuthProvider] {
    try names.map { name in
      guard !name.isEmpty, genuine[ProviderID(name)] == nil else {
        throw AuthError(
          .invalidProviderID, "The provider \"\(name)\" cannot be rehearsed.",
          field: "rehearsal-provider", remedy: "Choose a name of its own, such as fake.example.")
      }
      return FakeProvider(id: ProviderID(name))
    }
  }

  /// Makes a session of the console.
  func session(reason: String, isJSON: Bool) -> ConsoleSession {
    ConsoleSession(
      graph: graph, scope: scope, actor: actor, defaultReason: reason,
      output: .standard(isJSON: isJSON), plugins: plugins, isReadOnly: isReadOnly)
  }

  func caller(reason: String, dryRun: Bool = false) -> Caller {
    Caller(scope: scope, authority: .admin(actor), reason: reason, dryRun: dryRun)
  }
}
