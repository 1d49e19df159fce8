public import AuthCore
import Foundation

extension PasswordHashParameters {
  /// The text of the parameters in the project's settings.
  public var storedText: String { String(decoding: canonicalJSON, as: UTF8.self) }

  /// Reads the text that ``storedText`` wrote; throws Foundation's decoding errors.
  public init(stored text: String) throws {
    self = try JSONDecoder().decode(PasswordHashParameters.self, from: Data(text.utf8))
  }
}

extension ProjectSettings {
  /// Stores the hash parameters of an import with several kinds of hashes; returns false if nothing is new.
  public mutating func keep(_ parameters: some Sequence<PasswordHashParameters>) -> Bool {
    parameters.reduce(false) { keep($1) || $0 }
  }

  /// Stores the hash parameters of an import; returns false if nothing is new.
  ///
  /// The most expensive hash of all imports with the same parameters is kept.
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
