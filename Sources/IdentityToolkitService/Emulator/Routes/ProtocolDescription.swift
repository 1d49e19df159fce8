import AuthCore

/// The protocol's operations as an OpenAPI document, made from the routes.
enum ProtocolDescription {
  static func document(_ call: Call) -> JSONValue {
    var paths: [String: JSONValue] = [:]
    for route in Route.all where route.modes.contains(call.services.mode) {
      let path =
        "\(route.service.rawValue.isEmpty ? "" : "/")\(route.service.rawValue)\(route.pattern)"
      var item: [String: JSONValue] = [:]
      if case .object(let members)? = paths[path] { item = members }
      item[route.method.rawValue.lowercased()] = operation(route, path)
      paths[path] = .object(item)
    }
    return [
      "openapi": "3.1.0",
      "info": ["title": "Identity Toolkit", "version": "1"],
      "servers": [["url": .string(call.services.settings.publicURL)]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": [
          "key": ["type": "apiKey", "in": "query", "name": "key"],
          "bearer": ["type": "http", "scheme": "bearer"],
        ]
      ],
    ]
  }

  private static func operation(_ route: Route, _ path: String) -> JSONValue {
    var operation: [String: JSONValue] = [
      "operationId": .string("\(route.name) \(route.method.rawValue) \(path)"),
      "summary": .string(route.name),
      "responses": [
        "200": ["description": "Done."], "default": ["description": "An error in Google's form."],
      ],
    ]
    let names = OpenAPI.names(in: path)
    if !names.isEmpty {
      operation["parameters"] = .array(names.map { OpenAPI.pathParameter($0) })
    }
    switch route.access {
    case .key: operation["security"] = [["key": []]]
    case .keyOrAdmin: operation["security"] = [["key": []], ["bearer": []]]
    case .admin: operation["security"] = [["bearer": []]]
    // The setting `metrics` decides if a token is needed.
    case .metrics: operation["security"] = [[:], ["bearer": []]]
    case .open: operation["security"] = []
    }
    if let fields = route.fields, route.method != .get {
      operation["requestBody"] = [
        "content": [
          "application/json": [
            "schema": [
              "type": "object",
              "properties": .object(
                Dictionary(
                  fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })),
            ]
          ]
        ]
      ]
    }
    return .object(operation)
  }
}
