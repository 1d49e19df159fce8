public import AuthCore
import Foundation

extension PasswordHashParameters {
  /// The parameters as the settings keep them.
  public var storedText: String { String(decoding: canonicalJSON, as: UTF8.self) }

  /// Reads what ``storedText`` wrote; throws what Foundation's decoder throws.
  public init(stored text: String) throws {
    self = try JSONDecoder().decode(PasswordHashParameters.self, from: Data(text.utf8))
  }
}

extension ProjectSettings {
  /// Keeps how the hashes of an import were made, of several kinds; returns false if nothing is new.
  public mutating func keep(_ parameters: some Sequence<PasswordHashParameters>) -> Bool {
    parameters.reduce(false) { keep($1) || $0 }
  }

  /// Keeps how the hashes of an import were made; returns false if nothing is new.
  ///
  /// The dearest hash of earlier imports with the same parameters stays the dearest.
  public mutating func keep(_ parameters: PasswordHashParameters) -> Bool {
    var kept = parameters
    if let text = passwordHashParameters[parameters.id],
      let known = try? PasswordHashParameters(stored: text)
    {
      let before = known.dearest ?? LegacyHash.usualShape(of: known.algorithm)
      kept.dearest = parameters.dearest.map { max($0, before) } ?? known.dearest
      guard kept != known else { return false }
    }
    passwordHashParameters[parameters.id] = kept.storedText
    return true
  }
}
