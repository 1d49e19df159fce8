/// What the graph needs from outside besides a store and providers.
///
/// Without one of them, what needs it is refused with `operation-not-allowed`.
public struct GraphServices: Sendable {
  /// Keeps client secrets, TOTP secrets and open codes.
  public var secrets: any SecretSealing
  /// Takes codes and links to people.
  public var messages: any MessageSender
  /// Makes and checks the codes of authenticator apps.
  public var totp: any TOTPMethod
  /// The app's say in sign-ins.
  public var hooks: any SignInHooks
  public var quirks = EmulatorQuirks.production
  /// Opens the sessions of those who come in.
  var sessions: any SessionOpening = NoSessions()
  /// Takes what an admin should hear of policies and hooks that failed.
  var scriptFailed: @Sendable (AppScriptFailure) -> Void = { _ in }

  /// The same for what anybody may ask for: an error tells nothing of the key, unless admins alone read it.
  var quietSecrets: any SecretSealing {
    secrets.isForAdmins ? secrets : QuietSealing(secrets: secrets)
  }

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
