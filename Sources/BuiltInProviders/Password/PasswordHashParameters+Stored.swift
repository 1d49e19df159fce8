import Foundation

extension PasswordHashParameters {
  /// The parameters as the settings keep them.
  public var storedText: String { String(decoding: canonicalJSON, as: UTF8.self) }

  /// Reads what ``storedText`` wrote; throws what Foundation's decoder throws.
  public init(stored text: String) throws {
    self = try JSONDecoder().decode(PasswordHashParameters.self, from: Data(text.utf8))
  }
}
