import AuthCore

/// The addresses for events of vendors in the OpenAPI document.
enum EventDescription {
  /// Adds the operations to the paths of a document.
  static func add(to paths: inout [String: [String: JSONValue]]) {
    for (index, route) in Route.events.enumerated() {
      paths[route.pattern, default: [:]][route.method.rawValue.lowercased()] = describe(
        route, id: "\(route.name).\(index + 1)")
    }
  }

  private static func describe(_ route: Route, id: String) -> JSONValue {
    let isPage = route.method == .get
    var operation: [String: JSONValue] = [
      "operationId": .string(id), "security": [],
      "summary": isPage
        ? "The page on which a person reads whether a request to delete data came."
        : "Takes a vendor's events about people, which the vendor has signed.",
      "parameters": .array(
        OpenAPI.names(in: route.pattern).map { OpenAPI.pathParameter($0, names[$0] ?? "") }),
    ]
    guard !isPage else {
      let page: JSONValue = ["text/html": ["schema": text]]
      operation["responses"] = [
        "200": ["description": "It came.", "content": page],
        "404": ["description": "It is unknown.", "content": page],
      ]
      return .object(operation)
    }
    let types = [
      "application/secevent+jwt", "application/json", "application/x-www-form-urlencoded",
    ]
    let schemas: [String: JSONValue] = [
      types[0]: text, types[1]: ["type": "object"], types[2]: ["type": "object"],
    ]
    operation["requestBody"] = [
      "required": true, "content": .object(schemas.mapValues { ["schema": $0] }),
    ]
    var responses: [String: JSONValue] = [
      "200": ["description": "Taken, in the form that the vendor expects."],
      "202": ["description": "Taken (RFC 8935)."],
    ]
    let refusals = [
      "400": "The vendor did not sign it, or not for this app.",
      "404": "The provider takes no events here.", "413": "The body is too long.",
      "503": "The vendor's keys cannot be fetched now.",
    ]
    for (status, summary) in refusals {
      responses[status] = [
        "description": .string(summary), "content": OpenAPI.json(refusal),
      ]
    }
    operation["responses"] = .object(responses)
    return .object(operation)
  }

  private static let text: JSONValue = ["type": "string"]
  private static let refusal: JSONValue = [
    "type": "object", "required": ["err", "description"],
    "properties": ["err": ["type": "string"], "description": ["type": "string"]],
  ]

  private static let names = [
    "project": "The project's ID.", "tenant": "The tenant's ID.",
    "provider": "The provider's ID, such as google.com.",
    "event": "The topic of the vendor's address, such as deauthorize, or the ID of an event.",
  ]
}
