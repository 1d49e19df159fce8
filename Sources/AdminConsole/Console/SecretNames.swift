import AuthCore

/// The names of secrets, including misspellings.
struct SecretNames {
  /// The common names of secrets, in addition to those that providers declare.
  private static let usual: Set<String> = [
    "password", "passwd", "passwort", "pass", "pwd", "pw", "psw", "passcode", "passphrase",
    "secret",
    "token", "bearer", "apikey",
  ]
  /// The words that make a longer name that of a secret.
  private static let words: Set<String> = [
    "password", "passwd", "pass", "pwd", "pw", "passphrase", "secret", "token",
  ]

  /// All names in lower case.
  private let names: Set<String>
  /// The names that always mean a secret.
  ///
  /// Others, such as `link`, also name functions and plain fields.
  private let certain: Set<String>

  /// Collects the names that providers declare.
  init(_ providers: ProviderRegistry) {
    var names = Self.usual
    for id in providers.ids + providers.prefixes.map({ ProviderID($0 + "any") }) {
      guard let manifest = providers[id]?.manifest else { continue }
      let fields = manifest.builders.flatMap(\.fields).filter(\.isSecret).map(\.name)
      let settings = manifest.configuration.filter { $0.type == .secret }.map(\.name)
      names.formUnion((fields + settings).map { $0.lowercased() })
    }
    self.names = names
    certain = names.filter { $0.count > 5 || Self.usual.contains($0) }
  }

  /// Tells whether a field of this name may be a secret.
  func mayName(_ word: String) -> Bool { isNear(word, names) || hasSecretWord(word) }

  /// Tells whether a name means a secret in any position.
  func isCertain(_ word: String) -> Bool { isNear(word, certain) || hasSecretWord(word) }

  private func isNear(_ word: String, _ names: Set<String>) -> Bool {
    let word = word.lowercased()
    guard !names.contains(word) else { return true }
    // Most words of its length would resemble a short name, such as `code`.
    return nearestName(to: word, among: names.filter { $0.count > 5 }) != nil
      || names.contains { $0.count == 5 && editDistance(word, $0) == 1 }
  }

  /// Tells whether a part of a name such as `newPassword` or `client_secret` means a secret.
  private func hasSecretWord(_ name: String) -> Bool {
    let split = name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.lowercased()
    let words = split.split { !$0.isLetter }.map(String.init)
    return words.count > 1 && !Self.words.isDisjoint(with: words)
      || words.count == 1 && Self.words.contains(words[0])
  }
}
