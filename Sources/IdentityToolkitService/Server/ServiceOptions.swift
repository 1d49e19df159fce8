public import AuthCore
public import BuiltInProviders
import Logging
public import LuaPlugins
import SessionTokens

/// The options of ``ServerServices``, besides the store, the secrets and the transport.
public struct ServiceOptions: Sendable {
  /// The mode: production or the emulator.
  public var mode = ServerMode.production
  /// The settings that an admin may change while the server runs.
  public var settings: ServerSettings
  /// Sends codes and links; without a sender, operations that need one are refused with `operation-not-allowed`.
  public var messages: (any MessageSender)?
  /// The cost of hashing a new password.
  public var passwordCost = PasswordHasher.Cost.owasp
  /// The signing algorithm of production's ID tokens.
  public var signing = SigningAlgorithm.rs256
  /// Hosts of blocking functions that may be at private addresses.
  public var privateHosts: [String] = []
  /// The time limit of a blocking function; nil for Firebase's seven seconds, or the emulator's sixty.
  public var functionTimeout: Duration?
  /// Functions of the app that are called after those of the project's configuration.
  public var hooks: (any SignInHooks)?
  /// Providers in Lua.
  public var plugins: PluginSet?
  /// The consoles that admins open over HTTP; nil if there are none.
  public var consoles: (any ConsoleServing)?
  /// Builds the registry of providers from the built-in ones and the plug-ins'.
  ///
  /// In the emulator, its own providers replace those of the result.
  public var providers: @Sendable (ProviderRegistry) -> ProviderRegistry = { $0 }
  /// The check that a request for a phone code comes from the app; nil if any client may request one.
  public var appVerifier: (any AppVerifying)?
  /// The log and the metrics; nil for a log of warnings and faults alone.
  public var telemetry: ServerTelemetry?
  /// Returns the current time; replaced in tests.
  public var clock: @Sendable () -> Timestamp = Timestamp.now

  /// Makes the options of a production service.
  ///
  /// - Parameters:
  ///   - project: the project of requests that name none.
  ///   - publicURL: the address at which people reach the server; links in messages begin with it.
  public init(project: String = "default", publicURL: String = "http://localhost:9099") {
    settings = ServerSettings(project: project, publicURL: publicURL)
  }
}

extension ServerServices {
  /// Makes the services over a store: providers, Lua merge policies, tokens, blocking functions, and admin tokens.
  ///
  /// - Parameters:
  ///   - store: the store of all data.
  ///   - secrets: seals signing keys and other secrets in the store; a store always needs the same one.
  ///   - transport: sends requests to vendors.
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
    graphServices.changeHooks = LuaChangeHookCompiler(log: telemetry.logged)
    graphServices.quirks = behavior.quirks
    let admins = AdminTokens(store: store, secrets: secrets, clock: options.clock)
    self.init(
      graph: AccountGraph(
        store: store, providers: behavior.providers(options.registry(transport, admins)),
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
      administration: Administration(
        tokens: admins, plugins: options.plugins, consoles: options.consoles),
      clock: options.clock)
  }
}

extension ServiceOptions {
  fileprivate func registry(
    _ transport: any HTTPTransport, _ admins: AdminTokens
  ) -> ProviderRegistry {
    let builtIn = ProviderRegistry.builtIn(
      transport: transport, passwordHasher: PasswordHasher(cost: passwordCost), clock: clock,
      serviceAccounts: admins.customTokenKeys)
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
