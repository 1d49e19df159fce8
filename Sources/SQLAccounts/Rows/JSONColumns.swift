import AuthCore
import Foundation

/// Values that are kept as JSON text, because nothing searches in them.
enum JSONColumn {
  static func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}
