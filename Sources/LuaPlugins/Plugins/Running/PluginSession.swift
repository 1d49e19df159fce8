import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers

/// One sign-in through a plug-in: its limits, and what it has consumed.
final class PluginSession: Sendable {
  let plugin: LoadedPlugin
  let settings: ProviderSettings
  let now: Timestamp
  let transport: PluginTransport
  private let secrets: [String]
  private let state = NIOLockedValueBox(State())

  private struct State {
    var uses: [OneTimeUse] = []
    var lines = 0
    var failure: (any Error)?
  }

  init(
    _ plugin: LoadedPlugin, _ context: VerificationContext, credential: Credential? = nil
  ) throws {
    self.plugin = plugin
    let declaration = plugin.declaration
    settings = context.settings
    // A function could take a missing setting for any value.
    try Self.requireSettings(of: declaration, context.settings)
    now = context.now
    transport = try PluginTransport(declaration, context.settings, plugin.host)
    var secrets: [String] = []
    for field in declaration.settings where field.type == .secret {
      if let secret = try context.settings.secret(field.name) { secrets.append(secret.reveal()) }
    }
    if let credential {
      let fields = declaration.builders.first { $0.name == credential.builder }?.fields ?? []
      secrets += fields.filter(\.isSecret).compactMap { credential[$0.name] }
    }
    self.secrets = secrets.filter { $0.utf8.count >= 4 }
  }

  /// Throws `operation-not-allowed` naming a missing required setting.
  private static func requireSettings(
    of declaration: PluginDeclaration, _ settings: ProviderSettings
  ) throws {
    for field in declaration.settings where field.isRequired && field.fallback == nil {
      switch field.type {
      case .secret: _ = try settings.requiredSecret(field.name)
      case .list: _ = try settings.requiredList(field.name)
      case .flag where settings.flag(field.name) != nil: break
      case .number where settings.number(field.name) != nil: break
      default: _ = try settings.required(field.name)
      }
    }
  }

  var declaration: PluginDeclaration { plugin.declaration }
  var host: PluginHost { plugin.host }

  var filler: TemplateFiller { TemplateFiller(settings: settings, fields: declaration.ownSettings) }

  /// The one-time uses that the sign-in consumes.
  var uses: [OneTimeUse] { state.withLockedValue { $0.uses } }

  func use(_ uses: [OneTimeUse]) {
    state.withLockedValue { state in state.uses += uses.filter { !state.uses.contains($0) } }
  }

  /// Records the first error that ends the sign-in, regardless of the script's handling.
  func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      fail(error)
      throw error
    }
  }

  /// Records the first error of an asynchronous call in the same way.
  func failing<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      fail(error)
      throw error
    }
  }

  private func fail(_ error: any Error) {
    // A wrong argument is an error of the script, which may catch it.
    guard error is AuthError || error is CancellationError else { return }
    state.withLockedValue { $0.failure = $0.failure ?? error }
  }

  /// The first refusal or failed request; a script that caught it cannot go on regardless.
  var failure: (any Error)? { state.withLockedValue(\.failure) }

  /// A text without the secrets of this sign-in.
  func masked(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: SecretPlaceholder.text) }
  }

  /// Logs a line of the script, up to the limit of lines.
  func log(_ record: LuaLogRecord) {
    let line = state.withLockedValue { state in
      state.lines += 1
      return state.lines
    }
    guard line <= host.limits.logLines else {
      if line == host.limits.logLines + 1 {
        report(
          "It logs more than \(host.limits.logLines) lines in one sign-in; the rest is dropped.")
      }
      return
    }
    let text = masked(record.message)
    host.log(
      PluginLogRecord(
        declaration.id, PluginLogRecord.Level(rawValue: record.level.rawValue) ?? .info,
        Self.cut(text), place: record.script))
  }

  private static func cut(_ text: String) -> String {
    let cut = TextBounds(bytes: 500).cut(text)
    return cut.utf8.count < text.utf8.count ? cut + "…" : text
  }

  /// Logs a fault of the plug-in itself.
  func report(_ fault: String, place: String? = nil) {
    host.log(PluginLogRecord(declaration.id, .error, Self.cut(masked(fault)), place: place))
  }
}
