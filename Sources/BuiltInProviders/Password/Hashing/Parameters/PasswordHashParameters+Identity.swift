import AuthCore
import Crypto
import Foundation

extension PasswordHashParameters: CustomStringConvertible {
  /// Identifies these parameters: the first 16 hex digits of the SHA-256 of their canonical JSON.
  ///
  /// The same parameters have the same one everywhere, so that importing twice makes one set.
  public var id: String {
    SHA256.hash(data: identifyingJSON).prefix(8).hexadecimal
  }

  /// Names the algorithm and the set, and keeps the key to itself.
  public var description: String { "\(algorithm.rawValue) (\(id))" }

  /// The JSON of what an import was given, and nothing that was learned from its hashes.
  private var identifyingJSON: Data {
    var given = self
    given.dearest = nil
    return given.canonicalJSON
  }

  var canonicalJSON: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch {
      preconditionFailure("Strings, integers and base64 always encode.")
    }
  }
}
