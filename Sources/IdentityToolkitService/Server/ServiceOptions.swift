public import AuthCore
public import BuiltInProviders
import Logging
public import LuaPlugins
import SessionTokens

/// Says what ``ServerServices`` are made of, beside the store, what keeps secrets, and the way to vendors.
public struct ServiceOptions: Sendable {
  public var mode = ServerMode.production
  public var settings: ServerSettings
  /// Takes codes and links to people; without one, what needs it is refused with `operation-not-allowed`.
  public var messages: (any MessageSender)?
  /// What hashing a new password costs.
  public var passwordCost = PasswordHasher.Cost.owasp
  /// What the ID tokens of production are signed with.
  public var signing = SigningAlgorithm.rs256
  /// Hosts of blocking functions that may be private.
  public var privateHosts: [String] = []
  /// How long a blocking function may take; nil for Firebase's seven seconds, or the emulator's sixty.
  public var functionTimeout: Duration?
  /// Functions of the app that are asked after those of the project's configuration.
  public var hooks: (any SignInHooks)?
  /// Providers in Lua.
  public var plugins: PluginSet?
  /// Makes the ways to sign in of the built-in ones and the plug-ins'.
  ///
  /// The emulator's stand in front of what it gives.
  public var providers: @Sendable (ProviderRegistry) -> ProviderRegistry = { $0 }
  /// Says whether a request for a code to a phone comes from the app; nil where anybody may ask.
  public var appVerifier: (any AppVerifying)?
  /// Log and metrics; nil for a log of warnings and faults alone.
  public var telemetry: ServerTelemetry?
  /// The time; given in tests.
  public var clock: @Sendable () -> Timestamp = Timestamp.now

  /// Makes the options of a production service.
  ///
  /// - Parameters:
  ///   - project: the project of requests that name none.
  ///   - publicURL: where people reach the server; links in messages begin with it.
  public init(project: String = "default", publicURL: String = "http://localhost:9099") {
    settings = ServerSettings(project: project, publicURL: publicURL)
  }
}

extension ServerServices {
  /// Puts everything together over a store: providers, merge policies in Lua, tokens, blocking functions,
  /// and the store's own tokens of admins.
  ///
  /// - Parameters:
  ///   - store: where everything is kept.
  ///   - secrets: what seals signing keys and other secrets in the store; a store needs the same one always.
  ///   - transport: what speaks to vendors.
  ///   - options: everything that has a default.
  public init(
    store: any AccountStore, secrets: any SecretSealing, transport: any HTTPTransport,
    options: ServiceOptions
  ) {
    let behavior = options.mode.behavior
    let telemetry = options.telemetry ?? .quiet
    let tokens = TokenService(
      style: behavior.tokenStyle(options.signing), store: store, secrets: secrets,
      clock: options.clock)
    let functions = HTTPSignInHooks(
      transport: transport, tokens: tokens, privateHosts: options.privateHosts,
      timeout: options.functionTimeout ?? behavior.functionTimeout, clock: options.clock)
    let scripts = LuaSignInHooks(clock: options.clock, log: telemetry.logged)
    var graphServices = GraphServices(
      secrets: secrets, messages: options.messages, totp: HMACTOTP(),
      hooks: JoinedHooks([scripts, functions] + [options.hooks].compactMap(\.self)))
    graphServices.quirks = behavior.quirks
    let admins = AdminTokens(store: store, clock: options.clock)
    self.init(
      graph: AccountGraph(
        store: store, providers: behavior.providers(options.registry(transport)),
        policies: LuaPolicyCompiler(log: telemetry.logged), services: graphServices,
        clock: options.clock),
      tokens: tokens, mode: options.mode, settings: options.settings,
      admins: { token, projects in
        try await admins.check(token, projects: projects).map { identity in
          AdminRight(
            name: identity.name, scopes: Set(identity.scopes.map(\.rawValue)),
            project: identity.project)
        }
      },
      telemetry: telemetry, appVerifier: options.appVerifier,
      administration: Administration(tokens: admins, plugins: options.plugins),
      clock: options.clock)
  }
}

extension ServiceOptions {
  fileprivate func registry(_ transport: any HTTPTransport) -> ProviderRegistry {
    let builtIn = ProviderRegistry.builtIn(
      transport: transport, passwordHasher: PasswordHasher(cost: passwordCost), clock: clock)
    return providers(plugins.map { builtIn.adding($0) } ?? builtIn)
  }
}

extension ServerTelemetry {
  fileprivate static var quiet: ServerTelemetry {
    var logger = Logger(label: "authgraph")
    logger.logLevel = .warning
    return ServerTelemetry(logger: logger)
  }
}
