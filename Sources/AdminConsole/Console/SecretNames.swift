import AuthCore

/// The names of secrets, also misspelled.
struct SecretNames {
  /// What people call a secret, beside the names that providers declare.
  private static let usual: Set<String> = [
    "password", "passwd", "passwort", "pass", "pwd", "pw", "psw", "passcode", "passphrase",
    "secret",
    "token", "bearer", "apikey",
  ]
  /// The words inside of a longer name that make it one of a secret.
  private static let words: Set<String> = [
    "password", "passwd", "pass", "pwd", "pw", "passphrase", "secret", "token",
  ]

  /// Every name in lower case.
  private let names: Set<String>
  /// The names that are looked for by themselves: other ones, such as `link`, are functions and plain fields too.
  private let certain: Set<String>

  /// Takes the names from what providers declare.
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

  /// Whether a field of this name may be a secret.
  func mayName(_ word: String) -> Bool { isNear(word, names) || hasSecretWord(word) }

  /// Whether a name is one of a secret wherever it stands.
  func isCertain(_ word: String) -> Bool { isNear(word, certain) || hasSecretWord(word) }

  private func isNear(_ word: String, _ names: Set<String>) -> Bool {
    let word = word.lowercased()
    guard !names.contains(word) else { return true }
    // Of a short name, such as `code`, most words of its length would be near.
    return nearestName(to: word, among: names.filter { $0.count > 5 }) != nil
      || names.contains { $0.count == 5 && editDistance(word, $0) == 1 }
  }

  /// Whether one of the words of `newPassword` or `client_secret` is one.
  private func hasSecretWord(_ name: String) -> Bool {
    let split = name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.lowercased()
    let words = split.split { !$0.isLetter }.map(String.init)
    return words.count > 1 && !Self.words.isDisjoint(with: words)
      || words.count == 1 && Self.words.contains(words[0])
  }
}
