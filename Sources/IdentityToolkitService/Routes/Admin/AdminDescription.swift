import AuthCore
import SessionTokens

/// The administration's operations as an OpenAPI 3.1 document.
enum AdminDescription {
  static func document(_ call: Call) -> JSONValue {
    var paths: [String: [String: JSONValue]] = [:]
    for operation in AdminOperation.all {
      paths[AdminOperation.root + operation.path, default: [:]][
        operation.method.rawValue.lowercased()] = describe(operation)
    }
    EventDescription.add(to: &paths)
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "AuthGraph administration", "version": "1",
        "description": "Merges, the audit, policies, keys and tokens of admins.",
      ],
      "servers": [["url": .string(call.services.settings.publicURL)]],
      "security": [["bearer": []]],
      "paths": .object(paths.mapValues { .object($0) }),
      "components": [
        "schemas": .object(Schema.shared),
        "securitySchemes": [
          "bearer": [
            "type": "http", "scheme": "bearer",
            "description": "A token made by authgraph admin-token new.",
          ]
        ],
      ],
    ]
  }

  private static func describe(_ operation: AdminOperation) -> JSONValue {
    let names = OpenAPI.names(in: operation.path)
    var parameters = names.map { OpenAPI.pathParameter($0, pathNames[$0] ?? "") }
    if names.contains("project") { parameters.append(parameter(tenant)) }
    parameters += operation.query.map(parameter)
    var description: [String: JSONValue] = [
      "operationId": .string(operation.id), "summary": .string(operation.summary),
      "description": .string(needs(operation)),
      "parameters": .array(parameters), "responses": .object(responses(operation)),
    ]
    if !operation.body.isEmpty {
      description["requestBody"] = [
        "required": .bool(operation.body.contains(where: \.isRequired)),
        "content": OpenAPI.json(Schema.object(operation.body)),
      ]
    }
    return .object(description)
  }

  private static func needs(_ operation: AdminOperation) -> String {
    operation.route.isOfServer
      ? "Needs the scopes \(operation.needs.rawValue) and server, because it belongs to no project."
      : "Needs the scope \(operation.needs.rawValue), in a token of the project or one with server."
  }

  private static let tenant = Schema.Member(
    "tenantId", Schema.text, "The tenant; the project itself by default.")

  private static let pathNames = [
    "project": "The project's ID.", "id": "The ID of the entry.", "uid": "The account's uid.",
    "name": "The token's name.",
  ]

  private static func parameter(_ member: Schema.Member) -> JSONValue {
    [
      "name": .string(member.name), "in": "query", "required": .bool(member.isRequired),
      "description": .string(member.summary), "schema": member.schema,
    ]
  }

  private static func responses(_ operation: AdminOperation) -> [String: JSONValue] {
    var responses: [String: JSONValue] = [
      "200": ["description": "Done.", "content": OpenAPI.json(operation.answer)]
    ]
    let usual = [
      400: "A field or parameter is missing or invalid; `field` names it.",
      401: "No token, or an unknown one.",
      403: "The token lacks the scope, or is of another project.",
      500: "The server's own fault.",
    ]
    for (status, summary) in usual.merging(operation.errors, uniquingKeysWith: { _, own in own }) {
      responses["\(status)"] = [
        "description": .string(summary), "content": OpenAPI.json(OpenAPI.reference("Error")),
      ]
    }
    return responses
  }
}
