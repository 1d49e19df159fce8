import AuthCore

/// Tells which inputs hold a secret, so that the history does not keep them.
struct SecretInput {
  /// The names of fields that are secret wherever they stand.
  private let names: Set<String>

  /// Takes the names from what providers declare.
  init(_ providers: ProviderRegistry) {
    var names: Set = ["password"]
    for id in providers.ids + providers.prefixes.map({ ProviderID($0 + "any") }) {
      guard let manifest = providers[id]?.manifest else { continue }
      names.formUnion(manifest.builders.flatMap(\.fields).filter(\.isSecret).map(\.name))
      names.formUnion(manifest.configuration.filter { $0.type == .secret }.map(\.name))
    }
    self.names = names
  }

  /// Whether a secret field is given a value, or a code of a second factor or a callback is shown.
  func isSecret(_ code: String) -> Bool {
    let gives = code.matches(of: /([A-Za-z]+)["'\]]*\s*=(?!=)/).contains {
      names.contains(String($0.1))
    }
    return gives || code.contains(/(:resolve|:finish|auth\.callback)\b/)
  }
}
