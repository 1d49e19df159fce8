import AuthCore
import Foundation

/// Values stored as JSON text, because no query searches in them.
enum JSONColumn {
  static func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}
