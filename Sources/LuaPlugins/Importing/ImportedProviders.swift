import AuthCore

/// The counterparts of the old system's providers.
struct ImportedProviders: Sendable {
  /// Those of the importer's file.
  let declared: [String: String]
  /// Those of the command, which come first; `-` leaves a provider's identities out.
  var chosen: [String: String] = [:]
  private(set) var leftOut: [String: Int] = [:]

  init(declared: [String: String]) { self.declared = declared }

  /// Returns the provider for a name of the old system; nil if its identities are left out.
  ///
  /// Throws `invalid-provider-id` for a name without a counterpart, so that no identity is lost unnoticed.
  mutating func counterpart(of name: String) throws(AuthError) -> String? {
    guard let id = chosen[name] ?? declared[name] else {
      let shown = TextBounds.name.cut(name)
      throw AuthError(
        .invalidProviderID, "The old system's provider \"\(shown)\" has no counterpart.",
        field: "identities",
        remedy: "Give one with --provider \(shown)=ID, or leave it out with --provider \(shown)=-.")
    }
    guard id != "-" else {
      leftOut[name, default: 0] += 1
      return nil
    }
    return id
  }
}
