import Foundation

/// Reads a value that has no initialiser for others from JSON.
func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(json.utf8))
}
