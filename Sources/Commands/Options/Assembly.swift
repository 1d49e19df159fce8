import AdminConsole
import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import LuaPlugins
import SQLiteStore

/// Puts store, providers and policies together; the only place that knows them all.
struct Assembly {
  let graph: AccountGraph
  let scope: Scope
  let actor: String

  init(_ options: StoreOptions) throws {
    let store: any AccountStore =
      switch try options.location() {
      case .memory: try SQLiteStore.inMemory()
      case .sqlite(let path): try SQLiteStore(path: path)
      }
    let password = PasswordProvider { id, scope in
      let settings = try await store.read { try $0.settings(of: scope) }
      return try settings.passwordHashParameters[id].map {
        try PasswordHashParameters(stored: $0)
      }
    }
    let rehearsing = options.rehearsalProviders.map { FakeProvider(id: ProviderID($0)) }
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([AnonymousProvider(), password] + rehearsing),
      policies: LuaPolicyCompiler())
    scope = options.scope
    actor = NSUserName()
  }

  /// A session of the console.
  func session(reason: String, isJSON: Bool) -> ConsoleSession {
    ConsoleSession(
      graph: graph, scope: scope, actor: actor, defaultReason: reason,
      output: .standard(isJSON: isJSON))
  }

  func caller(reason: String, dryRun: Bool = false) -> Caller {
    Caller(scope: scope, authority: .admin(actor), reason: reason, dryRun: dryRun)
  }
}
