import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkitService
import SessionTokens

/// Checks the key of the store's secrets, and the keys that sign tokens.
struct KeyHealthCheck {
  let store: any AccountStore
  let secrets: any SecretSealing
  let configuration: Configuration

  func run() async -> [Diagnosis] {
    do {
      return [try await sealing(), try await signing()]
    } catch {
      return [.wrong("keys", error)]
    }
  }

  /// Opens sealed texts, to detect a key that was replaced.
  private func sealing() async throws -> Diagnosis {
    if secrets is UnnamedKey { return .wrong("keys", "No key was named. \(UnnamedKey.remedy)") }
    let path = (secrets as? KeyFileSealing)?.path ?? "the key"
    let key = StoreKey(store: store, secrets: secrets)
    let projects = configuration.projects.union([configuration.project]).sorted()
    let witnesses = try await key.witnesses(projects: projects)
    try key.verify(witnesses)
    // An earlier version could use another key for a project than for the store.
    for scope in Set(
      try await store.read { try $0.scopes(having: .secrets) } + projects.map { Scope(project: $0) }
    ) {
      guard let probe = try await store.settings(of: scope).keyProbe else { continue }
      _ = try secrets.open(probe, for: "probe \(scope)")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      return .ok("keys", "\(path) is made when the first secret is kept.")
    }
    // Reading checks the file's permissions; sealing makes no key, because one exists.
    _ = try secrets.seal("probe", for: "doctor")
    return .ok(
      "keys", witnesses.isEmpty ? "\(path) can be used." : "\(path) opens the store's secrets.")
  }

  private func signing() async throws -> Diagnosis {
    guard ServerDefaults(configuration.mode).signsTokens else {
      return .ok("keys", "The emulator signs nothing.")
    }
    let tokens = TokenService(style: .signed(.rs256), store: store, secrets: secrets)
    let keys = try await tokens.keys.list(project: configuration.project)
    guard !keys.isEmpty else {
      return .ok("keys", "Keys that sign tokens are made when the first token is.")
    }
    let states = keys.map { "\($0.use.rawValue) \($0.state.rawValue)" }
    return .ok("keys", "Keys that sign tokens: \(states.joined(separator: ", ")).")
  }
}
