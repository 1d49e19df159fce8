import AuthCore
import BuiltInProviders

extension AccountHealthCheck {
  /// Returns a warning if a scope's version of Facebook's Graph API is over at a time.
  func versions(in scope: Scope, at now: Timestamp = .now()) async throws -> [Diagnosis] {
    let id = "facebook.com"
    guard let facebook = try await store.settings(of: scope).providers[id] else { return [] }
    let version = facebook.values["graphVersion"]?.stringValue ?? GraphVersion.usual
    guard GraphVersion.isOver(version, at: now), let end = GraphVersion.end(of: version) else {
      return []
    }
    return [
      .warning(
        "providers",
        "\(version) of Facebook's Graph API, which \(scope) uses, is over since \(end): Facebook answers with another "
          + "version. providers.configure(\"\(id)\", { graphVersion = \"\(GraphVersion.usual)\" }) names a current one."
      )
    ]
  }
}
