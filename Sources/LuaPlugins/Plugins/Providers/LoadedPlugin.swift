import AuthCore
import BuiltInProviders
import LuaRuntime
import NIOConcurrencyHelpers

/// One version of one plug-in: its declaration, and the runner of its functions.
public final class LoadedPlugin: Sendable {
  let source: PluginSource
  let declaration: PluginDeclaration
  let host: PluginHost
  let runner: PluginRunner
  /// The time at which the last browser left that comes back to this version.
  private let lastFlow = NIOLockedValueBox<Timestamp?>(nil)

  init(_ source: PluginSource, _ host: PluginHost) throws(AuthError) {
    let script = try PluginScript(source, host)
    do {
      guard let table = try script.declare() else {
        throw AuthError.invalidPlugin(
          source, "the file declares no provider",
          remedy: "End it with return provider { id = …, name = …, kind = … }.")
      }
      guard case .table(let copy) = try script.state.value(of: table) else {
        throw AuthError.invalidPlugin(source, "the declaration cannot be read")
      }
      declaration = try PluginDeclaration(copy)
    } catch let mistake as DeclarationMistake {
      throw .invalidPlugin(
        source, line: source.line(of: mistake.field), mistake.message, field: mistake.field,
        remedy: mistake.remedy)
    } catch let error as LuaError {
      throw .unreadablePlugin(source, error)
    } catch let error as AuthError {
      throw error
    } catch {
      throw .invalidPlugin(source, "the declaration cannot be read", cause: error)
    }
    self.source = source
    self.host = host
    runner = PluginRunner(source, host)
  }

  func beginFlow(at now: Timestamp) { lastFlow.withLockedValue { $0 = now } }

  /// Tells whether a browser may still come back to this version.
  func hasOpenFlows(at now: Timestamp) -> Bool {
    lastFlow.withLockedValue {
      $0.map { now <= $0.adding(seconds: AuthorizationGrant.lifetime + 60) } ?? false
    }
  }

  var manifest: ProviderManifest {
    ProviderManifest(
      name: declaration.name, kind: declaration.kind, builders: declaration.builders,
      hosts: declaration.hostTemplates.filter(\.names.isEmpty).map(\.description),
      issuers: fixedIssuers, configuration: declaration.settings, version: source.version)
  }

  private var fixedIssuers: [String] {
    guard case .oidc(let oidc) = declaration.flow, oidc.token.issuerNames.isEmpty else {
      return []
    }
    return oidc.token.spellings.map(\.description)
  }

  /// Checks settings that would fail only at a sign-in: host names, and the addresses of servers.
  func check(_ settings: ProviderSettings) throws(AuthError) {
    for setting in declaration.ownSettings where setting.type == .host {
      guard let host = settings.text(setting.name), !PluginSetting.isHost(host) else { continue }
      throw AuthError(
        .invalidArgument, "\(setting.name) of \(declaration.id) is no host name.",
        field: setting.name, remedy: "Write it without scheme or path, such as id.example.com.")
    }
    // A browser opens the authorization endpoint, whose host a server may stand in for too.
    let pages = [declaration.urls["authorize"].flatMap { URLText.host(of: $0) }]
    let known = Set(
      declaration.hostTemplates.filter(\.names.isEmpty).map(\.description)
        + pages.compactMap(\.self))
    let dynamic = declaration.hostTemplates.contains { !$0.names.isEmpty }
    for host in settings.names("servers").keys.sorted() where !dynamic && !known.contains(host) {
      throw AuthError(
        .invalidArgument, "\(declaration.id) asks no host \"\(host)\".", field: "servers",
        remedy: suggestion(for: host, among: known.sorted()))
    }
  }
}
