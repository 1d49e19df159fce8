import AuthCore
import Crypto
import Foundation

extension PasswordHashParameters: CustomStringConvertible {
  /// The first 16 hex digits of the SHA-256 of the parameters' canonical JSON.
  ///
  /// Equal parameters have the same ID everywhere, so importing twice makes one set.
  public var id: String {
    SHA256.hash(data: identifyingJSON).prefix(8).hexadecimal
  }

  /// The algorithm and the ID, without the key.
  public var description: String { "\(algorithm.rawValue) (\(id))" }

  /// The JSON of the import's own parameters, without what its hashes revealed.
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
