/// The services of a graph beside its store and providers.
///
/// Without one of them, operations that need it throw `operation-not-allowed`.
public struct GraphServices: Sendable {
  /// Seals client secrets, TOTP secrets and open codes.
  public var secrets: any SecretSealing
  /// Delivers codes and links to people.
  public var messages: any MessageSender
  /// Makes and checks the codes of authenticator apps.
  public var totp: any TOTPMethod
  /// The app's functions that decide on sign-ins.
  public var hooks: any SignInHooks
  /// Compiles the app's scripts that decide on changes of who owns what.
  public var changeHooks: any ChangeHookCompiler = NoChangeHooks()
  /// The emulator's deviations from the rules; none in production.
  public var quirks = EmulatorQuirks.production
  /// Returns the limits on codes and links, which may change while the graph is used.
  var codeLimits: @Sendable () -> CodeLimits = { CodeLimits() }
  /// Opens the sessions that operations allow.
  var sessions: any SessionOpening = NoSessions()
  /// Receives the failures of policies and hooks, for admins.
  var scriptFailed: @Sendable (AppScriptFailure) -> Void = { _ in }

  /// The rehearsal that operations are appended to, if there is one.
  var rehearsal: Rehearsal?

  /// The secrets for requests of any client: an error reveals nothing about the key, unless only admins read it.
  var quietSecrets: any SecretSealing {
    secrets.isForAdmins ? secrets : QuietSealing(secrets: secrets)
  }

  /// Makes services; each one that is nil refuses its operations.
  public init(
    secrets: (any SecretSealing)? = nil, messages: (any MessageSender)? = nil,
    totp: (any TOTPMethod)? = nil, hooks: (any SignInHooks)? = nil
  ) {
    self.secrets = secrets ?? NoSealing()
    self.messages = messages ?? NoMessages()
    self.totp = totp ?? NoTOTP()
    self.hooks = hooks ?? NoHooks()
  }
}
