import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import LuaPlugins
import LuaRuntime
import SQLiteStore
import TestSupport

@testable import AdminConsole

/// A console on an SQLite store, with every built-in provider, every plug-in of this repository and one provider that
/// accepts any credential.
final class ConsoleHome {
  let graph: AccountGraph
  let admin: AdminState
  let scope = Scope(project: "default")
  let clock = FixedClock(Timestamp(milliseconds: 1_800_000_000_000))
  let folder: String

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (transport, clock) = (NoTransport(), clock)
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    let plugins = PluginSet(host: PluginHost(transport: transport))
    try plugins.add(folder: "\(Self.root)/Plugins")
    _ = plugins.scan()
    var services = GraphServices(
      secrets: EphemeralSealing(), messages: CollectingMessageSender(), totp: HMACTOTP())
    services.changeHooks = LuaChangeHookCompiler()
    graph = AccountGraph(
      store: try SQLiteStore(path: "\(folder)/accounts.db"),
      providers: .builtIn(transport: transport, passwordHasher: hasher, clock: { clock.now })
        .adding([FakeProvider(id: ProviderID("fake.example"))]).adding(plugins),
      policies: LuaPolicyCompiler(), services: services,
      clock: { clock.now })
    admin = try AdminState(
      session: ConsoleSession(
        graph: graph, scope: scope, actor: "ada", defaultReason: "test",
        output: .standard(isJSON: false),
        plugins: plugins))
  }

  /// Returns a console on the same accounts that only reads.
  func readOnly() throws -> AdminState {
    try AdminState(
      session: ConsoleSession(
        graph: graph, scope: scope, actor: "ada", defaultReason: "test",
        output: .standard(isJSON: false), isReadOnly: true))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs code like the prompt.
  @discardableResult
  func run(_ code: String) throws -> [LuaValue] {
    try admin.call(admin.compile(code, name: "console")).map { value in
      guard case .reference(let reference) = value else { return value }
      return (try? admin.state.value(of: reference)) ?? value
    }
  }

  /// Returns the error with which code ends; nil if it works.
  func failure(_ code: String) -> LuaError? {
    do throws(LuaError) {
      _ = try admin.call(admin.compile(code, name: "console"))
      return nil
    } catch {
      return error
    }
  }

  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}
