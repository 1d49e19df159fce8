import AuthCore

/// The scopes whose settings are checked.
enum HealthScopes {
  /// Returns the served projects, and every other scope that has settings in the store, such as tenants.
  static func all(in store: any AccountStore, _ configuration: Configuration) async -> [Scope] {
    let served = configuration.projects.union([configuration.project]).sorted().map {
      Scope(project: $0)
    }
    // A store that cannot be read is reported by its own check.
    let stored = (try? await store.read { try $0.scopes(having: .secrets) }) ?? []
    return served + stored.filter { $0 != .servers && !served.contains($0) }
  }
}
