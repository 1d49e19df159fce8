import AuthCore

/// The pieces of an OpenAPI 3.1 document.
enum OpenAPI {
  /// Returns the names in braces of a path, in order.
  static func names(in path: String) -> [String] {
    path.split(separator: "{").dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0]) }
    }
  }

  static func pathParameter(_ name: String, _ summary: String = "") -> JSONValue {
    var parameter: [String: JSONValue] = [
      "name": .string(name), "in": "path", "required": true, "schema": ["type": "string"],
    ]
    if !summary.isEmpty { parameter["description"] = .string(summary) }
    return .object(parameter)
  }

  static func reference(_ schema: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }

  static func json(_ schema: JSONValue) -> JSONValue {
    ["application/json": ["schema": schema]]
  }
}
