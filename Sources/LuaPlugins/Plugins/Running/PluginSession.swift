import AuthCore
import LuaRuntime
import Synchronization

/// One sign-in through a plug-in: what it may use, and what it used.
final class PluginSession: Sendable {
  let declaration: PluginDeclaration
  let host: PluginHost
  let settings: ProviderSettings
  let now: Timestamp
  let transport: PluginTransport
  private let secrets: [String]
  private let state = Mutex(State())

  private struct State {
    var uses: [OneTimeUse] = []
    var lines = 0
  }

  init(
    _ declaration: PluginDeclaration, _ host: PluginHost, _ context: VerificationContext,
    credential: AuthCredential? = nil
  ) throws {
    self.declaration = declaration
    self.host = host
    settings = context.settings
    now = context.now
    transport = try PluginTransport(declaration, context.settings, host)
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

  var filler: TemplateFiller { TemplateFiller(settings: settings, fields: declaration.ownSettings) }

  /// What the sign-in uses up.
  var uses: [OneTimeUse] { state.withLock { $0.uses } }

  func use(_ uses: [OneTimeUse]) {
    state.withLock { state in state.uses += uses.filter { !state.uses.contains($0) } }
  }

  /// A text without the secrets of this sign-in.
  func masked(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "•••") }
  }

  /// Writes a line that the script logs, until it has logged too much.
  func log(_ record: LuaLogRecord) {
    let line = state.withLock { state in
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
        text.count > 500 ? String(text.prefix(500)) + "…" : text, place: record.script))
  }

  /// Reports a fault of the plug-in itself.
  func report(_ fault: String, place: String? = nil) {
    host.log(PluginLogRecord(declaration.id, .error, masked(fault), place: place))
  }
}
